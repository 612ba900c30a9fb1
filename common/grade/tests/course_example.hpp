#pragma once
/// \file A small course in a folder of its own, for tests.

#include <filesystem>
#include <fstream>
#include <string>

#include "common/grade/assignment.hpp"
#include "common/text/files.hpp"

namespace warpwise::grade {

inline void write_file(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

/// Two chapters: ch01_first with the kernels `add` and `twice`, ch02_second with `scan`.
struct CourseExample {
  text::TemporaryFolder folder;
  std::filesystem::path root = folder.path() / "course";
  Course course{{Assignment({"ch01_first", root / "ch01_first", folder.path() / "build"}, {"add", "twice"}),
                 Assignment({"ch02_second", root / "ch02_second"}, {"scan"})},
                "kernel_compiler"};

  CourseExample() {
    write_file(root / "ch01_first/kernels.hpp",
               "#include \"common/kernel.hpp\"\n\nWARPWISE_KERNEL(add, (float* "
               "a));\n\nWARPWISE_KERNEL(twice, (float* a));\n");
    write_file(root / "ch02_second/kernels.hpp", "WARPWISE_KERNEL(scan, (float* a));\n");
    write_file(root / "ch01_first/exercise.cu",
               "#include \"kernels.hpp\"\nextern \"C\" __global__ void add(float* a) {\n  // TODO\n}\n"
               "extern \"C\" __global__ void twice(float* a) {\n  // TODO\n}\n");
    write_file(root / "ch01_first/solution.cu", solution());
    write_file(root / "common/kernel.hpp", "\n");
    for (const char* chapter : {"ch01_first", "ch02_second"})
      write_file(root / chapter / "checks/checks.cpp", "");
  }

  static std::string solution() {
    return "#include \"kernels.hpp\"\nextern \"C\" __global__ void add(float* a) {\n"
           "  const unsigned i = threadIdx.x;\n  for (unsigned k = 1; k < 32; k *= 2) a[i] += a[i + k];\n}\n"
           "extern \"C\" __global__ void twice(float* a) { a[threadIdx.x] *= 2; }\n";
  }
};

}  // namespace warpwise::grade
