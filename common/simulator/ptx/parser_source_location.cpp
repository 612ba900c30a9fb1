#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "../ptx.hpp"
#include "parser.hpp"

namespace warpwise::simulator::ptx {

namespace {

/// The folders of `path` and its file, without `.` and with `x/..` left out: /a/bin/../include/b.hpp is
/// a, include, b.hpp.
std::vector<std::string_view> parts_of(std::string_view path) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= path.size(); ++i) {
    if (i < path.size() && path[i] != '/' && path[i] != '\\') continue;
    const std::string_view part = path.substr(begin, i - begin);
    begin = i + 1;
    if (part.empty() || part == ".") continue;
    if (part != "..")
      parts.push_back(part);
    else if (!parts.empty())
      parts.pop_back();
  }
  return parts;
}

template <std::size_t size>
bool is_one_of(const std::array<std::string_view, size>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
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

/// Whether parts[i] is an include directory, or the checkout of one, and what follows is a folder of a
/// toolkit: include/cub/…, include/cuda/std/…, include/cuda/atomic (libcu++'s own names have no extension).
bool is_below_include(const std::vector<std::string_view>& parts, std::size_t i) {
  static constexpr std::array<std::string_view, 5> folders = {"cccl", "crt", "cub", "thrust",
                                                              "cooperative_groups"};
  if (i + 2 >= parts.size() || (parts[i] != "include" && parts[i] != "cccl")) return false;
  if (is_one_of(folders, parts[i + 1])) return true;
  const std::string_view next = parts[i + 2];
  const bool is_file = i + 3 == parts.size();
  return parts[i + 1] == "cuda" &&
         (is_file ? next.find('.') == next.npos : next == "std" || next.starts_with("__"));
}

/// libcu++ and CCCL from a checkout of their own: .../cccl/cub/cub/…, .../libcudacxx/include/cuda/…
bool is_cccl_checkout(const std::vector<std::string_view>& parts, std::size_t i) {
  if (i + 2 >= parts.size()) return false;
  const std::string_view outer = parts[i], inner = parts[i + 1];
  return (outer == "cub" && inner == "cub") || (outer == "thrust" && inner == "thrust") ||
         (outer == "libcudacxx" && inner == "include");
}

/// Whether only a toolkit has a header of this name: it is recognised in any folder, such as /usr/include of
/// a distribution's package, a conda environment, or wherever somebody has unpacked one. These are the
/// headers that define device functions and lie directly in the include directory, CUDA 12.0 to 13.5.
bool is_toolkit_name(std::string_view file) {
  // clang-format off
  static constexpr std::array<std::string_view, 18> stems = {
      "cooperative_groups", "cuComplex", "cuda_awbarrier", "cuda_awbarrier_helpers",
      "cuda_awbarrier_primitives", "cuda_bf16", "cuda_device_runtime_api", "cuda_pipeline",
      "cuda_pipeline_helpers", "cuda_pipeline_primitives", "cuda_runtime", "cuda_runtime_api",
      "cuda_tf32", "device_atomic_functions", "surface_indirect_functions", "texture_indirect_functions",
      "vector_functions", "device_launch_parameters"};
  // clang-format on
  const std::size_t dot = file.find('.');
  const std::string_view stem = file.substr(0, dot);
  const std::string_view extension = dot == file.npos ? std::string_view{} : file.substr(dot);
  if (extension != ".h" && extension != ".hpp") return false;
  return is_one_of(stems, stem) || stem.starts_with("cuda_fp") || stem.starts_with("curand") ||
         (stem.starts_with("sm_") && (stem.ends_with("_intrinsics") || stem.ends_with("_atomic_functions")));
}

/// /usr/include and /usr/lib belong to the distribution: its own package of CUDA, the C++ library.
bool is_system_file(std::string_view path, const std::vector<std::string_view>& parts) {
  return path.starts_with('/') && parts.size() > 2 && parts[0] == "usr" &&
         (parts[1] == "include" || parts[1] == "lib");
}

}  // namespace

bool is_toolkit_file(std::string_view path) {
  const std::vector<std::string_view> parts = parts_of(path);
  if (parts.empty()) return false;
  if (is_toolkit_name(parts.back()) || is_system_file(path, parts)) return true;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i)  // the last part is the file itself
    if (is_toolkit_include(parts, i) || is_below_include(parts, i) || is_cccl_checkout(parts, i)) return true;
  return false;
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

namespace {

std::string_view trimmed(std::string_view line) {
  const std::size_t begin = std::min(line.find_first_not_of(" \t\r"), line.size());
  return line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin);
}

/// The directives alone make a module, too: one function whose only instruction has the last location.
SourceLine last_location(const std::string& files, const std::string& locations) {
  const std::string text = ".version 7.0\n.target sm_75\n.address_size 64\n" + files + ".func lines()\n{\n" +
                           locations + "ret;\n}\n";
  try {
    const Module module = read_module(text, "locations");
    return source_of(module, module.functions.front().code.back().location);
  } catch (const Error&) {  // the directives themselves are what is wrong
    return {};
  }
}

/// The lines of a text on the way to the one that is asked for.
struct Reading {
  std::string files;
  std::string locations;
  std::string locations_behind;  ///< behind an asm statement: of what follows it
  bool is_in_asm = false;
  bool is_right_behind_asm = false;  ///< nothing but blank lines and locations since
  std::string_view last_of_asm;

  void pass(std::string_view line) {
    if (line.starts_with(".loc")) {
      (is_right_behind_asm ? locations_behind : locations).append(line).append("\n");
    } else if (line == "// end inline asm") {
      is_in_asm = false;
      is_right_behind_asm = true;
    } else if (!line.empty()) {
      if (is_in_asm) last_of_asm = line;
      if (line == "// begin inline asm") is_in_asm = true;
      is_right_behind_asm = false;
      locations += locations_behind;
      locations_behind.clear();
    }
  }
};

}  // namespace

TextOrigin origin_of(std::string_view text, std::uint32_t line) {
  Reading reading;
  TextOrigin origin;
  for (std::uint32_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view here = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (here.starts_with(".file")) reading.files.append(here).append("\n");
    if (number < line) reading.pass(here);
    if (number == line) origin.text = here;
  }
  origin.is_inline_asm = reading.is_in_asm || reading.is_right_behind_asm;
  if (!reading.is_in_asm && reading.is_right_behind_asm) origin.text = reading.last_of_asm;
  origin.source = last_location(reading.files, reading.locations);
  return origin;
}

}  // namespace warpwise::simulator::ptx
