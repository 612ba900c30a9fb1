#pragma once
/// \file The memory of a device, as buffers see it.

#include <cstddef>
#include <cstdint>
#include <string>

namespace warpwise::harness {

class DeviceMemory {
 public:
  virtual ~DeviceMemory() = default;

  /// Poisoned with 0xCD; at least 256-byte aligned. `bytes` 0 gives an address that no access may touch.
  /// Throws std::bad_alloc or CudaError where there is no more.
  virtual std::uint64_t allocate(std::size_t bytes, const std::string& name, std::size_t element_bytes) = 0;
  virtual void release(std::uint64_t address) noexcept = 0;
  virtual void write(std::uint64_t address, const void* from, std::size_t bytes) = 0;
  virtual void read(void* to, std::uint64_t address, std::size_t bytes) = 0;
  /// Says whether kernels may write to what begins at `address`. On a real GPU nothing holds them back.
  virtual void set_read_only(std::uint64_t /*address*/, bool /*is_read_only*/) {}
  /// See Buffer::is_written.
  virtual bool is_written(std::uint64_t address, std::size_t bytes) = 0;
  /// For messages: "" for the simulated GPU, "on NVIDIA H200" for a real one.
  virtual std::string place() const { return {}; }
};

/// Throws std::length_error: "`in` has 4 elements, 5 were to be copied into it".
[[noreturn]] void throw_too_long(const std::string& name, std::size_t given, std::size_t size);

}  // namespace warpwise::harness
