/// \file cp.async through the whole simulator: what is counted.

#include "common/simulator/gpu.hpp"
#include "common/testing/catch.hpp"

namespace warpwise::simulator {

TEST_CASE("cp.async counts as a load of global and a store of shared memory") {
  Gpu gpu;
  const auto program = gpu.load(R"(.version 8.0
.target sm_80
.address_size 64
.shared .align 16 .b8 tile[512];
.visible .entry k(.param .u64 in) {
  .reg .b32 %r<4>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [in];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 16;
  add.s64 %rd2, %rd1, %rd2;
  mov.u32 %r2, tile;
  mad.lo.u32 %r2, %r1, 16, %r2;
  cp.async.cg.shared.global [%r2], [%rd2], 16;
  cp.async.wait_all;
  ret;
})",
                                "copy.ptx");
  Allocation& in = gpu.memory().allocate(512, "in", 4);
  in.mark_written(0, 512);
  const void* arguments[] = {&in.base};
  LaunchRequest request;
  request.kernel = "k";
  request.block.x = 32;
  request.arguments = arguments;
  const LaunchReport report = gpu.launch(*program, request);
  CHECK(report.findings.empty());
  CHECK(report.counters.global_load_requests == 1);
  CHECK(report.counters.global_load_sectors == 16);
  CHECK(report.counters.shared_store_requests == 1);
  CHECK(report.counters.shared_store_wavefronts == 4);
  CHECK(report.counters.shared_load_requests == 0);
  CHECK(report.counters.global_store_requests == 0);
}

}  // namespace warpwise::simulator
