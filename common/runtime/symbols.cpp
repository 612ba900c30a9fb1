/// \file Variables of the program: __device__, __constant__ and __managed__.

#include <string_view>

#include "api.hpp"

using namespace warpwise::runtime;

namespace {

/// `body(context, address, bytes)` with the variable that host code calls `symbol`.
template <class Body>
cudaError_t with_symbol(const void* symbol, Body&& body) {
  return call([&](Context& context) {
    const Variable* variable = context.modules.find_variable(symbol);
    if (variable == nullptr) return cudaErrorInvalidSymbol;
    const auto* place = context.modules.place_of(*variable);
    if (place == nullptr) return cudaErrorInvalidSymbol;
    return static_cast<cudaError_t>(body(context, reinterpret_cast<char*>(place->base), place->bytes));
  });
}

cudaError_t copy_part(Context& context, const char* function, void* to, const void* from, size_t bytes,
                      size_t offset, size_t variable_bytes, cudaMemcpyKind kind) {
  if (!std::string_view(function).ends_with("Async")) context.flush_print();
  if (offset > variable_bytes || bytes > variable_bytes - offset)
    return fail(context, function, cudaErrorInvalidValue,
                std::to_string(bytes) + " bytes from byte " + std::to_string(offset) +
                    " go beyond the variable, which has " + std::to_string(variable_bytes));
  Transfer transfer(context.gpu.memory(), kind);
  const cudaError_t error = transfer.copy(to, from, bytes);
  return error == cudaSuccess ? error : fail(context, function, error, transfer.why());
}

cudaError_t copy_to(const char* function, const void* symbol, const void* from, size_t bytes, size_t offset,
                    cudaMemcpyKind kind) {
  return with_symbol(symbol, [&](Context& context, char* address, size_t variable_bytes) {
    if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
      return cudaErrorInvalidMemcpyDirection;
    return copy_part(context, function, address + offset, from, bytes, offset, variable_bytes, kind);
  });
}

cudaError_t copy_from(const char* function, void* to, const void* symbol, size_t bytes, size_t offset,
                      cudaMemcpyKind kind) {
  return with_symbol(symbol, [&](Context& context, char* address, size_t variable_bytes) {
    if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
      return cudaErrorInvalidMemcpyDirection;
    return copy_part(context, function, to, address + offset, bytes, offset, variable_bytes, kind);
  });
}

}  // namespace

extern "C" {

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
  return copy_to("cudaMemcpyToSymbol", symbol, from, bytes, offset, kind);
}
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t) {
  return copy_to("cudaMemcpyToSymbolAsync", symbol, from, bytes, offset, kind);
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset,
                                 cudaMemcpyKind kind) {
  return copy_from("cudaMemcpyFromSymbol", to, symbol, bytes, offset, kind);
}
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t) {
  return copy_from("cudaMemcpyFromSymbolAsync", to, symbol, bytes, offset, kind);
}

cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  return with_symbol(symbol, [&](Context&, char* address, size_t) {
    *pointer = address;
    return cudaSuccess;
  });
}

cudaError_t cudaGetSymbolSize(size_t* size, const void* symbol) {
  return with_symbol(symbol, [&](Context&, char*, size_t bytes) {
    *size = bytes;
    return cudaSuccess;
  });
}

}  // extern "C"

WARPWISE_ALSO(cudaMemcpyToSymbol, cudaMemcpyToSymbol_ptds);
WARPWISE_ALSO(cudaMemcpyToSymbolAsync, cudaMemcpyToSymbolAsync_ptsz);
WARPWISE_ALSO(cudaMemcpyFromSymbol, cudaMemcpyFromSymbol_ptds);
WARPWISE_ALSO(cudaMemcpyFromSymbolAsync, cudaMemcpyFromSymbolAsync_ptsz);
