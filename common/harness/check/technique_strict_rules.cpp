#include "technique.hpp"

#include <bit>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "../../simulator/observer.hpp"
#include "../../simulator/program.hpp"

namespace warpwise::harness {

namespace ptx = simulator::ptx;

namespace {

std::string hexadecimal(std::uint32_t mask) {
  char digits[16];
  std::snprintf(digits, sizeof digits, "0x%08x", mask);
  return digits;
}

/// "lanes 16 to 31", "lane 3", "4 lanes from 1 to 31"
std::string lanes_of(std::uint32_t mask) {
  const std::uint32_t first = simulator::lowest_lane(mask);
  const auto last = static_cast<std::uint32_t>(31 - std::countl_zero(mask));
  if (first == last) return "lane " + std::to_string(first);
  const std::string range = std::to_string(first) + " to " + std::to_string(last);
  const std::uint32_t count = simulator::lane_count(mask);
  return count == last - first + 1 ? "lanes " + range : std::to_string(count) + " lanes from " + range;
}

/// " at line 14"
std::string at_line(unsigned line) { return line == 0 ? "" : " at line " + std::to_string(line); }

/// A barrier whose mask names lanes that have not come.
struct MissedBarrier {
  unsigned line = 0;          ///< of the source; 0: unknown
  std::uint32_t mask = 0;     ///< as written
  std::uint32_t missing = 0;  ///< lanes of it that did not come
};

/// What the blocks of one host thread miss: by instruction, the lanes that did not come the first time.
class MaskWatcher final : public simulator::Observer {
 public:
  void on_warp_barrier(const simulator::WarpContext& warp, simulator::Pc pc,
                       simulator::LaneMask lanes) override {
    const ptx::Instruction& barrier = warp.block->launch->program->text_of(pc);
    if (barrier.operands.empty()) return;
    if (barrier.operands[0].kind != ptx::Operand::Kind::immediate) {
      if (!computed) computed = simulator::place_of(*warp.block->launch->program, pc).line;
      return;
    }
    const auto mask = static_cast<std::uint32_t>(barrier.operands[0].bits);
    const std::uint32_t missing = mask & ~lanes;
    if (missing == 0) return;
    const auto [entry, is_new] = missed.try_emplace(pc, MissedBarrier{0, mask, missing});
    if (is_new) entry->second.line = simulator::place_of(*warp.block->launch->program, pc).line;
  }
  std::map<simulator::Pc, MissedBarrier> missed;
  std::optional<unsigned> computed;  ///< the line of a barrier whose mask is no number in the code
};

constexpr std::uint64_t word_bytes = 4;

/// Remembers, for the blocks of one host thread, which words have been written.
class SlotWatcher final : public simulator::Observer {
 public:
  explicit SlotWatcher(std::uint32_t slots) : written_(slots) {}

  void on_block_begin(const simulator::BlockContext& block) override {
    written_[block.slot].assign(block.launch->shared_bytes / word_bytes + 1, false);
  }
  void on_access(const simulator::WarpContext& warp, const simulator::Access& access) override {
    if (access.space != simulator::ptx::Space::shared) return;
    std::vector<bool>& written = written_[warp.block->slot];
    const bool is_load = access.kind == simulator::AccessKind::load;
    for (const std::uint32_t lane : simulator::lanes_in(access.lanes))
      for (std::uint64_t byte = access.address[lane]; byte < access.address[lane] + access.bytes;
           byte += word_bytes) {
        const std::uint64_t word = byte / word_bytes;
        if (!is_load) {
          written[word] = true;
        } else if (!written[word] && (!first || warp.block->linear < first->block)) {
          first = UnwrittenSlot{simulator::place_of(*warp.block->launch->program, access.pc).line,
                                warp.block->linear, warp.warp * simulator::warp_size + lane,
                                static_cast<std::uint32_t>(word)};
        }
      }
  }
  std::optional<UnwrittenSlot> first;

 private:
  std::vector<std::vector<bool>> written_;  ///< by slot of the block, then word
};

}  // namespace

void require_masks_name_who_comes(SimulatedDevice& device, const std::function<void()>& run) {
  Observed<MaskWatcher> observed(
      device, [](std::uint32_t) { return MaskWatcher(); }, true);
  run();
  std::map<simulator::Pc, MissedBarrier> all;
  for (const MaskWatcher& watcher : observed.observers()) {
    all.insert(watcher.missed.begin(), watcher.missed.end());
    if (watcher.computed)
      fail("the mask of the warp barrier" + at_line(*watcher.computed) +
           " is computed while the kernel runs: write it as a number, such as 0xffff");
  }
  if (all.empty()) return;
  const MissedBarrier& missed = all.begin()->second;  // the first in the kernel's code
  fail("the mask " + hexadecimal(missed.mask) + " of the warp barrier" + at_line(missed.line) + " names " +
       lanes_of(missed.missing) +
       ", which never arrive: they have left the kernel (name only the lanes that arrive, or let the others "
       "stay until then)");
}

std::optional<UnwrittenSlot> unwritten_slot(SimulatedDevice& device, const std::function<void()>& run) {
  Observed<SlotWatcher> observed(device, [](std::uint32_t slots) { return SlotWatcher(slots); });
  run();
  std::optional<UnwrittenSlot> first;
  for (const SlotWatcher& watcher : observed.observers())
    if (watcher.first && (!first || watcher.first->block < first->block)) first = watcher.first;
  return first;
}

Requirement<std::optional<UnwrittenSlot>> IsNowhere(const std::string& why) {
  return {"is nowhere", [=](const std::optional<UnwrittenSlot>& unwritten) {
            if (!unwritten) return;
            fail("thread " + std::to_string(unwritten->thread) + " of block " +
                 std::to_string(unwritten->block) + " reads word " + std::to_string(unwritten->word) +
                 " of shared memory" + at_line(unwritten->line) + ", which no thread has written (" + why +
                 ")");
          }};
}

}  // namespace warpwise::harness
