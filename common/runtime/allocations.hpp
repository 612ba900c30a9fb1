#pragma once
/// \file Which memory is whose: what each address is to the CUDA runtime.

#include <driver_types.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <new>
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

/// Global memory of the simulated GPU, in bytes; cudaMalloc of more fails as it does on hardware.
inline constexpr std::uint64_t device_bytes = std::uint64_t{16} << 30;

/// A third of this machine's memory, or of what its container may use. An array takes up to 1.7 times its
/// size here (its bytes, which of them are written, who touched each line last), and the program has its own
/// copy. Beyond that the system would end the program, or another one.
std::uint64_t device_bytes_of_host();

/// The simulated GPU would have the memory that is asked for, but this machine does not.
class HostTooSmall : public std::bad_alloc {
 public:
  HostTooSmall(std::uint64_t bytes, std::uint64_t in_use, std::uint64_t limit);
  const char* what() const noexcept override { return sentence_.c_str(); }

 private:
  std::string sentence_;
};

class Allocations {
 public:
  /// `limit`: bytes of the device that may be in use at once.
  explicit Allocations(simulator::GlobalMemory& memory, std::uint64_t limit = device_bytes_of_host())
      : memory_(memory), limit_(std::min(limit, device_bytes)) {}

  /// Throws std::bad_alloc where the simulated GPU has no more, HostTooSmall where this machine has too
  /// little.
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
  std::uint64_t bytes_available() const { return limit_ - bytes_in_use_; }

 private:
  simulator::GlobalMemory& memory_;
  std::map<std::uint64_t, Piece> pieces_;
  std::uint64_t limit_;
  std::uint64_t bytes_in_use_ = 0;  ///< of the device
};

// These two return cudaErrorInvalidValue, and a clause in `why`, where the device's memory that they are to
// use does not lie in one allocation.

/// Copies between any two kinds of memory, and with the bytes what is known of them (written or not). Which
/// side is the device's `kind` says.
cudaError_t transfer(simulator::GlobalMemory& memory, cudaMemcpyKind kind, void* to, const void* from,
                     std::uint64_t bytes, std::string& why);
/// A sentence about a copy from the device to the host of words that nobody has written; empty where there
/// are none. `source`: the allocation that they are in.
std::string remark_on_unwritten(simulator::GlobalMemory& memory, const char* function, const void* to,
                                const void* from, std::uint64_t bytes, std::uint64_t& source);
/// cudaMemset of `count` bytes.
cudaError_t fill(simulator::GlobalMemory& memory, void* to, int value, std::uint64_t count, std::string& why);

}  // namespace warpwise::runtime
