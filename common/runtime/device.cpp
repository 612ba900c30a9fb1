/// \file The device: there is one, number 0, and it is always ready.

#include "api.hpp"

using namespace warpwise::runtime;

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
