/// \file access PATTERNS: launches one warp for each line of patterns.txt (see patterns.py), which does that
/// one access once. ncu counts each launch; nothing else in a kernel touches what is counted:
/// - offsets and mask come as a kernel parameter, which lies in constant memory, not in global memory;
/// - what a load or an atomic gives is stored only if it has a value that it never has: the instruction must
///   stay, and a store counts as another operation than loads and atomics;
/// - inline PTX, because a compiler may split, join or drop an access of C++.

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

struct Pattern {
  std::uint32_t mask = 0;
  std::uint32_t offsets[32] = {};
};

constexpr std::uint32_t window = 32768;       // bytes, more than any offset
constexpr std::uint32_t never = 0xdeadbeefu;  // in no buffer, so that no sink is reached

enum class Operation { ld, st, red, atom };

template <int Bytes>
__device__ std::uint32_t load_global(const char* place) {
  std::uint32_t a, b = 0, c = 0, d = 0;
  if (Bytes == 4) asm volatile("ld.global.b32 %0, [%1];" : "=r"(a) : "l"(place) : "memory");
  if (Bytes == 8) asm volatile("ld.global.v2.b32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "l"(place) : "memory");
  if (Bytes == 16)
    asm volatile("ld.global.v4.b32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                 : "l"(place)
                 : "memory");
  return a ^ b ^ c ^ d;
}
template <int Bytes>
__device__ std::uint32_t load_shared(std::uint32_t place) {
  std::uint32_t a, b = 0, c = 0, d = 0;
  if (Bytes == 4) asm volatile("ld.shared.b32 %0, [%1];" : "=r"(a) : "r"(place) : "memory");
  if (Bytes == 8) asm volatile("ld.shared.v2.b32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "r"(place) : "memory");
  if (Bytes == 16)
    asm volatile("ld.shared.v4.b32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                 : "r"(place)
                 : "memory");
  return a ^ b ^ c ^ d;
}
template <int Bytes>
__device__ void store_global(char* place, std::uint32_t v) {
  if (Bytes == 4) asm volatile("st.global.b32 [%0], %1;" ::"l"(place), "r"(v) : "memory");
  if (Bytes == 8) asm volatile("st.global.v2.b32 [%0], {%1, %1};" ::"l"(place), "r"(v) : "memory");
  if (Bytes == 16) asm volatile("st.global.v4.b32 [%0], {%1, %1, %1, %1};" ::"l"(place), "r"(v) : "memory");
}
template <int Bytes>
__device__ void store_shared(std::uint32_t place, std::uint32_t v) {
  if (Bytes == 4) asm volatile("st.shared.b32 [%0], %1;" ::"r"(place), "r"(v) : "memory");
  if (Bytes == 8) asm volatile("st.shared.v2.b32 [%0], {%1, %1};" ::"r"(place), "r"(v) : "memory");
  if (Bytes == 16) asm volatile("st.shared.v4.b32 [%0], {%1, %1, %1, %1};" ::"r"(place), "r"(v) : "memory");
}

template <Operation Op, int Bytes>
__global__ void access_global(const __grid_constant__ Pattern pattern, char* data, std::uint32_t* sink) {
  const std::uint32_t lane = threadIdx.x;
  char* const place = data + pattern.offsets[lane];
  std::uint32_t got = 0;
  if (pattern.mask >> lane & 1) {
    if (Op == Operation::ld) got = load_global<Bytes>(place);
    if (Op == Operation::st) store_global<Bytes>(place, lane);
    if (Op == Operation::red) asm volatile("red.global.add.u32 [%0], %1;" ::"l"(place), "r"(1) : "memory");
    if (Op == Operation::atom)
      asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(got) : "l"(place), "r"(1) : "memory");
  }
  if (got == never) *sink = got;
}

template <Operation Op, int Bytes>
__global__ void access_shared(const __grid_constant__ Pattern pattern, std::uint32_t* sink) {
  extern __shared__ __align__(1024) char shared[];
  const std::uint32_t lane = threadIdx.x;
  const std::uint32_t place =
      static_cast<std::uint32_t>(__cvta_generic_to_shared(shared)) + pattern.offsets[lane];
  std::uint32_t got = 0;
  if (pattern.mask >> lane & 1) {
    if (Op == Operation::ld) got = load_shared<Bytes>(place);
    if (Op == Operation::st) store_shared<Bytes>(place, lane);
    if (Op == Operation::atom)
      asm volatile("atom.shared.add.u32 %0, [%1], %2;" : "=r"(got) : "r"(place), "r"(1) : "memory");
  }
  if (got == never) *sink = got;
}

template <Operation Op>
bool launch(const Pattern& pattern, const std::string& space, int bytes, char* data, std::uint32_t* sink) {
  if (space == "global" && bytes == 4)
    access_global<Op, 4><<<1, 32>>>(pattern, data, sink);
  else if (space == "global" && bytes == 8)
    access_global<Op, 8><<<1, 32>>>(pattern, data, sink);
  else if (space == "global" && bytes == 16)
    access_global<Op, 16><<<1, 32>>>(pattern, data, sink);
  else if (bytes == 4)
    access_shared<Op, 4><<<1, 32, window>>>(pattern, sink);
  else if (bytes == 8)
    access_shared<Op, 8><<<1, 32, window>>>(pattern, sink);
  else if (bytes == 16)
    access_shared<Op, 16><<<1, 32, window>>>(pattern, sink);
  return cudaDeviceSynchronize() == cudaSuccess;
}

int main(int argc, char** argv) {
  std::ifstream file(argc == 2 ? argv[1] : "");
  if (!file) {
    std::fprintf(stderr, "usage: access patterns.txt\n");
    return 2;
  }
  char* data = nullptr;
  std::uint32_t* sink = nullptr;
  if (cudaMalloc(&data, window) != cudaSuccess || cudaMalloc(&sink, 4) != cudaSuccess) {
    std::fprintf(stderr, "no GPU: %s\n", cudaGetErrorString(cudaGetLastError()));
    return 1;
  }
  cudaMemset(data, 0, window);
  for (std::string line; std::getline(file, line);) {
    std::istringstream columns(line);
    std::string instruction, bytes, mask, note;
    std::getline(columns, instruction, ';');
    std::getline(columns, bytes, ';');
    std::getline(columns, mask, ';');
    std::getline(columns, note, ';');
    Pattern pattern;
    pattern.mask = static_cast<std::uint32_t>(std::stoul(mask, nullptr, 16));
    for (std::uint32_t& offset : pattern.offsets) columns >> offset;
    const std::string operation = instruction.substr(0, instruction.find('.'));
    const std::string space = instruction.substr(instruction.find('.') + 1);
    const int width = std::stoi(bytes);
    const bool is_done = operation == "ld"    ? launch<Operation::ld>(pattern, space, width, data, sink)
                         : operation == "st"  ? launch<Operation::st>(pattern, space, width, data, sink)
                         : operation == "red" ? launch<Operation::red>(pattern, space, width, data, sink)
                                              : launch<Operation::atom>(pattern, space, width, data, sink);
    if (!is_done) {
      std::fprintf(stderr, "%s: %s\n", line.c_str(), cudaGetErrorString(cudaGetLastError()));
      return 1;
    }
  }
  return 0;
}
