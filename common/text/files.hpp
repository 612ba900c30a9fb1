#pragma once
/// \file Files of text, in one piece and as they are; a folder that goes with its object; what tells texts
/// apart.

#include <stdlib.h>

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace warpwise::text {

/// `path` as the user would type it: relative to the current folder where it lies below it.
inline std::string shown_path(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::path relative =
      std::filesystem::relative(path, std::filesystem::current_path(error), error);
  if (error || relative.empty() || *relative.begin() == "..") return path.string();
  return relative.string();
}

/// Throws std::runtime_error: "PATH cannot be read."
inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path))  // which can be opened
    throw std::runtime_error(shown_path(path) + " cannot be read.");
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}
/// The same; empty if there is no such file.
inline std::string text_or_nothing(const std::filesystem::path& path) {
  return std::filesystem::exists(path) ? read_text(path) : "";
}

/// Throws std::runtime_error: "PATH cannot be written."
inline void write_text(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  if (!(file << text) || !file.flush()) throw std::runtime_error(shown_path(path) + " cannot be written.");
}

/// Completely or not at all: somebody may be reading the file.
inline void replace_text(const std::filesystem::path& path, const std::string& text) {
  const std::filesystem::path part = path.string() + "." + std::to_string(getpid());
  write_text(part, text);
  std::filesystem::rename(part, path);
}

/// Below the system's folder for temporary files; removed at the end with all that is in it.
class TemporaryFolder {
 public:
  /// Throws std::runtime_error if it cannot be made.
  TemporaryFolder() {
    const std::filesystem::path above = std::filesystem::temp_directory_path();
    std::string name = (above / "warpwise-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw std::runtime_error("cannot make a folder in " + above.string() + ": " + std::strerror(errno) +
                               ".");
    path_ = name;
  }
  ~TemporaryFolder() {
    // What was killed in it may still write for a moment.
    constexpr int most_tries = 50;
    std::error_code error;
    for (int i = 0; i < most_tries; ++i) {
      std::filesystem::remove_all(path_, error);
      if (!error) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
  TemporaryFolder(const TemporaryFolder&) = delete;  ///< it is removed once
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// `text` with `by` in place of each `what`.
inline std::string with_each_replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

/// The fields of a line of a table (.tsv).
inline std::vector<std::string> tab_separated(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, '\t');) fields.push_back(field);
  return fields;
}

/// FNV-1a, 64 bits (Fowler, Noll, Vo), which needs no library. Anyone can make two texts with the same hash;
/// that does no harm here.
inline std::uint64_t hash_of(std::string_view text, std::uint64_t hash = 0xcbf29ce484222325) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

inline std::string hexadecimal(std::uint64_t number) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(number));
  return text;
}

}  // namespace warpwise::text
