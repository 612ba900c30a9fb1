// Softmax over the rows of a matrix, out[r][c] = exp(in[r][c]) / (the sum of exp(in[r][k]) over k), in two
// ways: with one reduction for the largest element and one for the sum, and with a single reduction for both.
// A warp takes a row.
//
//     ./warpwise exec examples/softmax.cu                                      on the simulated GPU
//     nvcc -arch=native -O3 examples/softmax.cu -o softmax && ./softmax        on a GPU
//
// Compares both with a computation in double and says how far off they are. Exit status 1 means that one is
// off by more than rounding explains. The lesson is docs/uses.md.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

constexpr unsigned whole_warp = 0xffffffffu;

__device__ float warp_max(float value) {
  for (unsigned lane_bit = 16; lane_bit != 0; lane_bit >>= 1)
    value = fmaxf(value, __shfl_xor_sync(whole_warp, value, lane_bit));
  return value;  // in every lane, because all of them need it
}
__device__ float warp_sum(float value) {
  for (unsigned lane_bit = 16; lane_bit != 0; lane_bit >>= 1)
    value += __shfl_xor_sync(whole_warp, value, lane_bit);
  return value;
}

__global__ void softmax_two_reductions(const float* in, float* out, unsigned columns) {
  const unsigned lane = threadIdx.x;
  in += blockIdx.x * columns;
  out += blockIdx.x * columns;

  float largest = -INFINITY;  // the identity of max
  for (unsigned c = lane; c < columns; c += 32) largest = fmaxf(largest, in[c]);
  largest = warp_max(largest);

  float sum = 0.0f;
  for (unsigned c = lane; c < columns; c += 32) sum += expf(in[c] - largest);  // no exponent is above 0
  sum = warp_sum(sum);

  for (unsigned c = lane; c < columns; c += 32) out[c] = expf(in[c] - largest) / sum;
}

// [joined]
/// What is known about some elements: the largest, and the sum of exp(element - largest).
struct Part {
  float largest, sum;
};
/// The same for both together. Associative and commutative up to rounding; {-infinity, 0} is the identity.
__device__ Part joined(Part a, Part b) {
  const float largest = fmaxf(a.largest, b.largest);
  const float of_a = a.largest == largest ? a.sum : a.sum * expf(a.largest - largest);
  const float of_b = b.largest == largest ? b.sum : b.sum * expf(b.largest - largest);
  return {largest, of_a + of_b};
}
// [/joined]

__global__ void softmax_one_reduction(const float* in, float* out, unsigned columns) {
  const unsigned lane = threadIdx.x;
  in += blockIdx.x * columns;
  out += blockIdx.x * columns;

  Part part{-INFINITY, 0.0f};
  for (unsigned c = lane; c < columns; c += 32) part = joined(part, {in[c], 1.0f});
  for (unsigned lane_bit = 16; lane_bit != 0; lane_bit >>= 1) {
    const float largest = __shfl_xor_sync(whole_warp, part.largest, lane_bit);
    const float sum = __shfl_xor_sync(whole_warp, part.sum, lane_bit);
    part = joined(part, {largest, sum});
  }

  for (unsigned c = lane; c < columns; c += 32) out[c] = expf(in[c] - part.largest) / part.sum;
}

constexpr unsigned rows = 64, columns = 1000;

/// Rows of four kinds: near 0, far from 0 (where exp is infinite), falling over a wide range, and with
/// elements that are masked out with -infinity, as in attention.
std::vector<float> make_input() {
  std::vector<float> in(rows * columns);
  unsigned state = 1;
  for (unsigned r = 0; r < rows; ++r)
    for (unsigned c = 0; c < columns; ++c) {
      state = state * 1664525u + 1013904223u;  // Numerical Recipes' generator
      const float random = static_cast<float>(state >> 8) * 0x1p-23f - 1.0f;
      const float kinds[] = {4 * random, 1000.0f + 10 * random, -0.1f * static_cast<float>(c) + random,
                             c > 15 * r ? -INFINITY : 8 * random};
      in[r * columns + c] = kinds[r % 4];
    }
  return in;
}

/// Compares a row with a computation in double: the largest relative error, in units of 2^-24, and whether
/// rounding explains it. With u = 2^-24: x - largest is off by at most u |x - largest|, which exp turns into
/// a relative error. expf itself is off by 4 u (2 units in the last place, CUDA C++ Programming Guide), and a
/// sum by u for each addition that an element goes through; in the online form, by up to 5 u more for each
/// change of the largest element.
double worst_error(const float* in, const float* out, bool& is_right) {
  const double u = 0x1p-24;
  const double largest = *std::max_element(in, in + columns);
  double sum = 0, spread = 0, range = 0;
  for (unsigned c = 0; c < columns; ++c) {
    const double power = std::exp(in[c] - largest);
    sum += power;
    if (power > 0) spread += power * (largest - in[c]);
    if (std::isfinite(in[c])) range = std::max(range, largest - in[c]);
  }
  double worst = 0;
  for (unsigned c = 0; c < columns; ++c) {
    const double exact = std::exp(in[c] - largest) / sum;
    const double additions = columns / 32 + 1 + 5;
    const double bound = u * exact * (largest - in[c] + 4 + spread / sum + 4 + 6 * additions + range + 1);
    const double error = std::fabs(out[c] - exact);
    const bool is_close =
        exact == 0 ? out[c] == 0 : error <= bound + 0x1p-126;  // below that, floats lose digits
    is_right = is_right && is_close;
    if (exact > 0x1p-126) worst = std::max(worst, error / exact / u);
  }
  return worst;
}

template <class Softmax>
bool run(const char* name, Softmax softmax, const std::vector<float>& values) {
  float *in = nullptr, *out = nullptr;
  const std::size_t bytes = values.size() * sizeof(float);
  cudaMalloc(&in, bytes);
  cudaMalloc(&out, bytes);
  cudaMemcpy(in, values.data(), bytes, cudaMemcpyHostToDevice);
  softmax<<<rows, 32>>>(in, out, columns);
  std::vector<float> result(values.size());
  cudaMemcpy(result.data(), out, bytes, cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
  if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess) {
    std::printf("%s: %s\n", name, cudaGetErrorString(error));
    return false;
  }
  bool is_right = true;
  double worst = 0;
  for (unsigned r = 0; r < rows; ++r)
    worst = std::max(worst, worst_error(&values[r * columns], &result[r * columns], is_right));
  std::printf("%-15s largest relative error %.1f * 2^-24: %s\n", name, worst,
              is_right ? "what rounding explains" : "WRONG");
  return is_right;
}

int main() {
  const std::vector<float> values = make_input();
  std::printf("softmax of %u rows of %u elements\n", rows, columns);
  const bool two = run("two reductions", softmax_two_reductions, values);
  const bool one = run("one reduction", softmax_one_reduction, values);
  return two && one ? 0 : 1;
}
