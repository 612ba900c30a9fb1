#include "common/harness/check/technique.hpp"

#include "common/testing/catch.hpp"
#include "sentence_of.hpp"

using namespace warpwise::harness;
using warpwise::testing::ContainsSubstring;

namespace {

/// What `k`, made from /home/ada/exercise.cu, borrows with an instruction of line 7 that comes from `file`.
std::string borrowed_from(const std::string& file) {
  const std::string text = R"(.version 7.1
.target sm_75
.address_size 64
.visible .entry k()
{
  .reg .b32 %r<2>;
  .loc 1 5 3
  mov.u32 %r1, %tid.x;
  .loc 2 90 3, function_name $L__info_string0, inlined_at 1 7 3
  add.u32 %r1, %r1, 1;
  ret;
}
.file 1 "/home/ada/exercise.cu"
.file 2 ")" + file + R"("
.section .debug_str
{
$L__info_string0:
.b8 102
.b8 0
}
)";
  warpwise::simulator::Gpu gpu;
  return borrowed_by(*gpu.load(text, "exercise"), "k");
}

}  // namespace

TEST_CASE("code of CUB, of Thrust and of the solution is borrowed") {
  CHECK_THAT(borrowed_from("/usr/local/cuda/include/cub/warp/warp_reduce.cuh"),
             ContainsSubstring("exercise.cu:7: CUB does the work here"));
  CHECK_THAT(borrowed_from("/usr/local/cuda/include/cccl/cub/warp/warp_reduce.cuh"),
             ContainsSubstring("CUB"));
  CHECK_THAT(borrowed_from("/usr/local/cuda/include/thrust/reduce.h"), ContainsSubstring("Thrust"));
  CHECK_THAT(borrowed_from("/home/ada/solution.cu"), ContainsSubstring("the code of solution.cu"));
}

TEST_CASE("CUDA's own headers, cooperative groups and one's own are not") {
  CHECK(borrowed_from("/usr/local/cuda/include/cooperative_groups/scan.h").empty());
  CHECK(borrowed_from("/usr/local/cuda/include/sm_30_intrinsics.hpp").empty());
  CHECK(borrowed_from("/home/ada/cub/helpers.cuh").empty());
}

TEST_CASE("loops of a kernel are branches that lead back") {
  CHECK(backward_branches(device().program(), "endless") >= 1);
  CHECK(backward_branches(device().program(), "twice") == 0);
  require_no_backward_branches(device().program(), "twice", "no loop");
  CHECK_THAT(sentence_of([] { require_no_backward_branches(device().program(), "endless", "no loop"); }),
             ContainsSubstring("branches that lead backward in endless: ") &&
                 ContainsSubstring(", at most 0 (no loop)"));
}

TEST_CASE("a skeleton is known by its writing nothing") {
  CHECK(writes_nothing(device().program(), "nothing"));
  CHECK_FALSE(writes_nothing(device().program(), "twice"));
  CHECK_FALSE(writes_nothing(device().program(), "no_such_kernel"));
}

TEST_CASE("static shared memory is that of the arrays that a kernel names") {
  CHECK(shared_bytes_of(device().program(), "races_for_ever") == 64 * sizeof(int));
  CHECK(shared_bytes_of(device().program(), "twice") == 0);
}

TEST_CASE("the source of a module is its first .cu file") {
  warpwise::simulator::ptx::Module module;
  CHECK(source_of(module).empty());
  module.files = {{1, "/usr/include/cuda.h"}, {2, "/home/me/exercise.cu"}, {3, "/home/me/other.cu"}};
  CHECK(source_of(module) == "/home/me/exercise.cu");
}
