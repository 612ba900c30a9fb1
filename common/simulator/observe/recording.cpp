#include "../trace.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "../program.hpp"
#include "../ptx.hpp"
#include "observers.hpp"
#include "recording.hpp"

namespace warpwise::simulator {

using namespace observe;

namespace {

/// A barrier that threads skip is no fault of the machine's: none of them stands at it. The step that
/// bears the finding is the first at its line whose barrier opened without them.
void mark_barrier(Trace& trace, const Finding& finding) {
  const auto is_at = [&](const TraceStep& step) {
    const TraceInstruction& code = trace.code[step.first];
    return step.block == finding.block && code.line == finding.line &&
           trace.sources[code.source].file == finding.file;
  };
  const auto is_marked = [&](const TraceStep& step) { return is_at(step) && !step.defect.empty(); };
  if (finding.threads.empty() || std::any_of(trace.steps.begin(), trace.steps.end(), is_marked)) return;
  const std::uint32_t thread = finding.threads.front();
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const TraceBarrier* const opening = is_at(trace.steps[i]) ? opening_behind(trace, i) : nullptr;
    if (opening == nullptr || (opening->lanes[thread / 32] >> thread % 32 & 1) != 0) continue;
    trace.steps[i].defect = name_of(FindingKind::barrier);
    return;
  }
}

}  // namespace

const TraceBarrier* opening_behind(const Trace& trace, std::size_t index) {
  const TraceStep& step = trace.steps[index];
  if (!step.is_arrival) return nullptr;
  const auto found =
      std::find_if(trace.barriers.begin(), trace.barriers.end(), [&](const TraceBarrier& each) {
        return each.block == step.block && each.after > index && (each.lanes[step.warp] & step.lanes) != 0;
      });
  return found == trace.barriers.end() ? nullptr : &*found;
}

/// The observer of one launch. Instructions are kept by their pc until end(), where they become indices of
/// Trace::code.
class TraceRecorder::Recording final : public Observer {
  /// What a warp did since its last step: the machine reports an access or a shuffle before it reports that
  /// the instruction ran.
  struct Pending {
    std::vector<RecordedAccess> accesses;
    std::optional<Shuffle> shuffle;
    std::array<std::uint8_t, warp_size> from{};
    std::array<std::uint32_t, warp_size> got{};
    std::array<ValueNode, warp_size> nodes{};
    std::multimap<Pc, std::size_t> made;  ///< of Trace::values
    std::map<Pc, LaneMask> met;
    std::map<Pc, std::string> defects;
  };

  struct WarpRecord {
    std::optional<std::size_t> last_step;
    Pending pending;
  };

  struct BlockRecord {
    std::uint32_t steps = 0;
    std::vector<WarpRecord> warps;
    SharedWords written;
  };

 public:
  Recording(const LaunchContext& launch, Trace& trace, std::uint32_t slots)
      : launch_(launch),
        program_(*launch_.program),
        trace_(trace),
        accesses_(launch_, trace),
        values_(launch_, trace, slots),
        by_slot_(slots) {
    const std::uint64_t blocks = launch.grid.volume();
    const std::uint64_t from = std::min(blocks, trace.limits.first_block);
    trace.blocks_left_out = blocks - std::min<std::uint64_t>(blocks - from, trace.limits.blocks);
  }

  void on_block_begin(const BlockContext& block) override {
    if (!trace_.limits.has(block.linear)) return;
    by_slot_[block.slot] = std::make_unique<BlockRecord>();
    by_slot_[block.slot]->warps.resize(block.warps);
    values_.begin_block(block);
  }
  void on_block_end(const BlockContext& block) override {
    if (BlockRecord* record = record_of(block)) flush_defects(*record);
    by_slot_[block.slot].reset();
  }
  void on_run(const WarpContext& warp, Pc first, Pc last, LaneMask lanes) override;
  void on_branch(const WarpContext& warp, Pc pc, LaneMask active, LaneMask taken) override;
  void on_access(const WarpContext& warp, const Access& access) override {
    settle_atomic();
    BlockRecord* const record = open_record_of(*warp.block);
    if (record == nullptr || access.lanes == 0) return;
    std::vector<RecordedAccess>& pending = record->warps[warp.warp].pending.accesses;
    const std::size_t known = pending.size();
    accesses_.record(*warp.block, access, record->written, pending);
    for (std::size_t i = known; i < pending.size(); ++i)
      for (const std::uint32_t lane : lanes_in(pending[i].event.lanes))
        for (std::uint32_t e = 0; e < access.elements; ++e)
          pending[i].access.nodes.push_back(values_.moved(e, lane));
    if (!pending.empty() && pending.back().is_atomic()) unsettled_ = {&pending, warp.block};
  }
  void on_barrier_arrive(const WarpContext& warp, Pc, std::uint32_t, LaneMask) override {
    if (TraceStep* step = last_step(warp)) step->is_arrival = true;
  }
  void on_barrier_release(const BlockContext& block, std::uint32_t barrier, std::span<const LaneMask> lanes,
                          bool) override {
    if (open_record_of(block) == nullptr) return;
    trace_.barriers.push_back({block.linear,
                               barrier,
                               static_cast<std::uint32_t>(trace_.steps.size()),
                               {lanes.begin(), lanes.end()}});
  }
  void on_warp_barrier(const WarpContext& warp, Pc pc, LaneMask lanes) override {
    if (BlockRecord* record = open_record_of(*warp.block)) record->warps[warp.warp].pending.met[pc] |= lanes;
  }
  void on_collective(const WarpContext& warp, Pc pc, LaneMask lanes) override {
    on_warp_barrier(warp, pc, lanes);
  }
  void on_shuffle(const WarpContext& warp, const Shuffle& shuffle) override;
  void on_operands(const WarpContext& warp, const Operands& operands) override {
    BlockRecord* const record = open_record_of(*warp.block);
    if (record == nullptr) return;
    const std::size_t known = trace_.values.size();
    values_.follow(warp, operands);
    for (std::size_t i = known; i < trace_.values.size(); ++i)
      record->warps[warp.warp].pending.made.emplace(operands.pc, i);
  }
  void on_fault(const WarpContext& warp, const Fault& fault) override {
    BlockRecord* const record = record_of(*warp.block);
    if (record == nullptr) return;
    record->warps[warp.warp].pending.defects[fault.pc] = name_of(kind_of(fault.kind));
    values_.skip(warp, fault);
  }

