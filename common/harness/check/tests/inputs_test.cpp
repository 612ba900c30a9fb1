#include "common/harness/check/inputs.hpp"

#include <algorithm>
#include <set>

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
