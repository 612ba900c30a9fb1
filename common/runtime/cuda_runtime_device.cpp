/// \file The device: there is one, number 0, and it is always ready; and what it says of itself.

#include <cstring>
#include <utility>

#include "launching.hpp"

using namespace warpwise::runtime;
namespace simulator = warpwise::simulator;

// --- Calls ------------------------------------------------------------------------------------------------

namespace {

/// What the program set, for the program to read again; nothing else looks at it.
struct Choices {
  unsigned flags = cudaDeviceScheduleAuto;
  cudaFuncCache cache = cudaFuncCachePreferNone;
  size_t limits[cudaLimitPersistingL2CacheSize + 1] = {1024, 1 << 20, 8 << 20, 2, 2048, 128, 0};
};
Choices choices;

cudaError_t check_device(int device) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; }

/// Questions that name a device.
template <class Body>
cudaError_t with_device(int device, Body&& body) {
  return ask([&](Context&) {
    if (const cudaError_t error = check_device(device); error != cudaSuccess) return error;
    body();
    return cudaSuccess;
  });
}

}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  return ask([&](Context&) { return *count = 1, cudaSuccess; });
}
cudaError_t cudaGetDevice(int* device) {
  return ask([&](Context&) { return *device = 0, cudaSuccess; });
}
cudaError_t cudaSetDevice(int device) {
  return ask([&](Context&) { return check_device(device); });
}
cudaError_t cudaInitDevice(int device, unsigned, unsigned) { return cudaSetDevice(device); }
cudaError_t cudaSetValidDevices(int* devices, int count) {
  return ask([&](Context&) { return count == 1 ? check_device(*devices) : cudaErrorInvalidValue; });
}
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) { return cudaGetDevice(device); }

