#include "warp_masks.hpp"

#include <bit>
#include <cstdio>
#include <deque>
#include <map>

#include "../../simulator/observers/source_lines.hpp"
#include "expectations.hpp"

namespace warpwise::harness {

namespace machine = simulator::machine;
namespace ptx = simulator::ptx;

namespace {

std::string hexadecimal(std::uint32_t mask) {
  char digits[16];
  std::snprintf(digits, sizeof digits, "0x%08x", mask);
  return digits;
}

/// "lanes 16 to 31", "lane 3", "4 lanes from 1 to 31"
std::string lanes_of(std::uint32_t mask) {
  const std::uint32_t first = machine::lowest(mask);
  const auto last = static_cast<std::uint32_t>(31 - std::countl_zero(mask));
  if (first == last) return "lane " + std::to_string(first);
  const std::string range = std::to_string(first) + " to " + std::to_string(last);
  const std::uint32_t count = machine::count(mask);
  return count == last - first + 1 ? "lanes " + range : std::to_string(count) + " lanes from " + range;
}

}  // namespace

/// What the blocks of one host thread miss: by instruction, the lanes that did not come the first time.
class WatchingMasks::Watcher final : public machine::Observer {
 public:
  void on_warp_barrier(const machine::WarpContext& warp, machine::Pc pc, machine::LaneMask lanes) override {
    const ptx::Instruction& barrier = warp.block->launch->program->text_of(pc);
    if (barrier.operands.empty() || barrier.operands[0].kind != ptx::Operand::Kind::immediate) return;
    const auto mask = static_cast<std::uint32_t>(barrier.operands[0].bits);
    const std::uint32_t missing = mask & ~lanes;
    if (missing == 0) return;
    const auto [entry, is_new] = missed.try_emplace(pc, MissedBarrier{0, mask, missing});
    if (is_new) entry->second.line = simulator::place_of(*warp.block->launch->program, pc).line;
  }
  std::map<machine::Pc, MissedBarrier> missed;
};

class WatchingMasks::Observation : public machine::Observation {
 public:
  void add_observers(machine::ObserverList& of_thread) override { of_thread.add(watchers_.emplace_back()); }
  MissedBarrier first_missed() const {
    std::map<machine::Pc, MissedBarrier> all;
    for (const Watcher& watcher : watchers_) all.insert(watcher.missed.begin(), watcher.missed.end());
    return all.empty() ? MissedBarrier{} : all.begin()->second;
  }

 private:
  std::deque<Watcher> watchers_;  // a deque: the launch holds references
};

WatchingMasks::WatchingMasks()
    : observation_(std::make_unique<Observation>()), attached_(simulated_device(), *observation_) {}
WatchingMasks::~WatchingMasks() = default;
MissedBarrier WatchingMasks::first_missed() const { return observation_->first_missed(); }

void expect_masks_name_who_comes(const MissedBarrier& missed) {
  if (missed.missing == 0) return;
  fail("the mask " + hexadecimal(missed.mask) + " of the warp barrier at line " +
       std::to_string(missed.line) + " names " + lanes_of(missed.missing) +
       ", which do not come: they have left the kernel (move the call out of the `if`, or name the lanes "
       "that come)");
}

}  // namespace warpwise::harness
