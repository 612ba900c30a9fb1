#include "strangers.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>
#include <stdexcept>

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
  return "is no plain file";
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
    return {{}, is_utf16 ? "is UTF-16: save it as UTF-8" : "is no text: it has NUL bytes"};
  }
  if (const auto braces = std::count(file.text.begin(), file.text.end(), '{'); braces > most_braces)
    return {
        {},
        "opens " + std::to_string(braces) + " braces, at most " + std::to_string(most_braces) + " are read"};
  return file;
}

void write_whole(const fs::path& path, const std::string& text) {
  static std::atomic<unsigned> count{0};
  // Beside it, so that it can be renamed; under a name that nobody else takes, on this machine or another
  // one.
  fs::path beside = path;
  beside += ".part-" + std::to_string(std::random_device()()) + "-" + std::to_string(count++);
  std::ofstream out(beside, std::ios::binary | std::ios::trunc);
  const bool is_written = static_cast<bool>(out << text << std::flush);
  out.close();
  std::error_code error;
  if (is_written) fs::rename(beside, path, error);
  if (is_written && !error) return;
  std::error_code ignored;
  fs::remove(beside, ignored);
  throw std::runtime_error("cannot write " + path.string() +
                           (error ? ": " + error.message() : std::string()) + ".");
}

}  // namespace warpwise::grade
