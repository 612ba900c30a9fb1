// Launches whose values are followed, and those that are made once more.

#include <algorithm>
#include <cstring>
#include <utility>

#include "simulated_device.hpp"

namespace warpwise::harness {

namespace {

constexpr std::uint64_t most_threads_with_terms = 4096;

}  // namespace

/// A few of each size of a block, with one and with several blocks, with one element a thread and with more.
bool SimulatedDevice::follows(const std::string& kernel, const LaunchShape& shape) {
  const std::uint64_t threads = shape.grid.volume() * shape.block.volume();
  if (!are_terms_followed_ || threads > most_threads_with_terms || shape.n == 0u ||
      gpu_.options().launch.schedule.kind != simulator::Schedule::Kind::converged)
    return false;
  constexpr unsigned most_useless = 3;
  if (useless_[kernel] >= most_useless) return false;
  const unsigned kind = 2 * (shape.grid.volume() > 1) + (shape.n.value_or(0) > threads);
  unsigned& count = followed_[{kernel, 4 * shape.block.volume() + kind}];
  return ++count <= 2;
}

void SimulatedDevice::remember(const std::string& kernel, const LaunchShape& shape,
                               std::span<const void* const> arguments, std::span<const std::size_t> sizes) {
  constexpr std::uint64_t most_bytes = 1 << 19;
  made_.reset();
  release_at_last();
  if (!are_terms_followed_ || gpu_.memory().bytes_in_use() > most_bytes ||
      shape.grid.volume() * shape.block.volume() > most_threads_with_terms)
    return;
  Made made{kernel, shape, {}, simulator::MemoryImage(gpu_.memory()), computed_};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto* const begin = static_cast<const std::byte*>(arguments[i]);
    made.arguments.emplace_back(begin, begin + sizes[i]);
  }
  made_.emplace(std::move(made));
}

simulator::LaunchReport SimulatedDevice::launch_followed(const simulator::LaunchRequest& request,
                                                         std::set<std::uint64_t> computed) {
  if (terms_ == nullptr) terms_ = std::make_unique<simulator::TermRecorder>();
  has_terms_ = true;
  terms_->set_computed(std::move(computed));
  const OtherOptions with_terms(*this, [&](simulator::GpuOptions& options) {
    options.observations.push_back(terms_.get());
    options.launch.threads = 1;
  });
  ++useless_[request.kernel];
  return gpu_.launch(*program_, request);
}

/// With the memory that the latest launch met; afterwards memory is as before.
template <class Launcher>
void SimulatedDevice::make_again(Launcher launcher) {
  const simulator::MemoryImage after(gpu_.memory());
  made_->memory.restore();
  std::vector<const void*> arguments;
  std::vector<std::size_t> sizes;
  for (const auto& each : made_->arguments) {
    arguments.push_back(each.data());
    sizes.push_back(each.size());
  }
  const LaunchShape& shape = made_->shape;
  launcher(simulator::LaunchRequest{made_->kernel,
                                    {shape.grid.x, shape.grid.y, shape.grid.z},
                                    {shape.block.x, shape.block.y, shape.block.z},
                                    static_cast<std::uint32_t>(shape.shared_bytes),
                                    arguments,
                                    sizes});
  after.restore();
}

simulator::TermRecorder* SimulatedDevice::terms_of_latest_launch(bool are_needed) {
  if (has_terms_ || !are_needed || !made_) return has_terms_ ? terms_.get() : nullptr;
  make_again([&](const simulator::LaunchRequest& request) { launch_followed(request, made_->computed); });
  return terms_.get();
}

std::optional<std::vector<std::uint64_t>> SimulatedDevice::results_with(
    const std::string& array, const std::vector<std::byte>& contents,
    const std::vector<std::uint64_t>& addresses, unsigned bytes) {
  if (!made_) return {};
  const std::vector<const simulator::Allocation*> all = gpu_.memory().all();
  const auto place = std::find_if(all.begin(), all.end(), [&](const simulator::Allocation* each) {
    return each->name == array && each->bytes >= contents.size();
  });
  if (place == all.end()) return {};
  std::vector<std::uint64_t> found(addresses.size());
  make_again([&](const simulator::LaunchRequest& request) {
    std::memcpy(reinterpret_cast<void*>((*place)->base), contents.data(), contents.size());
    gpu_.launch(*program_, request);
    for (std::size_t i = 0; i < addresses.size(); ++i)
      std::memcpy(&found[i], reinterpret_cast<const void*>(addresses[i]), bytes);
  });
  return found;
}

}  // namespace warpwise::harness
