#include "source_location.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace warpwise::simulator::ptx {
namespace {

std::vector<std::string_view> parts_of(std::string_view path) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= path.size(); ++i) {
    if (i < path.size() && path[i] != '/' && path[i] != '\\') continue;
    if (i > begin) parts.push_back(path.substr(begin, i - begin));
    begin = i + 1;
  }
  return parts;
}

/// `include` below a folder that only a toolkit has: `cuda`, `cuda-13.0`, `targets/*`, `nvidia/cu13`,
/// `nvidia/cuda_runtime`.
bool is_toolkit_include(const std::vector<std::string_view>& parts, std::size_t include) {
  if (parts[include] != "include" || include == 0) return false;
  const std::string_view parent = parts[include - 1];
  const std::string_view grandparent = include > 1 ? parts[include - 2] : std::string_view{};
  return parent == "cuda" || parent.starts_with("cuda-") || grandparent == "targets" ||
         grandparent == "nvidia";
}

}  // namespace

bool is_toolkit_file(std::string_view path) {
  // Folders that a header of the toolkit lies in directly below an include directory.
  static constexpr std::array<std::string_view, 5> below_include = {"cccl", "crt", "cub", "thrust",
                                                                    "cooperative_groups"};
  const std::vector<std::string_view> parts = parts_of(path);
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {  // the last part is the file itself
    if (is_toolkit_include(parts, i)) return true;
    const bool is_include = parts[i] == "include" || parts[i] == "cccl";
    const bool is_known =
        std::find(below_include.begin(), below_include.end(), parts[i + 1]) != below_include.end();
    if (is_include && is_known && i + 2 < parts.size()) return true;
  }
  // libcu++ and CCCL from a checkout of their own: .../cccl/cub/cub/…, .../libcudacxx/include/cuda/…
  const auto has_pair = [&](std::string_view first, std::string_view second) {
    for (std::size_t i = 0; i + 2 < parts.size(); ++i)
      if (parts[i] == first && parts[i + 1] == second) return true;
    return false;
  };
  return has_pair("cub", "cub") || has_pair("thrust", "thrust") || has_pair("libcudacxx", "include");
}

SourceLine source_of(const Module& module, std::int32_t location) {
  SourceLine innermost;
  for (std::int32_t i = location; i >= 0; i = module.locations.at(static_cast<std::size_t>(i)).inlined_at) {
    const Location& here = module.locations.at(static_cast<std::size_t>(i));
    const File* file = module.find_file(here.file);
    if (file == nullptr) continue;
    if (innermost.line == 0) innermost = {file->path, here.line};
    if (here.line != 0 && !is_toolkit_file(file->path)) return {file->path, here.line};
  }
  return innermost;
}

}  // namespace warpwise::simulator::ptx
