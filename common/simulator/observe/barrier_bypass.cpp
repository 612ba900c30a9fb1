// Threads that skip a block barrier that others of their block wait at, and end without it. The
// hardware lets them: a thread that has ended is no longer waited for. So an early `return` before a barrier
// is right, and common. But a thread that skips the barrier and then runs code *behind* it has taken another
// path through the kernel than CUDA allows: `if (tid < stride) { ...; __syncthreads(); }`.
#include "observers.hpp"

#include <algorithm>
#include <bit>

#include "findings.hpp"

namespace warpwise::simulator::observe {

namespace {

bool is_end(const ptx::Instruction& text) { return text.row->what == ptx::InstructionClass::exit; }

/// A barrier of the whole block: without a count, and waited at.
bool is_whole_barrier(const ptx::Instruction& text) {
  return text.what() == ptx::InstructionClass::block_barrier && text.operands.size() == 1 &&
         !text.only_arrives();
}

/// The paths through one function, by index into its code. Loops are cut at their back edges.
struct Paths {
  std::vector<std::vector<std::uint32_t>> next;
  std::vector<std::uint32_t> order;  ///< topological
  bool is_known = true;
};

Paths paths_through(const ptx::Function& function) {
  const auto size = static_cast<std::uint32_t>(function.code.size());
  Paths paths;
  paths.next.resize(size);
  for (std::uint32_t i = 0; i < size; ++i) {
    const ptx::Instruction& text = function.code[i];
    const bool is_jump = text.row->then == ptx::Then::label;
    if (text.row->then == ptx::Then::table) paths.is_known = false;
    if (is_jump && !text.operands.empty()) paths.next[i].push_back(text.operands[0].target);
    if ((!is_jump && !is_end(text)) || text.guard) paths.next[i].push_back(i + 1);
    std::erase_if(paths.next[i], [&](std::uint32_t target) { return target >= size; });
  }
  // Depth first: an edge to an instruction that is still open is a back edge.
  enum : std::uint8_t { fresh, open, closed };
  std::vector<std::uint8_t> state(size, fresh);
  std::vector<std::pair<std::uint32_t, std::size_t>> stack;
  if (size > 0) stack.emplace_back(0, 0), state[0] = open;
  while (!stack.empty()) {
    auto& [at, edge] = stack.back();
    if (edge == paths.next[at].size()) {
      state[at] = closed;
      paths.order.push_back(at);
      stack.pop_back();
      continue;
    }
    const std::uint32_t to = paths.next[at][edge];
    if (state[to] == open) {
      paths.next[at].erase(paths.next[at].begin() + static_cast<std::ptrdiff_t>(edge));
      continue;
    }
    ++edge;
    if (state[to] == fresh) state[to] = open, stack.emplace_back(to, 0);
  }
  std::reverse(paths.order.begin(), paths.order.end());
  return paths;
}

/// `lanes` of `warp` skip the barrier at `pc`.
Description describe(Pc pc, std::uint32_t warp, LaneMask lanes) {
  Description description;
  description.pc = pc;
  description.threads = threads_of(warp, lanes);
  description.message = lanes_name(warp, lanes) + (lane_count(lanes) == 1 ? " skips" : " skip") +
                        " this barrier while other threads of the block wait at it";
  description.note = "CUDA requires all threads of a block to reach the same __syncthreads()";
  description.help = move_barrier_out;
  return description;
}

/// The kernel's barriers, and which instructions lie before and behind each. Back edges of loops do not count
/// as paths: the head of a loop is before the barriers in its body, its end behind them.
class BarrierMap {
 public:
  explicit BarrierMap(const Watched& watched);

