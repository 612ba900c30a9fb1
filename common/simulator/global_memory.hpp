#pragma once
/// \file Global memory of the simulated GPU. Device addresses are host addresses of the backing store.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace warpwise::simulator {

/// What fresh memory is filled with, so that a kernel that reads it does not get a lucky zero.
inline constexpr std::byte poison{0xCD};

/// Where generic addresses of shared and local memory live: no host address has these values.
inline constexpr std::uint64_t shared_window = 0xF100'0000'0000'0000;
inline constexpr std::uint64_t local_window = 0xF200'0000'0000'0000;
inline constexpr std::uint64_t constant_window = 0xF300'0000'0000'0000;
inline constexpr std::uint64_t param_window = 0xF400'0000'0000'0000;
inline constexpr std::uint64_t window_bytes = 0x0000'0100'0000'0000;

/// For each 4-byte word of an allocation, bit i says that byte i of the word has been written.
/// Kept as one byte a word so that two threads never share a byte of it.
using WrittenMap = std::vector<std::uint8_t>;

/// Who gave an allocation, which decides who may free it.
enum class Owner : std::uint8_t {
  host,    ///< cudaMalloc and its like, or the module
  kernel,  ///< malloc() in a kernel
  nobody,  ///< freed by a kernel; gone once the launch has ended
};

/// One range of global memory that a kernel may use.
struct Allocation {
  std::uint64_t base = 0;  ///< device address, at least 256-byte aligned
  std::uint64_t bytes = 0;
  std::string name;                 ///< of the variable or buffer; may be empty
  std::uint32_t element_bytes = 0;  ///< as declared, for `name[index]` in messages; 0: unknown
  Owner owner = Owner::host;
  bool is_read_only = false;  ///< module constants, and what a launch may only read
  WrittenMap written;         ///< empty: everything counts as written (managed, pinned memory)
  std::uint64_t id = 0;       ///< ascending, never reused
  /// Owned storage, or nothing where the memory belongs to somebody else (adopt()).
  std::unique_ptr<std::byte[], void (*)(void*)> storage{nullptr, nullptr};

  bool contains(std::uint64_t address, std::uint64_t length) const {
    return address >= base && length <= bytes && address - base <= bytes - length;
  }
  /// Marks [offset, offset + length) as written.
  void mark_written(std::uint64_t offset, std::uint64_t length);
  /// Whether all of [offset, offset + length) is.
  bool is_written(std::uint64_t offset, std::uint64_t length) const;
};

/// All allocations. Thread-safe: kernels allocate while others look (malloc() in a kernel). During a launch
/// none goes, so that what `find` gives stays where it is: what a kernel frees is released at the launch's
/// end.
class GlobalMemory {
 public:
  GlobalMemory();
  ~GlobalMemory();
  GlobalMemory(const GlobalMemory&) = delete;  ///< device addresses point into it
  GlobalMemory& operator=(const GlobalMemory&) = delete;

  /// Poisoned, nothing written. `bytes` 0 gives a distinct address of which no byte may be touched.
  /// Throws std::bad_alloc where the host has no more.
  Allocation& allocate(std::uint64_t bytes, std::string name = {}, std::uint32_t element_bytes = 0);
  /// Makes host memory visible to kernels (managed, pinned, mapped): counts as written.
  Allocation& adopt(void* host, std::uint64_t bytes, std::string name = {});
  /// False where no allocation starts at `base`.
  bool release(std::uint64_t base);
  /// The allocation that contains `address`, or nullptr.
  Allocation* find(std::uint64_t address);
  /// What lay at `address` until it was released, without its contents: for messages. nullptr where it was
  /// nothing, or is something else now, or where too much was released since.
  std::shared_ptr<const Allocation> find_released(std::uint64_t address) const;
  /// The allocation that contains `address` or else lies nearest to it: for messages.
  const Allocation* nearest(std::uint64_t address) const;
  std::vector<const Allocation*> all() const;
  std::uint64_t bytes_in_use() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The memory of this machine, or what its container may use of it, in bytes.
std::uint64_t host_memory();

}  // namespace warpwise::simulator
