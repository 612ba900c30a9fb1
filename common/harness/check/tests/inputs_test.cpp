#include "common/harness/check/inputs.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "common/harness/check/references.hpp"
#include "common/testing/catch.hpp"

using namespace warpwise::harness;

TEST_CASE("random integers are whole, in range, not all equal, and the same every time") {
  const auto values = random_integers(1000, 1);
  std::set<float> distinct(values.begin(), values.end());
  CHECK(distinct.size() == 15);
  CHECK(*distinct.begin() == 1.0f);
  CHECK(*distinct.rbegin() == 15.0f);
  CHECK(values == random_integers(1000, 1));
  CHECK(values != random_integers(1000, 2));
  const auto signed_values = random_integers(1000, 1, -3, 3);
  CHECK(*std::min_element(signed_values.begin(), signed_values.end()) == -3.0f);
}

TEST_CASE("element i depends on its position alone") {
  const auto few = random_floats(10, 5);
  const auto many = random_floats(1000, 5);
  CHECK(std::equal(few.begin(), few.end(), many.begin()));
}

TEST_CASE("random floats lie in [-1, 1) and round when added") {
  const auto values = random_floats(1000, 3);
  CHECK(*std::min_element(values.begin(), values.end()) >= -1.0f);
  CHECK(*std::max_element(values.begin(), values.end()) < 1.0f);
  float forward = 0, backward = 0;
  for (auto i = values.begin(); i != values.end(); ++i) forward += *i;
  for (auto i = values.rbegin(); i != values.rend(); ++i) backward += *i;
  CHECK(forward != backward);
}

TEST_CASE("seeds depend on every argument") {
  CHECK(seed_of(1, 2) != seed_of(2, 1));
  CHECK(seed_of(1, 2, 3) != seed_of(1, 2, 4));
}

TEST_CASE("awkward sizes hold those at which kernels break") {
  for (const unsigned block : {32u, 256u, 1024u}) {
    const auto sizes = awkward(block);
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
  const auto usual = awkward(256);
  const auto values = random_floats(100, 1);
  set_run_seed(20261);
  const auto more = awkward(256);
  const auto others = random_floats(100, 1);
  set_run_seed(7);
  const auto elsewhere = awkward(256);
  set_run_seed(0);
  CHECK(more.size() == usual.size() + 3);
  for (const unsigned n : usual) CHECK(std::ranges::count(more, n) == 1);
  CHECK(std::ranges::max(more) < 6 * 256);
  CHECK(more != elsewhere);
  CHECK(others != values);
  CHECK(random_floats(100, 1) == values);
}

TEST_CASE("block sums: one a block, at least one") {
  CHECK(block_sums({}, 32) == std::vector<double>{0});
  CHECK(block_sums({1, 2, 3}, 2) == std::vector<double>{3, 3});
  CHECK(block_sums({1, 2, 3, 4}, 2) == std::vector<double>{3, 7});
  CHECK(block_sums({1, 2}, 32) == std::vector<double>{3});
}

TEST_CASE("sums are exact where float would round") {
  const std::vector<float> values{16777216.0f, 1.0f, 1.0f};
  CHECK(sum(values) == 16777218.0);
}

TEST_CASE("operators and their identities") {
  const std::vector<float> none;
  CHECK(reduce<operators::Product>(none) == 1.0);
  CHECK(reduce<operators::Max>(none) == -std::numeric_limits<double>::infinity());
  CHECK(reduce<operators::Min>(none) == std::numeric_limits<double>::infinity());
  const std::vector<int> whole{-5, 3, 12};
  CHECK(reduce<operators::Max>(std::vector<int>{}) == std::numeric_limits<int>::lowest());
  CHECK(reduce<operators::Max>(whole) == 12);
  CHECK(reduce<operators::Min>(whole) == -5);
  CHECK(reduce<operators::Product>(whole) == -180);
  const std::vector<unsigned> words{0b1100, 0b0110};
  CHECK(reduce<operators::BitAnd>(std::vector<unsigned>{}) == ~0u);
  CHECK(reduce<operators::BitAnd>(words) == 0b0100);
  CHECK(reduce<operators::BitOr>(words) == 0b1110);
  CHECK(reduce<operators::LogicalAnd>(std::vector<int>{}) == 1);
  CHECK(reduce<operators::LogicalAnd>(std::vector<int>{2, 0}) == 0);
  CHECK(reduce<operators::LogicalOr>(std::vector<int>{0, 2}) == 1);
}

TEST_CASE("sums of denormal numbers are exact, in any order") {
  const auto values = random_denormals(2048, 9);
  CHECK(std::ranges::all_of(values, [](float x) { return std::fpclassify(x) == FP_SUBNORMAL; }));
  CHECK(std::accumulate(values.begin(), values.end(), 0.0f) == sum(values));
  CHECK(std::accumulate(values.rbegin(), values.rend(), 0.0f) == sum(values));
}

TEST_CASE("the error bound holds for a loop and for a tree, and is not lax") {
  const unsigned n = 4096;
  const auto values = random_floats(n, 9);
  const float loop = std::accumulate(values.begin(), values.end(), 0.0f);
  CHECK(std::abs(loop - sum(values)) <= sum_error_bound(values, n - 1));

  std::vector<float> tree = values;
  for (unsigned width = n / 2; width > 0; width /= 2) {
    for (unsigned i = 0; i < width; ++i) tree[i] += tree[i + width];
  }
  CHECK(std::abs(tree[0] - sum(values)) <= sum_error_bound(values, 12));
  // A lost element is more than the tree may lose.
  CHECK(std::abs(values[0]) > sum_error_bound(values, 12));
}

TEST_CASE("bounds have the shape of block sums") {
  const auto values = random_floats(100, 1);
  CHECK(block_sum_error_bounds(values, 32, 5).size() == block_sums(values, 32).size());
  CHECK(block_sum_error_bounds({}, 32, 5) == std::vector<double>{0});
}
