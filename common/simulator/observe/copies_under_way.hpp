#pragma once
/// \file The copies of one block's cp.async instructions that nobody has waited for yet.
/// PTX ISA 9.7.9.25.3: until its own thread has waited, a copy may take place at any time.

#include <array>
#include <optional>
#include <vector>

#include "../observer.hpp"

namespace warpwise::simulator::observe {

class CopiesUnderWay {
 public:
  struct Clash {
    std::uint32_t lane = 0;  ///< of the access
    std::uint64_t address = 0;
    Pc copy_pc = 0;
    std::uint32_t copy_thread = 0;
  };

  void begin(std::uint32_t warps);
  /// `access` is the store of a cp.async. Its addresses and values are kept.
  void start(std::uint32_t warp, const Access& access);
  void commit(std::uint32_t warp, LaneMask lanes);
  /// What has landed of each of `lanes` when all but its last `left` groups have: accesses whose pointers
  /// hold until the next call.
  std::vector<Access> wait(std::uint32_t warp, std::uint32_t left, LaneMask lanes);
  /// The first lane of an access to shared memory that touches what a copy may be writing.
  std::optional<Clash> clash_with(const Access& access) const;

 private:
  struct Copy {
    std::uint32_t warp = 0;
    Access access;      ///< lanes: those whose copy is under way
    LaneMask open = 0;  ///< of them, in no group yet
    std::array<std::uint32_t, warp_size> group;
    std::array<std::uint64_t, warp_size> address;
    std::array<std::byte, warp_size * 16> value;
  };
  std::vector<Copy> copies_, landed_;
  std::vector<std::array<std::uint32_t, warp_size>> groups_;  ///< committed so far, by warp and lane
};

}  // namespace warpwise::simulator::observe
