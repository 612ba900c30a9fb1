// Launches whose values are followed, and those that are made once more.

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
  constexpr unsigned most_useless = 6;
  if (useless_[kernel] >= most_useless) return false;
  const unsigned kind = 2 * (shape.grid.volume() > 1) + (shape.n.value_or(0) > threads);
  unsigned& count = followed_[{kernel, 4 * shape.block.volume() + kind}];
  if (++count > 2) return false;
  useless_[kernel] += threads > 1024 ? 3 : 1;  // of those that take long a few are enough
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
  if (is_again_) return nullptr;
  if (!has_terms_ && are_needed && gpu_.can_launch_again())
    launch_followed([&] {
      gpu_.launch_again([] {}, [] {});
      return simulator::LaunchReport{};
    });
  return has_terms_ ? terms_.get() : nullptr;
}

bool SimulatedDevice::launch_again(const std::string& array, std::span<const std::byte> contents,
                                   const std::function<void()>& look) {
  const std::uint32_t number = has_terms_ && !is_again_ ? terms_->allocation_named(array) : 0;
  if (number == 0 || !gpu_.can_launch_again()) return false;
  const std::uint64_t begin = terms_->base_of(number) + terms_->passed_offset(number);
  const simulator::Allocation* const place = gpu_.memory().find(begin);
  if (place == nullptr || !place->contains(begin, contents.size())) return false;
  const OtherOptions only_results(*this, [](simulator::GpuOptions& options) {
    options.launch.threads = 1;
    options.watch = simulator::Watch::nothing;
  });
  is_again_ = true;
  gpu_.launch_again([&] { std::memcpy(reinterpret_cast<void*>(begin), contents.data(), contents.size()); },
                    look);
  is_again_ = false;
  return true;
}

}  // namespace warpwise::harness
