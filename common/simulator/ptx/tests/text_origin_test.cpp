#include "common/simulator/ptx/text_origin.hpp"

#include "common/testing/catch.hpp"

using namespace warpwise::simulator::ptx;

namespace {

/// As nvcc writes it; line 7 is wrong, and behind line 12 a semicolon lacks.
constexpr std::string_view text = R"(.version 9.0
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
  const TextOrigin origin = origin_of(text, 7);
  CHECK(origin.source == SourceLine{"/home/s/exercise.cu", 15});
  CHECK(origin.is_inline_asm);
  CHECK(origin.text == "foo.u32 %r2, %r1;");
}

TEST_CASE("what lacks at the end of an asm statement is noticed behind it, and is its own") {
  for (const std::uint32_t line : {14u, 15u}) {
    const TextOrigin origin = origin_of(text, line);
    CHECK(origin.source == SourceLine{"/home/s/exercise.cu", 18});
    CHECK(origin.is_inline_asm);
    CHECK(origin.text == "mov.u32 %r1, %lanemask_lt");
  }
}

TEST_CASE("other lines are the compiler's, and come from the student's line too") {
  CHECK_FALSE(origin_of(text, 5).is_inline_asm);
  const TextOrigin inlined = origin_of(text, 17);
  CHECK(inlined.source == SourceLine{"/home/s/exercise.cu", 20});
  CHECK_FALSE(inlined.is_inline_asm);
}

TEST_CASE("a text without locations has no origin, and neither has one whose locations are wrong") {
  CHECK(origin_of("add.u32 %r1, %r1, %r2;\n", 1).source.line == 0);
  CHECK(origin_of(".loc 1 5 3\nfoo;\n", 2).source.line == 0);  // there is no file 1
  CHECK(origin_of(text, 2).source.line == 0);
}
