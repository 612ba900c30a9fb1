#include "skeleton.hpp"

#include <filesystem>
#include <system_error>

#include "functions.hpp"
#include "text_file.hpp"

namespace warpwise::harness {

namespace {

std::string todo_text(std::string_view line) {
  std::string_view text = line.substr(line.find("TODO") + 4);
  while (!text.empty() && (text.front() == ' ' || text.front() == ':')) text.remove_prefix(1);
  return std::string(text.substr(0, text.find(':')));
}

/// Whether the first line of `code` that says anything is a statement that a skeleton would not have there.
bool begins_with_statement(std::string_view code) {
  while (!code.empty()) {
    std::string_view line = code.substr(0, code.find('\n'));
    code.remove_prefix(std::min(line.size() + 1, code.size()));
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (line.empty() || (line.starts_with("//") && line.find("TODO") == line.npos)) continue;
    return !line.starts_with("//") && !line.starts_with("}") && !line.starts_with("return");
  }
  return false;
}

}  // namespace

std::vector<Todo> todos_in(std::string_view text, std::string_view kernel) {
  std::vector<Todo> todos;
  for (const FunctionText& function : kernel_and_callees(text, kernel)) {
    std::string_view code = function.code;
    for (auto number = static_cast<unsigned>(function.line); !code.empty(); ++number) {
      const std::string_view line = code.substr(0, code.find('\n'));
      code.remove_prefix(std::min(line.size() + 1, code.size()));
      const auto comment = line.find("//");
      if (comment != std::string_view::npos && line.find("TODO", comment) != std::string_view::npos)
        todos.push_back({number, todo_text(line), begins_with_statement(code)});
    }
  }
  return todos;
}

std::vector<Todo> todos_in_file(const std::string& path, std::string_view kernel) {
  return todos_in(text_or_nothing(path), kernel);
}

bool is_skeleton_in_file(const std::string& path, std::string_view kernel) {
  return is_skeleton(text_or_nothing(path), kernel);
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
