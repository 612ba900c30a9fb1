#pragma once
/// \file Where the kernels of a module are written.

#include <string>

#include "../simulator/ptx.hpp"

namespace warpwise::harness {

/// The .cu file that the module was compiled from, as its `.file` directives say; empty where they name none.
std::string source_of(const simulator::ptx::Module& module);

}  // namespace warpwise::harness
