// Takes the place of gpu_device.cpp where the toolkit has no static runtime to link.
#include <stdexcept>

#include "gpu_device.hpp"

namespace warpwise::harness {

const GpuAvailability& gpu_availability() {
  static const GpuAvailability answer{
      .reason = "this program was built without the CUDA runtime (libcudart_static.a was not found)"};
  return answer;
}

std::unique_ptr<GpuDevice> make_gpu_device(const std::string&) {
  throw std::runtime_error(gpu_availability().reason);
}

}  // namespace warpwise::harness
