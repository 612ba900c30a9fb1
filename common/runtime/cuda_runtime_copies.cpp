/// \file Copies and fills, and the program's variables. All are done when the call returns, the asynchronous
/// ones too: that is one of the orders that CUDA allows.

#include <string_view>

#include "context.hpp"

using namespace warpwise::runtime;

// --- Copies and fills -------------------------------------------------------------------------------------

namespace {

/// Where the host gets what nobody has written, the program will look at chance. Once for each allocation.
void note_unwritten(Context& context, const char* function, const void* to, const void* from, size_t bytes) {
  std::uint64_t source = 0;
  const std::string remark = remark_on_unwritten(context.gpu.memory(), function, to, from, bytes, source);
  if (!remark.empty() && context.remarked.insert(source).second) context.report.note(remark + ".");
}

/// `height` rows of `width` bytes each, `pitch` bytes from row to row.
cudaError_t copy_rows(const char* function, void* to, size_t to_pitch, const void* from, size_t from_pitch,
                      size_t width, size_t height, cudaMemcpyKind kind) {
  return call([&](Context& context) {
    if (!std::string_view(function).ends_with("Async")) context.flush_print();
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
    if (height > 1 && (width > to_pitch || width > from_pitch)) return cudaErrorInvalidPitchValue;
    std::string why;
    for (size_t row = 0; row < height; ++row) {
      const cudaError_t error = transfer(context.gpu.memory(), kind, static_cast<char*>(to) + row * to_pitch,
                                         static_cast<const char*>(from) + row * from_pitch, width, why);
      if (error != cudaSuccess) return fail(context, function, error, why);
    }
    if (height != 0)
      note_unwritten(context, function, to, from, height == 1 ? width : from_pitch * (height - 1));
    return cudaSuccess;
  });
}

cudaError_t copy(const char* function, void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return copy_rows(function, to, bytes, from, bytes, bytes, 1, kind);
}

cudaError_t fill_rows(const char* function, void* to, size_t pitch, int value, size_t width, size_t height) {
  return call([&](Context& context) {
    std::string why;
    for (size_t row = 0; row < height; ++row) {
      char* start = static_cast<char*>(to) + row * pitch;
      const cudaError_t error = fill(context.gpu.memory(), start, value, width, why);
      if (error != cudaSuccess) return fail(context, function, error, why);
    }
    return cudaSuccess;
  });
}

char* start_of(const cudaPitchedPtr& pitched, const cudaPos& pos) {
  return static_cast<char*>(pitched.ptr) + (pos.z * pitched.ysize + pos.y) * pitched.pitch + pos.x;
}

cudaError_t copy_box(const char* function, const cudaMemcpy3DParms& box) {
  if (box.srcArray != nullptr || box.dstArray != nullptr)
    refuse(std::string(function) + " between arrays is not supported by the simulated GPU.");
  for (size_t z = 0; z < box.extent.depth; ++z) {
    const cudaPos from{box.srcPos.x, box.srcPos.y, box.srcPos.z + z};
    const cudaPos to{box.dstPos.x, box.dstPos.y, box.dstPos.z + z};
    const cudaError_t error =
        copy_rows(function, start_of(box.dstPtr, to), box.dstPtr.pitch, start_of(box.srcPtr, from),
                  box.srcPtr.pitch, box.extent.width, box.extent.height, box.kind);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t fill_box(const char* function, const cudaPitchedPtr& to, int value, const cudaExtent& extent) {
  for (size_t z = 0; z < extent.depth; ++z) {
    char* start = start_of(to, {0, 0, z});
    const cudaError_t error = fill_rows(function, start, to.pitch, value, extent.width, extent.height);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return copy("cudaMemcpy", to, from, bytes, kind);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t) {
  return copy("cudaMemcpyAsync", to, from, bytes, kind);
}
cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, size_t bytes) {
  return copy("cudaMemcpyPeer", to, from, bytes, cudaMemcpyDeviceToDevice);
}
cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, size_t bytes, cudaStream_t) {
  return copy("cudaMemcpyPeerAsync", to, from, bytes, cudaMemcpyDeviceToDevice);
}
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                         size_t height, cudaMemcpyKind kind) {
  return copy_rows("cudaMemcpy2D", to, to_pitch, from, from_pitch, width, height, kind);
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t) {
  return copy_rows("cudaMemcpy2DAsync", to, to_pitch, from, from_pitch, width, height, kind);
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* box) { return copy_box("cudaMemcpy3D", *box); }
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* box, cudaStream_t) {
  return copy_box("cudaMemcpy3DAsync", *box);
}

cudaError_t cudaMemset(void* to, int value, size_t count) {
  return fill_rows("cudaMemset", to, count, value, count, 1);
}
cudaError_t cudaMemsetAsync(void* to, int value, size_t count, cudaStream_t) {
  return fill_rows("cudaMemsetAsync", to, count, value, count, 1);
}
cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
  return fill_rows("cudaMemset2D", to, pitch, value, width, height);
}
cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height, cudaStream_t) {
  return fill_rows("cudaMemset2DAsync", to, pitch, value, width, height);
}
cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
  return fill_box("cudaMemset3D", to, value, extent);
}
cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent, cudaStream_t) {
  return fill_box("cudaMemset3DAsync", to, value, extent);
}

}  // extern "C"

WARPWISE_ALSO(cudaMemcpy, cudaMemcpy_ptds);
WARPWISE_ALSO(cudaMemcpyAsync, cudaMemcpyAsync_ptsz);
WARPWISE_ALSO(cudaMemcpy2D, cudaMemcpy2D_ptds);
WARPWISE_ALSO(cudaMemcpy2DAsync, cudaMemcpy2DAsync_ptsz);
WARPWISE_ALSO(cudaMemcpy3D, cudaMemcpy3D_ptds);
WARPWISE_ALSO(cudaMemcpy3DAsync, cudaMemcpy3DAsync_ptsz);
WARPWISE_ALSO(cudaMemset, cudaMemset_ptds);
WARPWISE_ALSO(cudaMemsetAsync, cudaMemsetAsync_ptsz);
WARPWISE_ALSO(cudaMemset2D, cudaMemset2D_ptds);
WARPWISE_ALSO(cudaMemset2DAsync, cudaMemset2DAsync_ptsz);
WARPWISE_ALSO(cudaMemset3D, cudaMemset3D_ptds);
WARPWISE_ALSO(cudaMemset3DAsync, cudaMemset3DAsync_ptsz);

// --- Variables --------------------------------------------------------------------------------------------

// Variables of the program: __device__, __constant__ and __managed__.

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
  std::string why;
  const cudaError_t error = transfer(context.gpu.memory(), kind, to, from, bytes, why);
  if (error != cudaSuccess) return fail(context, function, error, why);
  note_unwritten(context, function, to, from, bytes);
  return error;
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
