// exact::sum_exactly where sums of floats go wrong: every result must be the exact sum, rounded to nearest,
// ties to even. On the simulated GPU by CTest: exec/exact_sum.

#include "examples/exact_sum.cuh"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#include "common/measuring/measuring.cuh"

namespace {

using warpwise::measuring::allocate;
using warpwise::measuring::require;
bool is_right = true;

float sum_of(const std::vector<float>& values, unsigned blocks) {
  float* const in = allocate<float>(values.size() + 4);
  float* const out = allocate<float>(1);
  auto* const total = allocate<exact::Total>(1);
  require(cudaMemset(total, 0, sizeof *total), "cudaMemset");
  require(cudaMemcpy(in, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");
  float sums[2];
  for (float& sum : sums) {  // the second launch finds what the first has left
    exact::sum_exactly<<<blocks, exact::threads>>>(in, values.size(), total, out);
    sum = warpwise::measuring::value_at(out);
  }
  cudaFree(in);
  cudaFree(out);
  cudaFree(total);
  return std::memcmp(&sums[0], &sums[1], sizeof sums[0]) == 0 ? sums[0] : NAN;
}
void expect(const char* what, float found, float expected) {
  if (found == expected || (std::isnan(found) && std::isnan(expected))) return;
  std::printf("%s: %a, expected %a\n", what, found, expected);
  is_right = false;
}

}  // namespace

int main() {
  constexpr size_t n = 3 * 8192 + 5;  // three tiles and a rest
  std::vector<float> v(n, -0.0f);
  expect("only -0", sum_of(v, 2), 0);
  double sum = 0;
  for (size_t i = 0; i < n; ++i) sum += v[i] = 0x1p-149f * static_cast<float>(i % 5 * (i % 2 == 0 ? 1 : -3));
  expect("denormals", sum_of(v, 2), static_cast<float>(sum));
  v.assign(n, 3e38f);
  expect("too large for a float", sum_of(v, 1), INFINITY);
  for (size_t i = 1; i < n; i += 2) v[i] = -3e38f;
  expect("large on the way only", sum_of(v, 1), 3e38f);
  v[100] = INFINITY;
  expect("infinity", sum_of(v, 3), INFINITY);
  v[20000] = -INFINITY;
  expect("both infinities", sum_of(v, 3), NAN);
  v[100] = 1;
  v[n - 1] = 2;
  expect("-infinity", sum_of(v, 1), -INFINITY);
  v[100] = NAN;
  expect("NaN", sum_of(v, 2), NAN);
  v.assign(n, 0);
  v[1] = 0x1p100f, v[2] = 0x1p-100f, v[9000] = -0x1p100f;
  expect("far below the window", sum_of(v, 2), 0x1p-100f);

  expect("nothing", sum_of({}, 1), 0);
  expect("a tie, to even", sum_of({0x1p24f, 1}, 1), 0x1p24f);
  expect("a tie, up to even", sum_of({0x1p24f, 3}, 1), 0x1.000004p24f);
  expect("just above a tie", sum_of({0x1p24f, 1, 0x1p-149f}, 1), 0x1.000002p24f);
  expect("just below a tie", sum_of({-0x1p24f, -1, 0x1p-149f}, 1), -0x1p24f);
  expect("rounded up to infinity", sum_of({0x1.fffffep127f, 0x1p103f}, 1), INFINITY);
  expect("not yet infinity", sum_of({0x1.fffffep127f, 0x1.fffffep102f}, 1), 0x1.fffffep127f);
  std::puts(is_right ? "all sums are exact" : "WRONG");
  return is_right ? 0 : 1;
}
