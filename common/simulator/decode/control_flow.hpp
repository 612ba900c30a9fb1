#pragma once
/// \file The flow graph of one function: where divergent lanes meet again, and what is read unwritten.

#include <cstdint>
#include <vector>

#include "../ptx.hpp"

namespace warpwise::simulator::decode {

struct ControlFlow {
  static constexpr std::uint32_t none = 0xffffffffu;

  /// For each instruction of `function.code`: the first instruction of its branch's immediate post-dominator,
  /// `none` for instructions that are no branch or whose sides meet only at the end.
  std::vector<std::uint32_t> reconvergence;
  /// Registers that some path from the entry reads before any unguarded write.
  std::vector<ptx::RegisterId> read_unwritten;
  /// For each register: some instruction reads it.
  std::vector<bool> is_read;

  /// Post-dominators after Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm" (2001); liveness by
  /// the usual backward iteration.
  static ControlFlow of(const ptx::Function& function);
};

}  // namespace warpwise::simulator::decode
