#include "files.hpp"

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>

namespace warpwise::text {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  // A folder can be opened, and not be read.
  if (!file || file.peek() == std::ifstream::traits_type::eof()) {
    if (!file.eof() || file.bad() || fs::is_directory(path))
      throw std::runtime_error(shown_path(path) + " cannot be read.");
    return {};
  }
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string text_or_nothing(const fs::path& path) { return fs::exists(path) ? read_text(path) : ""; }

void write_text(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  if (!(file << text) || !file.flush()) throw std::runtime_error(shown_path(path) + " cannot be written.");
}

std::string shown_path(const fs::path& path) {
  std::error_code error;
  const fs::path relative = fs::relative(path, fs::current_path(error), error);
  if (error || relative.empty() || *relative.begin() == "..") return path.string();
  return relative.string();
}

}  // namespace warpwise::text
