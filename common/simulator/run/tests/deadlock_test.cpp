#include "fixture.hpp"

namespace warpwise::simulator::run {

namespace {

/// Waits for word `%rd4` of out to become other than zero.
const char* const wait_for_flag = R"(
  WAIT:
    ld.volatile.global.u32 %r5, [%rd4];
    setp.eq.u32 %p2, %r5, 0;
    @%p2 bra WAIT;
)";

}  // namespace

TEST_CASE("threads that wait for a flag that nobody sets are a deadlock") {
  for (const char* schedule : all_schedules) {
    for (std::uint32_t threads : {1u, 2u}) {
      CAPTURE(schedule, threads);
      Machine m(kernel(std::string("mov.u64 %rd4, %rd1;\n") + wait_for_flag + "ret;"));
      m.options.schedule = Schedule::parse(schedule);
      m.options.threads = threads;
      m.options.budget = 100'000'000;
      CHECK(m.run(4, 64, false).status == LaunchStatus::deadlock);
    }
  }
}

TEST_CASE("a deadlock names the lanes and the loads that they repeat") {
  // Lane 0 waits for word 1, lane 1 for word 0; each would set its own afterwards.
  Machine m(kernel(std::string(R"(
    setp.gt.u32 %p1, %r1, 1;
    @%p1 ret;
    xor.b32 %r2, %r1, 1;
    mul.wide.u32 %rd5, %r2, 4;
    add.s64 %rd4, %rd1, %rd5;
  )") + wait_for_flag +
                   "st.global.u32 [%rd2], 1;\nret;"));
  CHECK(m.run(1, 32).status == LaunchStatus::deadlock);
  REQUIRE(m.recorder.faults.size() == 1);
  CHECK(m.recorder.faults[0].kind == FaultKind::deadlock);
  CHECK(m.recorder.faults[0].lanes == 3);
  CHECK(m.program->text_of(m.recorder.faults[0].pc).opcode == "ld");
}

TEST_CASE("a loop that changes nothing is endless, however many jumps its states repeat after") {
  const char* const loops[] = {
      "LOOP: bra.uni LOOP;", "LOOP: xor.b32 %r2, %r2, 1; bra.uni LOOP;",
      "LOOP: add.u32 %r2, %r2, 1; rem.u32 %r2, %r2, 7; ld.global.u32 %r3, [%rd1]; bra.uni LOOP;"};
  for (const char* loop : loops) {
    CAPTURE(loop);
    Machine m(kernel(std::string("mov.u32 %r2, 0;\n") + loop));
    m.options.budget = 400'000'000;
    CHECK(m.run(2, 64).status == LaunchStatus::deadlock);
    CHECK(m.recorder.faults_of(FaultKind::endless) >= 1);
    CHECK(m.recorder.faults_of(FaultKind::budget) == 0);
  }
}

TEST_CASE("a long loop that counts is none, nor one that another thread ends") {
  Machine counts(kernel(R"(
    mov.u32 %r2, 0;
  LOOP:
    add.u32 %r2, %r2, 1;
    setp.lt.u32 %p1, %r2, 400000;
    @%p1 bra LOOP;
    ret;)"));
  CHECK(counts.run(1, 32, false).status == LaunchStatus::ok);
  // Warp 0 reads a plain word until warp 1 has counted and then sets it.
  Machine waits(kernel(R"(
    setp.lt.u32 %p1, %r1, 32;
    @%p1 bra WAIT;
    mov.u32 %r2, 0;
  COUNT:
    add.u32 %r2, %r2, 1;
    setp.lt.u32 %p2, %r2, 1000000;
    @%p2 bra COUNT;
    st.global.u32 [%rd1], 1;
    ret;
  WAIT:
    ld.global.u32 %r3, [%rd1];
    setp.eq.u32 %p3, %r3, 0;
    @%p3 bra WAIT;
    ret;)"));
  CHECK(waits.run(1, 64, false).status == LaunchStatus::ok);
}

TEST_CASE("a deadlock names another place where lanes wait, though more wait at its own") {
  // One lane polls in the kernel, 15 in a call, and 16 at the place of those 15 in a deeper one.
  Machine m(kernel(R"(
    setp.eq.u32 %p1, %r1, 0;
    @%p1 bra OTHER;
    setp.lt.u32 %p2, %r1, 16;
    @%p2 call.uni spin, (%rd1);
    @!%p2 call.uni deeper, (%rd1);
    ret;
  OTHER:
    ld.volatile.global.u32 %r2, [%rd1];
    setp.eq.u32 %p3, %r2, 0;
    @%p3 bra OTHER;
    ret;)",
                   R"(
.func spin(.param .u64 at)
{
  .reg .pred %p<2>; .reg .b32 %r<2>; .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [at];
  SPIN:
  ld.volatile.global.u32 %r1, [%rd1];
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra SPIN;
  ret;
}
.func deeper(.param .u64 at)
{
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [at];
  call.uni spin, (%rd1);
  ret;
})"));
  CHECK(m.run(1, 32).status == LaunchStatus::deadlock);
  REQUIRE(m.recorder.faults_of(FaultKind::deadlock) == 3);
  for (const Fault& fault : m.recorder.faults) CHECK(fault.other_pc);
}

TEST_CASE("a thread that spins before a barrier where the others wait is a deadlock") {
  Machine m(kernel(std::string(R"(
    mov.u64 %rd4, %rd1;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra MEET;
  )") + wait_for_flag +
                   R"(
  MEET:
    bar.sync 0;
    st.global.u32 [%rd2], 1;
    ret;)"));
  CHECK(m.run(1, 64).status == LaunchStatus::deadlock);
  REQUIRE(m.recorder.faults_of(FaultKind::deadlock) == 1);
  CHECK(m.recorder.faults[0].lanes == 1);
}

TEST_CASE("a poll that gives up, or that a later block answers, is no deadlock") {
  for (std::uint32_t threads : {1u, 2u}) {
    CAPTURE(threads);
    Machine gives_up(kernel(R"(
      mov.u32 %r4, 0;
    WAIT:
      ld.volatile.global.u32 %r5, [%rd1];
      add.u32 %r4, %r4, 1;
      setp.lt.u32 %p2, %r4, 100000;
      @%p2 bra WAIT;
      ret;)"));
    gives_up.options.threads = threads;
    CHECK(gives_up.run(2, 32, false).status == LaunchStatus::ok);
    // Every block but the last waits for the last.
    Machine answered(kernel(std::string(R"(
      mov.u64 %rd4, %rd1;
      mov.u32 %r2, %ctaid.x;
      setp.eq.u32 %p1, %r2, 99;
      @%p1 bra SET;
    )") + wait_for_flag + R"(
      ret;
    SET:
      st.volatile.global.u32 [%rd1], 1;
      ret;)"));
    answered.options.threads = threads;
    CHECK(answered.run(100, 32, false).status == LaunchStatus::ok);
  }
}

}  // namespace warpwise::simulator::run
