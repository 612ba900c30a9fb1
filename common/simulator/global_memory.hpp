#pragma once
/// \file Global memory of the simulated GPU. Device addresses are host addresses of the backing store.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
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

/// `size` bytes that are 0 until somebody writes them. Where there are many, only the pages exist that are
/// touched. Throws std::bad_alloc where the host has no more.
class ZeroedBytes {
 public:
  ZeroedBytes() = default;
  explicit ZeroedBytes(std::uint64_t size);
  ZeroedBytes(ZeroedBytes&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  ZeroedBytes& operator=(ZeroedBytes&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ZeroedBytes(const ZeroedBytes&) = delete;  ///< it owns them
  ~ZeroedBytes() { clear(); }

  /// From this size on only touched pages exist.
  static constexpr std::uint64_t many = std::uint64_t{1} << 22;

  std::uint8_t* data() const { return data_; }
  std::uint64_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  void clear();

 private:
  std::uint8_t* data_ = nullptr;
  std::uint64_t size_ = 0;
};

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
  /// For each 4-byte word, bit i says that byte i of the word has been written: a byte a word, so that two
  /// threads never share one. Empty: everything counts as written (managed, pinned memory).
  ZeroedBytes written;
  /// What nobody has written is absent: a load of it is a finding, whatever becomes of the value.
  bool is_absent_where_unwritten = false;
  std::uint64_t id = 0;  ///< ascending, never reused
  /// Owned storage, or nothing where the memory belongs to somebody else (adopt()).
  std::unique_ptr<std::byte[], void (*)(void*)> storage{nullptr, nullptr};
  ZeroedBytes pages;  ///< or this, where only touched pages exist (reserve()): zeros where nothing is written

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
  /// The same for arrays that may be larger than this machine's memory: of one of ZeroedBytes::many bytes or
  /// more, only the pages that are touched exist, and where nothing is written a kernel reads zeros, which
  /// are as undefined as poison.
  Allocation& reserve(std::uint64_t bytes, std::string name = {}, std::uint32_t element_bytes = 0);
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

/// The contents of global memory at one time, but for what is read-only.
class MemoryImage {
 public:
  explicit MemoryImage(GlobalMemory& memory);
  /// Puts them back, where they have not been released. What was allocated since stays as it is.
  void restore() const;

 private:
  struct Part {
    std::uint64_t base = 0;
    std::vector<std::byte> bytes;
    std::vector<std::uint8_t> written;
  };
  GlobalMemory& memory_;
  std::vector<Part> parts_;
};

/// The memory of this machine, or what its container may use of it, in bytes.
std::uint64_t host_memory();

}  // namespace warpwise::simulator
