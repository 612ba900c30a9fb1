/// \file Reports from end to end, of programs of the corpus: counters, lines, texts, and what they do not
/// depend on.

#include <stdexcept>
#include <string>

#include "common/testing/catch.hpp"
#include "corpus_program.hpp"

using namespace warpwise::simulator;
using namespace warpwise::simulator::tests;
using warpwise::testing::ContainsSubstring;

namespace {

/// Of the only launch of program `name` in `file`, such as "wrong/masks".
LaunchReport report_of(const std::string& file, const std::string& name, Watch watch = Watch::everything) {
  GpuOptions options = corpus_options();
  options.watch = watch;
  for (const CorpusProgram& program : read_corpus_file(WARPWISE_CORPUS_DIR "/" + file + ".cu"))
    if (program.name == name) return run_corpus_program(program, file, options).launches.at(0);
  throw std::runtime_error("no program " + name);
}

}  // namespace

TEST_CASE("a tree of pairs is counted as an H200 counts it") {
  const LaunchReport report = report_of("right/whole_kernels", "tree_of_pairs");
  const Counters& counters = report.counters;
  CHECK_THAT(report.kernel, ContainsSubstring("tree_of_pairs"));
  CHECK(report.completed);
  // Two blocks: a load and a store by each warp, then six levels with both warps in five of them.
  CHECK(counters.global_load_requests == 4);
  CHECK(counters.global_load_sectors == 16);
  CHECK(counters.shared_load_bank_conflicts == 0);
  CHECK(counters.shared_store_wavefronts == counters.shared_store_requests);
  CHECK(counters.block_barriers == 2 * 6);
  CHECK(counters.divergent_branches > 0);
  CHECK(counters.lane_utilisation() > 0.3);
  CHECK(counters.lane_utilisation() < 1.0);
  std::uint64_t divergent = 0;
  for (const std::uint64_t interval : report.divergent_branches_by_interval) divergent += interval;
  CHECK(divergent == counters.divergent_branches);
}

TEST_CASE("lines add up to the launch") {
  const LaunchReport report = report_of("right/waiting", "last_block_by_wrapping_counter", Watch::counters);
  Counters sum;
  for (const LineCounters& line : report.lines) sum += line.counters;
  for (const auto& [name, member, title] : counter_fields) {
    INFO(name);
    CHECK(sum.*member == report.counters.*member);
  }
  CHECK(report.counters.global_atomic_requests == 8);
  CHECK(report.counters.warp_instructions > 0);
  for (std::size_t i = 1; i < report.lines.size(); ++i)
    CHECK(report.lines[i - 1].line < report.lines[i].line);
}

TEST_CASE("watching nothing counts nothing, and still sees faults") {
  const LaunchReport report = report_of("wrong/addresses", "no_guard_at_the_tail", Watch::nothing);
  CHECK(report.counters.warp_instructions == 0);
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].kind == FindingKind::out_of_bounds);
}

TEST_CASE("findings do not depend on the number of host threads") {
  for (const CorpusEntry& entry : programs_in("wrong")) {
    const auto findings = [&](std::uint32_t threads) {
      GpuOptions options = corpus_options();
      options.launch.threads = threads;
      return run_corpus_program(entry.program, entry.file, options).findings;
    };
    const auto one = findings(1), again = findings(1), two = findings(2);
    INFO(entry.program.name);
    REQUIRE(one.size() == again.size());
    REQUIRE(one.size() == two.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
      CHECK(one[i].message == again[i].message);  // notes may speak of what lies near in this run
      CHECK(one[i].help == again[i].help);
      CHECK(one[i].count == again[i].count);
      CHECK(one[i].line == two[i].line);
      CHECK(one[i].kind == two[i].kind);
    }
  }
}

TEST_CASE("the text of a finding") {
  const LaunchReport report = report_of("wrong/block_races", "no_barrier_in_loop");
  REQUIRE(report.findings.size() == 1);
  const Finding& finding = report.findings[0];
  CHECK(finding.kind == FindingKind::race);
  CHECK_THAT(finding.message, ContainsSubstring("reads partial["));
  CHECK_THAT(finding.message, ContainsSubstring("may still write it"));
  const std::string text = format(finding);
  CHECK_THAT(text, ContainsSubstring("block_races.cu:" + std::to_string(finding.line) + ": race: "));
  CHECK_THAT(text, ContainsSubstring(" |     if (t % (2 * stride) == 0) partial[t] += partial[t + stride];"));
  CHECK_THAT(text, ContainsSubstring("first in block 0)"));
  CHECK_THAT(text, ContainsSubstring("= help: put __syncthreads() after line " +
                                     std::to_string(finding.line) + ", at the end of the loop"));
  CHECK(text.back() != '\n');
  Finding of_two_files = finding;
  of_two_files.other_file = "sum.cuh", of_two_files.other_line = 7;
  CHECK_THAT(format(of_two_files), ContainsSubstring("= the other access is at sum.cuh:7"));
  of_two_files.kind = FindingKind::barrier;
  CHECK_THAT(format(of_two_files), ContainsSubstring("= see also sum.cuh:7"));
}

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
  const LaunchReport report = gpu.launch(*program, {"k", {1}, {32}, 0, arguments});
  CHECK(report.findings.empty());
  CHECK(report.counters.global_load_requests == 1);
  CHECK(report.counters.global_load_sectors == 16);
  CHECK(report.counters.shared_store_requests == 1);
  CHECK(report.counters.shared_store_wavefronts == 4);
  CHECK(report.counters.shared_load_requests == 0);
  CHECK(report.counters.global_store_requests == 0);
}
