#include "common/harness/device/launch_result.hpp"

#include "common/testing/catch.hpp"
#include "launches.hpp"

using namespace warpwise::harness;

TEST_CASE("a thread for each element takes at least one block") {
  CHECK(thread_for_each(0, 64).grid.x == 1);
  CHECK(thread_for_each(64, 64).grid.x == 1);
  CHECK(thread_for_each(65, 64, 12).grid.x == 2);
  CHECK(thread_for_each(65, 64, 12).shared_bytes == 12);
  CHECK(warps_of(thread_for_each(65, 64)) == 4);
}

TEST_CASE("blocks that walk are no more than asked for, and none is without an element") {
  CHECK(walking_blocks(0, 64, 5).grid.x == 1);
  CHECK(walking_blocks(129, 64, 5).grid.x == 3);
  CHECK(walking_blocks(100000, 64, 5).grid.x == 5);
}

TEST_CASE("a float of shared memory for each thread") {
  CHECK(with_shared_floats({.grid = 7, .block = 64}).shared_bytes == 256);
}

TEST_CASE("a count in another unit") {
  const Count barriers = count(a_launch(), &Counters::block_barriers);
  CHECK(barriers.value() == 32);
  CHECK(barriers.per_block().value() == 8);
  CHECK((barriers / 16).value() == 2);
  CHECK(count(a_launch(), &Counters::shuffles).per_warp().value() == 2);
}

TEST_CASE("a warp that is not full is one") {
  auto launch = a_launch();
  launch.block = {3, 11, 1};
  CHECK(count(launch, &Counters::shuffles).per_warp().value() == 2);
}

TEST_CASE("some are left out") {
  const Count barriers = count(a_launch(), &Counters::block_barriers);
  CHECK((barriers - 4).per_block().value() == 7);
  CHECK((barriers - 33).value() == 0);
  CHECK(barriers.only(7).value() == 7);
}

TEST_CASE("counters that are added up, of a launch and by themselves") {
  CHECK(count(a_launch(), {&Counters::shuffles, &Counters::block_barriers}).value() == 48);
  Counters counters{};
  counters.shared_load_requests = 1, counters.shared_store_requests = 20;
  counters.shared_atomic_requests = 300, counters.global_atomic_requests = 4000;
  CHECK(shared_requests.in(counters) == 321);
  CHECK(atomic_requests.in(counters) == 4300);
  counters.shared_load_wavefronts = 5, counters.shared_store_wavefronts = 60;
  CHECK(shared_load_and_store_wavefronts.in(counters) == 65);
  counters.shared_load_bank_conflicts = 7, counters.shared_store_bank_conflicts = 80;
  CHECK(shared_load_and_store_conflicts.in(counters) == 87);
}

TEST_CASE("a launch on a real GPU has no counters, and says so") {
  const Launch launch("reduce_naive", {.grid = 2, .block = 64, .shared_bytes = 256});
  CHECK_THROWS_AS(launch.counters(), std::logic_error);
  CHECK(launch.completed());
  CHECK(spelled(launch.shape()) == "<<<2, 64, 256 bytes>>>");
  CHECK(spelled(LaunchShape{.grid = {2, 3}, .block = 32}) == "<<<{2, 3, 1}, 32>>>");
}
