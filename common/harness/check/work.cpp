#include "work.hpp"

#include <algorithm>

#include "../../simulator/observer.hpp"

namespace warpwise::harness {

namespace ptx = simulator::ptx;

bool is_addition(const simulator::Program& program, simulator::Pc pc) {
  using ptx::Result;
  constexpr Result combining[] = {Result::added, Result::subtracted, Result::multiplied_and_added,
                                  Result::extreme, Result::compared};
  const ptx::Instruction& instruction = program.text_of(pc);
  const Result result = instruction.row->result;
  if (std::find(std::begin(combining), std::end(combining), result) == std::end(combining)) return false;
  if (result == Result::extreme) return true;
  const ptx::Type type = instruction.type();
  return type == ptx::Type::f32 || type == ptx::Type::f64;
}

namespace {

/// before[pc]: counted instructions ahead of pc. One entry more than there are instructions.
std::vector<std::uint32_t> counted_before(const simulator::Program& program, IsCounted is_counted) {
  std::vector<std::uint32_t> before{0};
  for (simulator::Pc pc = 0; pc < program.size(); ++pc)
    before.push_back(before.back() + is_counted(program, pc));
  return before;
}

/// Whether the instruction adds up something of all lanes, or hands each a word that only needs its bits
/// counted.
bool adds_up_lanes(const simulator::Program& program, simulator::Pc pc) {
  const ptx::Instruction& instruction = program.text_of(pc);
  switch (instruction.row->what) {
    case ptx::InstructionClass::vote:
      return instruction.operands.size() > 1;  // activemask has one, and says nothing of values
    case ptx::InstructionClass::warp_reduce:
    case ptx::InstructionClass::match:
      return true;
    case ptx::InstructionClass::block_barrier:
      return instruction.has("popc");
    default:
      return false;
  }
}

/// The busier one; of two that are as busy, the first.
const Work::Thread& busier(const Work::Thread& a, const Work::Thread& b) {
  if (a.count != b.count) return a.count > b.count ? a : b;
  return std::pair(a.block, a.number) <= std::pair(b.block, b.number) ? a : b;
}

/// What the blocks of one host thread do.
class WorkObserver final : public simulator::Observer {
 public:
  WorkObserver(const std::vector<std::uint32_t>& before, const std::vector<std::uint32_t>& collective_before,
               std::uint32_t slots)
      : before_(before), collective_before_(collective_before), threads_(slots), words_(slots) {}

  void on_block_begin(const simulator::BlockContext& block) override {
    threads_[block.slot].assign(block.warps * simulator::warp_size, 0);
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
    done.collective += collective_before_[last + 1] - collective_before_[first];
    const std::uint32_t additions = before_[last + 1] - before_[first];
    if (additions == 0) return;
    work.additions += additions;
    done.by_all_threads += std::uint64_t{additions} * simulator::lane_count(lanes);
    std::vector<std::uint64_t>& threads = threads_[warp.block->slot];
    for (const std::uint32_t lane : simulator::lanes_in(lanes))
      threads[warp.warp * simulator::warp_size + lane] += additions;
  }
  void on_access(const simulator::WarpContext& warp, const simulator::Access& access) override {
    if (access.lanes == 0) return;
    if (access.kind == simulator::AccessKind::store && access.space == ptx::Space::global)
      add_writers(warp, access);
    if (access.kind != simulator::AccessKind::load) return;
    if (access.space == ptx::Space::global || access.space == ptx::Space::shared) count_words(warp, access);
    if (access.space != ptx::Space::global) return;
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
    const auto busiest_of = [&](const std::vector<std::uint64_t>& counts) {
      const auto most = std::max_element(counts.begin(), counts.end());
      return Work::Thread{block.linear, static_cast<std::uint32_t>(most - counts.begin()), *most};
    };
    done.busiest = busier(done.busiest, busiest_of(threads_[block.slot]));
    done.busiest_reader = busier(done.busiest_reader, busiest_of(words_[block.slot]));
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
  void count_words(const simulator::WarpContext& warp, const simulator::Access& access) {
    const std::uint64_t words = (access.used_end() + 3) / 4;
    std::uint64_t* const of_lanes = &words_[warp.block->slot][warp.warp * simulator::warp_size];
    for (const std::uint32_t lane : simulator::lanes_in(access.lanes)) of_lanes[lane] += words;
  }

  const std::vector<std::uint32_t>&before_, &collective_before_;
  std::vector<std::vector<std::uint64_t>> threads_;  ///< additions of each thread, by slot
  std::vector<std::vector<std::uint64_t>> words_;    ///< that each thread has read, by slot
};

/// Adds what the blocks of one host thread do.
void add(const Work& of_thread, Work& all) {
  all.busiest = busier(all.busiest, of_thread.busiest);
  all.busiest_reader = busier(all.busiest_reader, of_thread.busiest_reader);
  all.by_all_threads += of_thread.by_all_threads;
  all.collective += of_thread.collective;
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

Work work_of(SimulatedDevice& device, IsCounted is_counted, const std::function<void()>& run) {
  const auto before = counted_before(device.program(), is_counted);
  const auto collective_before = counted_before(device.program(), adds_up_lanes);
  Observed<WorkObserver> observed(
      device, [&](std::uint32_t slots) { return WorkObserver(before, collective_before, slots); });
  run();
  Work work;
  for (const WorkObserver& of_thread : observed.observers()) add(of_thread.done, work);
  work.program = &device.program();
  work.joins = [&device]() -> std::optional<Joins> {
    const simulator::TermRecorder* const terms = device.terms_of_latest_launch(true);
    return terms != nullptr ? joins_of(*terms) : std::nullopt;
  };
  return work;
}

}  // namespace warpwise::harness
