#pragma once
/// \file WARPWISE_KERNEL declares a kernel once for both compilers; a chapter's kernels.hpp consists of them.
///
///     /// Block b writes the sum of its elements to out[b]. ...
///     WARPWISE_KERNEL(reduce_naive, (const float* in, float* out, unsigned n));
///
/// CUDA's compiler sees the kernel's declaration, so that a definition with another signature is a compile
/// error. The host compiler sees a constant with the kernel's name and type, so that a launch with wrong
/// arguments is one.

#if defined(__CUDACC__)

/// Before a function that the host and kernels call alike: a compiler for device code alone refuses one of
/// the host.
#define WARPWISE_HOST_DEVICE __host__ __device__
#define WARPWISE_KERNEL(name, parameters) extern "C" __global__ void name parameters

#else

#define WARPWISE_HOST_DEVICE

namespace warpwise::harness {

template <class Signature>
struct Kernel;

/// What the host knows of a kernel: its name in the module and the types of its parameters.
template <class... Parameters>
struct Kernel<void(Parameters...)> {
  const char* name;
  unsigned line = 0;  ///< where kernels.hpp declares it: a chapter's kernels are shown in that order
};

}  // namespace warpwise::harness

#define WARPWISE_KERNEL(name, parameters) \
  inline constexpr ::warpwise::harness::Kernel<void parameters> name { #name, __LINE__ }

#endif
