/// \file Calls that only advise the driver, and memory pools, of which the simulated GPU has one that needs
/// no care. CUDA 12 and 13 give some of them different parameters, none of which matters here: they are
/// defined without the header, under every name that the two use.

#include <cstdint>

extern "C" {

int cudaMemPrefetchAsync() { return 0; }
int cudaMemPrefetchAsync_ptsz() { return 0; }
int cudaMemPrefetchAsync_v2() { return 0; }
int cudaMemPrefetchAsync_v2_ptsz() { return 0; }
int cudaMemAdvise() { return 0; }
int cudaMemAdvise_v2() { return 0; }
int cudaFuncSetSharedMemConfig() { return 0; }
int cudaDeviceSetSharedMemConfig() { return 0; }
int cudaDeviceGetSharedMemConfig(int* config) { return *config = 1, 0; }  // banks of four bytes
int cudaStreamSetAttribute() { return 0; }
int cudaStreamSetAttribute_ptsz() { return 0; }
int cudaStreamCopyAttributes() { return 0; }

int cudaStreamGetCaptureInfo(void*, int* status) { return *status = 0, 0; }  // none
int cudaStreamGetCaptureInfo_ptsz(void*, int* status) { return *status = 0, 0; }
int cudaStreamGetCaptureInfo_v2(void*, int* status) { return *status = 0, 0; }
int cudaStreamGetCaptureInfo_v3(void*, int* status) { return *status = 0, 0; }
int cudaThreadExchangeStreamCaptureMode() { return 0; }

int cudaDeviceGetDefaultMemPool(std::uintptr_t* pool) { return *pool = 1, 0; }
int cudaDeviceGetMemPool(std::uintptr_t* pool) { return *pool = 1, 0; }
int cudaDeviceSetMemPool() { return 0; }
int cudaMemPoolCreate(std::uintptr_t* pool) { return *pool = 1, 0; }
int cudaMemPoolDestroy() { return 0; }
int cudaMemPoolSetAttribute() { return 0; }
int cudaMemPoolGetAttribute(std::uintptr_t, int, std::uint64_t* value) { return *value = 0, 0; }
int cudaMemPoolSetAccess() { return 0; }
int cudaMemPoolTrimTo() { return 0; }

}  // extern "C"
