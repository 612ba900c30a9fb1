/// \file Events. Recording notes the host's clock: the times between events are those of the simulator, not
/// of any GPU.

#include <chrono>
#include <optional>
#include <set>

#include "api.hpp"

using namespace warpwise::runtime;

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
