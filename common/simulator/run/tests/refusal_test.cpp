// What is not known is refused when the module is loaded, with file, line and instruction (nothing runs
// first).
#include "fixture.hpp"

namespace warpwise::simulator::run {
namespace {

/// The message with which a kernel that has `instruction` on line 12 is refused; empty where it is accepted.
std::string refusal_of(const std::string& instruction) {
  GlobalMemory memory;
  const std::string text = kernel(instruction + "\nret;", ".shared .align 16 .b8 tile[64];");
  try {
    Program program(ptx::read_module(text, "folder/odd.ptx"), memory);
    return {};
  } catch (const ptx::Error& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("instructions that are not modelled are refused with file, line and instruction") {
  const std::string unknown[] = {
      "mbarrier.init.shared.b64 [tile], 1;",
      "mbarrier.arrive.shared.b64 %rd4, [tile];",
      "mbarrier.try_wait.parity.shared.b64 %p1, [tile], 0;",
      "cp.async.mbarrier.arrive.shared.b64 [tile];",
      "cp.async.bulk.commit_group;",
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd1], 16, [tile];",
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1], [tile], 16;",
      "red.async.relaxed.cluster.mbarrier::complete_tx::bytes.shared::cluster.add.u32 [tile], %r1, [tile];",
      "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [tile], %r1, [tile];",
      "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r2}, [tile];",
      "stmatrix.sync.aligned.m8n8.x1.shared.b16 [tile], {%r2};",
      "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r2}, {%f2};",
      "wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r2}, [%rd1];",
      "wgmma.fence.sync.aligned;",
      "multimem.red.global.add.u32 [%rd1], %r1;",
      "tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1}];",
      "vadd.s32.s32.s32 %r2, %r1, %r1;",
      "getctarank.shared::cluster.u32 %r2, %r1;",
      "frobnicate.u32 %r2, %r1;",
  };
  for (const std::string& instruction : unknown) {
    CAPTURE(instruction);
    const std::string message = refusal_of(instruction);
    const std::string opcode = instruction.substr(0, instruction.find(' '));
    CHECK_THAT(message, warpwise::testing::ContainsSubstring("folder/odd.ptx:12: "));
    CHECK_THAT(message, warpwise::testing::ContainsSubstring(opcode.substr(0, opcode.find(';'))));
  }
}

TEST_CASE("forms that do not exist of instructions that do are refused") {
  const std::string wrong[] = {
      "cp.async.cg.shared.global [tile], [%rd1], 8;",
      "cp.async.ca.shared.global [tile], [%rd1], 12;",
      "cp.async.ca.global.shared [%rd1], [%rd2], 4, 4, 4;",
      "cp.async.shared.global [tile], [%rd1], 4;",
      "ld.global.v8.b32 {%r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9}, [%rd1];",
      "red.shared.add.v2.f32 [tile], {%f1, %f2};",
      "red.global.max.v2.f32 [%rd1], {%f1, %f2};",
      "red.global.exch.b128 [%rd1], %rd2;",
      "atom.global.add.b64 %rd4, [%rd1], %rd2;",
      "cvt.pack.u16.s32 %r2, %r1, %r1;",
      "cvt.pack.sat.u32.s32 %r2, %r1, %r1;",
      "ld.global.u32.frob %r2, [%rd1];",
      "add.frob.u32 %r2, %r1, %r1;",
  };
  for (const std::string& instruction : wrong) {
    CAPTURE(instruction);
    CHECK_THAT(refusal_of(instruction), warpwise::testing::ContainsSubstring("folder/odd.ptx:12: "));
  }
  CHECK(refusal_of("mov.u32 %r2, %r1;").empty());
}

TEST_CASE("an operand of another width than the instruction's is refused: its row is written by that width") {
  const std::string wrong[] = {
      "mov.pred %p1, %laneid;",
      "mov.u32 %p1, %clock;",
      "mov.b128 %rd4, %laneid;",
      "bar.red.popc.u32 %p1, 0, %p2;",
      "bar.red.popc.u32 %r2, 0, %r3;",
      "bar.red.and.pred %r2, 0, %p1;",
      "bar.red.or.pred %p1, %p2, %p3;",
      "bar.sync %rd1;",
      "vote.sync.ballot.b32 %p1, %p2, %r5;",
      "vote.sync.any.pred %r2, %p2, %r5;",
      "vote.sync.any.pred %p1, %r2, %r5;",
      "shfl.sync.idx.b32 %rd4, %r1, %r2, 31, -1;",
      "shfl.sync.idx.b32 %r2|%r3, %r1, %r2, 31, -1;",
      "shfl.sync.idx.b32 %r2, %r1, -%r2, 31, -1;",
      "match.any.sync.b64 %r2, %r3, -1;",
      "match.any.sync.pred %r2, %p1, -1;",
      "redux.sync.add.u32 %rd4, %r1, -1;",
      "activemask.b32 %rd4;",
      "elect.sync %p1|%r2, -1;",
      "bar.warp.sync %rd1;",
      "ld.global.u32 %p1, [%rd1];",
      "ld.global.u32 %r2, [%p1];",
      "ld.global.v2.u32 {%r2, %rd4}, [%rd1];",
      "ld.param.u64 %r2, [k_out];",
      "atom.global.add.u32 %p1, [%rd1], %r2;",
      "atom.global.add.u32 %r2, [%rd1], %rd4;",
      "atom.global.add.u64 %r2, [%rd1], %rd4;",
      "atom.global.cas.b32 %r2, [%rd1], %r1, %rd4;",
      "red.global.add.u32 [%p1], %r2;",
      "cp.async.ca.shared.global [tile], [%rd1], 4, %rd4;",
      "mapa.pred %p1, %p2, %r1;",
      "add.u32 5, %r1, %r2;",
      "bar.red.popc.u32 5, 0, %p1;",
      "mov.u32 %tid.x, %r1;",
  };
  for (const std::string& instruction : wrong) {
    CAPTURE(instruction);
    CHECK_THAT(refusal_of(instruction), warpwise::testing::ContainsSubstring("folder/odd.ptx:12: "));
  }
  CHECK_THAT(
      refusal_of("mov.pred %p1, %laneid;"),
      warpwise::testing::ContainsSubstring("special register %laneid is read where a predicate is expected"));
  CHECK_THAT(refusal_of("bar.sync %rd1;"),
             warpwise::testing::ContainsSubstring(
                 "%rd1 is a register of type .b64, and a value of at most 32 bits"));
}

TEST_CASE("what the manual allows of widths is taken") {
  const std::string right[] = {"mov.u64 %rd4, %clock64;",
                               "mov.u32 %r2, %laneid;",
                               "ld.global.u8 %r2, [%rd1];",
                               "ld.global.u16 %rd4, [%rd1];",
                               "st.global.u8 [%rd1], %r2;",
                               "bar.red.popc.u32 %r2, 0, !%p1;",
                               "bar.red.and.pred %p1, 0, %p2;",
                               "shfl.sync.idx.b32 %f1|%p1, %f2, %r2, 31, -1;",
                               "atom.shared.add.u32 _, [tile], 1;",
                               "mov.b32 {%h1, _}, %r2;",
                               "pmevent 5;",
                               "ld.shared.f32 %f1, [%r2];"};
  for (const std::string& instruction : right) {
    CAPTURE(instruction);
    CHECK(refusal_of(instruction).empty());
  }
}

TEST_CASE(".maxntid and .reqntid are held against the block") {
  const auto starts = [](const std::string& directive, std::uint32_t threads) {
    std::string text = kernel("ret;");
    text.insert(text.find("\n{"), "\n" + directive);
    Machine m(text);
    try {
      return m.run(1, threads).status == LaunchStatus::ok;
    } catch (const LaunchError& error) {
      CHECK(error.reason() == LaunchError::Reason::bad_block);
      return false;
    }
  };
  CHECK(starts(".maxntid 64, 1, 1", 64));
  CHECK(starts(".maxntid 64, 1, 1", 32));
  CHECK_FALSE(starts(".maxntid 64, 1, 1", 65));
  CHECK(starts(".reqntid 64", 64));
  CHECK_FALSE(starts(".reqntid 64", 32));
}

TEST_CASE("clusters of several blocks are refused, those of one are none") {
  const auto refusal = [](const std::string& directives) -> std::string {
    std::string text = kernel("ret;");
    text.insert(text.find("\n{"), "\n" + directives);
    Machine m(text);
    try {
      m.run(4, 32);
      return {};
    } catch (const LaunchError& error) {
      CHECK(error.reason() == LaunchError::Reason::clusters);
      return error.what();
    }
  };
  CHECK_THAT(refusal(".explicitcluster .reqnctapercluster 2, 2, 1"),
             warpwise::testing::ContainsSubstring("k was compiled for clusters of 4 blocks"));
  CHECK(refusal(".explicitcluster .reqnctapercluster 1, 1, 1").empty());
  CHECK(refusal(".maxclusterrank 8").empty());
}

TEST_CASE("brx.idx goes where each lane's index says, and beyond its list ends the launch") {
  const std::string body = R"(
    and.b32 %r2, %r1, 3;
    targets: .branchtargets ZERO, ONE, TWO;
    setp.eq.u32 %p1, %r2, 3;
    @%p1 bra DONE;
    brx.idx %r2, targets;
  ZERO:
    mov.u32 %r3, 100; bra DONE;
  ONE:
    mov.u32 %r3, 101; bra DONE;
  TWO:
    mov.u32 %r3, 102;
  DONE:
    selp.u32 %r3, 103, %r3, %p1;
    st.global.u32 [%rd2], %r3;
    ret;)";
  for (const char* schedule : all_schedules) {
    Machine m(kernel(body));
    m.options.schedule = Schedule::parse(schedule);
    CHECK(m.run(1, 32).status == LaunchStatus::ok);
    for (std::uint32_t i = 0; i < 32; ++i) CHECK(m.word(i) == 100 + i % 4);
  }
  std::string open = body;
  open.erase(open.find("@%p1 bra DONE;"), 14);
  Machine m(kernel(open));
  CHECK(m.run(1, 32).status == LaunchStatus::trapped);
  CHECK(m.recorder.faults.back().lanes == 0x88888888u);
}

}  // namespace warpwise::simulator::run
