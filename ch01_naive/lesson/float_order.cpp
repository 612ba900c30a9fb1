// Two ways to add the same floats. The order of additions changes the result, because float addition rounds
// each time and so is not associative. The chapter's lesson shows the first function and the output.

#include <cstdio>
#include <vector>

namespace {

// [sequential]
float sum_in_order(const float* values, unsigned n) {
  float sum = 0.0f;  // the identity of addition: also the answer for n = 0
  for (unsigned i = 0; i < n; ++i) sum += values[i];
  return sum;
}
// [/sequential]

// [pairs]
float sum_in_pairs(const float* values, unsigned n) {
  if (n == 0) return 0.0f;
  if (n == 1) return values[0];
  const unsigned half = n / 2;
  return sum_in_pairs(values, half) + sum_in_pairs(values + half, n - half);
}
// [/pairs]

}  // namespace

int main() {
  const unsigned n = 20'000'000;
  const std::vector<float> ones(n, 1.0f);
  std::printf("%u ones, one after the other: %.0f\n", n, sum_in_order(ones.data(), n));
  std::printf("%u ones, as a tree:           %.0f\n", n, sum_in_pairs(ones.data(), n));
}
