/// \file Memory: allocation on the device, managed and pinned, and questions about pointers.

#include "api.hpp"

using namespace warpwise::runtime;

namespace {

cudaError_t give(void** pointer, Origin origin, size_t bytes, unsigned flags = 0) {
  return call([&](Context& context) {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    if (bytes == 0) return *pointer = nullptr, cudaSuccess;
    *pointer = context.allocations.allocate(origin, bytes, flags);
    return cudaSuccess;
  });
}

constexpr size_t pitch_of(size_t width) { return (width + 511) / 512 * 512; }

cudaError_t free_call(void* pointer, bool is_host_call, const char* function) {
  return wait([&](Context& context) {
    if (pointer == nullptr || context.allocations.release(pointer, is_host_call)) return cudaSuccess;
    return fail(context, function, cudaErrorInvalidValue,
                "no such memory starts at the pointer (freed before, or of another kind?)");
  });
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** pointer, size_t bytes) { return give(pointer, Origin::device, bytes); }

cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned flags) {
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) return remember(cudaErrorInvalidValue);
  return give(pointer, Origin::managed, bytes, flags);
}

cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t) {
  return give(pointer, Origin::device, bytes);
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t, cudaStream_t) {
  return give(pointer, Origin::device, bytes);
}

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  if (pitch == nullptr) return remember(cudaErrorInvalidValue);
  *pitch = pitch_of(width);
  return give(pointer, Origin::device, *pitch * height);
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent) {
  if (pitched == nullptr) return remember(cudaErrorInvalidValue);
  *pitched = {nullptr, pitch_of(extent.width), extent.width, extent.height};
  return give(&pitched->ptr, Origin::device, pitched->pitch * extent.height * extent.depth);
}

cudaError_t cudaFree(void* pointer) { return free_call(pointer, false, "cudaFree"); }
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t) { return free_call(pointer, false, "cudaFreeAsync"); }

cudaError_t cudaMallocHost(void** pointer, size_t bytes) { return give(pointer, Origin::pinned, bytes); }

cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned flags) {
  return give(pointer, Origin::pinned, bytes, flags);
}

cudaError_t cudaFreeHost(void* pointer) { return free_call(pointer, true, "cudaFreeHost"); }

cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned flags) {
  return call([&](Context& context) {
    if (pointer == nullptr || bytes == 0) return cudaErrorInvalidValue;
    return context.allocations.adopt(pointer, bytes, flags) ? cudaSuccess
                                                            : cudaErrorHostMemoryAlreadyRegistered;
  });
}

cudaError_t cudaHostUnregister(void* pointer) {
  return call([&](Context& context) {
    return context.allocations.disown(pointer) ? cudaSuccess : cudaErrorHostMemoryNotRegistered;
  });
}

/// Host and device share one address space.
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned) {
  return call([&](Context& context) {
    const Piece* piece = context.allocations.find(host);
    if (piece == nullptr || piece->origin == Origin::device) return cudaErrorInvalidValue;
    *device = host;
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetFlags(unsigned* flags, void* host) {
  return call([&](Context& context) {
    const Piece* piece = context.allocations.find(host);
    if (piece == nullptr || piece->origin == Origin::device) return cudaErrorInvalidValue;
    *flags = piece->flags | cudaHostAllocMapped;
    return cudaSuccess;
  });
}

cudaError_t cudaMemGetInfo(size_t* available, size_t* total) {
  return call([&](Context& context) {
    *total = device_bytes;
    *available = context.allocations.bytes_available();
    return cudaSuccess;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return call([&](Context& context) {
    *attributes = {};
    void* address = const_cast<void*>(pointer);
    const Piece* piece = context.allocations.find(pointer);
    const bool is_variable =
        piece == nullptr && context.gpu.memory().find(reinterpret_cast<std::uint64_t>(pointer)) != nullptr;
    attributes->device = piece == nullptr && !is_variable ? cudaInvalidDeviceId : 0;
    if (is_variable || (piece != nullptr && piece->origin == Origin::device)) {
      attributes->type = cudaMemoryTypeDevice;
      attributes->devicePointer = address;
    } else if (piece == nullptr) {
      attributes->type = cudaMemoryTypeUnregistered;
      attributes->hostPointer = address;
    } else {
      attributes->type = piece->origin == Origin::managed ? cudaMemoryTypeManaged : cudaMemoryTypeHost;
      attributes->devicePointer = attributes->hostPointer = address;
    }
    return cudaSuccess;
  });
}

}  // extern "C"

WARPWISE_ALSO(cudaMallocAsync, cudaMallocAsync_ptsz);
WARPWISE_ALSO(cudaMallocFromPoolAsync, cudaMallocFromPoolAsync_ptsz);
WARPWISE_ALSO(cudaFreeAsync, cudaFreeAsync_ptsz);
