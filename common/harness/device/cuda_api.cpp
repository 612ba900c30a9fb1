#include "cuda_api.hpp"

#include <cuda_runtime_api.h>

#include <cstdio>
#include <string>
#include <string_view>

namespace warpwise::harness {

namespace {
std::string sentence_of(int code, const char* what, Place place) {
  const auto error = static_cast<cudaError_t>(code);
  std::string_view file = place.file;
  file.remove_prefix(file.rfind('/') + 1);  // npos + 1 is 0: no slash, nothing removed
  return std::string(what) + ": " + cudaGetErrorString(error) + " (" + cudaGetErrorName(error) + ") at " +
         std::string(file) + ":" + std::to_string(place.line);
}
}  // namespace

void cuda_call(int code, const char* what, Place place) {
  if (code == cudaSuccess) return;
  (void)cudaGetLastError();  // or the next call would report this error again
  throw CudaError(sentence_of(code, what, place), code);
}

void cuda_call_noexcept(int code, const char* what, Place place) noexcept {
  if (code == cudaSuccess) return;
  try {
    std::fprintf(stderr, "%s\n", sentence_of(code, what, place).c_str());
  } catch (...) {
    std::fprintf(stderr, "%s failed\n", what);
  }
}

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
