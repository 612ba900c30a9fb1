#pragma once
/// \file Which memory is whose: what each address is to the CUDA runtime.

#include <driver_types.h>

#include <cstdint>
#include <map>
#include <string>

#include "../simulator/gpu.hpp"

namespace warpwise::runtime {

/// How a piece of memory that kernels may use came to be.
enum class Origin : std::uint8_t {
  device,      ///< cudaMalloc and its like
  managed,     ///< cudaMallocManaged
  pinned,      ///< cudaMallocHost, cudaHostAlloc
  registered,  ///< cudaHostRegister: the memory is the program's own
};

struct Piece {
  Origin origin = Origin::device;
  std::uint64_t bytes = 0;
  unsigned flags = 0;  ///< as given
};

class Allocations {
 public:
  explicit Allocations(simulator::machine::GlobalMemory& memory) : memory_(memory) {}

  /// Throws std::bad_alloc where the simulated GPU (or the host) has no more.
  void* allocate(Origin origin, std::uint64_t bytes, unsigned flags = 0);
  /// False where memory of the program at `host` overlaps what is known already.
  bool adopt(void* host, std::uint64_t bytes, unsigned flags);
  /// False where no piece of one of these origins starts at `address`.
  bool release(void* address, bool is_host_call);
  bool disown(void* host);
  /// cudaDeviceReset.
  void release_all();

  /// The piece that contains `address`; its start in `base`. nullptr: pageable host memory, or nothing.
  const Piece* find(const void* address, std::uint64_t* base = nullptr) const;
  std::uint64_t bytes_in_use() const { return bytes_in_use_; }

 private:
  simulator::machine::GlobalMemory& memory_;
  std::map<std::uint64_t, Piece> pieces_;
  std::uint64_t bytes_in_use_ = 0;  ///< of the device
};

/// Global memory of the simulated GPU, in bytes; cudaMalloc of more fails as it does on hardware.
inline constexpr std::uint64_t device_bytes = std::uint64_t{16} << 30;

/// A transfer between any two kinds of memory. Where a side that `kind` calls the device's does not lie in
/// one allocation, cudaErrorInvalidValue and a sentence in `why`; else the bytes are copied, and what is
/// known of them (written or not) goes with them.
class Transfer {
 public:
  Transfer(simulator::machine::GlobalMemory& memory, cudaMemcpyKind kind) : memory_(memory), kind_(kind) {}
  cudaError_t copy(void* to, const void* from, std::uint64_t bytes);
  const std::string& why() const { return why_; }

 private:
  cudaError_t refuse(const char* side, const void* address, std::uint64_t bytes,
                     const simulator::machine::Allocation* place);

  simulator::machine::GlobalMemory& memory_;
  cudaMemcpyKind kind_;
  std::string why_;
};

/// cudaMemset of `count` bytes.
cudaError_t fill(simulator::machine::GlobalMemory& memory, void* to, int value, std::uint64_t count,
                 std::string& why);

}  // namespace warpwise::runtime
