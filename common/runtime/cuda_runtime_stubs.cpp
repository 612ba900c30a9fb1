/// \file Calls that do nothing here, defined without the header: the parameters do not matter, and CUDA 12
/// and 13 differ in some. Those that only advise the driver, and memory pools, of which the simulated GPU has
/// one that needs no care, succeed under every name that the two use. What the simulated GPU does not have
/// links too, and ends the program with one sentence when it is called.

#include <cstdint>
#include <string>

#include "run_report.hpp"

namespace {

/// "cudaGraphLaunch is not supported by the simulated GPU (graphs)."
[[noreturn]] void refuse_call(const char* function, const char* topic) {
  warpwise::runtime::refuse(std::string(function) + " is not supported by the simulated GPU (" + topic +
                            ").");
}

}  // namespace

extern "C" {

int cudaDeviceGetSharedMemConfig(int* config) { return *config = 1, 0; }     // banks of four bytes
int cudaStreamGetCaptureInfo(void*, int* status) { return *status = 0, 0; }  // none
int cudaStreamGetCaptureInfo_ptsz(void*, int* status) { return *status = 0, 0; }
int cudaStreamGetCaptureInfo_v2(void*, int* status) { return *status = 0, 0; }
int cudaStreamGetCaptureInfo_v3(void*, int* status) { return *status = 0, 0; }
int cudaDeviceGetDefaultMemPool(std::uintptr_t* pool) { return *pool = 1, 0; }
int cudaDeviceGetMemPool(std::uintptr_t* pool) { return *pool = 1, 0; }
int cudaMemPoolCreate(std::uintptr_t* pool) { return *pool = 1, 0; }
int cudaMemPoolGetAttribute(std::uintptr_t, int, std::uint64_t* value) { return *value = 0, 0; }

// clang-format off
#define IGNORE(function) int function() { return 0; }
IGNORE(cudaMemPrefetchAsync) IGNORE(cudaMemPrefetchAsync_ptsz) IGNORE(cudaMemPrefetchAsync_v2)
IGNORE(cudaMemPrefetchAsync_v2_ptsz) IGNORE(cudaMemAdvise) IGNORE(cudaMemAdvise_v2)
IGNORE(cudaFuncSetSharedMemConfig) IGNORE(cudaDeviceSetSharedMemConfig) IGNORE(cudaStreamSetAttribute)
IGNORE(cudaStreamSetAttribute_ptsz) IGNORE(cudaStreamCopyAttributes) IGNORE(cudaThreadExchangeStreamCaptureMode)
IGNORE(cudaDeviceSetMemPool) IGNORE(cudaMemPoolDestroy) IGNORE(cudaMemPoolSetAttribute)
IGNORE(cudaMemPoolSetAccess) IGNORE(cudaMemPoolTrimTo)

#define R(function) int function() { refuse_call(#function, TOPIC); }

#define TOPIC "textures and surfaces"
R(__cudaRegisterSurface) R(__cudaRegisterTexture) R(cudaBindSurfaceToArray) R(cudaBindTexture)
R(cudaBindTexture2D) R(cudaBindTextureToArray) R(cudaBindTextureToMipmappedArray) R(cudaCreateChannelDesc)
R(cudaCreateSurfaceObject) R(cudaCreateTextureObject) R(cudaCreateTextureObject_v2)
R(cudaDestroySurfaceObject) R(cudaDestroyTextureObject) R(cudaDeviceGetTexture1DLinearMaxWidth)
R(cudaGetChannelDesc) R(cudaGetSurfaceObjectResourceDesc) R(cudaGetSurfaceReference)
R(cudaGetTextureAlignmentOffset) R(cudaGetTextureObjectResourceDesc) R(cudaGetTextureObjectResourceViewDesc)
R(cudaGetTextureObjectTextureDesc) R(cudaGetTextureObjectTextureDesc_v2) R(cudaGetTextureReference)
R(cudaGraphicsVDPAURegisterOutputSurface) R(cudaGraphicsVDPAURegisterVideoSurface) R(cudaUnbindTexture)
#undef TOPIC

#define TOPIC "arrays"
R(cudaArrayGetInfo) R(cudaArrayGetMemoryRequirements) R(cudaArrayGetPlane) R(cudaArrayGetSparseProperties)
R(cudaFreeArray) R(cudaFreeMipmappedArray) R(cudaGetMipmappedArrayLevel) R(cudaMalloc3DArray)
R(cudaMallocArray) R(cudaMallocMipmappedArray) R(cudaMemcpy2DArrayToArray) R(cudaMemcpy2DArrayToArray_ptds)
R(cudaMemcpy2DFromArray) R(cudaMemcpy2DFromArrayAsync) R(cudaMemcpy2DFromArrayAsync_ptsz)
R(cudaMemcpy2DFromArray_ptds) R(cudaMemcpy2DToArray) R(cudaMemcpy2DToArrayAsync)
R(cudaMemcpy2DToArrayAsync_ptsz) R(cudaMemcpy2DToArray_ptds) R(cudaMemcpyArrayToArray)
R(cudaMemcpyArrayToArray_ptds) R(cudaMemcpyFromArray) R(cudaMemcpyFromArrayAsync)
R(cudaMemcpyFromArrayAsync_ptsz) R(cudaMemcpyFromArray_ptds) R(cudaMemcpyToArray) R(cudaMemcpyToArrayAsync)
R(cudaMemcpyToArrayAsync_ptsz) R(cudaMemcpyToArray_ptds) R(cudaMipmappedArrayGetMemoryRequirements)
R(cudaMipmappedArrayGetSparseProperties)
#undef TOPIC

#define TOPIC "graphs"
R(cudaDeviceGetGraphMemAttribute) R(cudaDeviceGraphMemTrim) R(cudaDeviceSetGraphMemAttribute)
R(cudaGraphAddChildGraphNode) R(cudaGraphAddDependencies) R(cudaGraphAddDependencies_v2)
R(cudaGraphAddEmptyNode) R(cudaGraphAddEventRecordNode) R(cudaGraphAddEventWaitNode)
R(cudaGraphAddExternalSemaphoresSignalNode) R(cudaGraphAddExternalSemaphoresWaitNode) R(cudaGraphAddHostNode)
R(cudaGraphAddKernelNode) R(cudaGraphAddMemAllocNode) R(cudaGraphAddMemFreeNode) R(cudaGraphAddMemcpyNode)
R(cudaGraphAddMemcpyNode1D) R(cudaGraphAddMemcpyNodeFromSymbol) R(cudaGraphAddMemcpyNodeToSymbol)
R(cudaGraphAddMemsetNode) R(cudaGraphAddNode) R(cudaGraphAddNode_v2) R(cudaGraphChildGraphNodeGetGraph)
R(cudaGraphClone) R(cudaGraphConditionalHandleCreate) R(cudaGraphCreate) R(cudaGraphDebugDotPrint)
R(cudaGraphDestroy) R(cudaGraphDestroyNode) R(cudaGraphEventRecordNodeGetEvent)
R(cudaGraphEventRecordNodeSetEvent) R(cudaGraphEventWaitNodeGetEvent) R(cudaGraphEventWaitNodeSetEvent)
R(cudaGraphExecChildGraphNodeSetParams) R(cudaGraphExecDestroy) R(cudaGraphExecEventRecordNodeSetEvent)
R(cudaGraphExecEventWaitNodeSetEvent) R(cudaGraphExecExternalSemaphoresSignalNodeSetParams)
R(cudaGraphExecExternalSemaphoresWaitNodeSetParams) R(cudaGraphExecGetFlags) R(cudaGraphExecHostNodeSetParams)
R(cudaGraphExecKernelNodeSetParams) R(cudaGraphExecMemcpyNodeSetParams) R(cudaGraphExecMemcpyNodeSetParams1D)
R(cudaGraphExecMemcpyNodeSetParamsFromSymbol) R(cudaGraphExecMemcpyNodeSetParamsToSymbol)
R(cudaGraphExecMemsetNodeSetParams) R(cudaGraphExecNodeSetParams) R(cudaGraphExecUpdate)
R(cudaGraphExecUpdate_v12000) R(cudaGraphExternalSemaphoresSignalNodeGetParams)
R(cudaGraphExternalSemaphoresSignalNodeSetParams) R(cudaGraphExternalSemaphoresWaitNodeGetParams)
R(cudaGraphExternalSemaphoresWaitNodeSetParams) R(cudaGraphGetEdges) R(cudaGraphGetEdges_v2)
R(cudaGraphGetNodes) R(cudaGraphGetRootNodes) R(cudaGraphHostNodeGetParams) R(cudaGraphHostNodeSetParams)
R(cudaGraphInstantiate) R(cudaGraphInstantiateWithFlags) R(cudaGraphInstantiateWithParams)
R(cudaGraphInstantiateWithParams_ptsz) R(cudaGraphInstantiate_v12000) R(cudaGraphKernelNodeCopyAttributes)
R(cudaGraphKernelNodeGetAttribute) R(cudaGraphKernelNodeGetParams) R(cudaGraphKernelNodeGetParams_v12000)
R(cudaGraphKernelNodeSetAttribute) R(cudaGraphKernelNodeSetParams) R(cudaGraphLaunch) R(cudaGraphLaunch_ptsz)
R(cudaGraphMemAllocNodeGetParams) R(cudaGraphMemFreeNodeGetParams) R(cudaGraphMemcpyNodeGetParams)
R(cudaGraphMemcpyNodeSetParams) R(cudaGraphMemcpyNodeSetParams1D) R(cudaGraphMemcpyNodeSetParamsFromSymbol)
R(cudaGraphMemcpyNodeSetParamsToSymbol) R(cudaGraphMemsetNodeGetParams) R(cudaGraphMemsetNodeSetParams)
R(cudaGraphNodeFindInClone) R(cudaGraphNodeGetDependencies) R(cudaGraphNodeGetDependencies_v2)
R(cudaGraphNodeGetDependentNodes) R(cudaGraphNodeGetDependentNodes_v2) R(cudaGraphNodeGetEnabled)
R(cudaGraphNodeGetType) R(cudaGraphNodeSetEnabled) R(cudaGraphNodeSetParams) R(cudaGraphReleaseUserObject)
R(cudaGraphRemoveDependencies) R(cudaGraphRemoveDependencies_v2) R(cudaGraphRetainUserObject)
R(cudaGraphUpload) R(cudaGraphUpload_ptsz) R(cudaStreamBeginCapture) R(cudaStreamBeginCaptureToGraph)
R(cudaStreamBeginCaptureToGraph_ptsz) R(cudaStreamBeginCapture_ptsz) R(cudaStreamEndCapture)
R(cudaStreamEndCapture_ptsz) R(cudaStreamUpdateCaptureDependencies)
R(cudaStreamUpdateCaptureDependencies_ptsz) R(cudaStreamUpdateCaptureDependencies_v2) R(cudaUserObjectCreate)
R(cudaUserObjectRelease) R(cudaUserObjectRetain)
#undef TOPIC

#define TOPIC "graphics"
R(cudaEGLStreamConsumerAcquireFrame) R(cudaEGLStreamConsumerConnect) R(cudaEGLStreamConsumerConnectWithFlags)
R(cudaEGLStreamConsumerDisconnect) R(cudaEGLStreamConsumerReleaseFrame) R(cudaEGLStreamProducerConnect)
R(cudaEGLStreamProducerDisconnect) R(cudaEGLStreamProducerPresentFrame) R(cudaEGLStreamProducerReturnFrame)
R(cudaEventCreateFromEGLSync) R(cudaGLGetDevices) R(cudaGLMapBufferObject) R(cudaGLMapBufferObjectAsync)
R(cudaGLRegisterBufferObject) R(cudaGLSetBufferObjectMapFlags) R(cudaGLSetGLDevice) R(cudaGLUnmapBufferObject)
R(cudaGLUnmapBufferObjectAsync) R(cudaGLUnregisterBufferObject) R(cudaGraphicsEGLRegisterImage)
R(cudaGraphicsGLRegisterBuffer) R(cudaGraphicsGLRegisterImage) R(cudaGraphicsMapResources)
R(cudaGraphicsResourceGetMappedEglFrame) R(cudaGraphicsResourceGetMappedMipmappedArray)
R(cudaGraphicsResourceGetMappedPointer) R(cudaGraphicsResourceSetMapFlags)
R(cudaGraphicsSubResourceGetMappedArray) R(cudaGraphicsUnmapResources) R(cudaGraphicsUnregisterResource)
R(cudaVDPAUGetDevice) R(cudaVDPAUSetVDPAUDevice)
#undef TOPIC

#define TOPIC "sharing between processes"
R(cudaIpcCloseMemHandle) R(cudaIpcGetEventHandle) R(cudaIpcGetMemHandle) R(cudaIpcOpenEventHandle)
R(cudaIpcOpenMemHandle) R(cudaMemPoolExportPointer) R(cudaMemPoolExportToShareableHandle)
R(cudaMemPoolImportFromShareableHandle) R(cudaMemPoolImportPointer)
#undef TOPIC

#define TOPIC "external memory and semaphores"
R(cudaDestroyExternalMemory) R(cudaDestroyExternalSemaphore) R(cudaDeviceGetNvSciSyncAttributes)
R(cudaExternalMemoryGetMappedBuffer) R(cudaExternalMemoryGetMappedMipmappedArray) R(cudaImportExternalMemory)
R(cudaImportExternalSemaphore) R(cudaSignalExternalSemaphoresAsync) R(cudaSignalExternalSemaphoresAsync_ptsz)
R(cudaWaitExternalSemaphoresAsync) R(cudaWaitExternalSemaphoresAsync_ptsz)
#undef TOPIC

#define TOPIC "several devices"
R(cudaLaunchCooperativeKernelMultiDevice) R(cudaMemcpy3DPeer) R(cudaMemcpy3DPeerAsync)
R(cudaMemcpy3DPeerAsync_ptsz) R(cudaMemcpy3DPeer_ptds)
#undef TOPIC

#define TOPIC "thread block clusters"
R(cudaOccupancyMaxActiveClusters) R(cudaOccupancyMaxPotentialClusterSize)
#undef TOPIC

#define TOPIC "the driver's own interface"
R(__cudaGetProcAddress) R(cudaGetDriverEntryPoint) R(cudaGetDriverEntryPointByVersion)
R(cudaGetDriverEntryPointByVersion_ptsz) R(cudaGetDriverEntryPoint_ptsz) R(cudaGetExportTable)
R(cudaGetFuncBySymbol) R(cudaKernelSetAttributeForDevice) R(cudaLibraryEnumerateKernels)
R(cudaLibraryGetGlobal) R(cudaLibraryGetKernel) R(cudaLibraryGetKernelCount) R(cudaLibraryGetManaged)
R(cudaLibraryGetUnifiedFunction) R(cudaLibraryLoadData) R(cudaLibraryLoadFromFile) R(cudaLibraryUnload)
#undef TOPIC

#define TOPIC "logs"
R(cudaDeviceRegisterAsyncNotification) R(cudaDeviceUnregisterAsyncNotification) R(cudaLogsCurrent)
R(cudaLogsDumpToFile) R(cudaLogsDumpToMemory) R(cudaLogsRegisterCallback) R(cudaLogsUnregisterCallback)
#undef TOPIC

#define TOPIC "it is rarely used"
R(__cudaRegisterHostVar) R(__cudaRegisterUnifiedTable) R(cudaDeviceFlushGPUDirectRDMAWrites)
R(cudaDeviceGetHostAtomicCapabilities) R(cudaDeviceGetP2PAtomicCapabilities)
R(cudaMemDiscardAndPrefetchBatchAsync) R(cudaMemDiscardAndPrefetchBatchAsync_ptsz) R(cudaMemDiscardBatchAsync)
R(cudaMemDiscardBatchAsync_ptsz) R(cudaMemGetDefaultMemPool) R(cudaMemGetMemPool) R(cudaMemPoolGetAccess)
R(cudaMemPrefetchBatchAsync) R(cudaMemPrefetchBatchAsync_ptsz) R(cudaMemRangeGetAttribute)
R(cudaMemRangeGetAttributes) R(cudaMemSetMemPool) R(cudaMemcpy3DBatchAsync) R(cudaMemcpy3DBatchAsync_ptsz)
R(cudaMemcpyBatchAsync) R(cudaMemcpyBatchAsync_ptsz) R(cudaStreamGetAttribute) R(cudaStreamGetAttribute_ptsz)
#undef TOPIC
// clang-format on

}  // extern "C"
