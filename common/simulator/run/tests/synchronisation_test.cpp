#include "fixture.hpp"

namespace warpwise::simulator::run {

TEST_CASE("a block barrier waits for every thread that has not exited") {
  Machine m(kernel(R"(
    setp.ge.u32 %p1, %r1, 80;
    @%p1 ret;
    bar.sync 0;
    st.global.u32 [%rd2], 1;
    ret;)"));
  CHECK(m.run(1, 128).status == LaunchStatus::ok);
  CHECK(m.recorder.releases == std::vector<std::uint32_t>{80});
  CHECK(m.word(79) == 1);
  CHECK(m.word(80) == 0);
}

TEST_CASE("threads that meet at different barriers are reported, and go on") {
  Machine m(kernel(R"(
    setp.lt.u32 %p1, %r1, 16;
    @%p1 bra LOW;
    bar.sync 0;
    bra.uni END;
  LOW:
    bar.sync 0;
  END:
    st.global.u32 [%rd2], 1;
    ret;)"));
  CHECK(m.run(1, 32).status == LaunchStatus::sync_fault);
  REQUIRE(m.recorder.faults_of(FaultKind::block_barrier) == 1);
  CHECK(m.recorder.faults[0].other_pc);
  CHECK(m.word(0) == 1);
  CHECK(m.word(31) == 1);
}

TEST_CASE("a barrier that part of the block never reaches ends the launch") {
  Machine m(kernel(R"(
    setp.lt.u32 %p1, %r1, 32;
    @%p1 bra ONE;
    bar.sync 0;
    ret;
  ONE:
    bar.sync 1;
    ret;)"));
  CHECK(m.run(1, 64).status == LaunchStatus::deadlock);
  REQUIRE(m.recorder.faults_of(FaultKind::block_barrier) == 1);
  CHECK(m.recorder.faults[0].arrived == 32);
  CHECK(m.recorder.faults[0].expected == 64);
}

TEST_CASE("producer and consumer warps meet at a named barrier") {
  Machine m(kernel(R"(
    mov.u32 %r5, buffer;
    shl.b32 %r6, %r1, 2;
    setp.ge.u32 %p1, %r1, 32;
    @%p1 bra CONSUME;
    add.u32 %r7, %r5, %r6;
    st.shared.u32 [%r7], %r1;
    bar.arrive 3, 64;
    ret;
  CONSUME:
    bar.sync 3, 64;
    add.u32 %r7, %r5, %r6;
    ld.shared.u32 %r8, [%r7+-128];
    st.global.u32 [%rd2], %r8;
    ret;)",
                   ".shared .align 4 .b8 buffer[128];"));
  CHECK(m.run(1, 64).status == LaunchStatus::ok);
  CHECK(m.recorder.faults.empty());
  for (std::uint32_t i = 0; i < 32; ++i) CHECK(m.word(32 + i) == i);
}

TEST_CASE("bar.red counts and combines over the block") {
  Machine m(kernel(R"(
    setp.lt.u32 %p1, %r1, 40;
    bar.red.popc.u32 %r2, 0, %p1;
    bar.red.and.pred %p2, 0, %p1;
    bar.red.or.pred %p3, 0, !%p1;
    selp.u32 %r3, 1000, 0, %p2;
    selp.u32 %r4, 100, 0, %p3;
    add.u32 %r2, %r2, %r3;
    add.u32 %r2, %r2, %r4;
    st.global.u32 [%rd2], %r2;
    ret;)"));
  CHECK(m.run(1, 64).status == LaunchStatus::ok);
  CHECK(m.word(0) == 140);
  CHECK(m.word(63) == 140);
}

TEST_CASE("shuffles of half a warp meet under every schedule") {
  for (const char* schedule : all_schedules) {
    Machine m(kernel(R"(
      setp.ge.u32 %p1, %r1, 16;
      @%p1 bra END;
      shfl.sync.bfly.b32 %r2|%p2, %r1, 1, 0x1f, 0xffff;
      st.global.u32 [%rd2], %r2;
    END:
      st.global.u32 [%rd2+256], 5;
      ret;)"));
    m.options.schedule = Schedule::parse(schedule);
    CAPTURE(schedule);
    CHECK(m.run(1, 32).status == LaunchStatus::ok);
    CHECK(m.word(0) == 1);
    CHECK(m.word(1) == 0);
    CHECK(m.word(15) == 14);
  }
}

TEST_CASE("lanes in different branches meet at shuffles and votes of the same kind") {
  for (const char* schedule : all_schedules) {
    // Other registers and another sense of the vote's predicate on each side: what counts is the lane's own.
    Machine m(kernel(R"(
      mov.u32 %r8, 16;
      setp.ge.u32 %p1, %r1, 16;
      setp.lt.u32 %p3, %r1, 20;
      @%p1 bra UPPER;
      shfl.sync.bfly.b32 %r2|%p2, %r1, 16, 0x1f, 0xffffffff;
      vote.sync.ballot.b32 %r3, !%p3, 0xffffffff;
      bra.uni STORE;
    UPPER:
      add.u32 %r5, %r1, 100;
      shfl.sync.bfly.b32 %r2|%p2, %r5, %r8, 0x1f, 0xffffffff;
      vote.sync.ballot.b32 %r3, %p3, 0xffffffff;
    STORE:
      st.global.u32 [%rd2], %r2;
      st.global.u32 [%rd2+256], %r3;
      ret;)"));
    m.options.schedule = Schedule::parse(schedule);
    CAPTURE(schedule);
    CHECK(m.run(1, 32).status == LaunchStatus::ok);
    CHECK(m.word(0) == 116);
    CHECK(m.word(15) == 131);
    CHECK(m.word(16) == 0);
    CHECK(m.word(31) == 15);
    CHECK(m.word(64) == 0x000f0000u);
    CHECK(m.word(95) == 0x000f0000u);
  }
}

TEST_CASE("a barrier with a guard: for all lanes, for some, for none; each counted once") {
  Machine m(kernel(R"(
    setp.lt.u32 %p1, %r1, 64;
    setp.lt.u32 %p2, %r1, 16;
    setp.gt.u32 %p3, %r1, 64;
    @%p1 bar.sync 0;
    @%p2 barrier.sync 1, 32;
    @!%p2 barrier.sync 1, 32;
    @%p3 bar.sync 0;
    st.global.u32 [%rd2], 1;
    ret;)"));
  CHECK(m.run(1, 32).status == LaunchStatus::ok);
  CHECK(m.recorder.releases == std::vector<std::uint32_t>{32, 32});
  CHECK(m.word(31) == 1);
  // 4 of the frame, 3 comparisons, bar; barrier 1 by the lower half and by the upper, and the second of them
  // once more, passed over by the lower; bar for nobody, store, ret.
  CHECK(m.recorder.instructions == 4 + 3 + 1 + (2 + 1) + 1 + 1 + 1);
}

TEST_CASE("lanes of one warp may wait at barriers of their own") {
  Machine m(kernel(R"(
    shr.u32 %r5, %r1, 4;
    and.b32 %r5, %r5, 1;
    add.u32 %r6, %r5, 3;
    barrier.sync %r6, 32;
    st.global.u32 [%rd2], %r6;
    ret;)"));
  // Each barrier is made for 32 threads: the lower halves of both warps, and the upper ones.
  m.run(1, 64);
  CHECK(m.recorder.releases.size() == 2);
  CHECK(m.word(0) == 3);
  CHECK(m.word(63) == 4);
}

TEST_CASE("the system's shared memory lies behind the kernel's own, cleared, and is not counted") {
  Machine m(kernel(R"(
    .shared .align 4 .b8 own[20];
    mov.u32 %r2, own;
    mov.u32 %r3, %reserved_smem_offset_1;
    mov.u32 %r4, %total_smem_size;
    atom.shared.add.u32 %r5, [%r3], 1;
    bar.sync 0;
    ld.shared.u32 %r6, [%r3];
    st.global.u32 [%rd2], %r6;
    st.global.u32 [%rd2+256], %r4;
    st.global.u32 [%rd2+512], %r3;
    ret;)"));
  CHECK(m.run(2, 32).status == LaunchStatus::ok);
  CHECK(m.word(0) == 32);
  CHECK(m.word(64) == 20);
  CHECK(m.word(128) >= 32);
}

TEST_CASE("shuffles of different kinds do not meet") {
  Machine m(kernel(R"(
    setp.ge.u32 %p1, %r1, 16;
    @%p1 bra UPPER;
    shfl.sync.bfly.b32 %r2|%p2, %r1, 16, 0x1f, 0xffffffff;
    ret;
  UPPER:
    shfl.sync.idx.b32 %r2|%p2, %r1, 16, 0x1f, 0xffffffff;
    ret;)"));
  CHECK(m.run(1, 32).status == LaunchStatus::sync_fault);
  CHECK(m.recorder.faults_of(FaultKind::sync_mask) == 2);
}

TEST_CASE("a mask that names lanes that never arrive is reported, and the kernel ends") {
  Machine m(kernel(R"(
    setp.ge.u32 %p1, %r1, 16;
    @%p1 bra END;
    shfl.sync.idx.b32 %r2|%p2, %r1, 3, 0x1f, 0xffffffff;
    st.global.u32 [%rd2], %r2;
  END:
    bar.sync 0;
    ret;)"));
  CHECK(m.run(1, 32).status == LaunchStatus::sync_fault);
  REQUIRE(m.recorder.faults_of(FaultKind::sync_mask) == 1);
  CHECK(m.recorder.faults[0].lanes == 0xffffu);
  CHECK(m.recorder.faults[0].missing == 0xffff0000u);
  CHECK(m.recorder.faults[0].other_pc);
  CHECK(m.word(7) == 3);
}

TEST_CASE("lanes that have left the kernel are not waited for, whichever call names them") {
  // PTX ISA: "all threads" of the mask for bar.warp.sync, those that have not exited for the others. An H200
  // makes no difference: docs/results/exited_lanes.cu.
  const bool is_barrier = GENERATE(true, false);
  const std::string call = is_barrier ? "bar.warp.sync 0xffffffff;"
                                      : GENERATE("shfl.sync.idx.b32 %r2|%p2, %r1, 3, 0x1f, 0xffffffff;",
                                                 "vote.sync.ballot.b32 %r2, %p1, 0xffffffff;",
                                                 "match.any.sync.b32 %r2, %r3, 0xffffffff;");
  CAPTURE(call);
  const auto run = [&](const std::string& lower, const std::string& upper, const char* schedule) {
    Machine m(kernel("mov.u32 %r3, 7; setp.ge.u32 %p1, %r1, 16; @%p1 bra UPPER;\n" + lower + call +
                     "st.global.u32 [%rd2], 1; ret;\nUPPER:\n" + upper + "ret;"));
    m.options.schedule = Schedule::parse(schedule);
    const LaunchStatus status = m.run(1, 32).status;
    CHECK(m.word(15) == 1);
    return status;
  };
  for (const char* schedule : all_schedules) {
    CAPTURE(schedule);
    CHECK(run("bar.sync 0;\n", "", schedule) == LaunchStatus::ok);  // opens when the others have left
  }
  // They leave while others wait: nothing is lost at a barrier, but a result says who took part.
  const std::string late = "st.global.u32 [%rd2+256], 1;\n";
  CHECK(run("", late, "split:1") == (is_barrier ? LaunchStatus::ok : LaunchStatus::sync_fault));
}

TEST_CASE("a lane outside its own mask, and a source lane that takes no part, are reported") {
  Machine outside(kernel("shfl.sync.idx.b32 %r2|%p2, %r1, 0, 0x1f, 0xfffffffe;\nret;"));
  outside.run(1, 32);
  CHECK(outside.recorder.faults_of(FaultKind::sync_mask) == 1);
  CHECK(outside.recorder.faults[0].lanes == 1);
  CHECK(outside.recorder.faults_of(FaultKind::sync_source) == 1);
  Machine exited(kernel("@!%p1 bra GO;\nGO: shfl.sync.down.b32 %r2|%p2, %r1, 8, 0x1f, 0xffffffff;\nret;"));
  exited.run(1, 24);
  REQUIRE(exited.recorder.faults_of(FaultKind::sync_source) == 1);
  CHECK(exited.recorder.faults[0].lanes == 0x00ff0000u);
}

TEST_CASE("votes, match, redux and elect of a whole warp") {
  Machine m(kernel(R"(
    setp.lt.u32 %p1, %r1, 5;
    vote.sync.ballot.b32 %r2, %p1, 0xffffffff;
    vote.sync.any.pred %p2, !%p1, 0xffffffff;
    selp.u32 %r3, 0x1000, 0, %p2;
    add.u32 %r2, %r2, %r3;
    st.global.u32 [%rd2], %r2;
    and.b32 %r4, %r1, 3;
    match.any.sync.b32 %r5, %r4, 0xffffffff;
    st.global.u32 [%rd2+128], %r5;
    redux.sync.add.u32 %r6, %r1, 0xffffffff;
    st.global.u32 [%rd2+256], %r6;
    elect.sync %r7|%p3, 0xffffffff;
    selp.u32 %r8, 1, 0, %p3;
    st.global.u32 [%rd2+384], %r8;
    ret;)"));
  CHECK(m.run(1, 32).status == LaunchStatus::ok);
  CHECK(m.word(9) == 0x101f);
  CHECK(m.word(32) == 0x11111111u);
  CHECK(m.word(64 + 31) == 496);
  CHECK(m.word(96) == 1);
  CHECK(m.word(97) == 0);
}

}  // namespace warpwise::simulator::run
