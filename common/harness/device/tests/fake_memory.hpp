#pragma once
/// \file Device memory without a device: for tests of buffers and matchers.

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "common/harness/device/device_memory.hpp"

namespace warpwise::harness {

/// Counts what is allocated; `is_written` is "is not poison", as on a real GPU.
class FakeMemory : public DeviceMemory {
 public:
  std::uint64_t allocate(std::size_t bytes, const std::string&, std::size_t) override {
    std::vector<unsigned char> memory(std::max<std::size_t>(bytes, 1), 0xCD);
    const auto address = reinterpret_cast<std::uint64_t>(memory.data());
    allocations[address] = std::move(memory);
    return address;
  }
  void release(std::uint64_t address) noexcept override { releases += allocations.erase(address); }
  void write(std::uint64_t address, const void* from, std::size_t bytes) override {
    if (bytes != 0) std::memcpy(reinterpret_cast<void*>(address), from, bytes);
  }
  void read(void* to, std::uint64_t address, std::size_t bytes) override {
    if (bytes != 0) std::memcpy(to, reinterpret_cast<const void*>(address), bytes);
  }
  bool is_written(std::uint64_t address, std::size_t bytes) override {
    return !is_poison(reinterpret_cast<const void*>(address), bytes);
  }

  std::string place() const override { return name; }

  std::string name;  ///< of the device, for messages
  std::map<std::uint64_t, std::vector<unsigned char>> allocations;
  std::size_t releases = 0;
};

}  // namespace warpwise::harness
