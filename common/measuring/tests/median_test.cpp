#include "common/measuring/median.hpp"

#include "common/testing/catch.hpp"

using warpwise::measuring::Middle;
using warpwise::measuring::middle_of;

TEST_CASE("the interval of a median consists of two of the values, about it") {
  std::vector<double> values;
  for (int i = 100; i > 0; --i) values.push_back(i);
  const Middle middle = middle_of(values);
  CHECK(middle.median == 50.5);
  // 49.5 - 9.8 and 49.5 + 9.8, outward: the 40th and the 61st value, as Conover's table has it for n = 100.
  CHECK(middle.low == 40);
  CHECK(middle.high == 61);
}

TEST_CASE("few values: the smallest and the largest bound the median; one outlier moves nothing else") {
  const Middle middle = middle_of({5, 1, 1000});
  CHECK(middle.median == 5);
  CHECK(middle.low == 1);
  CHECK(middle.high == 1000);
  CHECK(middle_of({2}).median == 2);
  CHECK_THROWS_AS(middle_of({}), std::invalid_argument);
}
