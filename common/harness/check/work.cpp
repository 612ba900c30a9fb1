#include "work.hpp"

#include <algorithm>

#include "../../simulator/observer.hpp"

namespace warpwise::harness {

namespace ptx = simulator::ptx;

namespace {

/// before[pc]: chosen instructions ahead of pc. One entry more than there are instructions.
std::vector<std::uint32_t> chosen_before(const simulator::Program& program, IsChosen is_chosen) {
  std::vector<std::uint32_t> before{0};
  for (simulator::Pc pc = 0; pc < program.size(); ++pc)
    before.push_back(before.back() + (is_chosen != nullptr && is_chosen(program, pc)));
  return before;
}

/// The one with more; of two that have as much, the first.
const ThreadCount& busier(const ThreadCount& a, const ThreadCount& b) {
  if (a.count != b.count) return a.count > b.count ? a : b;
  return std::pair(a.block, a.number) <= std::pair(b.block, b.number) ? a : b;
}

/// What the blocks of one host thread do.
class WorkObserver final : public simulator::Observer {
 public:
  WorkObserver(const std::vector<std::uint32_t>& before, std::uint32_t slots)
      : before_(before), words_(slots) {}

  void on_block_begin(const simulator::BlockContext& block) override {
    words_[block.slot].assign(block.warps * simulator::warp_size, 0);
    done.warps.resize(block.launch->grid.volume() * block.warps);
    for (std::uint32_t warp = 0; warp < block.warps; ++warp)
      done.warps[block.linear * block.warps + warp] = {.block = block.linear, .warp = warp};
  }
  void on_run(const simulator::WarpContext& warp, simulator::Pc first, simulator::Pc last,
              simulator::LaneMask lanes) override {
    WarpWork& work = of(warp);
    work.instructions += last - first + 1;
    if (simulator::lane_count(lanes) == 1) work.single_lane_instructions += last - first + 1;
    work.chosen_instructions += before_[last + 1] - before_[first];
  }
  void on_collective(const simulator::WarpContext& warp, simulator::Pc pc,
                     simulator::LaneMask lanes) override {
    const bool is_shuffle = text(warp, pc).row->what == ptx::InstructionClass::shuffle;
    reach(warp, lanes, is_shuffle ? 1 : simulator::warp_size);
  }
  void on_barrier_arrive(const simulator::WarpContext& warp, simulator::Pc pc, std::uint32_t,
                         simulator::LaneMask lanes) override {
    if (text(warp, pc).has("popc")) reach(warp, lanes, warp.block->threads);
  }
  void on_access(const simulator::WarpContext& warp, const simulator::Access& access) override {
    if (access.lanes == 0) return;
    if (access.kind == simulator::AccessKind::store && access.space == ptx::Space::global)
      add_writers(warp, access);
    if (access.kind == simulator::AccessKind::store) return;
    if (access.space == ptx::Space::global || access.space == ptx::Space::shared)
      reach(warp, access.lanes, (access.used_end() + 3) / 4);
    if (access.space != ptx::Space::global || access.kind != simulator::AccessKind::load) return;
    Work::Reads& reads = done.reads[access.allocation[simulator::lowest_lane(access.lanes)]->name];
    ++reads.requests;
    reads.sectors += simulator::global_sectors(access.kind, access.bytes, access.lanes, access.address);
    WarpWork& work = of(warp);
    work.loaded_bytes += std::uint64_t{access.bytes} * simulator::lane_count(access.lanes);
    std::uint64_t first = ~std::uint64_t{0}, last = 0;
    for (const std::uint32_t lane : simulator::lanes_in(access.lanes)) {
      first = std::min(first, access.address[lane]);
      last = std::max(last, access.address[lane]);
    }
    work.widest_load = std::max(work.widest_load, last + access.bytes - first);
  }
  void on_block_end(const simulator::BlockContext& block) override {
    const std::vector<std::uint64_t>& words = words_[block.slot];
    const auto most = std::max_element(words.begin(), words.end());
    done.reached =
        busier(done.reached, {block.linear, static_cast<std::uint32_t>(most - words.begin()), *most});
  }

  Work done;

 private:
  WarpWork& of(const simulator::WarpContext& warp) {
    return done.warps[warp.block->linear * warp.block->warps + warp.warp];
  }
  void add_writers(const simulator::WarpContext& warp, const simulator::Access& access) {
    Work::Writers& writers = done.writers[access.allocation[simulator::lowest_lane(access.lanes)]->name];
    for (const std::uint32_t lane : simulator::lanes_in(access.lanes)) {
      const std::uint32_t thread = warp.warp * simulator::warp_size + lane;
      writers = {std::min(writers.lowest, thread), std::max(writers.highest, thread)};
    }
  }
  /// So many words reach each of the lanes.
  void reach(const simulator::WarpContext& warp, simulator::LaneMask lanes, std::uint64_t words) {
    of(warp).words += words;
    std::uint64_t* const of_lanes = &words_[warp.block->slot][warp.warp * simulator::warp_size];
    for (const std::uint32_t lane : simulator::lanes_in(lanes)) of_lanes[lane] += words;
  }
  static const ptx::Instruction& text(const simulator::WarpContext& warp, simulator::Pc pc) {
    return warp.block->launch->program->text_of(pc);
  }

  const std::vector<std::uint32_t>& before_;
  std::vector<std::vector<std::uint64_t>> words_;  ///< that have reached each thread, by slot
};

/// Adds what the blocks of one host thread do.
void add(const Work& of_thread, Work& all) {
  all.reached = busier(all.reached, of_thread.reached);
  for (const auto& [name, reads] : of_thread.reads) {
    all.reads[name].requests += reads.requests;
    all.reads[name].sectors += reads.sectors;
  }
  for (const auto& [name, writers] : of_thread.writers) {
    Work::Writers& both = all.writers[name];
    both = {std::min(both.lowest, writers.lowest), std::max(both.highest, writers.highest)};
  }
  all.warps.resize(std::max(all.warps.size(), of_thread.warps.size()));
  for (std::size_t i = 0; i < of_thread.warps.size(); ++i)
    if (of_thread.warps[i].instructions != 0) all.warps[i] = of_thread.warps[i];  // no other thread runs it
}

}  // namespace

std::uint64_t Work::total(std::uint64_t WarpWork::*what) const {
  std::uint64_t sum = 0;
  for (const WarpWork& warp : warps) sum += warp.*what;
  return sum;
}
std::uint64_t Work::most(std::uint64_t WarpWork::*what) const {
  std::uint64_t largest = 0;
  for (const WarpWork& warp : warps) largest = std::max(largest, warp.*what);
  return largest;
}

Work work_of(SimulatedDevice& device, const std::function<void()>& run, IsChosen is_chosen) {
  const auto before = chosen_before(device.program(), is_chosen);
  Observed<WorkObserver> observed(device, [&](std::uint32_t slots) { return WorkObserver(before, slots); });
  run();
  Work work;
  for (const WorkObserver& of_thread : observed.observers()) add(of_thread.done, work);
  work.program = &device.program();
  work.ask_joins = [&device]() -> std::optional<Joins> {
    const simulator::TermRecorder* const terms = device.terms_of_latest_launch(true);
    return terms != nullptr ? joins_of(*terms) : std::nullopt;
  };
  return work;
}

}  // namespace warpwise::harness
