/// \file Counters of whole kernels.

#include "common/testing/catch.hpp"
#include "kernel_file.hpp"

using namespace warpwise::simulator;
using warpwise::simulator::testing::KernelFile;

TEST_CASE("a tree of pairs is counted as an H200 counts it") {
  KernelFile file("right");
  const LaunchReport report = file.run(file.kernel("tree_of_pairs"));
  const Counters& counters = report.counters;
  CHECK(report.kernel == "tree_of_pairs");
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
  KernelFile file("right");
  const LaunchReport report = file.run(file.kernel("last_block"), Watch::counters);
  Counters sum;
  for (const LineCounters& line : report.lines) sum += line.counters;
  for (const auto& [name, member, title] : counter_fields) {
    INFO(name);
    CHECK(sum.*member == report.counters.*member);
  }
  CHECK(report.counters.global_atomic_requests == 8);
  CHECK(report.counters.warp_instructions > 0);
  for (std::size_t i = 1; i < report.lines.size(); ++i) {
    CHECK(report.lines[i - 1].line < report.lines[i].line);
  }
}

TEST_CASE("watching nothing counts nothing, and still sees faults") {
  KernelFile file("wrong");
  const LaunchReport report = file.run(file.kernel("no_guard"), Watch::nothing);
  CHECK(report.counters.warp_instructions == 0);
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].kind == FindingKind::out_of_bounds);
}

TEST_CASE("findings do not depend on the number of host threads") {
  KernelFile file("wrong");
  for (const auto& kernel : file.kernels()) {
    const LaunchReport one = file.run(kernel, Watch::everything, 1);
    const LaunchReport again = file.run(kernel, Watch::everything, 1);
    const LaunchReport two = file.run(kernel, Watch::everything, 2);
    INFO(kernel.name);
    REQUIRE(one.findings.size() == again.findings.size());
    REQUIRE(one.findings.size() == two.findings.size());
    for (std::size_t i = 0; i < one.findings.size(); ++i) {
      CHECK(format(one.findings[i]) == format(again.findings[i]));
      CHECK(one.findings[i].line == two.findings[i].line);
      CHECK(one.findings[i].kind == two.findings[i].kind);
    }
  }
}

TEST_CASE("the text of a finding") {
  KernelFile file("wrong");
  const LaunchReport report = file.run(file.kernel("no_barrier_in_loop"));
  REQUIRE(report.findings.size() == 1);
  const Finding& finding = report.findings[0];
  CHECK(finding.kind == FindingKind::race);
  CHECK_THAT(finding.message, warpwise::testing::ContainsSubstring("reads partial["));
  CHECK_THAT(finding.message, warpwise::testing::ContainsSubstring("may still write it"));
  const std::string text = format(finding);
  CHECK_THAT(text,
             warpwise::testing::ContainsSubstring("wrong.cu:" + std::to_string(finding.line) + ": race: "));
  CHECK_THAT(
      text, warpwise::testing::ContainsSubstring(" |     if (threadIdx.x < stride) partial[threadIdx.x] +="));
  CHECK_THAT(text, warpwise::testing::ContainsSubstring("first in block 0)"));
  CHECK_THAT(text, warpwise::testing::ContainsSubstring("= help: put a barrier"));
  CHECK(text.back() != '\n');
}
