#include "host_names.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <sstream>
#include <vector>

namespace warpwise::compile {

namespace {

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The text with blanks for comments, literals and directives: each place stays where it is.
std::string code_of(std::string_view text) {
  std::string code(text);
  const auto blank = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < std::min(to, code.size()); ++i)
      if (code[i] != '\n') code[i] = ' ';
    return to;
  };
  const auto behind = [&](std::string_view end, std::size_t at) {
    const std::size_t found = text.find(end, at);
    return found == text.npos ? text.size() : found + end.size();
  };
  bool starts_line = true;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '\n') starts_line = true;
    if (text.substr(i, 2) == "/*")
      i = blank(i, behind("*/", i + 2));
    else if (text.substr(i, 2) == "//")
      i = blank(i, std::min(text.find('\n', i), text.size()));
    else if (c == '#' && starts_line) {
      std::size_t end = std::min(text.find('\n', i), text.size());
      while (end < text.size() && text[end - 1] == '\\')
        end = std::min(text.find('\n', end + 1), text.size());
      i = blank(i, end);
    } else if (c == '"' || (c == '\'' && (i == 0 || !is_of_name(text[i - 1])))) {
      std::size_t end = i + 1;
      while (end < text.size() && text[end] != c && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
      i = blank(i, end + 1);
      starts_line = false;
    } else {
      if (!std::isspace(static_cast<unsigned char>(c))) starts_line = false;
      ++i;
    }
  }
  return code;
}

/// Calls `visit` with each place of `word` in `code`, until it gives true.
template <class Visit>
bool any_place(std::string_view code, std::string_view word, Visit visit) {
  for (std::size_t at = code.find(word); at != code.npos; at = code.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_of_name(code[at - 1])) && (end == code.size() || !is_of_name(code[end])) && visit(at))
      return true;
  }
  return false;
}

bool has_word(std::string_view code, std::string_view word) {
  return any_place(code, word, [](std::size_t) { return true; });
}

/// What stands before `at` in its statement.
std::string_view statement_before(std::string_view code, std::size_t at) {
  const std::size_t end = at == 0 ? code.npos : code.find_last_of(";{}", at - 1);
  const std::size_t start = end == code.npos ? 0 : end + 1;
  return code.substr(start, at - start);
}

std::string at_line(std::string_view code, std::size_t at, const std::string& error) {
  return "(" + std::to_string(1 + std::count(code.begin(), code.begin() + static_cast<long>(at), '\n')) +
         "): error: " + error + "\n";
}

/// The name itself, without namespaces, classes and parameters: "_ZN4mine5otherE" -> "other".
std::string plain_name(std::string_view name) {
  if (!name.starts_with("_Z")) return std::string(name);
  std::size_t at = name.find_first_of("0123456789");
  std::string_view last;
  while (at < name.size() && std::isdigit(static_cast<unsigned char>(name[at])) != 0) {
    std::size_t length = 0;
    for (; at < name.size() && std::isdigit(static_cast<unsigned char>(name[at])) != 0; ++at)
      length = std::min<std::size_t>(10 * length + static_cast<std::size_t>(name[at] - '0'), name.size());
    last = name.substr(at, length);
    at += length;
    if (name[2] != 'N') break;  // what follows are the parameters
  }
  return std::string(last);
}

/// Of CUB, Thrust, libcu++ or cooperative groups: "_ZN4cuda3std...", also behind the name that is made of the
/// file's.
bool is_of_nvidia(std::string_view name) {
  constexpr std::string_view namespaces[] = {"4cuda", "3cub", "6thrust", "18cooperative_groups"};
  if (!name.starts_with("_ZN")) return false;
  name.remove_prefix(3);
  if (const std::size_t digits = name.find_first_not_of("0123456789");
      digits - 1 < 4 && name.substr(digits).starts_with("_INTERNAL_"))
    name.remove_prefix(std::min(digits + std::stoul(std::string(name.substr(0, digits))), name.size()));
  return std::any_of(std::begin(namespaces), std::end(namespaces),
                     [&](std::string_view space) { return name.starts_with(space); });
}

struct Names {
  struct Variable {
    std::string name;
    bool is_used = false;  ///< by an instruction
  };
  std::vector<Variable> variables;  ///< in the device's memory, not to be seen from outside
  std::vector<std::string> kernels;
};

