#pragma once
/// \file Parts of the CUDA runtime that the simulated GPU does not have.

namespace warpwise::runtime {

/// Ends the program: "cudaGraphLaunch is not supported by the simulated GPU (graphs)." and status 2.
[[noreturn]] void refuse_call(const char* function, const char* topic);

}  // namespace warpwise::runtime
