#pragma once
/// \file The headers that students include out of habit. NVRTC brings none of C++'s own; device code needs of
/// them types, limits and functions that the compiler knows anyway.

#include <vector>

#include "nvrtc.hpp"

namespace warpwise::compile {

/// What device code may take from each under nvcc, or nothing. Where a file uses more than that
/// (std::vector), it has host code, and NVRTC says that std has no such member. `has_cccl`: the file includes
/// some of NVIDIA's own, <cub/...>, <cuda/...> or <cooperative_groups.h>, which declare integers and limits
/// for themselves.
std::vector<NamedHeader> standard_headers(bool has_cccl);

/// Of those the one with what nvcc includes by itself (cuda_runtime.h): INT_MAX, INFINITY, std::sqrt ...
inline constexpr const char* implicit_header = "warpwise/implicit.h";

}  // namespace warpwise::compile
