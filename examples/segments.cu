// Segmented sums: out[s] is the sum of in[offsets[s]] ... in[offsets[s + 1] - 1], and segments differ in
// length. Three ways to share the work: a block a segment, a warp a segment, and tiles of elements, whatever
// segments they belong to. docs/rows.md is the lesson.
//
//     ./warpwise exec -I. examples/segments.cu
//     nvcc -arch=native -O3 -I. -DBESIDE_CUB examples/segments.cu -o segments && ./segments 26 15     on a GPU
//
// Arguments: LOG2_N and RUNS. Exit status 1: a sum is not that of the host.

#ifdef BESIDE_CUB
#include <cub/device/device_segmented_reduce.cuh>
#include <cub/version.cuh>
#endif

#include <string>
#include <utility>

#include "sums.cuh"

namespace {

using warpwise::measuring::allocate;
using warpwise::measuring::download;
using warpwise::measuring::mixed;
using warpwise::measuring::require;

constexpr unsigned threads = 256, each = 16, tile = threads * each;
constexpr unsigned whole_warp = 0xffffffffu;

// --- A block, or a warp, takes a segment -------------------------------------------------------------------

__global__ void __launch_bounds__(threads)
    block_a_segment(const float* in, const unsigned* offsets, float* out) {
  const unsigned end = offsets[blockIdx.x + 1];
  float sum = 0.0f;
  for (unsigned i = offsets[blockIdx.x] + threadIdx.x; i < end; i += threads) sum += in[i];
  sum = sums::block_sum(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

__global__ void __launch_bounds__(threads)
    warp_a_segment(const float* in, const unsigned* offsets, unsigned segments, float* out) {
  const unsigned segment = (blockIdx.x * threads + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (segment >= segments) return;  // the whole warp
  const unsigned end = offsets[segment + 1];
  float sum = 0.0f;
  for (unsigned i = offsets[segment] + lane; i < end; i += 32) sum += in[i];
  for (unsigned distance = 16; distance > 0; distance /= 2)
    sum += __shfl_down_sync(whole_warp, sum, distance);
  if (lane == 0) out[segment] = sum;
}

// --- A block takes a tile of elements ----------------------------------------------------------------------

// [part]
/// What is known of some neighbouring elements: the last segment that begins among them, plus 1, or 0 if none
/// does; and the sum of the elements from there on, or of all.
struct Part {
  unsigned begun;
  float sum;
};
/// Of a, and b to the right of it. Associative, but not commutative; {0, 0} is the identity.
__device__ Part joined(Part a, Part b) { return b.begun != 0 ? b : Part{a.begun, a.sum + b.sum}; }
// [/part]

/// The parts of the threads to the left of this one, joined; and in `all` those of the whole block.
__device__ Part parts_before(Part mine, Part& all) {
  __shared__ Part of_warps[threads / 32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const Part left{__shfl_up_sync(whole_warp, mine.begun, distance),
                    __shfl_up_sync(whole_warp, mine.sum, distance)};
    if (lane >= distance) mine = joined(left, mine);
  }
  if (lane == 31) of_warps[warp] = mine;
  __syncthreads();  // or a warp's part could be read before it is stored
  Part before{0, 0.0f};
  all = before;
  for (unsigned w = 0; w < threads / 32; ++w) {
    if (w == warp) before = all;
    all = joined(all, of_warps[w]);
  }
  const Part left{__shfl_up_sync(whole_warp, mine.begun, 1), __shfl_up_sync(whole_warp, mine.sum, 1)};
  return lane == 0 ? before : joined(before, left);
}

/// The segment that has element i: the last one that begins at i or before.
__device__ unsigned segment_of(unsigned i, const unsigned* offsets, unsigned segments) {
  unsigned low = 0, high = segments;  // offsets[low] <= i < offsets[high]
  while (high - low > 1) {
    const unsigned middle = (low + high) / 2;
    (offsets[middle] <= i ? low : high) = middle;
  }
  return low;
}

/// Neighbouring elements of a thread in neighbouring banks would be 16 lanes in two banks: a word of padding
/// behind each thread's share puts the shares into different ones.
__device__ unsigned place(unsigned i) { return i + i / each; }

// [tiles]
/// Block b sums elements b * tile ... (b + 1) * tile - 1, and adds to `out`, which is 0 before.
__global__ void __launch_bounds__(threads)
    tiles_of_elements(const float* in, const unsigned* offsets, unsigned segments, float* out) {
  __shared__ float values[tile + tile / each];
  __shared__ unsigned begins[tile + tile / each];  // the segment that begins at an element, plus 1; or 0
  const unsigned n = offsets[segments], from = blockIdx.x * tile, to = min(n, from + tile);
  for (unsigned i = threadIdx.x; i < tile; i += threads) {
    values[place(i)] = from + i < n ? in[from + i] : 0.0f;
    begins[place(i)] = 0;
  }
  const unsigned first = segment_of(from, offsets, segments);
  __syncthreads();  // or a 0 could be stored over the number of a segment
  for (unsigned s = first + threadIdx.x; s < segments && offsets[s] < to; s += threads)
    if (offsets[s] >= from && offsets[s] < offsets[s + 1]) begins[place(offsets[s] - from)] = s + 1;
  __syncthreads();  // or a thread could miss where a segment begins

  Part part{0, 0.0f};
  float head = 0.0f;  // the sum of my elements before the first segment that begins among them
  for (unsigned k = 0; k < each; ++k) {
    const unsigned at = place(threadIdx.x * each + k), begun = begins[at];
    if (begun != 0) {
      if (part.begun != 0)
        out[part.begun - 1] = part.sum;  // it begins and ends among my elements
      else
        head = part.sum;
      part = {begun, 0.0f};
    }
    part.sum += values[at];
  }
  Part all;
  const Part before = parts_before(part, all);
  if (part.begun != 0) {  // the segment that was open to my left ends here
    if (before.begun != 0)
      out[before.begun - 1] = before.sum + head;  // it began in this tile: nobody else adds to it
    else if (begins[0] == 0)
      atomicAdd(&out[first], before.sum + head);  // it began in a tile before
  }
  if (threadIdx.x == threads - 1) atomicAdd(&out[all.begun != 0 ? all.begun - 1 : first], all.sum);
}
// [/tiles]

// --- Segments ----------------------------------------------------------------------------------------------

/// -1, 0 and 1: sums of as many as there are stay so small that floats add them exactly, in any order.
__global__ void fill(float* in, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    in[i] = static_cast<float>(static_cast<int>(mixed(i + 1) % 3) - 1);
}

unsigned next(unsigned& state) { return (state = state * 1664525u + 1013904223u) >> 8; }

/// The offsets of segments that cover n elements: `length` says how long one is, given how many are left.
template <class Length>
std::vector<unsigned> offsets_of(unsigned n, const Length& length) {
  std::vector<unsigned> offsets = {0};
  while (offsets.back() < n) offsets.push_back(offsets.back() + std::min(n - offsets.back(), length()));
  return offsets;
}

struct Job {
  unsigned n, runs;
  const float* in;
  std::vector<int> sums_before;  ///< of the first i elements
};

/// A line for each way to sum these segments; false: one is wrong.
bool show(const Job& job, const char* lengths, const std::vector<unsigned>& host_offsets) {
  const auto segments = static_cast<unsigned>(host_offsets.size() - 1);
  unsigned* const offsets = allocate<unsigned>(segments + 1);
  float* const out = allocate<float>(segments);
  require(cudaMemcpy(offsets, host_offsets.data(), (segments + 1) * sizeof(unsigned), cudaMemcpyHostToDevice),
          "cudaMemcpy");
  std::printf("\n%-44s%10s%8s\n", (std::to_string(segments) + " segments " + lengths).c_str(), "ms", "GB/s");
  bool is_right = true;
  const auto row = [&](const char* name, const auto& launch) {
    const double time = timing::milliseconds(job.runs, launch);
    require(cudaMemset(out, 0xff, segments * sizeof(float)), "cudaMemset");
    launch();
    require(cudaGetLastError(), name);
    const std::vector<float> found = download(out, segments);
    bool is_equal = true;
    for (unsigned s = 0; s < segments; ++s)
      is_equal =
          is_equal && found[s] == job.sums_before[host_offsets[s + 1]] - job.sums_before[host_offsets[s]];
    std::printf("%-44s", name);
    if (job.runs > 0)
      std::printf("%10.4f%8.0f", time, 4e-6 * job.n / time);
    else
      std::printf("%10s%8s", "-", "-");
    std::printf("%s\n", is_equal ? "" : "   WRONG");
    is_right = is_right && is_equal;
  };
  row("a block a segment", [&] { block_a_segment<<<segments, threads>>>(job.in, offsets, out); });
  row("a warp a segment", [&] {
    warp_a_segment<<<(segments + threads / 32 - 1) / (threads / 32), threads>>>(job.in, offsets, segments,
                                                                                out);
  });
  row("tiles of elements", [&] {
    require(cudaMemsetAsync(out, 0, segments * sizeof(float)), "cudaMemsetAsync");
    tiles_of_elements<<<(job.n + tile - 1) / tile, threads>>>(job.in, offsets, segments, out);
  });
#ifdef BESIDE_CUB
  size_t bytes = 0;
  const auto cub_sum = [&](void* scratch) {
    require(cub::DeviceSegmentedReduce::Sum(scratch, bytes, job.in, out, static_cast<int>(segments), offsets,
                                            offsets + 1),
            "cub::DeviceSegmentedReduce");
  };
  cub_sum(nullptr);
  void* const scratch = allocate<char>(bytes + 1);
  row("cub::DeviceSegmentedReduce::Sum", [&] { cub_sum(scratch); });
  cudaFree(scratch);
#endif
  cudaFree(offsets);
  cudaFree(out);
  return is_right;
}

}  // namespace

int main(int count, char** words) {
  Job job{};
  job.n = (1u << (count > 1 ? std::atoi(words[1]) : 14)) - 1;  // the last tile is not full
  job.runs = count > 2 ? static_cast<unsigned>(std::atoi(words[2])) : 0;
  float* const in = allocate<float>(job.n);
  fill<<<512, 256>>>(in, job.n);
  job.in = in;
  job.sums_before.push_back(0);
  for (const float value : download(in, job.n))
    job.sums_before.push_back(job.sums_before.back() + static_cast<int>(value));

  timing::print_gpu();
#ifdef BESIDE_CUB
  std::printf("CUB %d.%d.%d\n", CUB_MAJOR_VERSION, CUB_MINOR_VERSION, CUB_SUBMINOR_VERSION);
#endif
  std::printf("%u floats\n", job.n);
  unsigned state = 1;
  bool is_right = show(job, "of 256", offsets_of(job.n, [] { return 256u; }));
  is_right &= show(job, "of 0 to 511", offsets_of(job.n, [&] { return next(state) % 512; }));
  is_right &= show(job, "of 0 to 15", offsets_of(job.n, [&] { return next(state) % 16; }));
  bool is_first = true;
  is_right &=
      show(job, "of 0 to 511, but one has half",
           offsets_of(job.n, [&] { return std::exchange(is_first, false) ? job.n / 2 : next(state) % 512; }));
  std::printf(is_right ? "\nall sums are right\n" : "\nWRONG\n");
  return is_right ? 0 : 1;
}
