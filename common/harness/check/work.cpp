#include "work.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

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
const Additions::Thread& busier(const Additions::Thread& a, const Additions::Thread& b) {
  if (a.count != b.count) return a.count > b.count ? a : b;
  return std::pair(a.block, a.number) <= std::pair(b.block, b.number) ? a : b;
}

/// What the blocks of one host thread do.
class AdditionsObserver final : public simulator::Observer {
 public:
  AdditionsObserver(const std::vector<std::uint32_t>& before,
                    const std::vector<std::uint32_t>& collective_before, std::uint32_t slots)
      : before_(before), collective_before_(collective_before), threads_(slots), words_(slots) {}

  void on_block_begin(const simulator::BlockContext& block) override {
    threads_[block.slot].assign(block.warps * simulator::warp_size, 0);
    words_[block.slot].assign(block.warps * simulator::warp_size, 0);
    done.by_warp.resize(block.launch->grid.volume() * block.warps);
  }
  void on_run(const simulator::WarpContext& warp, simulator::Pc first, simulator::Pc last,
              simulator::LaneMask lanes) override {
    done.collective += collective_before_[last + 1] - collective_before_[first];
    const std::uint32_t additions = before_[last + 1] - before_[first];
    if (additions == 0) return;
    done.warp_instructions += additions;
    done.by_all_threads += std::uint64_t{additions} * simulator::lane_count(lanes);
    done.by_warp[warp.block->linear * warp.block->warps + warp.warp] += additions;
    std::vector<std::uint64_t>& threads = threads_[warp.block->slot];
    for (const std::uint32_t lane : simulator::lanes_in(lanes))
      threads[warp.warp * simulator::warp_size + lane] += additions;
  }
  void on_access(const simulator::WarpContext& warp, const simulator::Access& access) override {
    if (access.lanes == 0) return;
    if (access.kind == simulator::AccessKind::load) count_words(warp, access);
    if (access.space != ptx::Space::global) return;
    const std::string& array = access.allocation[simulator::lowest_lane(access.lanes)]->name;
    if (access.kind == simulator::AccessKind::load) {
      Additions::Reads& reads = done.reads[array];
      ++reads.requests;
      reads.sectors += simulator::global_sectors(access.kind, access.bytes, access.lanes, access.address);
    } else if (access.kind == simulator::AccessKind::store) {
      Additions::Writers& writers = done.writers[array];
      for (const std::uint32_t lane : simulator::lanes_in(access.lanes)) {
        const std::uint32_t thread = warp.warp * simulator::warp_size + lane;
        writers.lowest = std::min(writers.lowest, thread);
        writers.highest = std::max(writers.highest, thread);
      }
    }
  }
  void on_block_end(const simulator::BlockContext& block) override {
    const std::vector<std::uint64_t>& threads = threads_[block.slot];
    const auto most = std::max_element(threads.begin(), threads.end());
    done.busiest =
        busier(done.busiest, {block.linear, static_cast<std::uint32_t>(most - threads.begin()), *most});
    const std::vector<std::uint64_t>& words = words_[block.slot];
    const auto reader = std::max_element(words.begin(), words.end());
    done.busiest_reader = busier(done.busiest_reader,
                                 {block.linear, static_cast<std::uint32_t>(reader - words.begin()), *reader});
  }

  Additions done;

 private:
  void count_words(const simulator::WarpContext& warp, const simulator::Access& access) {
    if (access.space != ptx::Space::global && access.space != ptx::Space::shared) return;
    for (const std::uint32_t lane : simulator::lanes_in(access.lanes))
      words_[warp.block->slot][warp.warp * simulator::warp_size + lane] += (access.used_end() + 3) / 4;
  }

  const std::vector<std::uint32_t>&before_, &collective_before_;
  std::vector<std::vector<std::uint64_t>> threads_;  ///< additions of each thread, by slot
  std::vector<std::vector<std::uint64_t>> words_;    ///< that each thread has read, by slot
};

using WarpName = std::pair<std::uint64_t, std::uint32_t>;  ///< block and warp

