// The part of timing.hpp that needs the CUDA runtime.
#include <cuda_runtime_api.h>

#include "cuda_call.hpp"
#include "timing.hpp"

namespace warpwise::harness {

namespace {
/// A CUDA event and its owner.
class Event {
 public:
  Event() { cuda_call(cudaEventCreate(&event_), "cudaEventCreate"); }
  ~Event() { cuda_call_noexcept(cudaEventDestroy(event_), "cudaEventDestroy"); }
  Event(const Event&) = delete;  ///< two owners would destroy the event twice
  Event& operator=(const Event&) = delete;

  void record() { cuda_call(cudaEventRecord(event_, nullptr), "cudaEventRecord"); }
  void wait() { cuda_call(cudaEventSynchronize(event_), "cudaEventSynchronize"); }
  double milliseconds_since(const Event& begin) const {
    float milliseconds = 0;
    cuda_call(cudaEventElapsedTime(&milliseconds, begin.event_, event_), "cudaEventElapsedTime");
    return milliseconds;
  }

 private:
  cudaEvent_t event_ = nullptr;
};
}  // namespace

double time_on_gpu(const TimingOptions& options, const std::function<void()>& launch,
                   const std::function<void()>& before_each) {
  for (unsigned i = 0; i < options.warm_up; ++i) launch();
  Event begin, end;
  std::vector<double> times;
  for (unsigned i = 0; i < options.repetitions; ++i) {
    if (before_each) before_each();
    begin.record();
    launch();
    end.record();
    end.wait();
    times.push_back(end.milliseconds_since(begin));
  }
  return median(std::move(times));
}

}  // namespace warpwise::harness
