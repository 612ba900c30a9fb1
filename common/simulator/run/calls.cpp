/// \file Calls of a warp: which function, and who goes on where.

#include <algorithm>
#include <optional>

#include "block.hpp"
#include "worker.hpp"

namespace warpwise::simulator::run {

namespace {

/// The function that `pointer` points to, if it can be called like this.
std::optional<std::uint32_t> function_at(std::uint64_t pointer, const Call& call, const Code& code) {
  for (std::uint32_t i = 0; i < code.functions.size(); ++i) {
    const DecodedFunction& function = code.functions[i];
    if (function.function != nullptr && !function.function->is_kernel &&
        pointer == function_window + function.entry && call.arguments.size() >= function.formals.size())
      return i;
  }
  return std::nullopt;
}

}  // namespace

Warp::Next Warp::call(Group& group, const Instruction& instruction) {
  const Call& what = code_.calls[instruction.detail];
  switch (what.target) {
    case Call::Target::function:
      return call_function(group, what, what.function);
    case Call::Target::indirect:
      return call_indirect(group, what);
    case Call::Target::print:
      library_.print(*group.frame, group.mask, what);
      return Next::advance;
    case Call::Target::assertion:
      report({.kind = FaultKind::assertion,
              .pc = group.pc,
              .lanes = group.mask,
              .text = library_.expression(*group.frame, group.mask, what)});
      return Next::reschedule;
    case Call::Target::allocate:
      library_.allocate(*group.frame, group.mask, what);
      return Next::advance;
    case Call::Target::release:
      if (auto fault = library_.release(*group.frame, group.mask, what)) {
        fault->pc = group.pc;
        report(*fault);
      }
      return Next::advance;
  }
  return Next::advance;
}

/// Lanes that call different functions part; each pointer must be a function's entry.
Warp::Next Warp::call_indirect(Group& group, const Call& call) {
  const std::uint64_t* pointers = row_of<std::uint64_t>(group.frame->rows, call.pointer);
  const LaneMask same = agreeing(group.mask, [&](std::uint32_t lane) { return pointers[lane]; });
  const auto function = function_at(pointers[lowest_lane(same)], call, code_);
  if (!function) {
    report({.kind = FaultKind::unsupported,
            .pc = group.pc,
            .lanes = same,
            .text = "a call through a pointer that is no function of this module"});
    return Next::reschedule;
  }
  if (same != group.mask) {
    worker_.observers.on_branch(context_, group.pc, group.mask, same);
    groups_.split_off(group, group.mask & ~same, group.pc);
  }
  return call_function(group, call, *function);
}

Warp::Next Warp::call_function(Group& group, const Call& call, std::uint32_t function) {
  Frame* const frame = stack_.enter(*group.frame, call, function, group.pc + 1, group.mask);
  if (frame == nullptr) {
    report({.kind = FaultKind::stack, .pc = group.pc, .lanes = group.mask});
    return Next::reschedule;
  }
  worker_.observers.on_run(context_, group.pc, group.pc, group.mask);
  ++executed_;
  groups_.expect_meeting(group, group.pc + 1);
  group.frame = frame;
  group.pc = frame->function->entry;
  return Next::reschedule;
}

/// Lanes that came from different places part here.
Warp::Next Warp::return_from(Group& group) {
  const CallStack::Return to = stack_.leave(*group.frame, group.mask);
  worker_.observers.on_run(context_, group.pc, group.pc, to.lanes);
  ++executed_;
  if (to.lanes != group.mask) groups_.split_off(group, group.mask & ~to.lanes, group.pc);
  group.frame = to.caller;
  group.pc = to.pc;
  return Next::reschedule;
}

}  // namespace warpwise::simulator::run
