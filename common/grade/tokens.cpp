#include "copies.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "../text/hash.hpp"
#include "../text/source.hpp"

namespace warpwise::grade {
namespace {

/// Whether a name is the language's or CUDA's, so that it says what is done. Those that begin with two
/// underscores are all.
bool is_known(std::string_view name) {
  static const std::set<std::string_view> known = {
      "alignas",   "asm",       "auto",       "blockDim",  "blockIdx",  "bool",     "break",     "case",
      "char",      "class",     "const",      "constexpr", "continue",  "decltype", "default",   "do",
      "double",    "else",      "enum",       "extern",    "false",     "float",    "float2",    "float4",
      "for",       "gridDim",   "if",         "inline",    "int",       "int2",     "int4",      "long",
      "namespace", "nullptr",   "operator",   "return",    "short",     "signed",   "sizeof",    "static",
      "struct",    "switch",    "template",   "threadIdx", "true",      "typedef",  "typename",  "uint2",
      "uint4",     "union",     "unsigned",   "using",     "void",      "volatile", "while",     "warpSize",
      "atomicAdd", "atomicCAS", "atomicExch", "atomicMax", "atomicMin", "atomicOr", "atomicAnd", "fmaxf",
      "fminf",     "max",       "min",        "define",    "pragma",    "unroll"};
  return name.starts_with("__") || known.count(name) != 0;
}

enum class Kind { name, number, literal, sign };
struct Token {
  Kind kind = Kind::sign;
  std::string_view text;
};

/// Cuts a source into tokens; knows comments, literals, numbers, names, and signs of one character.
class Scanner {
 public:
  explicit Scanner(std::string_view rest) : rest_(rest) {}

  /// False at the end.
  bool next(Token& token) {
    while (skip_unread()) {
    }
    if (rest_.empty()) return false;
    const char c = rest_.front();
    if (c == '"' || c == '\'')
      token = {Kind::literal, take(literal_length(c))};
    else if (text::is_digit(c))
      token = {Kind::number, take(length([](char d) { return text::is_of_name(d) || d == '.'; }))};
    else if (text::is_of_name(c))
      token = {Kind::name, take(length(text::is_of_name))};
    else
      token = {Kind::sign, take(1)};
    return true;
  }

 private:
  std::string_view take(std::size_t n) {
    const std::string_view taken = rest_.substr(0, n);
    rest_.remove_prefix(taken.size());
    return taken;
  }
  template <class Fits>
  std::size_t length(Fits fits) const {
    return static_cast<std::size_t>(std::find_if_not(rest_.begin(), rest_.end(), fits) - rest_.begin());
  }
  std::size_t literal_length(char quote) const {
    std::size_t at = 1;
    while (at < rest_.size() && rest_[at] != quote && rest_[at] != '\n') at += rest_[at] == '\\' ? 2 : 1;
    return at + 1;
  }
  /// Layout, a comment, an #include.
  bool skip_unread() {
    if (rest_.empty()) return false;
    if (std::isspace(static_cast<unsigned char>(rest_.front())) != 0) return !take(1).empty();
    if (rest_.starts_with("//")) return !take(std::min(rest_.find('\n'), rest_.size())).empty();
    if (rest_.starts_with("/*")) {
      const std::size_t end = rest_.find("*/", 2);
      return !take(end == rest_.npos ? rest_.size() : end + 2).empty();
    }
    if (rest_.starts_with("#include")) return !take(std::min(rest_.find('\n'), rest_.size())).empty();
    return false;
  }

  std::string_view rest_;
};

template <class Rename>
std::vector<std::string> tokens(std::string_view source, const std::vector<std::string>& kept,
                                Rename rename) {
  const std::set<std::string_view> keeps(kept.begin(), kept.end());
  std::vector<std::string> result;
  Scanner scanner(source);
  for (Token token; scanner.next(token);) {
    if (token.kind == Kind::name && !is_known(token.text) && keeps.count(token.text) == 0)
      result.push_back(rename(token.text));
    else
      result.emplace_back(token.kind == Kind::literal ? std::string_view("\"") : token.text);
  }
  return result;
}

}  // namespace

std::vector<std::string> tokens_of(std::string_view source, const std::vector<std::string>& kept) {
  return tokens(source, kept, [](std::string_view) { return std::string("$"); });
}

std::vector<std::string> renamed_tokens_of(std::string_view source, const std::vector<std::string>& kept) {
  std::map<std::string, std::size_t, std::less<>> numbers;
  return tokens(source, kept, [&](std::string_view name) {
    return "$" + std::to_string(numbers.try_emplace(std::string(name), numbers.size()).first->second);
  });
}

std::vector<std::uint64_t> fingerprints_of(const std::vector<std::string>& tokens) {
  constexpr std::size_t piece = 12, window = 8;
  std::vector<std::uint64_t> hashes;
  for (std::size_t at = 0; at + piece <= tokens.size(); ++at) {
    std::uint64_t hash = text::hash_of("");
    for (std::size_t i = 0; i < piece; ++i) hash = text::hash_of(" ", text::hash_of(tokens[at + i], hash));
    hashes.push_back(hash);
  }
  std::set<std::uint64_t> chosen;
  const std::size_t windows =
      hashes.size() < window ? std::min<std::size_t>(hashes.size(), 1) : hashes.size() - window + 1;
  for (std::size_t at = 0; at < windows; ++at) {
    const auto begin = hashes.begin() + static_cast<std::ptrdiff_t>(at);
    const auto end = hashes.begin() + static_cast<std::ptrdiff_t>(std::min(at + window, hashes.size()));
    chosen.insert(*std::min_element(begin, end));
  }
  return {chosen.begin(), chosen.end()};
}

std::uint64_t hash_of_all(const std::vector<std::string>& tokens) {
  std::uint64_t hash = text::hash_of("");
  for (const std::string& token : tokens) hash = text::hash_of(" ", text::hash_of(token, hash));
  return hash;
}

}  // namespace warpwise::grade
