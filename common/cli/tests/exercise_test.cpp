#include "../exercise.hpp"

#include "common/testing/catch.hpp"

using namespace warpwise::cli;

namespace {

const char* const source = R"(#include "kernels.hpp"

extern "C" __global__ void declared(float* out);

// The sum of each block.
// Two lines.
extern "C" __global__ void first(const float* in, float* out, unsigned n) {
  // TODO (1 line): a brace in a comment { counts for nothing
  if (n > 0) { out[0] = '{'; }
}

__device__ float helper(float x) { return x; }

extern "C" __global__ void __launch_bounds__(256) second(float* out) { out[0] = helper("}" [0]); }
)";

}  // namespace

TEST_CASE("kernels are found with their bodies, declarations and helpers are not") {
  const auto kernels = kernels_in(source);
  REQUIRE(kernels.size() == 2);
  CHECK(kernels[0].name == "first");
  CHECK(kernels[0].line == 7);
  CHECK(kernels[0].definition.rfind("// The sum of each block.\n// Two lines.\nextern", 0) == 0);
  CHECK(kernels[0].definition.substr(kernels[0].definition.size() - 3) == "}\n}");
  CHECK(kernels[1].name == "second");
  CHECK(
      kernels[1].definition ==
      R"(extern "C" __global__ void __launch_bounds__(256) second(float* out) { out[0] = helper("}" [0]); })");
}

TEST_CASE("a kernel is open while its body has a TODO") {
  const auto kernels = kernels_in(source);
  REQUIRE(kernels.size() == 2);
  CHECK(kernels[0].has_todo);
  CHECK_FALSE(kernels[1].has_todo);
}

TEST_CASE("text that is no CUDA, or ends too soon, gives no kernel and no crash") {
  CHECK(kernels_in("").empty());
  CHECK(kernels_in("__global__").empty());
  CHECK(kernels_in("// __global__ void f() {}\n").empty());
  CHECK(kernels_in("\"__global__ void f() {}").empty());
  CHECK(kernels_in("__global__ void f() { /* never closed").size() == 1);
  CHECK(kernels_in("/* __global__ void f() {}").empty());
}