  const std::uint32_t slots;  ///< of the launch
  bool is_empty() const { return barriers_.empty(); }
  /// At most 64 barriers that can be skipped; beyond, and where jumps are computed, none are watched.
  std::uint32_t size() const { return static_cast<std::uint32_t>(barriers_.size()); }
  std::optional<std::uint32_t> index_of(Pc pc) const {
    if (barriers_.empty() || index_[reach_.index_of(pc)] == no_index) return std::nullopt;
    return index_[reach_.index_of(pc)];
  }
  Pc pc_of(std::uint32_t index) const { return barriers_[index]; }
  /// Bit i: the instruction lies behind (before) barrier i. An instruction that only ends the thread lies
  /// nowhere.
  std::uint64_t behind(Pc pc) const { return behind_[reach_.index_of(pc)]; }
  std::uint64_t before(Pc pc) const { return before_[reach_.index_of(pc)]; }

 private:
  static constexpr std::uint8_t no_index = 0xff;
  PcRange reach_;
  std::vector<Pc> barriers_;
  std::vector<std::uint8_t> index_;             ///< into barriers_; empty where barriers_ is
  std::vector<std::uint64_t> behind_, before_;  ///< by place in the reach, as index_
};

/// For one host thread. `map` and `log` outlive it.
class BarrierBypass final : public Observer {
 public:
  BarrierBypass(const BarrierMap& map, FindingLog& log) : map_(map), blocks_(map.slots), log_(log) {}

  void on_block_begin(const BlockContext& block) override;
  void on_run(const WarpContext& warp, Pc, Pc last, LaneMask lanes) override {
    if ((map_.behind(last) | map_.before(last)) != 0) pass(warp, last, lanes);
  }
  void on_barrier_arrive(const WarpContext& warp, Pc pc, std::uint32_t, LaneMask lanes) override;
  void on_barrier_release(const BlockContext& block, std::uint32_t, std::span<const LaneMask> lanes_by_warp,
                          bool) override;

 private:
  struct Block {
    std::optional<std::uint32_t> last_arrival;
    /// By warp and barrier: lanes behind it that did not come through it, and lanes that did.
    std::vector<LaneMask> around, through;
  };

  void pass(const WarpContext& warp, Pc last, LaneMask lanes);

