// Why is chapter 5's kernel at the roof: because a load is wide, because many bytes are in flight, or because
// the loop costs fewer instructions? One at a time. docs/causes.md is the lesson.
//
//     ./warpwise exec -I. examples/causes/wide_loads.cu
//     nvcc -arch=native -O3 -I. examples/causes/wide_loads.cu -o a && ./a 28 15

#include "examples/sums.cuh"

namespace {

constexpr unsigned threads = 512;

__device__ float sum_of(float v) { return v; }
__device__ float sum_of(float2 v) { return v.x + v.y; }
__device__ float sum_of(float4 v) { return (v.x + v.y) + (v.z + v.w); }

/// A round of the loop makes `loads` loads of a Word: all in flight at once, or each when the one before has
/// come, because its address depends on it. `zero` is 0, which no compiler can know.
template <class Word, unsigned loads, bool at_once>
__global__ void __launch_bounds__(threads, 4) sum(const Word* in, size_t words, float* out, unsigned zero) {
  float total = 0.0f;
#pragma unroll 1
  for (size_t i = blockIdx.x * size_t{loads * threads} + threadIdx.x; i < words;
       i += gridDim.x * size_t{loads * threads}) {
    if constexpr (at_once) {
      Word v[loads];
#pragma unroll
      for (unsigned k = 0; k < loads; ++k) v[k] = in[i + k * threads];
#pragma unroll
      for (unsigned k = 0; k < loads; ++k) total += sum_of(v[k]);
    } else {
#pragma unroll
      for (unsigned k = 0; k < loads; ++k)
        total += sum_of(in[i + k * threads + (__float_as_uint(total) & zero)]);
    }
  }
  total = sums::block_sum(total);
  if (threadIdx.x == 0) out[blockIdx.x] = total;
}

template <class Word, unsigned loads, bool at_once>
void row(sums::Table& table) {
  const unsigned blocks = 4 * sums::multiprocessors();
  char name[64];
  std::snprintf(name, sizeof name, "%2zu bytes a load, %2u loads a round, %s: %3zu", sizeof(Word), loads,
                loads == 1 ? "one in flight"
                : at_once  ? "all in flight"
                           : "one in flight",
                sizeof(Word) * (at_once ? loads : 1));
  table.row(name, blocks, [&] {
    sum<Word, loads, at_once><<<blocks, threads>>>(reinterpret_cast<const Word*>(table.in),
                                                   table.n * 4 / sizeof(Word), table.out, 0);
  });
}

}  // namespace

int main(int count, char** words) {
  sums::Table table(count, words, 16);
  table.head("full occupancy; bytes a thread has in flight");
  row<float, 1, true>(table);
  row<float, 4, false>(table);
  row<float, 16, false>(table);
  row<float, 2, true>(table);
  row<float, 4, true>(table);
  row<float, 8, true>(table);
  row<float, 16, true>(table);
  row<float2, 1, true>(table);
  row<float2, 2, true>(table);
  row<float2, 8, true>(table);
  row<float4, 1, true>(table);
  row<float4, 4, false>(table);
  row<float4, 2, true>(table);
  row<float4, 4, true>(table);
  return table.status();
}
