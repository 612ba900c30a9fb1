#include "cuda_call.hpp"

#include <cuda_runtime_api.h>

#include <cstdio>
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

}  // namespace warpwise::harness
