#pragma once
/// \file Which functions the lanes of one warp are in, and their local memory (PTX ISA 9.7.12.5, 9.7.12.6);
/// and functions that the CUDA runtime library of the device would provide: printf, assert, malloc, free.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "../observer.hpp"
#include "frame.hpp"
#include "worker.hpp"

namespace warpwise::simulator::run {

class CallStack {
 public:
  /// All outlive it.
  CallStack(FramePool& pool, const LaunchState& launch, const ObserverList& observers,
            const WarpContext& warp)
      : pool_(pool), launch_(launch), observers_(observers), warp_(warp) {}

  /// The kernel's frame, and fresh local memory, for `lanes` of the next block.
  Frame& begin(LaneMask lanes);
  /// Gives back all frames but the kernel's: the next block finds in it what is the same for every block.
  void end();

  /// `lanes` of `caller` call `function`: its frame, arguments in place. Lanes at the same depth of the same
  /// function share one. nullptr where calls are too deep or local memory is exhausted.
  Frame* enter(Frame& caller, const Call& call, std::uint32_t function, Pc return_pc, LaneMask lanes);

  struct Return {
    Frame* caller;
    Pc pc;
    LaneMask lanes;  ///< those that return there; the others of the group come from elsewhere
  };
  /// The first of `lanes` and those that came from the same place leave `frame`; results are in place.
  Return leave(Frame& frame, LaneMask lanes);
  /// `lanes` have left the kernel.
  void forget(LaneMask lanes);

  /// Lane i's memory begins at i * local_bytes().
  std::byte* local() { return local_.data(); }
  std::uint32_t local_bytes() const { return local_bytes_; }

 private:
  Frame& frame_of(std::uint32_t function, std::uint32_t depth);
  void grow_local(std::uint32_t needed);
  /// Undefined values are looked for.
  bool follows_values() const { return observers_.on_undefined_use.is_wanted(); }
  void place_locals(Frame& frame, std::uint32_t lane, std::uint32_t base);

  FramePool& pool_;
  const LaunchState& launch_;
  const ObserverList& observers_;
  const WarpContext& warp_;
  std::vector<Frame*> frames_;  ///< in use; the first is the kernel's
  std::vector<std::byte> local_;
  std::uint32_t local_bytes_ = 0;
};

// ---- call_stack_device_library.cpp

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
