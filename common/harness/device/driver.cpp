#include "driver.hpp"

#include <cuda_runtime_api.h>

#include <string>

#include "cuda_call.hpp"

namespace warpwise::harness {

namespace {

void* entry_point(const char* name) {
  void* address = nullptr;
  cudaDriverEntryPointQueryResult status = cudaDriverEntryPointSymbolNotFound;
#if CUDART_VERSION >= 12050
  constexpr unsigned version = 12000;  // the signatures above are those of CUDA 12.0
  const auto code = cudaGetDriverEntryPointByVersion(name, &address, version, cudaEnableDefault, &status);
#else
  const auto code = cudaGetDriverEntryPoint(name, &address, cudaEnableDefault, &status);
#endif
  cuda_call(code, name);
  if (status != cudaDriverEntryPointSuccess || address == nullptr) {
    throw CudaError(std::string("the NVIDIA driver has no ") + name, cudaErrorSymbolNotFound);
  }
  return address;
}

template <class Function>
void find(Function& function, const char* name) {
  function = reinterpret_cast<Function>(entry_point(name));
}

}  // namespace

const Driver& driver() {
  static const Driver found = [] {
    Driver functions{};
    find(functions.load_module, "cuModuleLoadDataEx");
    find(functions.unload_module, "cuModuleUnload");
    find(functions.find_function, "cuModuleGetFunction");
    find(functions.set_function_attribute, "cuFuncSetAttribute");
    find(functions.launch, "cuLaunchKernel");
    return functions;
  }();
  return found;
}

}  // namespace warpwise::harness
