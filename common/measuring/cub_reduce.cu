#include <cub/device/device_reduce.cuh>
#include <cub/version.cuh>

#include <cstring>

#include "cub.hpp"

namespace warpwise::measuring {

cudaError_t cub_sum(void* scratch, std::size_t& bytes, const float* in, float* sum, unsigned n) {
  return cub::DeviceReduce::Sum(scratch, bytes, in, sum, static_cast<int>(n));
}

cudaError_t cub_max(void* scratch, std::size_t& bytes, const float* in, float* largest, unsigned n) {
  return cub::DeviceReduce::Max(scratch, bytes, in, largest, static_cast<int>(n));
}

#if CUB_VERSION >= 300000  // value and index apart; before, a pair

cudaError_t cub_argmax(void* scratch, std::size_t& bytes, const float* in, CubBestMemory* best, unsigned n) {
  auto* const value = reinterpret_cast<float*>(best);
  auto* const index = reinterpret_cast<long long*>(reinterpret_cast<unsigned char*>(best) + 16);
  return cub::DeviceReduce::ArgMax(scratch, bytes, in, value, index, static_cast<long long>(n));
}

CubBest get_cub_best(const CubBestMemory& downloaded) {
  CubBest best{};
  std::memcpy(&best.value, downloaded.bytes, sizeof(best.value));
  std::memcpy(&best.index, downloaded.bytes + 16, sizeof(best.index));
  return best;
}

#else

using Pair = cub::KeyValuePair<int, float>;

cudaError_t cub_argmax(void* scratch, std::size_t& bytes, const float* in, CubBestMemory* best, unsigned n) {
  return cub::DeviceReduce::ArgMax(scratch, bytes, in, reinterpret_cast<Pair*>(best), static_cast<int>(n));
}

CubBest get_cub_best(const CubBestMemory& downloaded) {
  int index = 0;
  CubBest best{};
  std::memcpy(&index, downloaded.bytes + offsetof(Pair, key), sizeof(index));
  std::memcpy(&best.value, downloaded.bytes + offsetof(Pair, value), sizeof(best.value));
  best.index = index;
  return best;
}

#endif

}  // namespace warpwise::measuring