  /// Code and sources, once it is known which of them ran.
  void finish();

 private:
  struct Unsettled {
    std::vector<RecordedAccess>* in = nullptr;
    const BlockContext* block = nullptr;
  };

  BlockRecord* record_of(const BlockContext& block) const { return by_slot_[block.slot].get(); }
  /// Null as well where the block has all the steps that it may have.
  BlockRecord* open_record_of(const BlockContext& block) const {
    BlockRecord* const record = record_of(block);
    return record != nullptr && record->steps < trace_.limits.steps ? record : nullptr;
  }
  TraceStep* last_step(const WarpContext& warp) {
    BlockRecord* const record = open_record_of(*warp.block);
    if (record == nullptr || !record->warps[warp.warp].last_step) return nullptr;
    return &trace_.steps[*record->warps[warp.warp].last_step];
  }
  void settle_atomic();
  std::uint32_t step_for(BlockRecord& record, const WarpContext& warp, Pc pc, LaneMask lanes);
  void take_pending(Pc pc, LaneMask lanes, Pending& pending, std::uint32_t index);
  void flush_defects(BlockRecord& record);

  const LaunchContext launch_;
  const Program& program_;
  Trace& trace_;
  AccessRecorder accesses_;
  ValueRecorder values_;
  std::vector<std::unique_ptr<BlockRecord>> by_slot_;
  Unsettled unsettled_;
};

/// An atomic is reported before it changes memory: at the next event of any kind it has.
void TraceRecorder::Recording::settle_atomic() {
  if (unsettled_.in == nullptr) return;
  for (RecordedAccess& each : *unsettled_.in) accesses_.settle(*unsettled_.block, each);
  unsettled_ = {};
}

/// The step that the instruction belongs to: the warp's last one where the same lanes go on in the same line.
std::uint32_t TraceRecorder::Recording::step_for(BlockRecord& record, const WarpContext& warp, Pc pc,
                                                 LaneMask lanes) {
  WarpRecord& of_warp = record.warps[warp.warp];
  const std::uint32_t interval = warp.block->barriers_passed;
  if (of_warp.last_step) {
    TraceStep& last = trace_.steps[*of_warp.last_step];
    if (last.lanes == lanes && last.interval == interval && last.last + 1 == pc && !last.is_arrival &&
        place_of(program_, last.last) == place_of(program_, pc)) {
      last.last = pc;
      return static_cast<std::uint32_t>(*of_warp.last_step);
    }
  }
  TraceStep& step = trace_.steps.emplace_back();
  step.block = warp.block->linear;
  step.warp = warp.warp;
  step.interval = interval;
  step.lanes = lanes;
  step.first = step.last = pc;
  ++record.steps;
  of_warp.last_step = trace_.steps.size() - 1;
  return static_cast<std::uint32_t>(trace_.steps.size() - 1);
}

void TraceRecorder::Recording::on_run(const WarpContext& warp, Pc first, Pc last, LaneMask lanes) {
  settle_atomic();
  for (Pc pc = first; pc <= last; ++pc) {
    BlockRecord* const record = open_record_of(*warp.block);
    if (record == nullptr) {
      trace_.instructions_left_out += last - pc + 1;
      return;
    }
    const std::uint32_t step = step_for(*record, warp, pc, lanes);
    take_pending(pc, lanes, record->warps[warp.warp].pending, step);
  }
}

