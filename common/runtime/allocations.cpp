#include "allocations.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "context.hpp"

namespace warpwise::runtime {

namespace {

std::uint64_t number(const void* address) { return reinterpret_cast<std::uint64_t>(address); }

/// "7.8 GiB"
std::string gibibytes(std::uint64_t bytes) {
  const std::uint64_t tenths = (bytes * 10 + (1u << 29)) >> 30;
  return std::to_string(tenths / 10) + '.' + std::to_string(tenths % 10) + " GiB";
}

}  // namespace

std::uint64_t device_bytes_of_host() { return simulator::host_memory() / 3; }

HostTooSmall::HostTooSmall(std::uint64_t bytes, std::uint64_t in_use, std::uint64_t limit)
    : sentence_("no room for " + gibibytes(bytes) +
                ": the simulated GPU takes at most a third of this machine's memory, " + gibibytes(limit) +
                ", of which " + gibibytes(in_use) +
                " are in use. The call returns cudaErrorMemoryAllocation, as on a GPU of that size.") {}

void* Allocations::allocate(Origin origin, std::uint64_t bytes, unsigned flags) {
  const bool is_on_device = origin == Origin::device || origin == Origin::managed;
  if (is_on_device && bytes > device_bytes - bytes_in_use_) throw std::bad_alloc();
  if (is_on_device && bytes > bytes_available()) throw HostTooSmall(bytes, bytes_in_use_, limit_);
  std::uint64_t base = 0;
  if (origin == Origin::device) {
    base = memory_.allocate(bytes).base;
  } else {
    void* host = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
    if (host == nullptr) throw std::bad_alloc();
    std::memset(host, 0, bytes);  // as the driver hands out fresh pages
    base = memory_.adopt(host, bytes).base;
  }
  pieces_[base] = {origin, bytes, flags};
  if (is_on_device) bytes_in_use_ += bytes;
  return reinterpret_cast<void*>(base);
}

bool Allocations::adopt(void* host, std::uint64_t bytes, unsigned flags) {
  const std::uint64_t base = number(host);
  const auto after = pieces_.lower_bound(base);
  if (find(host) != nullptr || (after != pieces_.end() && after->first < base + bytes)) return false;
  memory_.adopt(host, bytes);
  pieces_[base] = {Origin::registered, bytes, flags};
  return true;
}

bool Allocations::release(void* address, bool is_host_call) {
  const auto at = pieces_.find(number(address));
  if (at == pieces_.end() || at->second.origin == Origin::registered) return false;
  if ((at->second.origin == Origin::pinned) != is_host_call) return false;
  memory_.release(at->first);
  if (at->second.origin != Origin::device) std::free(address);
  if (at->second.origin != Origin::pinned) bytes_in_use_ -= at->second.bytes;
  pieces_.erase(at);
  return true;
}

bool Allocations::disown(void* host) {
  const auto at = pieces_.find(number(host));
  if (at == pieces_.end() || at->second.origin != Origin::registered) return false;
  memory_.release(at->first);
  pieces_.erase(at);
  return true;
}

void Allocations::release_all() {
  while (!pieces_.empty()) {
    void* address = reinterpret_cast<void*>(pieces_.begin()->first);
    if (!disown(address)) release(address, pieces_.begin()->second.origin == Origin::pinned);
  }
}

const Piece* Allocations::find(const void* address, std::uint64_t* base) const {
  auto at = pieces_.upper_bound(number(address));
  if (at == pieces_.begin()) return nullptr;
  --at;
  if (number(address) - at->first >= at->second.bytes && number(address) != at->first) return nullptr;
  if (base != nullptr) *base = at->first;
  return &at->second;
}

namespace {

/// Why `bytes` bytes at `address`, which is to be on the device, cannot be used; empty where they can.
std::string fault_of(const char* side, const void* address, std::uint64_t bytes,
                     const simulator::Allocation* place) {
  if (place != nullptr && place->contains(number(address), bytes)) return {};
  const std::string who = std::string("the ") + side;
  if (place == nullptr)
    return who + (address == nullptr ? " is a null pointer" : " is not an address on the device");
  return who + " of " + std::to_string(bytes) + " bytes goes beyond an allocation of " +
         std::to_string(place->bytes) + ", starting at its byte " +
         std::to_string(number(address) - place->base);
}

/// Why a copy of that kind cannot be made; empty where it can.
std::string fault_of(cudaMemcpyKind kind, const void* to, const simulator::Allocation* target,
                     const void* from, const simulator::Allocation* source, std::uint64_t bytes) {
  const bool is_to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool is_from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  std::string fault;
  if (is_to_device || target != nullptr) fault = fault_of("destination", to, bytes, target);
  if (fault.empty() && (is_from_device || source != nullptr)) fault = fault_of("source", from, bytes, source);
  if (!fault.empty()) return fault;
  // With one address space for both, the runtime notices device memory on the host's side.
  if (kind == cudaMemcpyHostToDevice && source != nullptr && source->storage != nullptr)
    return "the source is memory of the device, but the kind says host";
  if ((kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost) && target != nullptr &&
      target->storage != nullptr)
    return "the destination is memory of the device, but the kind says host";
  return to == nullptr || from == nullptr ? "a null pointer is given" : "";
}

}  // namespace

cudaError_t transfer(simulator::GlobalMemory& memory, cudaMemcpyKind kind, void* to, const void* from,
                     std::uint64_t bytes, std::string& why) {
  if (bytes == 0) return cudaSuccess;
  simulator::Allocation* target = memory.find(number(to));
  const simulator::Allocation* source = memory.find(number(from));
  why = fault_of(kind, to, target, from, source, bytes);
  if (!why.empty()) return cudaErrorInvalidValue;

  std::memmove(to, from, bytes);
  if (target == nullptr || target->written.empty()) return cudaSuccess;
  const std::uint64_t offset = number(to) - target->base;
  if (source == nullptr || source->written.empty()) {
    target->mark_written(offset, bytes);
    return cudaSuccess;
  }
  const std::uint64_t start = number(from) - source->base;
  if (offset % 4 == 0 && start % 4 == 0 && bytes % 4 == 0) {
    std::memmove(target->written.data() + offset / 4, source->written.data() + start / 4, bytes / 4);
    return cudaSuccess;
  }
  for (std::uint64_t i = 0; i < bytes; ++i) {
    std::uint8_t& word = target->written.data()[(offset + i) / 4];
    const auto bit = static_cast<std::uint8_t>(1u << ((offset + i) % 4));
    word = static_cast<std::uint8_t>(source->is_written(start + i, 1) ? word | bit : word & ~bit);
  }
  return cudaSuccess;
}

std::string remark_on_unwritten(simulator::GlobalMemory& memory, const char* function, const void* to,
                                const void* from, std::uint64_t bytes, std::uint64_t& source) {
  const simulator::Allocation* place = memory.find(number(from));
  if (place == nullptr || place->written.empty() || memory.find(number(to)) != nullptr) return {};
  source = place->id;
  const std::uint64_t start = number(from) - place->base;
  const std::uint8_t* const all = place->written.data();
  const std::uint8_t *const begin = all + start / 4, *const end = all + (start + bytes) / 4;
  const auto words = begin < end ? std::count(begin, end, 0) : 0;  // single bytes may be padding
  if (words == 0) return {};
  const auto first = 4 * static_cast<std::uint64_t>(std::find(begin, end, 0) - all);
  const auto unwritten = 4 * static_cast<std::uint64_t>(words);
  return std::string(function) + " copies " + std::to_string(bytes) + " bytes to the host, of which " +
         (unwritten >= bytes ? "none has" : std::to_string(unwritten) + " have never") +
         (unwritten >= bytes
              ? " ever been written"
              : " been written, from byte " + std::to_string(first) + " of the allocation on") +
         ": they are 0xCD here, and anything on a GPU, often 0";
}

cudaError_t fill(simulator::GlobalMemory& memory, void* to, int value, std::uint64_t count,
                 std::string& why) {
  if (count == 0) return cudaSuccess;
  simulator::Allocation* target = memory.find(number(to));
  if (target == nullptr || !target->contains(number(to), count)) {
    why = target == nullptr ? "the pointer is not an address on the device"
                            : "the " + std::to_string(count) + " bytes go beyond an allocation of " +
                                  std::to_string(target->bytes);
    return cudaErrorInvalidValue;
  }
  std::memset(to, value, count);
  target->mark_written(number(to) - target->base, count);
  return cudaSuccess;
}

}  // namespace warpwise::runtime

// ---- What programs call

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
