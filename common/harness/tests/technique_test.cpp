#include "common/harness/technique.hpp"

#include "common/testing/catch.hpp"
#include "sentence_of.hpp"

using namespace warpwise::harness;

namespace {

Launch launch_of(const LaunchShape& shape, const Counters& counters) {
  Launch launch("reduce_naive", shape);
  warpwise::simulator::LaunchReport report;
  report.counters = counters;
  launch.set_report(report);
  return launch;
}

}  // namespace

TEST_CASE("a tree of pairs halves its values level by level") {
  CHECK(tree_levels(1) == 0);
  CHECK(tree_levels(32) == 5);
  CHECK(tree_levels(1024) == 10);
}

TEST_CASE("sums of counters") {
  Counters counters{};
  counters.block_barriers = 1, counters.warp_barriers = 20, counters.shuffles = 300;
  CHECK(exchanges(counters) == 321);
  counters.shared_load_requests = 1, counters.shared_store_requests = 20;
  counters.shared_atomic_requests = 300, counters.global_atomic_requests = 4000;
  CHECK(shared_requests(counters) == 321);
  CHECK(atomic_requests(counters) == 4300);
  counters.shared_load_wavefronts = 5, counters.shared_store_wavefronts = 60;
  CHECK(shared_load_and_store_wavefronts(counters) == 65);
  counters.shared_load_bank_conflicts = 7, counters.shared_store_bank_conflicts = 80;
  CHECK(shared_load_and_store_conflicts(counters) == 87);
}

TEST_CASE("a share of each block, and of each warp") {
  const Launch launch = launch_of({.grid = 4, .block = 64}, {});
  CHECK(per_block(launch, 10) == Approx(2.5));
  CHECK(per_warp(launch, 10) == Approx(1.25));
}

TEST_CASE("each element is read once: 32 at a time, 8 to a sector") {
  Counters counters{};
  counters.global_load_requests = 4;
  counters.global_load_sectors = 16;
  CHECK(sentence_of([&] { expect_each_element_is_read_once(counters, 128); }).empty());
  counters.global_load_sectors = 17;
  CHECK(sentence_of([&] { expect_each_element_is_read_once(counters, 128); }) ==
        "global load sectors: 17, at most 16 (each element is read once)");
  counters.global_load_requests = 5;
  CHECK(sentence_of([&] { expect_each_element_is_read_once(counters, 128); }) ==
        "global load requests: 5, at most 4 (each warp reads 32 neighbouring elements at once, and each "
        "element is read once)");
}

TEST_CASE("no atomics, no shared memory, few barriers") {
  Counters counters{};
  counters.shared_atomic_requests = 1;
  counters.block_barriers = 12;
  const Launch launch = launch_of({.grid = 4, .block = 64}, counters);
  CHECK(sentence_of([&] { expect_no_atomics(counters); }) ==
        "atomic requests: 1, at most 0 (atomics on one word add one value after the other: no tree)");
  CHECK(sentence_of([&] { expect_no_shared_memory(counters, "registers do"); }) ==
        "shared memory requests: 1, at most 0 (registers do)");
  CHECK(sentence_of([&] { expect_block_barriers_at_most(launch, 3, "enough"); }).empty());
  CHECK(sentence_of([&] { expect_block_barriers_at_most(launch, 2, "enough"); }) ==
        "block barriers a block of 64: 3, at most 2 (enough)");
  CHECK(sentence_of([] { expect_no_atomics({}); }).empty());
}

TEST_CASE("a tree exchanges values once a level in each block") {
  Counters counters{};
  counters.block_barriers = 12;
  CHECK(sentence_of([&] { expect_a_tree(launch_of({.grid = 2, .block = 64}, counters)); }).empty());
  CHECK(
      sentence_of([&] { expect_a_tree(launch_of({.grid = 4, .block = 64}, counters)); }) ==
      "exchanges between the threads of a block of 64: 3, at least 6 (a tree of pairs has 6 levels; does one "
      "thread add everything?)");
}

TEST_CASE("one tree a block: a barrier a level and one more") {
  Counters counters{};
  counters.block_barriers = 2 * 7;
  CHECK(sentence_of([&] {
          expect_one_tree_a_block(launch_of({.grid = 2, .block = 64}, counters), 128);
        }).empty());
  ++counters.block_barriers;
  CHECK(sentence_of([&] { expect_one_tree_a_block(launch_of({.grid = 2, .block = 64}, counters), 128); }) ==
        "block barriers a block of 64: 7.5, at most 7 (one after the load and one for each level)");
}
