#pragma once
/// \file Functions that the CUDA runtime library of the device would provide: printf, assert, malloc, free.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "../observer.hpp"
#include "call_stack.hpp"

namespace warpwise::simulator::run {

class Block;

/// For the lanes of one warp. `frame` and `call` say where arguments and results are.
class DeviceLibrary {
 public:
  /// All outlive it.
  DeviceLibrary(LaunchState& launch, Block& block, CallStack& stack)
      : launch_(launch), block_(block), stack_(stack) {}

  void print(Frame& frame, LaneMask lanes, const Call& call);
  /// What the assertion that failed says.
  std::string expression(const Frame& frame, LaneMask lanes, const Call& call);
  void allocate(Frame& frame, LaneMask lanes, const Call& call);
  /// The lanes whose pointers cannot be freed, with the address of the lowest one; `pc` is the caller's to
  /// set.
  std::optional<Fault> release(Frame& frame, LaneMask lanes, const Call& call);

 private:
  /// Bytes at a generic address as lane `lane` sees it; empty where nothing is.
  std::span<std::byte> bytes_at(std::uint64_t address, std::uint32_t lane);
  std::string text_at(std::uint64_t address, std::uint32_t lane);

  LaunchState& launch_;
  Block& block_;
  CallStack& stack_;
};

}  // namespace warpwise::simulator::run
