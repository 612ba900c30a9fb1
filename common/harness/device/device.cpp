#include "device.hpp"

#include <stdexcept>

#include "../check/other_orders.hpp"

namespace warpwise::harness {

namespace {
std::vector<std::reference_wrapper<Device>>& devices_in_use() {
  static std::vector<std::reference_wrapper<Device>> all;
  return all;
}
}  // namespace

void throw_too_long(const std::string& name, std::size_t given, std::size_t size) {
  throw std::length_error("`" + name + "` has " + std::to_string(size) + " elements, " +
                          std::to_string(given) + " were to be copied into it");
}

Device& simulated_device() {
  for (Device& device : devices_in_use()) {
    if (device.is_simulated()) return device;
  }
  throw std::logic_error("no simulated device is in use: main has not called use_devices");
}

std::vector<std::reference_wrapper<Device>> devices() {
  if (other_order()) return {simulated_device()};  // a real GPU chooses its order itself
  return devices_in_use();
}

void use_devices(std::vector<std::reference_wrapper<Device>> all) { devices_in_use() = std::move(all); }

}  // namespace warpwise::harness