  const BarrierMap& map_;
  std::vector<Block> blocks_;  ///< by slot
  FindingLog& log_;
};

BarrierMap::BarrierMap(const Watched& watched)
    : slots(watched.slots), reach_(watched.launch.reach), behind_(reach_.size()), before_(reach_.size()) {
  const LaunchContext& launch = watched.launch;
  const Program::KernelInfo* info = launch.program->find_kernel(launch.kernel);
  if (info == nullptr) return;
  const ptx::Function& function = *info->function;
  if (std::none_of(function.code.begin(), function.code.end(), is_whole_barrier)) return;
  const Paths paths = paths_through(function);
  std::vector<std::uint32_t> barriers;
  for (const std::uint32_t i : paths.order) {
    if (is_whole_barrier(function.code[i])) barriers.push_back(i);
  }
  if (!paths.is_known || barriers.size() > 64) return;
  std::vector<std::uint64_t> behind(function.code.size()), before(function.code.size()),
      around(function.code.size());  // around: reached by a way that avoids the barrier
  const auto bit_of = [&](std::uint32_t i) {
    const auto found = std::find(barriers.begin(), barriers.end(), i);
    return found == barriers.end() ? 0 : std::uint64_t{1} << (found - barriers.begin());
  };
  if (!around.empty()) around[0] = ~std::uint64_t{0};
  for (const std::uint32_t i : paths.order) {
    const std::uint64_t bit = is_whole_barrier(function.code[i]) ? bit_of(i) : 0;
    for (const std::uint32_t to : paths.next[i]) {
      behind[to] |= behind[i] | bit;
      around[to] |= around[i] & ~bit;
    }
  }
  for (auto i = paths.order.rbegin(); i != paths.order.rend(); ++i) {
    for (const std::uint32_t to : paths.next[*i]) {
      before[*i] |= before[to] | (is_whole_barrier(function.code[to]) ? bit_of(to) : 0);
    }
  }
  std::uint64_t can_be_avoided = 0;
  for (std::uint32_t i = 0; i < function.code.size(); ++i) {
    if (!is_end(function.code[i])) can_be_avoided |= behind[i] & around[i];
  }
  if (can_be_avoided == 0) return;
  index_.assign(reach_.size(), no_index);
  for (const std::uint32_t i : barriers) {
    index_[reach_.index_of(info->entry) + i] = static_cast<std::uint8_t>(barriers_.size());
    barriers_.push_back(info->entry + i);
  }
  for (std::uint32_t i = 0; i < function.code.size(); ++i) {
    const std::uint32_t at = reach_.index_of(info->entry) + i;
    before_[at] = before[i] & can_be_avoided;
    if (!is_end(function.code[i])) {
      behind_[at] = behind[i] & can_be_avoided;
    } else if (i > 0 && paths.next[i - 1] == std::vector<std::uint32_t>{i} &&
               function.code[i - 1].row->then != ptx::Then::label) {
      // Reached from the instruction above, and perhaps by jumps as well: then nothing is said of it.
      std::size_t jumps = 0;
      for (const auto& next : paths.next)
        jumps += static_cast<std::size_t>(std::count(next.begin(), next.end(), i));
      if (jumps == 1) behind_[at] = behind[i] & can_be_avoided;
    }
  }
}

void BarrierBypass::on_block_begin(const BlockContext& block) {
  Block& here = blocks_[block.slot];
  here.around.assign(std::size_t{block.warps} * map_.size(), 0);
  here.through.assign(here.around.size(), 0);
  here.last_arrival.reset();
}

void BarrierBypass::pass(const WarpContext& warp, Pc last, LaneMask lanes) {
  Block& here = blocks_[warp.block->slot];
  LaneMask* around = here.around.data() + std::size_t{warp.warp} * map_.size();
  LaneMask* through = here.through.data() + std::size_t{warp.warp} * map_.size();
  for (std::uint64_t rest = map_.behind(last); rest != 0; rest &= rest - 1) {
    const int barrier = std::countr_zero(rest);
    around[barrier] |= lanes & ~through[barrier];
  }
  for (std::uint64_t rest = map_.before(last); rest != 0; rest &= rest - 1) {
    const int barrier = std::countr_zero(rest);
    around[barrier] &= ~lanes;
    through[barrier] &= ~lanes;
  }
}

void BarrierBypass::on_barrier_arrive(const WarpContext& warp, Pc pc, std::uint32_t, LaneMask lanes) {
  Block& here = blocks_[warp.block->slot];
  here.last_arrival = map_.index_of(pc);
  if (here.last_arrival) here.through[std::size_t{warp.warp} * map_.size() + *here.last_arrival] |= lanes;
}

void BarrierBypass::on_barrier_release(const BlockContext& block, std::uint32_t,
                                       std::span<const LaneMask> lanes_by_warp, bool) {
  const Block& here = blocks_[block.slot];
  if (!here.last_arrival) return;
  const Pc pc = map_.pc_of(*here.last_arrival);
  for (std::uint32_t warp = 0; warp < lanes_by_warp.size(); ++warp) {
    const LaneMask around = here.around[std::size_t{warp} * map_.size() + *here.last_arrival];
    const LaneMask lanes = around & ~lanes_by_warp[warp];
    if (lanes == 0) continue;
    log_.add(FindingKind::barrier, pc, block.linear, [&] { return describe(pc, warp, lanes); });
    return;
  }
}

}  // namespace

std::unique_ptr<ReportPart> barrier_bypass(const Watched& watched) {
  auto part = std::make_unique<ObserverPart<BarrierMap, BarrierBypass>>(watched);
  return part->common.is_empty() ? nullptr : std::move(part);
}

}  // namespace warpwise::simulator::observe
