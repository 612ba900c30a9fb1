#include "common/simulator/ptx/source_location.hpp"

#include "common/testing/catch.hpp"
#include "reading.hpp"

using namespace warpwise::simulator::ptx;
using namespace warpwise::simulator::ptx::testing;

TEST_CASE("headers of the toolkit are recognised wherever it lies") {
  const auto path = GENERATE(
      as<std::string>{}, "/usr/local/cuda/bin/../targets/x86_64-linux/include/sm_30_intrinsics.hpp",
      "/usr/local/cuda-13.0/include/cccl/cub/block/block_reduce.cuh", "/usr/local/cuda/include/cuda_fp16.hpp",
      "/opt/nvidia/cuda-12.4/include/crt/device_functions.h",
      "/home/s/.venv/lib/python3.11/site-packages/nvidia/cu13/include/cooperative_groups.h",
      "/home/s/.venv/lib/python3.11/site-packages/nvidia/cuda_runtime/include/cuda_fp16.h",
      "/usr/include/crt/math_functions.hpp", "/usr/include/cub/warp/warp_reduce.cuh",
      "/home/s/cccl/cub/cub/warp/warp_scan.cuh", "/home/s/cccl/libcudacxx/include/cuda/std/limits",
      "C:\\CUDA\\v12.4\\targets\\x64\\include\\sm_30_intrinsics.hpp");
  CAPTURE(path);
  CHECK(is_toolkit_file(path));
}

TEST_CASE("files of a student are not taken for the toolkit's") {
  const auto path =
      GENERATE(as<std::string>{}, "/home/student/exercise.cu", "exercise.cu", "/home/cuda/exercise.cu",
               "/home/student/cuda-course/exercise.cu", "/home/student/include/helpers.cuh",
               "/home/student/cub/solution.cu", "/home/student/cooperative_groups/solution.cu",
               "/home/student/cccl/exercise.cu", "/home/nvidia/warpwise/ch01/exercise.cu", "");
  CAPTURE(path);
  CHECK_FALSE(is_toolkit_file(path));
}

TEST_CASE("a location is followed out of the toolkit's headers") {
  const Module module = read(
      ".file 1 \"/home/student/a.cu\"\n.file 2 \"/usr/local/cuda/include/x.h\"\n.entry k() {\n"
      ".loc 1 10 1\nbar.sync 0;\n"
      ".loc 2 20 1, function_name n0, inlined_at 1 10 1\nbar.sync 1;\n"
      ".loc 2 30 1, function_name n1, inlined_at 2 20 1\nbar.sync 2;\n"
      ".loc 1 40 1, function_name n2, inlined_at 2 30 1\nbar.sync 3;\n"
      ".loc 2 50 1\nbar.sync 4;\n"
      ".loc 1 0 0\nbar.sync 5;\n"
      ".loc 2 60 1, function_name n3, inlined_at 1 11 1\nbar.sync 6; ret; }");
  const auto line = [&](std::size_t i) { return source_of(module, module.functions[0].code[i].location); };
  CHECK(line(0) == SourceLine{"/home/student/a.cu", 10});
  CHECK(line(1) == SourceLine{"/home/student/a.cu", 10});
  CHECK(line(2) == SourceLine{"/home/student/a.cu", 10});
  CHECK(line(3) == SourceLine{"/home/student/a.cu", 40});
  CHECK(line(4) == SourceLine{"/usr/local/cuda/include/x.h", 50});
  CHECK(line(5) == SourceLine{"/home/student/a.cu", 0});
  CHECK(line(6) == SourceLine{"/home/student/a.cu", 11});
  CHECK(source_of(module, -1) == SourceLine{});
}

TEST_CASE("of several locations with one place, inlined_at means the latest") {
  const Module module = read(
      ".file 1 \"a.cu\"\n.file 2 \"/usr/local/cuda/include/x.h\"\n.entry k() {\n"
      ".loc 1 10 1\n.loc 2 20 1, function_name n, inlined_at 1 10 1\n"
      ".loc 2 30 1, function_name m, inlined_at 2 20 1\nbar.sync 0;\n"
      ".loc 1 11 1\n.loc 2 20 1, function_name n, inlined_at 1 11 1\n"
      ".loc 2 30 1, function_name m, inlined_at 2 20 1\nbar.sync 1; ret; }");
  CHECK(source_of(module, module.functions[0].code[0].location).line == 10);
  CHECK(source_of(module, module.functions[0].code[1].location).line == 11);
}
