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
  if (++count > 2) return false;
  ++useless_[kernel];
  return true;
}

simulator::LaunchReport SimulatedDevice::launch_followed(
    const std::function<simulator::LaunchReport()>& launch) {
  if (terms_ == nullptr) terms_ = std::make_unique<simulator::TermRecorder>();
  has_terms_ = true;
  terms_->set_computed(computed_before_);
  const OtherOptions with_terms(*this, [&](simulator::GpuOptions& options) {
    options.observations.push_back(terms_.get());
    options.launch.threads = 1;
  });
  return launch();
}

simulator::TermRecorder* SimulatedDevice::terms_of_latest_launch(bool are_needed) {
  if (!has_terms_ && are_needed && gpu_.can_launch_again())
    launch_followed([&] {
      gpu_.launch_again([] {}, [] {});
      return simulator::LaunchReport{};
    });
  return has_terms_ ? terms_.get() : nullptr;
}

std::optional<std::vector<std::uint64_t>> SimulatedDevice::results_with(
    const std::string& array, const std::vector<std::byte>& contents,
    const std::vector<std::uint64_t>& addresses, unsigned bytes) {
  if (!gpu_.can_launch_again()) return {};
  const std::vector<const simulator::Allocation*> all = gpu_.memory().all();
  const auto place = std::find_if(all.begin(), all.end(), [&](const simulator::Allocation* each) {
    return each->name == array && each->bytes >= contents.size();
  });
  if (place == all.end()) return {};
  std::vector<std::uint64_t> found(addresses.size());
  const OtherOptions on_one_thread(*this, [](simulator::GpuOptions& options) { options.launch.threads = 1; });
  gpu_.launch_again(
      [&] { std::memcpy(reinterpret_cast<void*>((*place)->base), contents.data(), contents.size()); },
      [&] {
        for (std::size_t i = 0; i < addresses.size(); ++i)
          std::memcpy(&found[i], reinterpret_cast<const void*>(addresses[i]), bytes);
      });
  return found;
}

}  // namespace warpwise::harness
