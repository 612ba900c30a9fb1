// What can take the place of the five shuffles of a warp's sum: shuffles with a `width`, redux.sync, and
// cooperative groups' reduce. ch05_shuffle/since.md is the lesson.
//
//     ./warpwise exec -I. -arch=sm_80 examples/since/warp_sums.cu
//     nvcc -arch=native -O3 -I. examples/since/warp_sums.cu -o a && ./a 26 15

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "examples/sums.cuh"

namespace {

namespace cg = cooperative_groups;
constexpr unsigned whole_warp = 0xffffffffu, threads = 256;

// --- Sums of rows of eight elements -----------------------------------------------------------------------

/// A warp takes a row: 24 lanes have nothing.
__global__ void rows_by_warps(const float* in, float* out) {
  const unsigned lane = threadIdx.x % 32, row = (blockIdx.x * threads + threadIdx.x) / 32;
  float value = lane < 8 ? in[8 * size_t{row} + lane] : 0.0f;
  for (unsigned distance = 4; distance > 0; distance /= 2)
    value += __shfl_down_sync(whole_warp, value, distance);
  if (lane == 0) out[row] = value;
}
// [width]
/// A warp takes four rows. With a width of 8, lanes 7, 15, 23 and 31 are each the last of their eight.
__global__ void rows_by_width(const float* in, float* out) {
  const unsigned i = blockIdx.x * threads + threadIdx.x;
  float value = in[i];
  for (unsigned distance = 4; distance > 0; distance /= 2)
    value += __shfl_down_sync(whole_warp, value, distance, 8);
  if (i % 8 == 0) out[i / 8] = value;
}
// [/width]
/// A thread takes a row, and needs no other.
__global__ void rows_by_threads(const float* in, float* out) {
  const unsigned row = blockIdx.x * threads + threadIdx.x;
  const float4* const mine = reinterpret_cast<const float4*>(in) + 2 * size_t{row};
  const float4 a = mine[0], b = mine[1];
  out[row] = ((a.x + a.y) + (a.z + a.w)) + ((b.x + b.y) + (b.z + b.w));
}

// --- Many sums of a warp, each of which needs the one before ----------------------------------------------

struct Shuffles {
  template <class T>
  __device__ static T sum(T value) {
    for (unsigned distance = 16; distance > 0; distance /= 2)
      value += __shfl_xor_sync(whole_warp, value, distance);
    return value;
  }
};
// [redux]
struct Redux {  // compute capability 8.0 and up, integers of 32 bits only
  __device__ static int sum(int value) { return __reduce_add_sync(whole_warp, value); }
};
// [/redux]
// [groups]
struct Groups {
  template <class T>
  __device__ static T sum(T value) {
    return cg::reduce(cg::tiled_partition<32>(cg::this_thread_block()), value, cg::plus<T>());
  }
};
// [/groups]

__device__ int next(int sum, unsigned lane) { return sum / 64 + static_cast<int>(lane); }
__device__ float next(float sum, unsigned lane) { return sum / 64 + static_cast<float>(lane); }
template <class Way, class T>
__global__ void many_sums(T* out, unsigned rounds) {
  T value = static_cast<T>(threadIdx.x % 32);
#pragma unroll 1
  for (unsigned round = 0; round < rounds; ++round) value = next(Way::sum(value), threadIdx.x % 32);
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

template <class Way, class T>
void time_many(const char* name, sums::Table& table) {
  const unsigned blocks = table.runs > 0 ? 8 * sums::multiprocessors() : 1;
  const unsigned rounds = table.runs > 0 ? 2000 : 20;
  T* const out = sums::allocate<T>(blocks * size_t{threads});
  const double time =
      timing::milliseconds(table.runs, [&] { many_sums<Way><<<blocks, threads>>>(out, rounds); });
  many_sums<Way><<<1, threads>>>(out, 20);
  // Of lane 0, where the rounds come to rest: 15.5, or 14 of integers.
  const double value = warpwise::measuring::value_at(out);
  const bool is_right = value >= 14 && value <= 15.5;
  table.is_right = table.is_right && is_right;
  std::printf("%-52s%10s%s\n", name, table.runs > 0 ? std::to_string(time).c_str() : "-",
              is_right ? "" : "   WRONG");
}

}  // namespace

int main(int count, char** words) {
  sums::Table table(count, words, 14);
  const unsigned rows = static_cast<unsigned>(table.n / 8);
  table.head("sums of rows of 8 floats");
  table.row("a warp a row", rows, [&] { rows_by_warps<<<rows / 8, threads>>>(table.in, table.out); });
  table.row("shuffles of width 8: four rows a warp", rows,
            [&] { rows_by_width<<<rows / 32, threads>>>(table.in, table.out); });
  table.row("a thread a row", rows, [&] { rows_by_threads<<<rows / 256, threads>>>(table.in, table.out); });

  std::printf("\n2000 sums of a warp, 8 blocks a multiprocessor\n");
  time_many<Shuffles, float>("float: five shuffles", table);
  time_many<Groups, float>("float: cooperative groups' reduce", table);
  time_many<Shuffles, int>("int: five shuffles", table);
  time_many<Groups, int>("int: cooperative groups' reduce", table);
  time_many<Redux, int>("int: __reduce_add_sync, redux.sync", table);
  return table.status();
}