/// Counts for the blocks of one host thread.
class WorkObserver final : public simulator::Observer {
 public:
  void on_block_begin(const simulator::BlockContext& block) override {
    for (std::uint32_t warp = 0; warp < block.warps; ++warp) warps[{block.linear, warp}];
  }
  void on_run(const simulator::WarpContext& warp, simulator::Pc first, simulator::Pc last,
              simulator::LaneMask lanes) override {
    WarpWork& work = of(warp);
    work.instructions += last - first + 1;
    if (simulator::lane_count(lanes) == 1) work.single_lane_instructions += last - first + 1;
  }
  void on_access(const simulator::WarpContext& warp, const simulator::Access& access) override {
    if (access.kind != simulator::AccessKind::load || access.space != simulator::ptx::Space::global) return;
    WarpWork& work = of(warp);
    work.loaded_bytes += std::uint64_t{access.bytes} * simulator::lane_count(access.lanes);
    std::uint64_t first = ~std::uint64_t{0}, last = 0;
    for (simulator::LaneMask rest = access.lanes; rest != 0; rest &= rest - 1) {
      const std::uint64_t address = access.address[std::countr_zero(rest)];
      first = std::min(first, address);
      last = std::max(last, address);
    }
    if (access.lanes != 0) work.widest_load = std::max(work.widest_load, last + access.bytes - first);
  }
  std::map<WarpName, WarpWork> warps;

 private:
  WarpWork& of(const simulator::WarpContext& warp) {
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

std::uint64_t most(const std::vector<WarpWork>& warps, std::uint64_t WarpWork::*what) {
  std::uint64_t largest = 0;
  for (const WarpWork& warp : warps) largest = std::max(largest, warp.*what);
  return largest;
}

}  // namespace

std::uint64_t Work::most_instructions() const { return most(warps_, &WarpWork::instructions); }
std::uint64_t Work::most_single_lane_instructions() const {
  return most(warps_, &WarpWork::single_lane_instructions);
}
std::uint64_t Work::widest_load() const { return most(warps_, &WarpWork::widest_load); }
std::uint64_t Work::loaded_bytes() const {
  std::uint64_t sum = 0;
  for (const WarpWork& warp : warps_) sum += warp.loaded_bytes;
  return sum;
}

Additions additions_of(SimulatedDevice& device, IsCounted is_counted, const std::function<void()>& run) {
  const auto before = counted_before(device.program(), is_counted);
  const auto collective_before = counted_before(device.program(), adds_up_lanes);
  Observed<AdditionsObserver> observed(
      device, [&](std::uint32_t slots) { return AdditionsObserver(before, collective_before, slots); });
  run();
  Additions done;
  for (const AdditionsObserver& counter : observed.observers()) {
    done.busiest = busier(done.busiest, counter.done.busiest);
    done.busiest_reader = busier(done.busiest_reader, counter.done.busiest_reader);
    done.by_all_threads += counter.done.by_all_threads;
    done.collective += counter.done.collective;
    done.warp_instructions += counter.done.warp_instructions;
    done.by_warp.resize(std::max(done.by_warp.size(), counter.done.by_warp.size()));
    for (std::size_t warp = 0; warp < counter.done.by_warp.size(); ++warp)
      done.by_warp[warp] += counter.done.by_warp[warp];
    for (const auto& [name, reads] : counter.done.reads) {
      done.reads[name].requests += reads.requests;
      done.reads[name].sectors += reads.sectors;
    }
    for (const auto& [name, writers] : counter.done.writers) {
      Additions::Writers& all = done.writers[name];
      all = {std::min(all.lowest, writers.lowest), std::max(all.highest, writers.highest)};
    }
  }
  return done;
}

Work work_of(SimulatedDevice& device, const std::function<void()>& run) {
  Observed<WorkObserver> observed(device, [](std::uint32_t) { return WorkObserver(); });
  run();
  std::map<WarpName, WarpWork> all;
  for (const WorkObserver& of_thread : observed.observers())
    all.insert(of_thread.warps.begin(), of_thread.warps.end());
  std::vector<WarpWork> warps;
  for (const auto& [name, work] : all) {
    warps.push_back(work);
    warps.back().block = name.first;
    warps.back().warp = name.second;
  }
  return Work(std::move(warps));
}

}  // namespace warpwise::harness
