#include "common/harness/check/spenders.hpp"

#include "common/testing/catch.hpp"

using namespace warpwise::harness;
using warpwise::report::LineShare;
using warpwise::simulator::LaunchReport;

namespace {

/// 4 blocks of 2 warps. Line 10 has 24 barriers, line 12 8; atomics: 3 shared at line 11, 5 global at
/// line 12.
LaunchReport a_launch() {
  LaunchReport launch;
  launch.grid = {4, 1, 1};
  launch.block = {64, 1, 1};
  Counters ten, eleven, twelve;
  ten.block_barriers = 24;
  eleven.shared_atomic_requests = 3;
  eleven.shuffles = 16;
  twelve.block_barriers = 8;
  twelve.global_atomic_requests = 5;
  launch.lines = {{"a.cu", 10, ten}, {"a.cu", 11, eleven}, {"a.cu", 12, twelve}};
  for (const auto& line : launch.lines) launch.counters += line.counters;
  return launch;
}

Count count(const LaunchReport& launch, Counter counter) {
  return {std::make_shared<const LaunchReport>(launch), 33, counter};
}

LineShare share(unsigned line, const char* text) { return {"a.cu", line, "", text}; }

}  // namespace

TEST_CASE("the lines that spend a count, the most first, in its unit") {
  const Count barriers = count(a_launch(), &Counters::block_barriers);
  CHECK(barriers.value() == 32);
  CHECK(spenders(barriers) == std::vector{share(10, "24 of the 32"), share(12, "8 of the 32")});
  CHECK(barriers.per_block().value() == 8);
  CHECK(spenders(barriers.per_block()) == std::vector{share(10, "6 of the 8"), share(12, "2 of the 8")});
  CHECK((barriers / 16).value() == 2);
  CHECK(spenders(barriers / 16).front() == share(10, "1.5 of the 2"));
  const Count shuffles = count(a_launch(), &Counters::shuffles).per_warp();
  CHECK(shuffles.value() == 2);
  CHECK(spenders(shuffles) == std::vector{share(11, "2 of the 2")});
}

TEST_CASE("a warp that is not full is one") {
  LaunchReport launch = a_launch();
  launch.block = {3, 11, 1};
  CHECK(count(launch, &Counters::shuffles).per_warp().value() == 2);
}

TEST_CASE("counters that are added up") {
  const Count atomics = count(a_launch(), atomic_requests);
  CHECK(atomics.value() == 8);
  CHECK(spenders(atomics) == std::vector{share(12, "5 of the 8"), share(11, "3 of the 8")});
  CHECK(count(a_launch(), {&Counters::shuffles, &Counters::block_barriers}).value() == 48);
}

TEST_CASE("where some are left out, lines have shares of all in percent") {
  const Count barriers = count(a_launch(), &Counters::block_barriers);
  CHECK((barriers - 4).per_block().value() == 7);
  CHECK(spenders((barriers - 4).per_block()).front() == share(10, "75 % of them"));
  CHECK((barriers - 33).value() == 0);
  CHECK(spenders(barriers - 0).front() == share(10, "24 of the 32"));
  CHECK(barriers.only(7).value() == 7);
  CHECK(spenders(barriers.only(7)).front() == share(10, "75 % of them"));
  CHECK(spenders(barriers.only(32)).front() == share(10, "24 of the 32"));
}

TEST_CASE("the lines that write results") {
  LaunchReport launch = a_launch();
  launch.lines[0].counters.global_store_requests = 9;
  CHECK(writers(launch) == std::vector{share(10, "writes results"), share(12, "writes results")});
  CHECK(writers(LaunchReport{}).empty());
}

TEST_CASE("at most three lines") {
  LaunchReport launch;
  for (unsigned line = 1; line <= 5; ++line) {
    Counters counters;
    counters.votes = line;
    launch.lines.push_back({"a.cu", line, counters});
    launch.counters += counters;
  }
  CHECK(spenders(count(launch, &Counters::votes)) ==
        std::vector{share(5, "5 of the 15"), share(4, "4 of the 15"), share(3, "3 of the 15")});
}
