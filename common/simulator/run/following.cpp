// What the interpreter does in addition where somebody watches values: it follows undefined ones and reports
// selects.
#include "warp.hpp"
#include "worker.hpp"

namespace warpwise::simulator::run {

/// Lane-wise instructions without guards one by one: undefined values are followed, or selects reported.
void Warp::run_lanes(Frame& frame, Pc pc, Pc end, LaneMask mask) {
  for (; pc != end; ++pc) {
    const Instruction& instruction = code_.instructions[pc];
    if (frame.undefined != nullptr) undefined_.flow(frame, pc, mask);
    report_select(frame.rows, pc, mask);
    instruction.run(frame.rows, instruction.rows.data(), mask);
  }
}

/// Which operand a select is about to take cannot be seen from outside.
void Warp::report_select(std::byte* rows, Pc pc, LaneMask lanes) {
  if (lanes == 0 || code_.texts[pc]->row->result != ptx::Result::selected ||
      !worker_.observers.on_select.is_wanted())
    return;
  const LaneMask predicate = *row_of<LaneMask>(rows, code_.instructions[pc].rows[3]);
  worker_.observers.on_select(context_, pc, lanes, lanes & predicate);
}

/// What undefined values mean to the instructions of step(), and to barriers: what each reads, and writes.
void Warp::follow(Group& group, const Instruction& instruction, LaneMask active) {
  Frame& frame = *group.frame;
  undefined_.use_guard(frame, group.pc, group.mask);
  const auto use = [&](Row row, Width width, ValueUse what) {
    if (frame.undefined != nullptr) undefined_.use(frame, group.pc, row, width, active, what);
  };
  const auto define = [&](Row row, Width width) {
    if (frame.undefined != nullptr) undefined_.define(frame, row, width, active);
  };
  switch (instruction.kind) {
    case Kind::barrier: {
      const BlockBarrier& what = code_.barriers[instruction.detail];
      use(instruction.rows[1], Width::b32, ValueUse::exchange);
      if (what.has_count) use(instruction.rows[2], Width::b32, ValueUse::exchange);
      if (what.op < BlockBarrier::Op::popc) return;
      use(instruction.rows[3], Width::pred, ValueUse::exchange);
      return define(instruction.rows[0], what.op == BlockBarrier::Op::popc ? Width::b32 : Width::pred);
    }
    case Kind::branch_table:
      return use(instruction.rows[0], Width::b32, ValueUse::branch);
    case Kind::active_mask:
      return define(instruction.rows[0], Width::b32);
    case Kind::clock:
      return define(instruction.rows[0], instruction.detail == 2 ? Width::b64 : Width::b32);
    case Kind::call: {
      const Call& call = code_.calls[instruction.detail];
      if (call.target == Call::Target::indirect) use(call.pointer, Width::b64, ValueUse::address);
      for (const LanePlace& result : call.results)
        if (frame.undefined != nullptr) undefined_.define(frame, result, active);
      return;
    }
    default:
      return;
  }
}

}  // namespace warpwise::simulator::run
