#pragma once
/// \file Device memory: what a device offers, and the buffers that own a piece of it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace warpwise::simulator {
class TermRecorder;
struct LaunchReport;
}  // namespace warpwise::simulator

namespace warpwise::harness {

struct LaunchShape;

/// At what a launch has done.
using LookAt = std::function<void(const simulator::LaunchReport&)>;

/// The memory of a device, as buffers see it.
class DeviceMemory {
 public:
  virtual ~DeviceMemory() = default;

  /// Poisoned with 0xCD; at least 256-byte aligned. `bytes` 0 gives an address that no access may touch.
  /// Throws std::bad_alloc or std::runtime_error where there is no more.
  virtual std::uint64_t allocate(std::size_t bytes, const std::string& name, std::size_t element_bytes) = 0;
  virtual void release(std::uint64_t address) noexcept = 0;
  virtual void write(std::uint64_t address, const void* from, std::size_t bytes) = 0;
  virtual void read(void* to, std::uint64_t address, std::size_t bytes) = 0;
  /// Says whether kernels may write to what begins at `address`. On a real GPU nothing holds them back.
  virtual void set_read_only(std::uint64_t /*address*/, bool /*is_read_only*/) {}
  /// Kernels may not even load what nobody has written of what begins at `address`: on the simulated GPU that
  /// is a finding, whatever becomes of the value.
  virtual void set_absent_where_unwritten(std::uint64_t /*address*/) {}
  /// See Buffer::is_written.
  virtual bool is_written(std::uint64_t address, std::size_t bytes) = 0;
  /// For messages: "" for the simulated GPU, "on NVIDIA H200" for a real one.
  virtual std::string place() const { return {}; }
  /// Of the launch that was made last, for messages; null: none.
  virtual const LaunchShape* latest_shape() const { return nullptr; }
  /// What the values of that launch are; null: they were not followed. Where they are `needed`, the launch is
  /// made once more, with the memory that it met.
  virtual simulator::TermRecorder* terms_of_latest_launch(bool /*are_needed*/) { return nullptr; }
  /// The launch that was made last can be made once more.
  virtual bool can_launch_again() const { return false; }
  /// Makes it once more, with other contents of the array of that name where the kernel's
  /// pointer points, and calls `look` while memory is as this has left it; then it is as before. False where
  /// the launch was not followed, or can_launch_again() is false.
  virtual bool launch_again(const std::string& /*array*/, std::span<const std::byte> /*contents*/,
                            const LookAt& /*look*/) {
    return false;
  }
  /// They have shown something: others of that kernel are worth following.
  virtual void note_useful_terms() {}
};

/// Whether all bytes are 0xCD, as in memory that was never written.
inline bool is_poison(const void* value, std::size_t bytes) {
  const auto* begin = static_cast<const unsigned char*>(value);
  return std::all_of(begin, begin + bytes, [](unsigned char byte) { return byte == 0xCD; });
}

/// A place inside a Buffer: what a kernel gets for `in + offset`. Does not own.
template <class T>
class DevicePointer {
 public:
  using Element = T;
  explicit DevicePointer(std::uint64_t address) : address_(address) {}
  std::uint64_t address() const { return address_; }

 private:
  std::uint64_t address_;
};

/// `size()` elements of T in the memory of a device. Owns them: freed with the Buffer, which must not outlive
/// its device.
template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>, "device memory holds plain bytes");

 public:
  using Element = T;
  /// Poisoned: every byte is 0xCD and counts as not written. `name` appears in findings and messages.
  Buffer(DeviceMemory& memory, std::string name, std::size_t size)
      : memory_(&memory), name_(std::move(name)), size_(size) {
    address_ = memory.allocate(bytes(), name_, sizeof(T));
  }
  /// Owns what begins at `address`, which the memory has given.
  Buffer(DeviceMemory& memory, std::string name, std::size_t size, std::uint64_t address)
      : memory_(&memory), name_(std::move(name)), size_(size), address_(address) {}
  ~Buffer() {
    if (memory_ != nullptr) memory_->release(address_);
  }

  Buffer(Buffer&& other) noexcept
      : memory_(std::exchange(other.memory_, nullptr)),
        name_(std::move(other.name_)),
        size_(other.size_),
        address_(other.address_),
        uploaded_(std::move(other.uploaded_)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(name_, other.name_);
    std::swap(size_, other.size_);
    std::swap(address_, other.address_);
    std::swap(uploaded_, other.uploaded_);
    return *this;
  }
  Buffer(const Buffer&) = delete;  ///< two owners would free the memory twice; move it, or upload() again
  Buffer& operator=(const Buffer&) = delete;

  const std::string& name() const { return name_; }
  std::size_t size() const { return size_; }  ///< elements
  std::size_t bytes() const { return size_ * sizeof(T); }
  std::uint64_t address() const { return address_; }  ///< on the device
  DeviceMemory& memory() const { return *memory_; }

  /// The place of element `offset`, for kernels that start in the middle.
  DevicePointer<T> from(std::size_t offset) const { return DevicePointer<T>(address_ + offset * sizeof(T)); }

  /// Copies to the device, to element `first` and those behind it; the buffer may have more. Throws
  /// std::length_error where `values` are too many.
  void upload(std::span<const T> values, std::size_t first = 0) {
    if (first > size_ || values.size() > size_ - first)
      throw std::length_error("`" + name_ + "` has " + std::to_string(size_) + " elements, " +
                              std::to_string(values.size()) + " were to be copied into it" +
                              (first == 0 ? "" : " from element " + std::to_string(first) + " on"));
    memory_->write(from(first).address(), values.data(), values.size_bytes());
    if (std::is_integral_v<T> && first == 0 && values.size() <= most_remembered)
      uploaded_.assign(values.begin(), values.end());
  }
  /// Of a counter: what was uploaded as element `index`; 0 where nothing was, or where it is not remembered.
  T start_of(std::size_t index) const { return index < uploaded_.size() ? uploaded_[index] : T{}; }
  /// Copies the whole buffer back.
  std::vector<T> download() const { return download(0, size_); }
  /// Copies `count` elements back, from `first` on.
  std::vector<T> download(std::size_t first, std::size_t count) const {
    std::vector<T> values(count);
    memory_->read(values.data(), from(first).address(), count * sizeof(T));
    return values;
  }
  /// Whether anybody has written element `index` since the buffer was made. Exact on the simulated GPU; on a
  /// real one "still holds the poison", which a kernel could also have written.
  bool is_written(std::size_t index) const {
    return memory_->is_written(address_ + index * sizeof(T), sizeof(T));
  }

 private:
  DeviceMemory* memory_;
  std::string name_;
  std::size_t size_;
  std::uint64_t address_ = 0;
  static constexpr std::size_t most_remembered = 4096;
  std::vector<T> uploaded_ = {};  ///< for messages
};

}  // namespace warpwise::harness
