#include "skeleton.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace warpwise::harness {

namespace {

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Whether `line` starts the definition of the kernel: `extern "C" __global__ void NAME(`.
bool defines(std::string_view line, std::string_view kernel) {
  if (line.find("__global__") == std::string_view::npos) return false;
  for (auto at = line.find(kernel); at != std::string_view::npos; at = line.find(kernel, at + 1)) {
    const auto end = at + kernel.size();
    if (at > 0 && is_name_character(line[at - 1])) continue;
    if (end < line.size() && line[end] == '(') return true;
  }
  return false;
}

std::string todo_text(std::string_view line) {
  std::string_view text = line.substr(line.find("TODO") + 4);
  while (!text.empty() && (text.front() == ' ' || text.front() == ':')) text.remove_prefix(1);
  return std::string(text.substr(0, text.find(':')));
}

}  // namespace

std::vector<Todo> todos_in(std::string_view text, std::string_view kernel) {
  std::vector<Todo> todos;
  bool is_inside = false;
  for (unsigned number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.find("__global__") != std::string_view::npos) is_inside = defines(line, kernel);
    const auto comment = line.find("//");
    if (is_inside && comment != std::string_view::npos &&
        line.find("TODO", comment) != std::string_view::npos) {
      todos.push_back({number, todo_text(line)});
    }
  }
  return todos;
}

std::vector<Todo> todos_in_file(const std::string& path, std::string_view kernel) {
  std::ifstream file(path, std::ios::binary);
  return todos_in(std::string(std::istreambuf_iterator<char>(file), {}), kernel);
}

std::string source_of(const simulator::ptx::Module& module) {
  for (const auto& file : module.files) {
    if (file.path.ends_with(".cu")) return file.path;
  }
  return {};
}

std::string shown_path(const std::string& path) {
  std::error_code error;
  const auto relative = std::filesystem::relative(path, error);
  if (error || relative.empty() || *relative.begin() == "..") return path;
  return relative.string();
}

}  // namespace warpwise::harness
