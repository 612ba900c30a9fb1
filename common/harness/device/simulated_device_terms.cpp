// Launches whose values are followed, and those that are made once more.

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "simulated_device.hpp"

namespace warpwise::harness {

namespace {

constexpr std::uint64_t most_threads_with_terms = 4096;
constexpr unsigned most_useless = 5;

}  // namespace

void SimulatedDevice::follow_terms(bool are_followed) {
  are_terms_followed_ = are_followed;
  for (auto& [kernel, useless] : useless_)
    useless = std::min(useless, most_useless - 1);  // in each test case
}

/// A few of each size of a block, with one, a few and more blocks, with one element a thread and with more;
/// and at an n that the code knows. `absent`: a bit for each argument that is a null pointer.
bool SimulatedDevice::follows(const std::string& kernel, const LaunchShape& shape, std::uint64_t n,
                              std::uint64_t absent) {
  const std::uint64_t blocks = shape.grid.volume(), threads = blocks * shape.block.volume();
  if (!are_terms_followed_ || threads > most_threads_with_terms || n == 0 ||
      gpu_.options().launch.schedule.kind != simulator::Schedule::Kind::converged)
    return false;
  unsigned& useless = useless_[kernel];
  const std::vector<unsigned>& numbers = numbers_in_code(kernel);
  if (std::find(numbers.begin(), numbers.end(), n) != numbers.end() &&
      followed_[{kernel, 1u << 20 | n}]++ == 0)
    return true;
  if (absent != 0 && threads <= 512 && followed_[{kernel, std::uint64_t{1} << 32 | absent}]++ == 0)
    return true;
  // Of those that show nothing, a few are enough, and none that takes long.
  if (useless >= most_useless || (useless > 0 && threads > 512)) return false;
  const unsigned kind = threads > 1024 ? 15 : (blocks > 1) + (blocks > 4) + 3 * (n > threads) + 6 * (n < 8);
  if (++followed_[{kernel, 16 * shape.block.volume() + kind}] > 1) return false;
  ++useless;
  return true;
}

const std::vector<unsigned>& SimulatedDevice::numbers_in_code(const std::string& kernel) {
  const auto [place, is_new] = numbers_in_code_.try_emplace(kernel);
  const auto* const info = program_->find_kernel(kernel);
  if (!is_new || info == nullptr) return place->second;
  using simulator::ptx::Result;
  std::vector<std::int64_t> compared, added{0};
  for (simulator::Pc pc = info->reach.begin; pc < info->reach.end; ++pc) {
    const simulator::ptx::Instruction& text = program_->text_of(pc);
    for (const simulator::ptx::Operand& operand : text.operands) {
      if (operand.kind != simulator::ptx::Operand::Kind::immediate || operand.is_float) continue;
      const auto number = static_cast<std::int64_t>(operand.bits);
      const Result result = text.row->result;
      if (result == Result::compared || result == Result::extreme) compared.push_back(number);
      if (result == Result::conjunction) compared.push_back(number + 1);  // of the bits that are left
      if (result == Result::added && number < 0) added.push_back(number);
    }
  }
  std::set<unsigned> all;  // also in `n - 5 < 12`, which the compiler makes of two comparisons
  for (const std::int64_t number : compared)
    for (const std::int64_t less : added)
      if (const std::int64_t found = number - less; found > 2 && found <= std::int64_t{1} << 30)
        if (all.size() < 32) all.insert(static_cast<unsigned>(found));
  place->second.assign(all.begin(), all.end());
  return place->second;
}

simulator::LaunchReport SimulatedDevice::launch_followed(
    const std::function<simulator::LaunchReport()>& launch, bool is_needed) {
  if (terms_ == nullptr) terms_ = std::make_unique<simulator::TermRecorder>();
  has_terms_ = true;
  terms_->set_computed(computed_before_);
  terms_->set_patience(is_needed ? simulator::TermRecorder::Patience{}
                                 : simulator::TermRecorder::Patience{1u << 16, 10'000});
  const OtherOptions with_terms(*this, [&](simulator::GpuOptions& options) {
    options.observations.push_back(terms_.get());
    options.launch.threads = 1;
    if (is_needed) options.watch = simulator::Watch::nothing;
  });
  return launch();
}

simulator::TermRecorder* SimulatedDevice::terms_of_latest_launch(bool are_needed) {
  if (is_again_) return nullptr;
  if (!has_terms_ && are_needed && gpu_.can_launch_again())
    launch_followed(
        [&] {
          gpu_.launch_again([] {}, [](const simulator::LaunchReport&) {});
          return simulator::LaunchReport{};
        },
        true);
  return has_terms_ ? terms_.get() : nullptr;
}

bool SimulatedDevice::launch_again(const std::string& array, std::span<const std::byte> contents,
                                   const LookAt& look) {
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
  // What is read-only is not put back afterwards, so it is that between the two alone.
  std::optional<ReadOnly> inputs;
  gpu_.launch_again(
      [&] {
        std::memcpy(reinterpret_cast<void*>(begin), contents.data(), contents.size());
        inputs.emplace(*this, std::vector(only_read_by_latest_.begin(), only_read_by_latest_.end()));
      },
      [&](const simulator::LaunchReport& report) {
        inputs.reset();
        look(report);
      });
  is_again_ = false;
  return true;
}

}  // namespace warpwise::harness
