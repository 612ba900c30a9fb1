// What ./warpwise predict ch07 measures besides the chapter's own launches: the worked example, histograms of
// 1, 32 and 1024 bins, and the plain forms. Each counter has a sector of 32 bytes of its own, so the sectors
// of the atomics are the operations themselves, one for each lane that adds.

#include <cstdio>
#include <vector>

#include "../solution.cu"

constexpr unsigned words_apart = 8;
constexpr unsigned keys_counted = 1u << 16;

extern "C" __global__ void increment_plain(const unsigned* which, const unsigned* active, unsigned* counters,
                                           unsigned* tickets) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (active[i / 32] >> threadIdx.x % 32 & 1) tickets[i] = atomicAdd(&counters[which[i]], 1u);
}

extern "C" __global__ void compact_plain(const unsigned* in, unsigned* out, unsigned* count, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] != 0) out[atomicAdd(count, 1u)] = in[i];
}

/// Copies to the device. Nothing is freed: the program is short, and the memory goes when it ends.
unsigned* on_device(const std::vector<unsigned>& values) {
  unsigned* copy = nullptr;
  cudaMalloc(&copy, values.size() * sizeof(unsigned));
  cudaMemcpy(copy, values.data(), values.size() * sizeof(unsigned), cudaMemcpyHostToDevice);
  return copy;
}

/// The worked example: threads 16 to 31, counter threadIdx.x / 4.
void draw_tickets() {
  std::vector<unsigned> which(32);
  for (unsigned thread = 0; thread < 32; ++thread) which[thread] = thread / 4 * words_apart;
  unsigned* const counters = on_device(std::vector<unsigned>(32 * words_apart));
  unsigned* const tickets = on_device(which);
  atomic_aggregate_increment<<<1, 32>>>(on_device(which), on_device({0xffff0000u}), counters, tickets);
  increment_plain<<<1, 32>>>(on_device(which), on_device({0xffff0000u}), counters, tickets);
}

/// Keys as good as random: the upper bits of a multiplicative hash (Knuth, TAOCP 3, 6.4).
void count_keys(unsigned bins) {
  std::vector<unsigned> keys(keys_counted);
  for (unsigned i = 0; i < keys_counted; ++i)
    keys[i] = (i * 2654435769u ^ i >> 5) % 65521 % bins * words_apart;
  unsigned* const histogram = on_device(std::vector<unsigned>(bins * words_apart));
  histogram_aggregated<<<64, 256>>>(on_device(keys), histogram, keys_counted);
}

/// Every other element is kept.
void compact() {
  std::vector<unsigned> values(keys_counted);
  for (unsigned i = 0; i < keys_counted; ++i) values[i] = i % 2;
  unsigned* const out = on_device(values);
  unsigned* const count = on_device({0});
  compact_plain<<<keys_counted / 256, 256>>>(on_device(values), out, count, keys_counted);
}

int main() {
  draw_tickets();
  for (const unsigned bins : {1u, 32u, 1024u}) count_keys(bins);
  compact();
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
