#include "unwritten_slots.hpp"

#include <deque>
#include <string>
#include <vector>

#include "../../simulator/observers/source_lines.hpp"
#include "expectations.hpp"

namespace warpwise::harness {

namespace machine = simulator::machine;

namespace {
constexpr std::uint64_t word_bytes = 4;
}

/// Remembers, for the blocks of one host thread, which words have been written.
class WatchingSlots::Watcher final : public machine::Observer {
 public:
  explicit Watcher(std::uint32_t slots) : written_(slots) {}

  void on_block_begin(const machine::BlockContext& block) override {
    written_[block.slot].assign(block.launch->shared_bytes / word_bytes + 1, false);
  }
  void on_access(const machine::WarpContext& warp, const machine::Access& access) override {
    if (access.space != simulator::ptx::Space::shared) return;
    std::vector<bool>& written = written_[warp.block->slot];
    const bool is_load = access.kind == machine::AccessKind::load;
    for (const std::uint32_t lane : machine::lanes_in(access.lanes))
      for (std::uint64_t byte = access.address[lane]; byte < access.address[lane] + access.bytes;
           byte += word_bytes) {
        const std::uint64_t word = byte / word_bytes;
        if (!is_load) {
          written[word] = true;
        } else if (!written[word] && (!first.is_there || warp.block->linear < first.block)) {
          first = {true, simulator::place_of(*warp.block->launch->program, access.pc).line,
                   warp.block->linear, warp.warp * machine::warp_size + lane,
                   static_cast<std::uint32_t>(word)};
        }
      }
  }
  UnwrittenSlot first;

 private:
  std::vector<std::vector<bool>> written_;  ///< by slot of the block, then word
};

class WatchingSlots::Observation : public machine::Observation {
 public:
  void begin(const machine::LaunchContext&, std::uint32_t slots) override {
    slots_ = slots;
    watchers_.clear();
  }
  void add_observers(machine::ObserverList& of_thread) override {
    of_thread.add(watchers_.emplace_back(slots_));
  }
  UnwrittenSlot first() const {
    UnwrittenSlot first;
    for (const Watcher& watcher : watchers_)
      if (watcher.first.is_there && (!first.is_there || watcher.first.block < first.block))
        first = watcher.first;
    return first;
  }

 private:
  std::uint32_t slots_ = 0;
  std::deque<Watcher> watchers_;  // a deque: the launch holds references
};

WatchingSlots::WatchingSlots()
    : observation_(std::make_unique<Observation>()), attached_(simulated_device(), *observation_) {}
WatchingSlots::~WatchingSlots() = default;
UnwrittenSlot WatchingSlots::first() const { return observation_->first(); }

void expect_slots_are_written(const UnwrittenSlot& slot, std::string_view why) {
  if (!slot.is_there) return;
  fail("thread " + std::to_string(slot.thread) + " of block " + std::to_string(slot.block) + " reads word " +
       std::to_string(slot.word) + " of shared memory at line " + std::to_string(slot.line) +
       ", and nobody has written it (" + std::string(why) + ")");
}

}  // namespace warpwise::harness
