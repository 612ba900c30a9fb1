#include "work.hpp"

#include <algorithm>
#include <unordered_map>

#include "../../simulator/observer.hpp"
#include "../../simulator/program.hpp"
#include "requirement.hpp"

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
      : before_(before), words_(slots), loaded_(slots) {}

  void on_block_begin(const simulator::BlockContext& block) override {
    words_[block.slot].assign(block.warps * simulator::warp_size, 0);
    loaded_[block.slot].assign(block.warps * simulator::warp_size, 0);
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
    if (access.space == ptx::Space::global || access.space == ptx::Space::shared) {
      reach(warp, access.lanes, (access.used_end() + 3) / 4);
      const simulator::LaneMask from_first = access.lanes >> simulator::lowest_lane(access.lanes);
      const bool is_apart = (from_first & (from_first + 1)) != 0;
      const Work::LanesApart here{access.pc, access.lanes};
      if (is_apart) done.loads_apart = std::min(done.loads_apart.value_or(here), here);
    }
    if (access.space != ptx::Space::global || access.kind != simulator::AccessKind::load) return;
    Work::Reads& reads = done.reads[access.allocation[simulator::lowest_lane(access.lanes)]->name];
    ++reads.requests;
    reads.sectors += simulator::global_sectors(access.kind, access.bytes, access.lanes, access.address);
    reads.bytes += std::uint64_t{access.used_end()} * simulator::lane_count(access.lanes);
    for (const std::uint32_t lane : simulator::lanes_in(access.lanes))
      loaded_[warp.block->slot][warp.warp * simulator::warp_size + lane] += access.used_end();
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
    note_busiest(block, words_[block.slot], done.reached);
    note_busiest(block, loaded_[block.slot], done.loaded);
  }

  Work done;

 private:
  WarpWork& of(const simulator::WarpContext& warp) {
    return done.warps[warp.block->linear * warp.block->warps + warp.warp];
  }
  void add_writers(const simulator::WarpContext& warp, const simulator::Access& access) {
    const simulator::Allocation& array = *access.allocation[simulator::lowest_lane(access.lanes)];
    Work::Writers writers;
    writers.bytes = std::uint64_t{access.bytes} * simulator::lane_count(access.lanes);
    auto& [first, last] = writers.elements[warp.block->linear] = {~std::uint64_t{0}, 0};
    for (const std::uint32_t lane : simulator::lanes_in(access.lanes)) {
      const std::uint32_t thread = warp.warp * simulator::warp_size + lane;
      writers.lowest = std::min(writers.lowest, thread);
      writers.highest = std::max(writers.highest, thread);
      const std::uint64_t element = (access.address[lane] - array.base) / std::max(array.element_bytes, 1u);
      first = std::min(first, element);
      last = std::max(last, element + (access.bytes - 1) / std::max(array.element_bytes, 1u));
    }
    done.writers[array.name].add(writers);
  }
  static void note_busiest(const simulator::BlockContext& block, const std::vector<std::uint64_t>& by_thread,
                           ThreadCount& busiest) {
    const auto most = std::max_element(by_thread.begin(), by_thread.end());
    busiest = busier(busiest, {block.linear, static_cast<std::uint32_t>(most - by_thread.begin()), *most});
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
  std::vector<std::vector<std::uint64_t>> words_;   ///< that have reached each thread, by slot
  std::vector<std::vector<std::uint64_t>> loaded_;  ///< bytes from global memory, likewise
};

bool is_strong_load(const ptx::Instruction& text) {
  return text.row->access == ptx::MemoryAccess::load &&
         (text.has("volatile") || text.has("relaxed") || text.has("acquire") || text.has("cg"));
}

/// Looks for polls in the blocks of one host thread. A vote, too, or a shuffle parts what the lanes of a warp
/// do before and after: whether they order memory is a matter of findings.
class PollObserver final : public simulator::Observer {
 public:
  explicit PollObserver(std::uint32_t slots) : blocks_(slots) {}

