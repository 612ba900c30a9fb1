/// \file What is remembered from launch to launch, and what is not.

#include "../knowledge.hpp"

#include "../../gpu.hpp"
#include "common/testing/catch.hpp"

using namespace warpwise::simulator;

TEST_CASE("synchronisation variables are freed, though what they know names them") {
  std::weak_ptr<SyncVariable> one, other;
  {
    SyncVariables variables;
    const SyncVariablePointer lock = variables.at(64), flag = variables.at(68);
    one = lock;
    other = flag;
    Release release;
    release.knowledge = with_acquired(nullptr, {{flag, 1}});
    lock->add(release);
    release.knowledge = with_acquired(nullptr, {{lock, 1}, {flag, 1}});
    flag->add(release);
    variables.clear();  // as a block does with its own, when it ends
  }
  CHECK(one.expired());
  CHECK(other.expired());
}

TEST_CASE("what a launch writes that nobody watches counts as written") {
  Gpu gpu;
  const auto program = gpu.load(R"(.version 7.0
.target sm_75
.address_size 64
.visible .entry copy(.param .u64 to, .param .u64 from)
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [to];
  ld.param.u64 %rd2, [from];
  ld.global.u32 %r1, [%rd2];
  st.global.u32 [%rd1], %r1;
  ret;
}
)",
                                "copy");
  machine::Allocation& a = gpu.memory().allocate(4, "a", 4);
  machine::Allocation& b = gpu.memory().allocate(4, "b", 4);
  machine::Allocation& c = gpu.memory().allocate(4, "c", 4);
  a.mark_written(0, 4);
  const auto copy = [&](const machine::Allocation& to, const machine::Allocation& from, Watch watch) {
    gpu.options().watch = watch;
    const void* arguments[] = {&to.base, &from.base};
    machine::LaunchRequest request;
    request.kernel = "copy";
    request.arguments = arguments;
    return gpu.launch(*program, request).findings.size();
  };
  CHECK(copy(a, b, Watch::everything) == 1);
  CHECK(copy(b, a, Watch::counters) == 0);
  CHECK(copy(c, b, Watch::everything) == 0);
}
