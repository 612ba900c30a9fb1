#include "common/print/text.hpp"

#include <sstream>

#include "common/testing/catch.hpp"

using namespace warpwise;

namespace {

/// Two steps of a warp, the second behind a barrier: 8 lanes load every other word of partial, 2 meet in a
/// bank.
report::TracedLaunch example() {
  report::TracedLaunch traced;
  simulator::LaunchReport& report = traced.launch.report;
  report.kernel = "reduce";
  report.grid = {2, 1, 1};
  report.block = {64, 1, 1};
  simulator::LineCounters line{"a.cu", 2, {}};
  line.counters.warp_instructions = 10;
  line.counters.thread_instructions = 160;
  line.counters.shared_load_wavefronts = 2;
  line.counters.shared_load_bank_conflicts = 1;
  report.lines = {line};
  simulator::Trace& trace = traced.trace;
  trace.schedule = "converged";
  trace.sources = {
      {"a.cu", {"first", "  partial[tid] += partial[tid + stride] * a_name_that_leaves_the_line;"}}};
  trace.code = {{"ld.shared.f32 %f1, [%r1];", 0, 2}};
  trace.arrays = {{"partial", true, 4, 512, 4}};
  trace.steps.resize(3);
  trace.steps[0].lanes = 0xffffffff;
  trace.steps[1].warp = 1;
  trace.steps[2].interval = 1;
  trace.steps[2].lanes = 0x0f00000f;
  simulator::TraceAccess& access = trace.steps[2].accesses.emplace_back();
  access.kind = "load";
  access.lanes = 0x0f00000f;
  access.offsets = {0, 8, 16, 24, 128, 136, 144, 152};
  access.wavefronts = 2;
  access.bank_conflicts = 1;
  trace.instructions_left_out = 7;
  trace.blocks_left_out = 1;
  return traced;
}

}  // namespace

TEST_CASE("lanes and banks are a character each") {
  CHECK(print::lanes_text(0x80000003) == "##.............................#");
  const report::TracedLaunch traced = example();
  CHECK(print::banks_text(traced.trace, traced.trace.steps[2].accesses[0]) ==
        ".2.2.2.2........................");
}

TEST_CASE("the text has costs, steps, banks and what was left out, in 80 columns") {
  std::ostringstream out;
  print::print_text(out, example());
  const std::string text = out.str();
  CHECK(text.find("reduce: grid of 2, blocks of 64 threads, schedule converged\n") == 0);
  CHECK(text.find("     10  50%       2      1      0     0     2  partial[tid] += partial[tid +...\n") !=
        text.npos);
  CHECK(text.find("   1     2   1st  ################################\n"
                  "------------ barrier 1\n"
                  "   3     2   2nd  ####....................####....  load partial 2\n"
                  "           banks  .2.2.2.2........................  words a bank: 2 wavefronts\n") !=
        text.npos);
  CHECK(text.find("Not recorded: 7 warp instructions of the launch, all of 1 block.") != text.npos);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    CHECK(line.size() <= 80);
  }
}
