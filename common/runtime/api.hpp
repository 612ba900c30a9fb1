#pragma once
/// \file What every entry point of the CUDA runtime does around its own work: one caller at a time,
/// exceptions become error codes, and errors are remembered for cudaGetLastError.

#include <cuda_runtime_api.h>

#include <new>
#include <string>

#include "context.hpp"

namespace warpwise::runtime {

/// The last error of this host thread (CUDA runtime API, "Error Handling").
inline thread_local cudaError_t last_error = cudaSuccess;

inline cudaError_t remember(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

/// `body(context)` under the lock. For calls that a spoilt context still answers.
template <class Body>
cudaError_t ask(Body&& body) {
  Context& context = Context::get();
  const std::lock_guard lock(context.mutex);
  try {
    return remember(body(context));
  } catch (const HostTooSmall& error) {
    context.report.note(error.what());
    return remember(cudaErrorMemoryAllocation);
  } catch (const std::bad_alloc&) {
    return remember(cudaErrorMemoryAllocation);
  }
}

/// Likewise, for calls that use the device: they fail with the fault of an earlier kernel, if there was one.
template <class Body>
cudaError_t call(Body&& body) {
  return ask([&](Context& context) {
    if (const cudaError_t fault = context.report_fault(); fault != cudaSuccess) return fault;
    return static_cast<cudaError_t>(body(context));
  });
}

/// Likewise, for calls that wait until the device is done: what it printed appears.
template <class Body>
cudaError_t wait(Body&& body) {
  return ask([&](Context& context) {
    context.flush_print();
    if (const cudaError_t fault = context.report_fault(); fault != cudaSuccess) return fault;
    return static_cast<cudaError_t>(body(context));
  });
}

/// The error, after a line on stderr that says more than the code can: for mistakes that hardware leaves the
/// user to guess.
inline cudaError_t fail(Context& context, const char* function, cudaError_t error, const std::string& why) {
  context.report.note(std::string(function) + " returns " + cudaGetErrorName(error) + ": " + why + ".");
  return error;
}

}  // namespace warpwise::runtime

/// The name under which programs compiled with --default-stream per-thread call `name`: there is one stream
/// in effect, so it is the same function.
#define WARPWISE_ALSO(name, other) extern "C" decltype(name) other __attribute__((alias(#name)))