void TraceRecorder::Recording::take_pending(Pc pc, LaneMask lanes, Pending& pending, std::uint32_t index) {
  TraceStep& step = trace_.steps[index];
  const auto made = pending.made.equal_range(pc);
  for (auto each = made.first; each != made.second; ++each) trace_.values[each->second].step = index;
  pending.made.erase(made.first, made.second);
  const auto is_here = [&](const RecordedAccess& each) { return each.event.pc == pc; };
  for (RecordedAccess& each : pending.accesses)
    if (is_here(each)) step.accesses.push_back(std::move(each.access));
  std::erase_if(pending.accesses, is_here);
  // Lanes that met at copies of the instruction in several branches: whose register it was is not known.
  if (pending.shuffle && pending.shuffle->pc == pc) {
    TraceShuffle& shuffle = step.shuffles.emplace_back();
    shuffle.instruction = pc;
    shuffle.lanes = lanes & pending.shuffle->lanes;
    for (const std::uint32_t lane : lanes_in(shuffle.lanes)) {
      shuffle.from.push_back(pending.from[lane]);
      shuffle.values.push_back(register_text(pending.got[lane]));
      shuffle.nodes.push_back(pending.nodes[lane]);
    }
    pending.shuffle.reset();
  }
  if (const auto met = pending.met.extract(pc)) step.met |= met.mapped();
  if (const auto defect = pending.defects.extract(pc)) step.defect = defect.mapped();
}

void TraceRecorder::Recording::on_shuffle(const WarpContext& warp, const Shuffle& shuffle) {
  BlockRecord* const record = open_record_of(*warp.block);
  if (record == nullptr) return;
  Pending& pending = record->warps[warp.warp].pending;
  pending.shuffle = shuffle;
  std::copy_n(shuffle.source, warp_size, pending.from.begin());
  std::copy_n(shuffle.value, warp_size, pending.got.begin());
  for (const std::uint32_t lane : lanes_in(shuffle.lanes)) pending.nodes[lane] = values_.moved(0, lane);
}

void TraceRecorder::Recording::on_branch(const WarpContext& warp, Pc pc, LaneMask active, LaneMask taken) {
  TraceStep* const step = last_step(warp);
  if (step != nullptr && step->last == pc) step->branches.push_back({pc, active, taken});
}

/// What ended the launch was not followed by a step: it belongs to the last one of its warp.
void TraceRecorder::Recording::flush_defects(BlockRecord& record) {
  for (WarpRecord& warp : record.warps) {
    for (const auto& [pc, defect] : warp.pending.defects)
      if (warp.last_step) trace_.steps[*warp.last_step].defect = defect;
    warp.pending.defects.clear();
  }
}

void TraceRecorder::Recording::finish() {
  for (const auto& record : by_slot_)
    if (record) flush_defects(*record);
  std::map<Pc, std::uint32_t> index;
  for (const TraceStep& step : trace_.steps)
    for (Pc pc = step.first; pc <= step.last; ++pc) index.emplace(pc, 0);
  std::map<std::string, std::uint32_t> sources;
  SourceTexts texts;
  for (auto& [pc, place_in_code] : index) {
    place_in_code = static_cast<std::uint32_t>(trace_.code.size());
    const SourcePlace place = place_of(program_, pc);
    const auto [source, is_new] = sources.try_emplace(place.file, trace_.sources.size());
    if (is_new) trace_.sources.push_back({place.file, texts.file(place.file)});
    trace_.code.push_back(
        {ptx::disassemble(program_.module(), program_.function_of(pc), program_.text_of(pc)), source->second,
         place.line});
  }
  for (TraceStep& step : trace_.steps) {
    step.first = index.at(step.first);
    step.last = index.at(step.last);
    for (TraceAccess& access : step.accesses) access.instruction = index.at(access.instruction);
    for (TraceBranch& branch : step.branches) branch.instruction = index.at(branch.instruction);
    for (TraceShuffle& shuffle : step.shuffles) shuffle.instruction = index.at(shuffle.instruction);
  }
}

TraceRecorder::TraceRecorder(TraceLimits limits, std::size_t most_launches)
    : limits_(limits), most_launches_(most_launches) {
  launches_.reserve(most_launches);  // a recording keeps a reference to its trace
}
TraceRecorder::~TraceRecorder() = default;

void TraceRecorder::begin(const LaunchContext& launch, std::uint32_t slots) {
  recording_.reset();
  if (!wants_next()) {
    ++left_out_;
    return;
  }
  Trace& trace = launches_.emplace_back().trace;
  trace.limits = limits_;
  recording_ = std::make_unique<Recording>(launch, trace, slots);
}

void TraceRecorder::add_observers(ObserverList& of_thread) {
  if (recording_) of_thread.add(*recording_);
}

void TraceRecorder::end() {
  if (recording_) recording_->finish();
}

void TraceRecorder::complete(const LaunchReport& report, const Schedule& schedule) {
  if (!recording_) return;
  launches_.back().report = report;
  Trace& trace = launches_.back().trace;
  trace.schedule = schedule.spelled();
  for (const Finding& finding : report.findings)
    if (finding.kind == FindingKind::barrier) mark_barrier(trace, finding);
  recording_.reset();
}

}  // namespace warpwise::simulator
