/// \file What is worth knowing of a launch, and no defect: a note, until something depends on it. And what is
/// told of blocks that wait for each other.

#include <cstring>

#include "../../gpu.hpp"
#include "common/testing/catch.hpp"

using namespace warpwise::simulator;
using warpwise::testing::ContainsSubstring;

namespace {

LaunchReport launched(const std::string& body, std::uint32_t blocks, bool are_absent_lanes_zero = true,
                      std::uint32_t resident_blocks = 0) {
  const std::string module =
      ".version 7.0\n.target sm_75\n.address_size 64\n.file 1 \"exercise.cu\"\n"
      ".visible .entry k(.param .u64 p, .param .u64 q)\n{\n  .reg .pred %p<4>;\n  .reg .b32 %r<9>;\n"
      "  .reg .b64 %rd<9>;\n  mov.u32 %r1, %tid.x;\n  mov.u32 %r2, %ctaid.x;\n"
      "  ld.param.u64 %rd1, [p];\n  ld.param.u64 %rd2, [q];\n  mul.wide.u32 %rd3, %r1, 4;\n"
      "  add.s64 %rd3, %rd1, %rd3;\n" +
      body + "\n  ret;\n}\n";
  Gpu gpu;
  gpu.options().launch.threads = 1;
  gpu.options().launch.are_absent_lanes_zero = are_absent_lanes_zero;
  gpu.options().launch.resident_blocks = resident_blocks;
  const auto zeros = [&](std::uint64_t bytes) -> const Allocation& {
    Allocation& memory = gpu.memory().allocate(bytes);
    std::memset(reinterpret_cast<void*>(memory.base), 0, bytes);
    memory.mark_written(0, bytes);
    return memory;
  };
  const Allocation &out = zeros(256), &ticket = zeros(4);
  const void* const arguments[] = {&out.base, &ticket.base};
  return gpu.launch(*gpu.load(module, "notes"), {"k", {blocks}, {32}, 0, arguments});
}

}  // namespace

TEST_CASE("notes: a shuffle from a lane that takes no part is one as long as nothing depends on its value") {
  // The lanes below 16 add what is 8 further on; lanes 8 to 15 read lanes that are not there.
  const std::string shuffle =
      ".loc 1 1 1\n  setp.gt.u32 %p1, %r1, 15;\n  @%p1 bra END;\n"
      ".loc 1 2 1\n  shfl.sync.down.b32 %r3|%p2, %r1, 8, 31, 65535;\n  add.u32 %r4, %r1, %r3;\n";
  const std::string of_8 = "  setp.gt.u32 %p3, %r1, 7;\n  @%p3 bra END;\n",
                    store = ".loc 1 3 1\n  st.global.u32 [%rd3], %r4;\nEND:";
  const LaunchReport thrown_away = launched(shuffle + of_8 + store, 1);
  CHECK(thrown_away.findings.empty());
  REQUIRE(thrown_away.notes.size() == 1);
  CHECK(thrown_away.notes[0].line == 2);
  CHECK_THAT(thrown_away.notes[0].message,
             ContainsSubstring("threads 8 to 15 read the value of lanes 16 to 23"));
  CHECK_THAT(thrown_away.notes[0].note, ContainsSubstring("but nothing depends on it"));
  CHECK_THAT(thrown_away.notes[0].help, ContainsSubstring("move the shuffle out of"));
  CHECK(thrown_away.completed);

  const LaunchReport stored = launched(shuffle + store, 1);
  CHECK(stored.notes.empty());
  REQUIRE(stored.findings.size() == 1);
  CHECK(stored.findings[0].kind == FindingKind::sync);
  CHECK(stored.findings[0].line == 2);
  CHECK_THAT(stored.findings[0].note, ContainsSubstring("it is stored in line 3"));

  // Where the value is poison, whoever reads it is told at once.
  CHECK(launched(shuffle + of_8 + store, 1, false).findings.size() == 1);
}

TEST_CASE("notes: the last ticket without a fence behind it, where the other blocks' memory is read") {
  const std::string publish = ".loc 1 1 1\n  st.global.u32 [%rd3], %r1;\n  membar.gl;\n",
                    draw =
                        ".loc 1 2 1\n  atom.global.add.u32 %r3, [%rd2], 1;\n"
                        "  setp.ne.u32 %p1, %r3, 63;\n  @%p1 bra END;\n",
                    fence = "  membar.gl;\n",
                    read =
                        ".loc 1 3 1\n  ld.global.u32 %r4, [%rd3+4];\n  st.global.u32 [%rd3+128], %r4;\nEND:";
  const LaunchReport without = launched(publish + draw + read, 2);
  REQUIRE(without.notes.size() == 1);
  CHECK(without.notes[0].line == 2);
  CHECK_THAT(without.notes[0].message, ContainsSubstring("reads what other blocks have written (line 3)"));
  CHECK_THAT(without.notes[0].note, ContainsSubstring("a second __threadfence(), after line 2"));
  CHECK(launched(publish + draw + fence + read, 2).notes.empty());
  CHECK(launched(publish + draw + read, 1).notes.empty());  // there is no other block
}

TEST_CASE("deadlock: blocks that cannot start, a counter that is set back, blocks that have ended") {
  const std::string first = "  setp.ne.u32 %p3, %r1, 0;\n  @%p3 bra END;\n",
                    arrive = ".loc 1 1 1\n  atom.global.add.u32 %r3, [%rd2], 1;\n",
                    poll =
                        "POLL:\n.loc 1 3 1\n  atom.global.add.u32 %r4, [%rd2], 0;\n  setp.lt.u32 %p1, %r4, "
                        "2;\n  @%p1 bra POLL;\nEND:";
  const auto help = [&](const std::string& body, std::uint32_t resident_blocks) {
    const LaunchReport report = launched(first + body, 2, true, resident_blocks);
    REQUIRE(report.findings.size() == 1);
    CHECK(report.findings[0].kind == FindingKind::deadlock);
    return report.findings[0].help;
  };
  CHECK_THAT(help(arrive + poll, 1), ContainsSubstring("only 1 of the grid's 2 blocks have started"));
  const std::string reset =
      "  setp.ne.u32 %p2, %r3, 1;\n  @%p2 bra POLL;\n.loc 1 2 1\n  atom.global.exch.b32 %r5, [%rd2], 0;\n";
  CHECK_THAT(help(arrive + reset + poll, 2), ContainsSubstring("line 2 sets the counter back"));
  const std::string one_block = "  setp.ne.u32 %p2, %r2, 0;\n  @%p2 bra END;\n";
  CHECK_THAT(help(one_block + arrive + poll, 2), ContainsSubstring("1 of 2 have ended"));
  CHECK(launched(first + arrive + poll, 2).findings.empty());
}
