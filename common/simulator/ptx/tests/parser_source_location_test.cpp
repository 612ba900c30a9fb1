#include "common/simulator/ptx.hpp"
#include "common/simulator/ptx/parser.hpp"

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

TEST_CASE("headers of the toolkit are recognised through . and ..") {
  const auto path = GENERATE(
      as<std::string>{}, "/home/s/warpwise/.toolkit/cuda/nvidia/cu13/bin/../include/sm_30_intrinsics.hpp",
      "/venv/nvidia/cu13/bin/../include/cuda_next.h", "/usr/local/cuda/bin/..//include/cuda_next.h",
      "/usr/local/cuda/./bin/./.././include/./cuda_next.h", "../../nvidia/cu13/bin/../include/cuda_next.h",
      "/toolkit/bin/../include/crt/../crt/sm_90_rt.hpp");
  CAPTURE(path);
  CHECK(is_toolkit_file(path));
}

TEST_CASE("headers of the toolkit are recognised in unusual places") {
  const auto path = GENERATE(
      as<std::string>{}, "/usr/include/sm_30_intrinsics.hpp",
      "/usr/include/cuda/std/detail/libcxx/include/cmath", "/usr/lib/cuda/include/cuda_next.h",
      "/usr/include/c++/12/bits/stl_algobase.h", "/opt/cuda/include/cuda_next.h",
      "/home/s/miniconda3/envs/cuda/include/cuda_fp16.hpp",
      "/home/s/miniconda3/envs/cuda/targets/x86_64-linux/include/cuda_next.h",
      "/home/s/my toolkit/include/sm_30_intrinsics.hpp", "/home/s/my toolkit/include/cooperative_groups.h",
      "/home/s/my toolkit/include/curand_philox4x32_x.h",
      "/home/s/my toolkit/include/cuda/std/__utility/move.h", "/home/s/my toolkit/include/cuda/__ptx/ptx.h",
      "/home/s/my toolkit/include/cuda/atomic", "/apps/cuda/12.4/include/sm_60_atomic_functions.hpp",
      "/nix/store/0a1b-cuda_cudart-12.4/include/device_atomic_functions.hpp", "sm_30_intrinsics.hpp",
      "C:\\Program Files\\NVIDIA GPU Computing Toolkit\\CUDA\\v12.4\\include\\sm_30_intrinsics.hpp");
  CAPTURE(path);
  CHECK(is_toolkit_file(path));
}

TEST_CASE("a folder that is left again by .. says nothing") {
  CHECK_FALSE(is_toolkit_file("/usr/local/cuda/include/../../../home/s/exercise.cu"));
  CHECK_FALSE(is_toolkit_file("/usr/include/../../home/s/exercise.cu"));
}

TEST_CASE("files of a student are not taken for the toolkit's") {
  const auto path =
      GENERATE(as<std::string>{}, "/home/student/exercise.cu", "exercise.cu", "/home/cuda/exercise.cu",
               "/home/student/cuda-course/exercise.cu", "/home/student/include/helpers.cuh",
               "/home/student/cub/solution.cu", "/home/student/cooperative_groups/solution.cu",
               "/home/student/cccl/exercise.cu", "/home/nvidia/warpwise/ch01/exercise.cu", "",
               "/home/student/../../exercise.cu", "..", "/home/student/include/cuda/helpers.cuh",
               "/home/student/sm_30_intrinsics.cu", "/home/student/cuda_runtime.cuh", "/usr/local/src/a.cu",
               "usr/include/a.cu", "/home/student/include/cub.cuh");
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

TEST_CASE("a path is what the compiler's escapes stand for") {
  const auto path = [](const std::string& quoted) {
    return read(".file 1 \"" + quoted + "\"\n.entry k() { .loc 1 1 1\nret; }").files.at(0).path;
  };
  CHECK(path("/home/s/my course/a.cu") == "/home/s/my course/a.cu");
  CHECK(path("/home/s/kurs \\303\\274/a.cu") == "/home/s/kurs \303\274/a.cu");
  CHECK(path(R"(/a\"b/c.cu)") == R"(/a"b/c.cu)");
  CHECK(path(R"(C:\\dir\\a.cu)") == R"(C:\dir\a.cu)");
  CHECK(path(R"(C:\dir\30)") == R"(C:\dir\30)");
}

namespace {

/// As the compiler writes it; line 7 is wrong, and behind line 12 a semicolon lacks.
constexpr std::string_view generated = R"(.version 9.0
.visible .entry k()
{
	.loc	1 15 3
	mov.u32 	%r1, %laneid;
	// begin inline asm
	foo.u32 %r2, %r1;
	// end inline asm
	.loc	1 19 41
	.loc	1 18 76, function_name $L__info_string2, inlined_at 1 19 41
	// begin inline asm
	mov.u32 %r1, %lanemask_lt
	// end inline asm
	.loc	1 20 3
	add.u32 %r1, %r1, %r2;
	.loc	2 202 3, function_name $L__info_string0, inlined_at 1 20 3
	wgmma.fence;
}
	.file	1 "/home/s/exercise.cu"
	.file	2 "/usr/local/cuda/include/sm_32_intrinsics.hpp"
)";

}  // namespace

TEST_CASE("a line of an asm statement comes from the line that holds the statement") {
  const TextOrigin origin = origin_of(generated, 7);
  CHECK(origin.source == SourceLine{"/home/s/exercise.cu", 15});
  CHECK(origin.is_inline_asm);
  CHECK(origin.text == "foo.u32 %r2, %r1;");
}

TEST_CASE("what lacks at the end of an asm statement is noticed behind it, and is its own") {
  for (const std::uint32_t line : {14u, 15u}) {
    const TextOrigin origin = origin_of(generated, line);
    CHECK(origin.source == SourceLine{"/home/s/exercise.cu", 18});
    CHECK(origin.is_inline_asm);
    CHECK(origin.text == "mov.u32 %r1, %lanemask_lt");
  }
}

TEST_CASE("other lines are the compiler's, and come from the student's line too") {
  CHECK_FALSE(origin_of(generated, 5).is_inline_asm);
  const TextOrigin inlined = origin_of(generated, 17);
  CHECK(inlined.source == SourceLine{"/home/s/exercise.cu", 20});
  CHECK_FALSE(inlined.is_inline_asm);
}

TEST_CASE("a text without locations has no origin, and neither has one whose locations are wrong") {
  CHECK(origin_of("add.u32 %r1, %r1, %r2;\n", 1).source.line == 0);
  CHECK(origin_of(".loc 1 5 3\nfoo;\n", 2).source.line == 0);  // there is no file 1
  CHECK(origin_of(generated, 2).source.line == 0);
}
