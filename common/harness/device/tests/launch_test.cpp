#include "common/harness/device/launch.hpp"

#include "common/testing/catch.hpp"

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