Names names_in(std::string_view ptx) {
  constexpr std::string_view entry = ".entry ";
  Names names;
  std::istringstream lines{std::string(ptx)};
  for (std::string line; std::getline(lines, line);) {
    if (const std::size_t at = line.find(entry); at != line.npos) {
      const std::size_t start = at + entry.size();
      names.kernels.push_back(
          plain_name(std::string_view(line).substr(start, line.find('(', start) - start)));
    } else if (line.starts_with(".global ") || line.starts_with(".const ")) {
      const std::string_view words = std::string_view(line).substr(0, line.find_first_of("[=;"));
      const std::size_t end = words.find_last_not_of(' ') + 1;
      const std::size_t start = words.find_last_of(' ', end - 1) + 1;
      const std::string_view name = words.substr(start, end - start);
      if (name.starts_with("$") || name.starts_with("__unnamed") || name.starts_with("_ZZ") ||
          is_of_nvidia(name))
        continue;  // a literal, static in a function, or of a header, whatever the file calls by that name
      const bool is_used =
          any_place(ptx.substr(ptx.find(line) + line.size()), name, [](std::size_t) { return true; });
      // NVRTC also keeps numbers of which only the value is taken, as nvcc allows; of a pointer it does not.
      if (is_used || line.find('[') != line.npos || line.find("= generic(") != line.npos)
        names.variables.push_back({plain_name(name), is_used});
    }
  }
  return names;
}

/// Declared as a constant in `code`, and nowhere for the device.
bool is_of_host(std::string_view code, std::string_view name) {
  constexpr std::string_view device[] = {"__device__", "__constant__", "__managed__", "__shared__"};
  bool is_constant = false;
  const bool is_of_device = any_place(code, name, [&](std::size_t at) {
    const std::string_view statement = statement_before(code, at);
    is_constant |= has_word(statement, "const") || has_word(statement, "constexpr");
    return std::any_of(std::begin(device), std::end(device),
                       [&](std::string_view word) { return has_word(statement, word); });
  });
  return is_constant && !is_of_device;
}

/// Where the name is used first, behind its declaration.
std::optional<std::size_t> use_of(std::string_view code, std::string_view name) {
  std::optional<std::size_t> found;
  bool is_declared = false;
  any_place(code, name, [&](std::size_t at) {
    if (is_declared) found = at;
    is_declared = true;
    return found.has_value();
  });
  return found;
}

/// Where a kernel is called, with no word of a declaration before it.
std::optional<std::size_t> call_of(std::string_view code, std::string_view kernel) {
  std::optional<std::size_t> found;
  any_place(code, kernel, [&](std::size_t at) {
    const std::size_t next = code.find_first_not_of(" \t\n", at + kernel.size());
    const std::string_view before = statement_before(code, at);
    if (next != code.npos && code[next] == '(' && !has_word(before, "void") &&
        !has_word(before, "__global__"))
      found = at;
    return found.has_value();
  });
  return found;
}

/// A device function with a name that CUDA has, "atomicAdd", or C's headers, which nvcc includes by itself.
/// Where the types are others it is well; so nvcc has to say.
bool defines_known_function(std::string_view code) {
  constexpr std::string_view of_c[] = {
      "abort",  "atoi",   "atof",  "clock",  "difftime", "div",    "drand48", "exit",  "getenv",
      "index",  "labs",   "ldiv",  "llabs",  "lldiv",    "memchr", "memcmp",  "qsort", "memmove",
      "mktime", "random", "srand", "strcmp", "strlen",   "swab",   "system",  "time"};
  return any_place(code, "__device__", [&](std::size_t at) {
    const std::size_t open = code.find_first_of("({;=", at);
    if (open == code.npos || code[open] != '(') return false;
    std::size_t end = open;
    while (end > at && std::isspace(static_cast<unsigned char>(code[end - 1])) != 0) --end;
    std::size_t start = end;
    while (start > at && is_of_name(code[start - 1])) --start;
    const std::string_view name = code.substr(start, end - start);
    return name.starts_with("atomic") || (name.starts_with("__") && name != "__launch_bounds__") ||
           std::find(std::begin(of_c), std::end(of_c), name) != std::end(of_c);
  });
}

}  // namespace

Doubt doubt_about(std::string_view source, std::string_view texts, std::string_view ptx) {
  const std::string code = code_of(source), all = code_of(texts);
  const Names names = names_in(ptx);
  bool is_doubtful = defines_known_function(code);
  for (const auto& [name, is_used] : names.variables) {
    if (!is_of_host(all, name)) continue;
    is_doubtful = true;  // nvcc takes the values of most
    if (!is_used) continue;
    if (const auto use = use_of(code, name))
      return {true, at_line(code, *use, "identifier \"" + name + "\" is undefined in device code")};
  }
  for (const std::string& kernel : names.kernels)
    if (const auto call = call_of(code, kernel))
      return {true, at_line(code, *call, "a __global__ function call must be configured")};
  return {is_doubtful, ""};
}

}  // namespace warpwise::compile
