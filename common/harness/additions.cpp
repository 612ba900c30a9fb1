#include "additions.hpp"

#include <algorithm>
#include <deque>
#include <stdexcept>
#include <vector>

#include "../simulator/observer.hpp"

namespace warpwise::harness {

namespace ptx = simulator::ptx;

bool is_addition(const simulator::Program& program, simulator::Pc pc) {
  using ptx::Result;
  constexpr Result combining[] = {Result::added, Result::subtracted, Result::multiplied_and_added,
                                  Result::extreme, Result::compared};
  const ptx::Instruction& instruction = program.text_of(pc);
  const ptx::Type type = instruction.type();
  return (type == ptx::Type::f32 || type == ptx::Type::f64) &&
         std::find(std::begin(combining), std::end(combining), instruction.row->result) !=
             std::end(combining);
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
  if (a.additions != b.additions) return a.additions > b.additions ? a : b;
  return std::pair(a.block, a.number) <= std::pair(b.block, b.number) ? a : b;
}
const Additions::Reader& busier(const Additions::Reader& a, const Additions::Reader& b) {
  if (a.words != b.words) return a.words > b.words ? a : b;
  return std::pair(a.block, a.number) <= std::pair(b.block, b.number) ? a : b;
}

}  // namespace

/// What the blocks of one host thread do.
class CountingAdditions::Counter final : public simulator::Observer {
 public:
  Counter(const std::vector<std::uint32_t>& before, const std::vector<std::uint32_t>& collective_before,
          std::uint32_t slots)
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

class CountingAdditions::Observation : public simulator::Observation {
 public:
  explicit Observation(IsCounted is_counted) : is_counted_(is_counted) {}

  void begin(const simulator::LaunchContext& launch, std::uint32_t slots) override {
    before_ = counted_before(*launch.program, is_counted_);
    collective_before_ = counted_before(*launch.program, adds_up_lanes);
    slots_ = slots;
    counters_.clear();
  }
  void add_observers(simulator::ObserverList& of_thread) override {
    of_thread.add(counters_.emplace_back(before_, collective_before_, slots_));
  }
  void end() override {
    done = {};
    for (const Counter& counter : counters_) {
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
  }
  Additions done;

 private:
  const IsCounted is_counted_;
  std::vector<std::uint32_t> before_, collective_before_;
  std::uint32_t slots_ = 0;
  std::deque<Counter> counters_;  // a deque: the launch holds references
};

CountingAdditions::CountingAdditions(Device& device, IsCounted is_counted)
    : observation_(std::make_unique<Observation>(is_counted)), attached_(device, *observation_) {}

CountingAdditions::~CountingAdditions() = default;

Additions CountingAdditions::take() { return std::move(observation_->done); }

}  // namespace warpwise::harness