  void on_block_begin(const simulator::BlockContext& block) override {
    blocks_[block.slot] = {.meetings = std::vector<std::uint32_t>(block.warps)};
  }
  void on_barrier_release(const simulator::BlockContext& block, std::uint32_t,
                          std::span<const simulator::LaneMask>, bool) override {
    ++blocks_[block.slot].barriers;
  }
  void on_warp_barrier(const simulator::WarpContext& warp, simulator::Pc, simulator::LaneMask) override {
    ++blocks_[warp.block->slot].meetings[warp.warp];
  }
  void on_collective(const simulator::WarpContext& warp, simulator::Pc, simulator::LaneMask) override {
    ++blocks_[warp.block->slot].meetings[warp.warp];
  }
  void on_access(const simulator::WarpContext& warp, const simulator::Access& access) override {
    if (access.space != ptx::Space::shared && access.space != ptx::Space::global) return;
    Block& here = blocks_[warp.block->slot];
    auto& written = access.space == ptx::Space::shared ? here.shared : here.global;
    const bool is_load = access.kind == simulator::AccessKind::load;
    if (is_load && access.ordering == simulator::Ordering::weak) return;
    for (const std::uint32_t lane : simulator::lanes_in(access.lanes)) {
      const Written now{warp.warp * simulator::warp_size + lane, here.barriers, here.meetings[warp.warp]};
      for (std::uint64_t word = access.address[lane] / 4; 4 * word < access.address[lane] + access.bytes;
           ++word) {
        if (!is_load) {
          written[word] = now;
        } else if (const auto found = written.find(word); found != written.end()) {
          const Written& before = found->second;
          const bool is_of_warp = before.thread / simulator::warp_size == warp.warp;
          if (before.thread != now.thread && before.barriers == now.barriers &&
              (!is_of_warp || before.meetings == now.meetings) && (!first || access.pc < first->pc))
            first = {access.pc, warp.block->linear, now.thread, before.thread};
        }
      }
    }
  }

  struct Poll {
    simulator::Pc pc = 0;
    std::uint64_t block = 0;
    std::uint32_t reader = 0, writer = 0;  ///< in the block
  };
  std::optional<Poll> first;  ///< in the code

 private:
  /// Who wrote a word last, and how many barriers the block, and its warp, had passed then.
  struct Written {
    std::uint32_t thread, barriers, meetings;
  };
  struct Block {
    std::uint32_t barriers = 0;
    std::vector<std::uint32_t> meetings = {};  ///< by warp
    std::unordered_map<std::uint64_t, Written> shared = {}, global = {};
  };
  std::vector<Block> blocks_;  ///< by slot
};

/// Adds what the blocks of one host thread do.
void add(const Work& of_thread, Work& all) {
  all.reached = busier(all.reached, of_thread.reached);
  all.loaded = busier(all.loaded, of_thread.loaded);
  for (const auto& [name, reads] : of_thread.reads) {
    all.reads[name].requests += reads.requests;
    all.reads[name].sectors += reads.sectors;
    all.reads[name].bytes += reads.bytes;
  }
  for (const auto& [name, writers] : of_thread.writers) all.writers[name].add(writers);
  if (of_thread.loads_apart)
    all.loads_apart = std::min(all.loads_apart.value_or(*of_thread.loads_apart), *of_thread.loads_apart);
  all.warps.resize(std::max(all.warps.size(), of_thread.warps.size()));
  for (std::size_t i = 0; i < of_thread.warps.size(); ++i)
    if (of_thread.warps[i].instructions != 0) all.warps[i] = of_thread.warps[i];  // no other thread runs it
}

/// Fails where one of the host threads has seen a poll.
void require_no_poll(const Observed<PollObserver>& observed, const simulator::Program& program) {
  std::optional<PollObserver::Poll> first;
  for (const PollObserver& of_thread : observed.observers())
    if (of_thread.first && (!first || of_thread.first->pc < first->pc)) first = of_thread.first;
  if (!first) return;
  fail("thread " + std::to_string(first->reader) + " of block " + std::to_string(first->block) +
       " reads, at line " + std::to_string(simulator::place_of(program, first->pc).line) + ", what thread " +
       std::to_string(first->writer) +
       " has written, and no barrier is between the two: the threads of a block wait for one another at "
       "barriers, and do not read memory again and again until another has written it");
}

}  // namespace

void Work::Writers::add(const Writers& others) {
  lowest = std::min(lowest, others.lowest);
  highest = std::max(highest, others.highest);
  bytes += others.bytes;
  for (const auto& [block, range] : others.elements) {
    auto& [first, last] = elements.try_emplace(block, range).first->second;
    first = std::min(first, range.first);
    last = std::max(last, range.second);
  }
}

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
  std::optional<Observed<PollObserver>> polls;
  for (simulator::Pc pc = 0; pc < device.program().size() && !polls; ++pc)
    if (is_strong_load(device.program().text_of(pc)))
      polls.emplace(device, [](std::uint32_t slots) { return PollObserver(slots); });
  run();
  if (polls) require_no_poll(*polls, device.program());
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
