#include "common/measuring/median.hpp"

#include "common/testing/catch.hpp"

using warpwise::measuring::Median;
using warpwise::measuring::median_of;

TEST_CASE("the interval of a median consists of two of the values, about it") {
  std::vector<double> values;
  for (int i = 100; i > 0; --i) values.push_back(i);
  const Median median = median_of(values);
  CHECK(median.median == 50.5);
  // 49.5 - 9.8 and 49.5 + 9.8, outward: the 40th and the 61st value, as Conover's table has it for n = 100.
  CHECK(median.low == 40);
  CHECK(median.high == 61);
}

TEST_CASE("few values: the smallest and the largest bound the median; one outlier moves nothing else") {
  const Median median = median_of({5, 1, 1000});
  CHECK(median.median == 5);
  CHECK(median.low == 1);
  CHECK(median.high == 1000);
  CHECK(median_of({2}).median == 2);
  CHECK_THROWS_AS(median_of({}), std::invalid_argument);
}
