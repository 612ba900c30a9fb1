#include "fixture.hpp"

namespace warpwise::simulator::run {

TEST_CASE("a divergent branch splits a warp, and both sides meet again") {
  Machine m(kernel(R"(
    and.b32 %r2, %r1, 1;
    setp.eq.s32 %p1, %r2, 0;
    @%p1 bra EVEN;
    mov.u32 %r3, 7;
    bra.uni JOIN;
  EVEN:
    mov.u32 %r3, 9;
  JOIN:
    activemask.b32 %r4;
    add.u32 %r3, %r3, %r4;
    st.global.u32 [%rd2], %r3;
    ret;)"));
  CHECK(m.run(1, 32).status == LaunchStatus::ok);
  CHECK(m.word(0) == 9u - 1u);  // the full mask is -1
  CHECK(m.word(1) == 7u - 1u);
  REQUIRE(m.recorder.branches.size() == 1);
  CHECK(m.recorder.branches[0].taken == 0x55555555u);
  CHECK(m.recorder.runs.back().lanes == all_lanes);
}

TEST_CASE("guarded returns and exits, and calls through pointers, are branches where they part a warp") {
  const std::string functions = R"(
    .func odd(.param .b32 n) {
      .reg .pred %p<2>; .reg .b32 %r<4>;
      ld.param.u32 %r1, [n];
      and.b32 %r2, %r1, 1;
      setp.eq.u32 %p1, %r2, 1;
      @%p1 ret;
      ret;
    }
    .func even(.param .b32 n) { ret; })";
  const std::string call = "{ .param .b32 n; st.param.b32 [n], %r1; ";
  Machine returns(kernel(call + "call odd, (n); } ret;", functions));
  CHECK(returns.run(1, 32).status == LaunchStatus::ok);
  REQUIRE(returns.recorder.branches.size() == 1);
  CHECK(returns.recorder.branches[0].taken == 0xaaaaaaaau);

  Machine exits(kernel("setp.lt.u32 %p1, %r1, 8; @%p1 exit; ret;"));
  CHECK(exits.run(1, 32).status == LaunchStatus::ok);
  REQUIRE(exits.recorder.branches.size() == 1);
  CHECK(exits.recorder.branches[0].taken == 0xffu);

  const std::string pointers =
      "mov.u64 %rd4, odd; mov.u64 %rd5, even; setp.lt.u32 %p1, %r1, SPLIT; selp.b64 %rd4, %rd4, %rd5, "
      "%p1;\n" +
      call + "proto: .callprototype _ (.param .b32 _); call %rd4, (n), proto; } ret;";
  const auto branches_at = [&](const std::string& split) {
    std::string body = pointers;
    body.replace(body.find("SPLIT"), 5, split);
    Machine m(kernel(body, ".func even(.param .b32 n) { ret; } .func odd(.param .b32 n) { ret; }"));
    CHECK(m.run(1, 32).status == LaunchStatus::ok);
    return m.recorder.branches.size();
  };
  CHECK(branches_at("16") == 1);
  CHECK(branches_at("32") == 0);
}

TEST_CASE("lanes leave a loop one after another and end together") {
  for (const char* schedule : all_schedules) {
    Machine m(kernel(R"(
      mov.u32 %r3, 0;
      mov.u32 %r2, 0;
    LOOP:
      add.u32 %r3, %r3, %r2;
      add.u32 %r2, %r2, 1;
      setp.le.u32 %p1, %r2, %r1;
      @%p1 bra LOOP;
      bar.warp.sync 0xffffffff;
      activemask.b32 %r4;
      st.global.u32 [%rd2], %r3;
      st.global.u32 [%rd2+128], %r4;
      ret;)"));
    m.options.schedule = Schedule::parse(schedule);
    CAPTURE(schedule);
    CHECK(m.run(1, 32).status == LaunchStatus::ok);
    for (std::uint32_t i = 0; i < 32; ++i) CHECK(m.word(i) == i * (i + 1) / 2);
    if (m.options.schedule.kind != Schedule::Kind::split) CHECK(m.word(32) == all_lanes);
    CHECK(m.recorder.warp_barriers == std::vector<LaneMask>{all_lanes});
  }
}

TEST_CASE("functions recurse, each lane to its own depth") {
  const std::string fibonacci = R"(
    .func (.param .b32 result) fib(.param .b32 n) {
      .reg .pred %p<2>; .reg .b32 %r<8>;
      ld.param.u32 %r1, [n];
      setp.lt.u32 %p1, %r1, 2;
      mov.u32 %r5, %r1;
      @%p1 bra DONE;
      { .param .b32 a; .param .b32 b;
        sub.u32 %r2, %r1, 1;
        st.param.b32 [a], %r2;
        call.uni (b), fib, (a);
        ld.param.b32 %r3, [b]; }
      { .param .b32 a; .param .b32 b;
        sub.u32 %r2, %r1, 2;
        st.param.b32 [a], %r2;
        call.uni (b), fib, (a);
        ld.param.b32 %r4, [b]; }
      add.u32 %r5, %r3, %r4;
    DONE:
      st.param.b32 [result], %r5;
      ret; })";
  for (const char* schedule : all_schedules) {
    Machine m(kernel(R"(
      and.b32 %r2, %r1, 7;
      { .param .b32 a; .param .b32 b;
        st.param.b32 [a], %r2;
        call.uni (b), fib, (a);
        ld.param.b32 %r3, [b]; }
      st.global.u32 [%rd2], %r3;
      ret;)",
                     fibonacci));
    m.options.schedule = Schedule::parse(schedule);
    CAPTURE(schedule);
    CHECK(m.run(1, 32).status == LaunchStatus::ok);
    const std::uint32_t expected[] = {0, 1, 1, 2, 3, 5, 8, 13};
    for (std::uint32_t i = 0; i < 32; ++i) CHECK(m.word(i) == expected[i % 8]);
  }
}

