#include "device.hpp"

#include <algorithm>

namespace warpwise::harness {

void Arguments::add(const void* value, std::size_t bytes) {
  const auto* const begin = static_cast<const std::byte*>(value);
  pointers_.push_back(values_.emplace_back(begin, begin + bytes).data());
  sizes_.push_back(bytes);
}

void Arguments::add_address(std::uint64_t address, bool is_of_const) {
  add(&address, sizeof address);
  if (address != 0) (is_of_const ? read_ : written_).push_back(address);
}

std::vector<std::uint64_t> Arguments::only_read() const {
  std::vector<std::uint64_t> addresses = read_;
  std::erase_if(addresses, [&](std::uint64_t address) {
    return std::find(written_.begin(), written_.end(), address) != written_.end();
  });
  return addresses;
}

Launch Device::launch_with(const std::string& kernel, const LaunchShape& shape, const Arguments& arguments) {
  const std::vector<std::uint64_t> only_read = arguments.only_read();
  const ReadOnly inputs(*this, only_read);
  latest_shape_ = shape;
  Launch launch = launch_packed(kernel, shape, arguments.pointers(), arguments.sizes());
  note_arrays(launch, arguments.written(), only_read);
  return launch;
}

}  // namespace warpwise::harness
