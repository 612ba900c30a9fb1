#pragma once
/// \file The addresses of one memory instruction on their way to memory.

#include "warp.hpp"

namespace warpwise::simulator::machine {

struct Warp::Addresses {
  alignas(64) Lanes<std::uint64_t> value;
  Allocation* allocation[warp_size];  ///< global memory only; filled where somebody watches
};

}  // namespace warpwise::simulator::machine
