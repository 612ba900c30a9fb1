#pragma once
/// \file Addresses by the names that a student gave: `partial[32]`, `in[70]`.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "../program.hpp"

namespace warpwise::simulator::observe {

/// Names places of one launch's memory. `element_bytes` everywhere is the size of what was accessed: it
/// decides the index where the module does not give the size of an element.
class Naming {
 public:
  explicit Naming(const LaunchContext& launch);

  /// `partial[32]`; the name alone for a variable of one element. Also for offsets that belong to no
  /// variable: `partial[-1]`.
  std::string shared(std::uint64_t offset, std::uint32_t element_bytes) const;
  /// "partial has 256 elements" of the variable that shared() names; empty for dynamic memory, whose size the
  /// launch decides.
  std::string shared_size(std::uint64_t offset, std::uint32_t element_bytes) const;
  /// True where an access begins inside a static variable: shared() then names a place that exists.
  bool is_in_variable(std::uint64_t offset) const;
  /// `in[70]`; "element 70 of an allocation of 256 bytes" where the allocation has no name. Also for
  /// addresses beyond the ends: `in[-1]`.
  std::string global(const Allocation& allocation, std::uint64_t address, std::uint32_t element_bytes) const;
  /// Either of them (variables in constant memory are allocations as well), or "its local memory at byte 8".
  std::string of(ptx::Space space, std::uint64_t address, std::uint32_t element_bytes) const;
  /// The allocation that an address out of bounds was probably meant for; nullptr where none is near.
  const Allocation* meant_by(std::uint64_t address) const;
  /// What was there and has been released, or nullptr.
  std::shared_ptr<const Allocation> released_at(std::uint64_t address) const {
    return memory_.find_released(address);
  }

 private:
  /// The variable at `offset`, or the nearest one; nullptr where there is none.
  const Program::SharedVariable* meant_in_shared(std::uint64_t offset) const;

  const GlobalMemory& memory_;
  std::vector<Program::SharedVariable> shared_;  ///< ascending by offset
};

/// "in has 64 elements"
std::string size_of(const Allocation& allocation, std::uint32_t element_bytes);
/// "thread 5", or with the block where `names_block`: "thread 5 of block 2".
std::string thread_name(std::uint32_t thread, std::uint64_t block, bool names_block);
/// "threads 0, 1, 2 and 29 more" for the lanes of a warp; "thread 5" for one.
std::string lanes_name(std::uint32_t warp, LaneMask lanes);
/// Linear thread numbers of the lanes, ascending.
std::vector<std::uint32_t> threads_of(std::uint32_t warp, LaneMask lanes);

}  // namespace warpwise::simulator::observe
