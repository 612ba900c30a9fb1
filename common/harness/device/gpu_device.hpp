#pragma once
/// \file A real GPU as a Device: the first one that the CUDA runtime lists. Without a driver, everything here
/// still links and starts; gpu_availability() says why there is no GPU.

#include <memory>
#include <optional>
#include <string>

#include "device.hpp"

namespace warpwise::harness {

struct GpuAvailability {
  bool is_available = false;
  std::string name = {};    ///< "NVIDIA H200", if available
  std::string reason = {};  ///< one clause, if not: "no NVIDIA driver is installed"
};

/// Asked once; remembered.
const GpuAvailability& gpu_availability();
inline bool is_gpu_available() { return gpu_availability().is_available; }

/// How launches are timed: before each the L2 cache is overwritten, so that inputs come from memory.
struct TimingOptions {
  unsigned warm_up = 3;       ///< launches that are not timed
  unsigned repetitions = 15;  ///< timed launches, of which the median counts
};

/// A Device whose launches can be timed.
class GpuDevice : public Device {
 public:
  bool is_simulated() const override { return false; }
  /// From now on each launch is repeated and its median time kept in the Launch; nullopt: once, not timed.
  virtual void time_launches(std::optional<TimingOptions> options) = 0;
};

/// Loads the module (the same PTX text that the simulator runs) through the driver, which compiles it for the
/// GPU. Throws std::runtime_error, such as gpu_availability().reason.
std::unique_ptr<GpuDevice> make_gpu_device(const std::string& module_path);

}  // namespace warpwise::harness
