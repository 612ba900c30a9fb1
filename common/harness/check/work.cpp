#include "work.hpp"

#include <algorithm>
#include <bit>
#include <deque>
#include <map>

#include "../device/simulated_device.hpp"
#include "expectations.hpp"

namespace warpwise::harness {

namespace machine = simulator::machine;

namespace detail {

using WarpName = std::pair<std::uint64_t, std::uint32_t>;  ///< block and warp

/// Counts for the blocks of one host thread.
class WorkCounter final : public machine::Observer {
 public:
  void on_block_begin(const machine::BlockContext& block) override {
    for (std::uint32_t warp = 0; warp < block.warps; ++warp) warps[{block.linear, warp}];
  }
  void on_run(const machine::WarpContext& warp, machine::Pc first, machine::Pc last,
              machine::LaneMask lanes) override {
    WarpWork& work = of(warp);
    work.instructions += last - first + 1;
    if (machine::count(lanes) == 1) work.lonely_instructions += last - first + 1;
  }
  void on_access(const machine::WarpContext& warp, const machine::Access& access) override {
    if (access.kind != machine::AccessKind::load || access.space != simulator::ptx::Space::global) return;
    WarpWork& work = of(warp);
    work.loaded_bytes += std::uint64_t{access.bytes} * machine::count(access.lanes);
    std::uint64_t first = ~std::uint64_t{0}, last = 0;
    for (machine::LaneMask rest = access.lanes; rest != 0; rest &= rest - 1) {
      const std::uint64_t address = access.address[std::countr_zero(rest)];
      first = std::min(first, address);
      last = std::max(last, address);
    }
    if (access.lanes != 0) work.widest_load = std::max(work.widest_load, last + access.bytes - first);
  }
  std::map<WarpName, WarpWork> warps;

 private:
  WarpWork& of(const machine::WarpContext& warp) {
    const WarpName name{warp.block->linear, warp.warp};
    if (last_ == nullptr || last_name_ != name) {
      last_ = &warps[name];
      last_name_ = name;
    }
    return *last_;
  }
  WarpName last_name_;
  WarpWork* last_ = nullptr;  ///< of last_name_: a warp runs for a while
};

class WorkObservation : public machine::Observation {
 public:
  void begin(const machine::LaunchContext&, std::uint32_t) override { threads_.clear(); }
  void add_observers(machine::ObserverList& of_thread) override { of_thread.add(threads_.emplace_back()); }

  std::vector<WarpWork> warps() const {
    std::map<WarpName, WarpWork> all;
    for (const WorkCounter& thread : threads_) all.insert(thread.warps.begin(), thread.warps.end());
    std::vector<WarpWork> warps;
    for (const auto& [name, work] : all) {
      warps.push_back(work);
      warps.back().block = name.first;
      warps.back().warp = name.second;
    }
    return warps;
  }

 private:
  std::deque<WorkCounter> threads_;  // a deque: the launch holds references
};

}  // namespace detail

namespace {

/// `share` of block or warp `who`, held against an even one.
void expect_fair(const std::string& who, double share, double even) {
  if (share * 4 >= even && share <= 2 * even) return;
  const auto bytes = [](double count) { return detail::text_of(std::round(count)); };
  fail(who + " loads " + bytes(share) + " bytes, where an even share is " + bytes(even) +
       ": share the work out");
}

std::uint64_t most(const std::vector<WarpWork>& warps, std::uint64_t WarpWork::*what) {
  std::uint64_t largest = 0;
  for (const WarpWork& warp : warps) largest = std::max(largest, warp.*what);
  return largest;
}

}  // namespace

std::uint64_t Work::most_instructions() const { return most(warps_, &WarpWork::instructions); }
std::uint64_t Work::most_lonely_instructions() const { return most(warps_, &WarpWork::lonely_instructions); }
std::uint64_t Work::widest_load() const { return most(warps_, &WarpWork::widest_load); }
std::uint64_t Work::loaded_bytes() const {
  std::uint64_t sum = 0;
  for (const WarpWork& warp : warps_) sum += warp.loaded_bytes;
  return sum;
}

namespace detail {

struct WorkRecorder::State {
  WorkObservation observation;
  Attached attached{simulated_device(), observation};
};

WorkRecorder::WorkRecorder() : state_(std::make_unique<State>()) {}
WorkRecorder::~WorkRecorder() = default;
Work WorkRecorder::take() { return Work(state_->observation.warps()); }

}  // namespace detail

void expect_shared_out(const Work& work, double bytes) {
  const double even = bytes / static_cast<double>(work.warps().size());
  for (const WarpWork& warp : work.warps())
    expect_fair("warp " + std::to_string(warp.warp) + " of block " + std::to_string(warp.block),
                static_cast<double>(warp.loaded_bytes), even);
}

void expect_shared_out_to_blocks(const Work& work, double bytes) {
  std::map<std::uint64_t, double> by_block;
  for (const WarpWork& warp : work.warps()) by_block[warp.block] += static_cast<double>(warp.loaded_bytes);
  for (const auto& [block, loaded] : by_block)
    expect_fair("block " + std::to_string(block), loaded, bytes / static_cast<double>(by_block.size()));
}

void expect_lanes_work_together(const Work& work, std::uint64_t limit, std::string_view why) {
  expect_at_most("instructions that a warp leaves to one of its lanes",
                 Measured(work.most_lonely_instructions()), limit, why);
}

}  // namespace warpwise::harness
