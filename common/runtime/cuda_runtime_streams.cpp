/// \file Streams and events. Work is done when it is asked for, so every stream is always empty; what is left
/// of a stream are its properties.

#include <chrono>
#include <optional>
#include <set>

#include "context.hpp"

using namespace warpwise::runtime;

// --- Streams ----------------------------------------------------------------------------------------------

namespace {

struct Stream {
  unsigned flags = 0;
  int priority = 0;
  unsigned long long id = 0;
};

constexpr int least_priority = 0, greatest_priority = -5;

std::set<Stream*>& streams() {
  static std::set<Stream*>& all = *new std::set<Stream*>;
  return all;
}

/// The default streams are no objects: 0, cudaStreamLegacy (1) and cudaStreamPerThread (2).
bool is_known(cudaStream_t stream) {
  return reinterpret_cast<std::uintptr_t>(stream) <= 2 ||
         streams().contains(reinterpret_cast<Stream*>(stream));
}

Stream properties_of(cudaStream_t stream) {
  const auto number = reinterpret_cast<std::uintptr_t>(stream);
  return number <= 2 ? Stream{0, 0, number} : *reinterpret_cast<Stream*>(stream);
}

template <class Body>
cudaError_t with_stream(cudaStream_t stream, Body&& body) {
  return call([&](Context&) {
    return is_known(stream) ? static_cast<cudaError_t>(body(properties_of(stream)))
                            : cudaErrorInvalidResourceHandle;
  });
}

}  // namespace

extern "C" {

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return call([&](Context&) {
    static unsigned long long next_id = 3;
    if (stream == nullptr || flags > cudaStreamNonBlocking) return cudaErrorInvalidValue;
    priority = priority > least_priority ? least_priority : priority;
    priority = priority < greatest_priority ? greatest_priority : priority;
    auto* made = new Stream{flags, priority, next_id++};
    streams().insert(made);
    *stream = reinterpret_cast<cudaStream_t>(made);
    return cudaSuccess;
  });
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) { return cudaStreamCreateWithPriority(stream, 0, 0); }

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return call([&](Context&) {
    auto* object = reinterpret_cast<Stream*>(stream);
    if (streams().erase(object) == 0) return cudaErrorInvalidResourceHandle;
    delete object;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return wait([&](Context&) { return is_known(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle; });
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return with_stream(stream, [](const Stream&) { return cudaSuccess; });
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  if (event == nullptr) return remember(cudaErrorInvalidResourceHandle);
  return with_stream(stream, [](const Stream&) { return cudaSuccess; });
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  return with_stream(stream, [&](const Stream& properties) {
    *flags = properties.flags;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return with_stream(stream, [&](const Stream& properties) {
    *priority = properties.priority;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  return with_stream(stream, [&](const Stream& properties) {
    *id = properties.id;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return call([&](Context&) {
    if (least != nullptr) *least = least_priority;
    if (greatest != nullptr) *greatest = greatest_priority;
    return cudaSuccess;
  });
}

/// The work before it is done: the function is called at once. It must not call CUDA, and may take long, so
/// the lock is not held.
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  const cudaError_t error = cudaStreamQuery(stream);
  if (error == cudaSuccess) function(data);
  return error;
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void* data, unsigned) {
  const cudaError_t error = cudaStreamQuery(stream);
  if (error != cudaErrorInvalidResourceHandle) function(stream, error, data);
  return error;
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void*, size_t, unsigned) {
  return cudaStreamQuery(stream);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return with_stream(stream, [&](const Stream&) {
    *status = cudaStreamCaptureStatusNone;
    return cudaSuccess;
  });
}

}  // extern "C"

WARPWISE_ALSO(cudaStreamSynchronize, cudaStreamSynchronize_ptsz);
WARPWISE_ALSO(cudaStreamQuery, cudaStreamQuery_ptsz);
WARPWISE_ALSO(cudaStreamWaitEvent, cudaStreamWaitEvent_ptsz);
WARPWISE_ALSO(cudaStreamGetFlags, cudaStreamGetFlags_ptsz);
WARPWISE_ALSO(cudaStreamGetPriority, cudaStreamGetPriority_ptsz);
WARPWISE_ALSO(cudaStreamGetId, cudaStreamGetId_ptsz);
WARPWISE_ALSO(cudaLaunchHostFunc, cudaLaunchHostFunc_ptsz);
WARPWISE_ALSO(cudaStreamAddCallback, cudaStreamAddCallback_ptsz);
WARPWISE_ALSO(cudaStreamAttachMemAsync, cudaStreamAttachMemAsync_ptsz);
WARPWISE_ALSO(cudaStreamIsCapturing, cudaStreamIsCapturing_ptsz);

// --- Events -----------------------------------------------------------------------------------------------

// Events. Recording notes the host's clock: the times between events are those of the simulator, not
// of any GPU.

namespace {

using Clock = std::chrono::steady_clock;

struct Event {
  unsigned flags = 0;
  std::optional<Clock::time_point> recorded;
};

std::set<Event*>& events() {
  static std::set<Event*>& all = *new std::set<Event*>;
  return all;
}

Event* find(cudaEvent_t event) {
  auto* object = reinterpret_cast<Event*>(event);
  return events().contains(object) ? object : nullptr;
}

/// Waiting for an event that was never recorded returns at once.
cudaError_t state_of(cudaEvent_t event) {
  return find(event) != nullptr ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

}  // namespace

extern "C" {

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return call([&](Context&) {
    if (event == nullptr) return cudaErrorInvalidValue;
    auto* made = new Event{flags, {}};
    events().insert(made);
    *event = reinterpret_cast<cudaEvent_t>(made);
    return cudaSuccess;
  });
}
cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return call([&](Context&) {
    Event* object = find(event);
    if (object == nullptr) return cudaErrorInvalidResourceHandle;
    events().erase(object);
    delete object;
    return cudaSuccess;
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
  return ask([&](Context&) {  // goes into a queue: it does not wait for the device
    Event* object = find(event);
    if (object == nullptr) return cudaErrorInvalidResourceHandle;
    object->recorded = Clock::now();
    return cudaSuccess;
  });
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
  return cudaEventRecord(event, stream);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return wait([&](Context&) { return state_of(event); });
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  return call([&](Context&) { return state_of(event); });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return call([&](Context&) {
    const Event *first = find(start), *last = find(end);
    if (first == nullptr || last == nullptr || milliseconds == nullptr) return cudaErrorInvalidResourceHandle;
    if (((first->flags | last->flags) & cudaEventDisableTiming) != 0 || !first->recorded || !last->recorded)
      return cudaErrorInvalidResourceHandle;
    const std::chrono::duration<float, std::milli> between = *last->recorded - *first->recorded;
    *milliseconds = between.count();
    return cudaSuccess;
  });
}

}  // extern "C"

WARPWISE_ALSO(cudaEventRecord, cudaEventRecord_ptsz);
WARPWISE_ALSO(cudaEventRecordWithFlags, cudaEventRecordWithFlags_ptsz);
#if CUDART_VERSION >= 13000
WARPWISE_ALSO(cudaEventElapsedTime, cudaEventElapsedTime_v2);
#endif