cudaError_t cudaDeviceSynchronize() {
  return wait([](Context&) { return cudaSuccess; });
}
cudaError_t cudaDeviceReset() {
  return ask([](Context& context) {
    context.reset();
    choices = {};
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  return ask([&](Context&) { return *flags = choices.flags | cudaDeviceMapHost, cudaSuccess; });
}
cudaError_t cudaSetDeviceFlags(unsigned flags) {
  return ask([&](Context&) { return choices.flags = flags, cudaSuccess; });
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return call([&](Context&) {
    if (limit < 0 || limit > cudaLimitPersistingL2CacheSize) return cudaErrorUnsupportedLimit;
    choices.limits[limit] = value;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return call([&](Context&) {
    if (limit < 0 || limit > cudaLimitPersistingL2CacheSize) return cudaErrorUnsupportedLimit;
    *value = choices.limits[limit];
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache cache) {
  return call([&](Context&) { return choices.cache = cache, cudaSuccess; });
}
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* cache) {
  return call([&](Context&) { return *cache = choices.cache, cudaSuccess; });
}
cudaError_t cudaCtxResetPersistingL2Cache() { return cudaDeviceSynchronize(); }

/// There is no other device to reach.
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return with_device(device | peer, [&] { *can = 0; });
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return remember(cudaErrorInvalidDevice); }
cudaError_t cudaDeviceDisablePeerAccess(int) { return remember(cudaErrorPeerAccessNotEnabled); }
cudaError_t cudaDeviceGetP2PAttribute(int*, cudaDeviceP2PAttr, int, int) {
  return remember(cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
  return with_device(device, [&] {
    const std::string id = "0000:00:00.0";
    const auto fits = static_cast<size_t>(length > 0 ? length - 1 : 0);
    text[id.copy(text, fits)] = '\0';
  });
}
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char*) { return cudaGetDevice(device); }

cudaError_t cudaDriverGetVersion(int* version) {
  return ask([&](Context&) { return *version = CUDART_VERSION, cudaSuccess; });
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  return ask([&](Context&) { return *version = CUDART_VERSION, cudaSuccess; });
}

cudaError_t cudaProfilerStart() { return cudaSuccess; }
cudaError_t cudaProfilerStop() { return cudaSuccess; }

cudaError_t cudaStreamGetDevice(cudaStream_t, int* device) { return cudaGetDevice(device); }

}  // extern "C"

// --- Properties -------------------------------------------------------------------------------------------

// What the simulated GPU says of itself: the limits of compute capability 9.0 (CUDA programming guide,
// "Technical specifications per compute capability"), with 16 multiprocessors, so that grids which are sized
// from the device stay small enough to simulate.

namespace {

/// The attributes that programs read; all others are 0.
constexpr std::pair<cudaDeviceAttr, int> device_attributes[] = {
    {cudaDevAttrMaxThreadsPerBlock, static_cast<int>(simulator::max_block_threads)},
    {cudaDevAttrMaxBlockDimX, static_cast<int>(simulator::max_block_threads)},
    {cudaDevAttrMaxBlockDimY, static_cast<int>(simulator::max_block_threads)},
    {cudaDevAttrMaxBlockDimZ, 64},
    {cudaDevAttrMaxGridDimX, 2147483647},
    {cudaDevAttrMaxGridDimY, 65535},
    {cudaDevAttrMaxGridDimZ, 65535},
    {cudaDevAttrMaxSharedMemoryPerBlock, usual_shared_bytes},
    {cudaDevAttrMaxSharedMemoryPerBlockOptin, static_cast<int>(simulator::max_shared_bytes)},
    {cudaDevAttrMaxSharedMemoryPerMultiprocessor, multiprocessor_shared_bytes},
    {cudaDevAttrReservedSharedMemoryPerBlock, reserved_shared_bytes},
    {cudaDevAttrTotalConstantMemory, 65536},
    {cudaDevAttrWarpSize, 32},
    {cudaDevAttrMaxPitch, 2147483647},
    {cudaDevAttrMaxRegistersPerBlock, 65536},
    {cudaDevAttrMaxRegistersPerMultiprocessor, 65536},
    {cudaDevAttrClockRate, 1000000},  // kHz, as the next
    {cudaDevAttrMemoryClockRate, 1000000},
    {cudaDevAttrGlobalMemoryBusWidth, 512},
    {cudaDevAttrTextureAlignment, 512},
    {cudaDevAttrTexturePitchAlignment, 32},
    {cudaDevAttrMultiProcessorCount, multiprocessors},
    {cudaDevAttrMaxThreadsPerMultiProcessor, multiprocessor_threads},
    {cudaDevAttrMaxBlocksPerMultiprocessor, multiprocessor_blocks},
    {cudaDevAttrL2CacheSize, 32 << 20},
    {cudaDevAttrComputeCapabilityMajor, 9},
    {cudaDevAttrComputeCapabilityMinor, 0},
    {cudaDevAttrGpuOverlap, 1},
    {cudaDevAttrAsyncEngineCount, 1},
    {cudaDevAttrCanMapHostMemory, 1},
    {cudaDevAttrConcurrentKernels, 1},
    {cudaDevAttrUnifiedAddressing, 1},
    {cudaDevAttrStreamPrioritiesSupported, 1},
    {cudaDevAttrGlobalL1CacheSupported, 1},
    {cudaDevAttrLocalL1CacheSupported, 1},
    {cudaDevAttrManagedMemory, 1},
    {cudaDevAttrConcurrentManagedAccess, 1},
    {cudaDevAttrCooperativeLaunch, 1},
    {cudaDevAttrCanUseHostPointerForRegisteredMem, 1},
    {cudaDevAttrHostRegisterSupported, 1},
    {cudaDevAttrMemoryPoolsSupported, 1},
    {cudaDevAttrComputePreemptionSupported, 1},
};

int value_of(cudaDeviceAttr attribute) {
  for (const auto& [known, value] : device_attributes)
    if (known == attribute) return value;
  return 0;
}

void describe(cudaDeviceProp& properties) {
  std::memset(&properties, 0, sizeof properties);
  std::strcpy(properties.name, "Warpwise simulated GPU");
  properties.totalGlobalMem = device_bytes;
  properties.sharedMemPerBlock = usual_shared_bytes;
  properties.sharedMemPerBlockOptin = simulator::max_shared_bytes;
  properties.sharedMemPerMultiprocessor = multiprocessor_shared_bytes;
  properties.reservedSharedMemPerBlock = reserved_shared_bytes;
  properties.totalConstMem = 65536;
  properties.memPitch = 2147483647;
  properties.regsPerBlock = properties.regsPerMultiprocessor = 65536;
  const auto set = [](int& member, cudaDeviceAttr attribute) { member = value_of(attribute); };
  set(properties.warpSize, cudaDevAttrWarpSize);
  set(properties.maxThreadsPerBlock, cudaDevAttrMaxThreadsPerBlock);
  set(properties.maxThreadsDim[0], cudaDevAttrMaxBlockDimX);
  set(properties.maxThreadsDim[1], cudaDevAttrMaxBlockDimY);
  set(properties.maxThreadsDim[2], cudaDevAttrMaxBlockDimZ);
  set(properties.maxGridSize[0], cudaDevAttrMaxGridDimX);
  set(properties.maxGridSize[1], cudaDevAttrMaxGridDimY);
  set(properties.maxGridSize[2], cudaDevAttrMaxGridDimZ);
  set(properties.major, cudaDevAttrComputeCapabilityMajor);
  set(properties.minor, cudaDevAttrComputeCapabilityMinor);
  set(properties.multiProcessorCount, cudaDevAttrMultiProcessorCount);
  set(properties.maxThreadsPerMultiProcessor, cudaDevAttrMaxThreadsPerMultiProcessor);
  set(properties.maxBlocksPerMultiProcessor, cudaDevAttrMaxBlocksPerMultiprocessor);
  set(properties.memoryBusWidth, cudaDevAttrGlobalMemoryBusWidth);
  set(properties.l2CacheSize, cudaDevAttrL2CacheSize);
  properties.textureAlignment = 512;
  properties.texturePitchAlignment = 32;
  properties.canMapHostMemory = properties.concurrentKernels = properties.asyncEngineCount = 1;
  properties.unifiedAddressing = properties.managedMemory = properties.concurrentManagedAccess = 1;
  properties.cooperativeLaunch = properties.streamPrioritiesSupported = 1;
  properties.globalL1CacheSupported = properties.localL1CacheSupported = 1;
  properties.computePreemptionSupported = properties.canUseHostPointerForRegisteredMem = 1;
  properties.hostRegisterSupported = properties.memoryPoolsSupported = 1;
#if CUDART_VERSION < 13000
  set(properties.clockRate, cudaDevAttrClockRate);
  set(properties.memoryClockRate, cudaDevAttrMemoryClockRate);
  properties.deviceOverlap = 1;
#endif
}

}  // namespace

extern "C" {

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return ask([&](Context&) {
    if (device != 0) return cudaErrorInvalidDevice;
    if (value == nullptr) return cudaErrorInvalidValue;
    *value = value_of(attribute);
    return cudaSuccess;
  });
}

/// CUDA 12 calls it cudaGetDeviceProperties_v2, by a macro of its header.
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return ask([&](Context&) {
    if (device != 0) return cudaErrorInvalidDevice;
    if (properties == nullptr) return cudaErrorInvalidValue;
    describe(*properties);
    return cudaSuccess;
  });
}

}  // extern "C"