TEST_CASE("a launch of which no block ends for too long is ended") {
  Machine m(kernel("LOOP: add.u32 %r1, %r1, 1; bra.uni LOOP;"));
  m.options.most_idle_seconds = 0.05;
  m.options.budget = ~std::uint64_t{0};
  CHECK(m.run(3, 64).status == LaunchStatus::budget_spent);
  REQUIRE(m.recorder.faults_of(FaultKind::budget) >= 1);
  CHECK_THAT(m.recorder.faults[0].text, warpwise::testing::ContainsSubstring("no block has finished for "));
}

TEST_CASE("endless recursion and endless loops end with a fault") {
  Machine deep(kernel("call.uni f; ret;", ".func f() { call.uni f; ret; }"));
  CHECK(deep.run(1, 32).status == LaunchStatus::memory_fault);
  CHECK(deep.recorder.faults_of(FaultKind::stack) == 1);
  Machine endless(kernel("LOOP: add.u32 %r1, %r1, 1; bra.uni LOOP;"));
  endless.options.budget = 100000;
  CHECK(endless.run(1, 64).status == LaunchStatus::budget_spent);
  CHECK(endless.recorder.faults_of(FaultKind::budget) >= 1);
}

TEST_CASE("a lock inside a warp completes under every schedule") {
  for (const char* schedule : all_schedules) {
    for (const std::uint32_t threads : {1u, 2u}) {
      Machine m(kernel(R"(
      SPIN:
        atom.global.cas.b32 %r2, [%rd1], 0, 1;
        setp.ne.u32 %p1, %r2, 0;
        @%p1 bra SPIN;
        ld.volatile.global.u32 %r3, [%rd1+4];
        add.u32 %r3, %r3, 1;
        st.volatile.global.u32 [%rd1+4], %r3;
        membar.gl;
        atom.global.exch.b32 %r4, [%rd1], 0;
        ret;)"));
      m.options.schedule = Schedule::parse(schedule);
      m.options.threads = threads;
      CAPTURE(schedule, threads);
      CHECK(m.run(4, 64, false).status == LaunchStatus::ok);
      CHECK(m.word(1) == 256);
    }
  }
}

TEST_CASE("blocks that wait for each other are all resident") {
  for (const std::uint32_t threads : {1u, 2u}) {
    Machine m(kernel(R"(
      setp.ne.u32 %p1, %r1, 0;
      @%p1 bra WAIT;
      atom.global.add.u32 %r2, [%rd1], 1;
      mov.u32 %r5, %nctaid.x;
    POLL:
      ld.volatile.global.u32 %r3, [%rd1];
      setp.lt.u32 %p2, %r3, %r5;
      @%p2 bra POLL;
    WAIT:
      bar.sync 0;
      red.global.add.u32 [%rd1+4], 1;
      ret;)"));
    m.options.threads = threads;
    CHECK(m.run(40, 64, false).status == LaunchStatus::ok);
    CHECK(m.word(1) == 40 * 64);
  }
}

TEST_CASE("the same seed gives the same run, another seed another") {
  const auto trace = [](const char* schedule) {
    Machine m(kernel(R"(
      atom.global.add.u32 %r2, [%rd1+512], 1;
      mul.lo.u32 %r3, %r2, 3;
      add.u32 %r3, %r3, 1;
      st.global.u32 [%rd2], %r2;
      ret;)"));
    m.options.schedule = Schedule::parse(schedule);
    m.run(2, 32);
    std::vector<std::uint64_t> result;
    for (const auto& run : m.recorder.runs)
      result.insert(result.end(), {std::uint64_t{run.first}, run.last, run.lanes});
    return result;
  };
  CHECK(trace("split:5") == trace("split:5"));
  CHECK(trace("split:5") != trace("split:6"));
  CHECK(trace("converged") == trace("converged"));
  CHECK_THROWS_AS(Schedule::parse("random"), std::invalid_argument);
}

TEST_CASE("of the largest grid there is, some blocks run alone, on an array of which few pages exist") {
  Machine m(kernel(R"(
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %nctaid.x;
    mul.wide.u32 %rd3, %r2, 4;
    add.s64 %rd2, %rd1, %rd3;
    st.global.u32 [%rd2], %r3;
    ret;)"));
  constexpr std::uint32_t blocks = 2147483647;
  const Allocation& large = m.memory.reserve(4ull * blocks, "large", 4);
  m.out = m.memory.find(large.base);
  m.options.only_blocks = {0, 65535, 65536, 1u << 30, blocks - 1};
  CHECK(m.run(blocks, 1).status == LaunchStatus::ok);
  CHECK(m.recorder.accesses.size() == 5);
  for (const std::uint64_t block : m.options.only_blocks) CHECK(m.word(block) == blocks);
  CHECK(m.word(1) == 0);
  m.options.only_blocks = {blocks};
  CHECK_THROWS_AS(m.run(blocks, 1), LaunchError);
}

TEST_CASE("a launch that cannot start says why") {
  Machine m(kernel("ret;"));
  const void* arguments[] = {&m.out->base};
  const auto reason = [&](LaunchRequest request) {
    try {
      launch(*m.program, m.memory, request, m.options);
    } catch (const LaunchError& error) {
      return error.reason();
    }
    throw std::logic_error("it started");
  };
  using Reason = LaunchError::Reason;
  CHECK(reason({"x", {1, 1, 1}, {1, 1, 1}, 0, arguments}) == Reason::no_such_kernel);
  CHECK(reason({"k", {0, 1, 1}, {1, 1, 1}, 0, arguments}) == Reason::bad_grid);
  CHECK(reason({"k", {1, 1, 1}, {0, 1, 1}, 0, arguments}) == Reason::bad_block);
  CHECK(reason({"k", {1, 1, 1}, {1025, 1, 1}, 0, arguments}) == Reason::bad_block);
  CHECK(reason({"k", {1, 1, 1}, {1, 1, 1}, 1 << 20, arguments}) == Reason::too_much_shared_memory);
  CHECK(reason({"k", {1, 1, 1}, {1, 1, 1}, 0, {}}) == Reason::bad_arguments);
}

}  // namespace warpwise::simulator::run
