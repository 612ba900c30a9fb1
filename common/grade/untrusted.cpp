#include "untrusted.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

#include "../text/files.hpp"

namespace warpwise::grade {

namespace {

namespace fs = std::filesystem;

/// Closes a file at the end of its scope.
class OpenFile {
 public:
  explicit OpenFile(int file) : file_(file) {}
  ~OpenFile() {
    if (file_ >= 0) close(file_);
  }
  OpenFile(const OpenFile&) = delete;  ///< it is closed once
  OpenFile& operator=(const OpenFile&) = delete;
  int get() const { return file_; }

 private:
  int file_;
};

/// Why a thing of this kind is not read; empty for a plain file.
std::string problem_of(mode_t mode) {
  if (S_ISREG(mode)) return {};
  if (S_ISLNK(mode)) return "is a symbolic link, which is not followed";
  if (S_ISDIR(mode)) return "is a folder";
  if (S_ISFIFO(mode)) return "is a pipe";
  return "is not a plain file";
}

std::string size_text(std::uint64_t bytes) {
  if (bytes >= 10 * 1024 * 1024) return std::to_string(bytes / 1024 / 1024) + " MiB";
  return std::to_string(bytes / 1024) + " KiB";
}

}  // namespace

FileText read_plain_file(const fs::path& path, std::uint64_t most_bytes) {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0) return {{}, std::string("cannot be read: ") + std::strerror(errno)};
  if (std::string problem = problem_of(status.st_mode); !problem.empty()) return {{}, std::move(problem)};
  const OpenFile file(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (file.get() < 0 || fstat(file.get(), &status) != 0)
    return {{}, std::string("cannot be read: ") + std::strerror(errno)};
  if (std::string problem = problem_of(status.st_mode); !problem.empty()) return {{}, std::move(problem)};
  if (static_cast<std::uint64_t>(status.st_size) > most_bytes)
    return {{},
            "has " + size_text(static_cast<std::uint64_t>(status.st_size)) + ", at most " +
                size_text(most_bytes) + " are read"};
  std::string text;
  std::array<char, 65536> piece;
  while (text.size() <= most_bytes) {
    const ssize_t n = read(file.get(), piece.data(), piece.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return {{}, std::string("cannot be read: ") + std::strerror(errno)};
    if (n == 0) return {std::move(text), {}};
    text.append(piece.data(), static_cast<std::size_t>(n));
  }
  return {{}, "grows while it is read"};
}

FileText read_source(const fs::path& path) {
  FileText file = read_plain_file(path, most_source_bytes);
  if (!file.problem.empty()) return file;
  if (file.text.find('\0') != std::string::npos) {
    const bool is_utf16 = file.text.starts_with("\xff\xfe") || file.text.starts_with("\xfe\xff");
    return {{}, is_utf16 ? "is UTF-16: save it as UTF-8" : "is not text: it has NUL bytes"};
  }
  if (const auto braces = std::count(file.text.begin(), file.text.end(), '{'); braces > most_braces)
    return {
        {},
        "opens " + std::to_string(braces) + " braces, at most " + std::to_string(most_braces) + " are read"};
  return file;
}

namespace {

template <class Number>
std::string formatted(const char* format, Number number) {
  char text[32];
  std::snprintf(text, sizeof text, format, number);
  return text;
}

struct CodePoint {
  std::uint32_t value = 0;
  std::size_t bytes = 0;  ///< 0: what stands here is no UTF-8
};

/// The first code point of `text`, which is not empty (RFC 3629: no surrogates, nothing longer than needed).
CodePoint first_code_point(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return {byte(0), 1};
  const std::size_t bytes = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < bytes) return {};
  std::uint32_t value = byte(0) & (0x7fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    value = value << 6 | (byte(i) & 0x3f);
  }
  const std::uint32_t least = bytes == 2 ? 0x80 : bytes == 3 ? 0x800 : 0x10000;
  const bool is_surrogate = value >= 0xd800 && value <= 0xdfff;
  return value < least || is_surrogate || value > 0x10ffff ? CodePoint{} : CodePoint{value, bytes};
}

/// Changes what stands around it on a terminal or a page: controls, marks and overrides of the direction
/// (Unicode, UAX 9), separators of lines, a byte order mark.
bool is_unseen(std::uint32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || (c >= 0x200b && c <= 0x200f) ||
         (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || c == 0xfffe ||
         c == 0xffff;
}

std::string made_visible(std::string_view text, bool keeps_lines) {
  std::string result;
  while (!text.empty()) {
    const CodePoint c = first_code_point(text);
    if (c.bytes == 0)
      result += "\xef\xbf\xbd";
    else if (c.value == '\n' || c.value == '\t')
      result += keeps_lines ? text.substr(0, 1) : c.value == '\n' ? "\\n" : " ";
    else if (is_unseen(c.value))
      result += formatted(c.value < 0x100 ? "\\x%02x" : "\\u%04x", c.value);
    else
      result += text.substr(0, c.bytes);
    text.remove_prefix(c.bytes == 0 ? 1 : c.bytes);
  }
  return result;
}

}  // namespace

std::string visible(std::string_view text) { return made_visible(text, true); }
std::string visible_line(std::string_view text) { return made_visible(text, false); }

std::string xml_escaped(std::string_view text) {
  static const std::map<char, std::string_view> escapes = {{'&', "&amp;"},  {'<', "&lt;"},   {'>', "&gt;"},
                                                           {'"', "&quot;"}, {'\n', "&#10;"}, {'\t', "&#9;"}};
  std::string result;
  for (const char c : text) {
    const auto escape = escapes.find(c);
    result += escape == escapes.end() ? std::string_view(&c, 1) : escape->second;
  }
  return result;
}

std::string csv_cell(std::string_view text) {
  std::string cell;
  if (!text.empty() && std::string_view("=+-@").find(text.front()) != text.npos) cell += '\'';
  cell += text;
  if (cell.find_first_of(",\"\n\r") == cell.npos) return cell;
  std::string quoted = "\"";
  for (const char c : cell) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string file_name_for(std::string_view name) {
  constexpr std::size_t longest = 180;  // with a suffix it stays below the 255 bytes of Linux
  std::string result;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                          (byte >= '0' && byte <= '9') || byte == '_' || byte == '-' ||
                          (byte == '.' && !result.empty());
    result += is_plain ? std::string(1, c) : formatted("%%%02x", byte);
  }
  if (result.size() <= longest) return result;
  return result.substr(0, longest) + "%-" + text::hexadecimal(text::hash_of(name));
}

std::string at_most(std::size_t bytes, std::string text) {
  if (text.size() <= bytes) return text;
  const std::size_t end = text.rfind('\n', bytes);
  const std::size_t kept = end == text.npos ? 0 : end + 1;
  const std::size_t dropped = text.size() - kept;
  text.resize(kept);
  return text + "(" + std::to_string(dropped) + " more bytes are left out)\n";
}

}  // namespace warpwise::grade
