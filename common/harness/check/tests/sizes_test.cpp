#include "common/harness/check/sizes.hpp"

#include <algorithm>

#include "common/harness/check/inputs.hpp"
#include "common/harness/device/shapes.hpp"
#include "common/testing/catch.hpp"

using namespace warpwise::harness;

TEST_CASE("awkward sizes hold those at which kernels break") {
  for (const unsigned block : {32u, 256u, 1024u}) {
    const auto sizes = awkward_sizes(block);
    CHECK(std::is_sorted(sizes.begin(), sizes.end() - 1));
    CHECK(std::adjacent_find(sizes.begin(), sizes.end()) == sizes.end());
    CHECK(sizes.front() == 1);
    CHECK(sizes.back() == 0);  // what fails for 1 too is told of 1
    for (const unsigned n :
         {0u, 1u, 31u, 32u, 33u, 1023u, 1024u, 1025u, block - 1, block, block + 1, 2 * block + 1}) {
      CHECK(std::count(sizes.begin(), sizes.end(), n) == 1);
    }
    const unsigned largest = *(sizes.end() - 2);
    CHECK(largest > 3 * block);
    CHECK(largest % block != 0);
  }
}

TEST_CASE("with a seed of the run there are sizes that nobody can know, and other inputs") {
  const auto usual = awkward_sizes(256);
  const auto values = random_floats(100, 1);
  set_run_seed(20261);
  const auto more = awkward_sizes(256);
  const auto others = random_floats(100, 1);
  set_run_seed(7);
  const auto elsewhere = awkward_sizes(256);
  set_run_seed(0);
  CHECK(more.size() == usual.size() + 3);
  for (const unsigned n : usual) CHECK(std::ranges::count(more, n) == 1);
  CHECK(std::ranges::max(more) < 6 * 256);
  CHECK(more != elsewhere);
  CHECK(others != values);
  CHECK(random_floats(100, 1) == values);
}

TEST_CASE("every block size comes with its own awkward sizes") {
  const auto all = every_size_and_block();
  for (const unsigned block : every_block_size)
    for (const unsigned n : awkward_sizes(block))
      CHECK(std::ranges::count_if(all, [&](Sizes one) { return one.n == n && one.block == block; }) == 1);
  CHECK(every_size_and_block({96}).size() == awkward_sizes(96).size());
}

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
