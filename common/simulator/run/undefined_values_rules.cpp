/// \file What instructions make of undefined operands (decode/code.hpp has the rules).

#include <algorithm>
#include <cstring>

#include "undefined_values.hpp"

namespace warpwise::simulator::run {

namespace {

constexpr std::uint64_t every_bit = ~std::uint64_t{0};

/// Operands of one instruction for one lane, their values and their undefined bits.
struct LaneOperands {
  std::uint64_t value[max_rows] = {};
  std::uint64_t undefined[max_rows] = {};
};

LaneOperands operands_of(const Frame& frame, const Instruction& instruction, const ValueFlow& flow,
                         std::uint32_t lane) {
  LaneOperands operands;
  for (std::size_t i = flow.results; i < flow.operands; ++i) {
    const std::size_t source = i - flow.results;
    operands.value[source] = cell_in(frame.rows, instruction.rows[i], flow.widths[i], lane);
    operands.undefined[source] = cell_in(frame.undefined->bits(), instruction.rows[i], flow.widths[i], lane);
  }
  return operands;
}

/// A carry goes up: what lies below the lowest undefined bit is sure.
std::uint64_t upwards(const LaneOperands& of) {
  std::uint64_t undefined = 0;
  for (const std::uint64_t each : of.undefined) undefined |= each;
  return undefined | (0 - undefined);
}

/// A bit is undefined where the undefined bits of the operands can make it 0 as well as 1.
std::uint64_t logic(const LaneOperands& of, std::uint8_t table) {
  std::uint64_t can_be_one = 0, can_be_zero = 0;
  for (std::uint32_t k = 0; k < 8; ++k) {
    std::uint64_t possible = every_bit;
    for (std::uint32_t i = 0; i < 3; ++i)
      possible &= of.undefined[i] | ((k >> (2 - i) & 1) != 0 ? of.value[i] : ~of.value[i]);
    ((table >> k & 1) != 0 ? can_be_one : can_be_zero) |= possible;
  }
  return can_be_one & can_be_zero;
}

/// selp d, a, b, p. Where p is undefined, bits that are equal in both are sure.
std::uint64_t chosen(const LaneOperands& of, std::uint64_t bits) {
  if (of.undefined[2] != 0) return ((of.value[0] ^ of.value[1]) | of.undefined[0] | of.undefined[1]) & bits;
  return of.value[2] != 0 ? of.undefined[0] : of.undefined[1];
}

/// setp.eq p, a, b and a predicate to combine with.
std::uint64_t compared(const LaneOperands& of, std::uint64_t bits) {
  const std::uint64_t undefined = (of.undefined[0] | of.undefined[1]) & bits;
  const bool is_decided = ((of.value[0] ^ of.value[1]) & ~undefined & bits) != 0;
  return (undefined != 0 && !is_decided) || of.undefined[2] != 0 ? every_bit : 0;
}

std::uint64_t result_of(const ValueFlow& flow, const LaneOperands& of) {
  switch (flow.rule) {
    case FlowRule::upwards:
      return upwards(of);
    case FlowRule::logic:
      return logic(of, flow.table);
    case FlowRule::chosen:
      return chosen(of, flow.compared);
    case FlowRule::compared:
      return compared(of, flow.compared);
    default:
      return std::any_of(std::begin(of.undefined), std::end(of.undefined),
                         [](std::uint64_t each) { return each != 0; })
                 ? every_bit
                 : 0;
  }
}

bool is_computed(FlowRule rule) {
  return rule == FlowRule::whole || rule == FlowRule::upwards || rule == FlowRule::compared;
}

}  // namespace

bool UndefinedValues::touches(const Shadow& shadow, const Instruction& instruction,
                              const ValueFlow& flow) const {
  for (std::size_t i = 0; i < flow.end(); ++i)
    if (shadow.holds(instruction.rows[i])) return true;
  const bool has_place = flow.rule == FlowRule::parameter_load || flow.rule == FlowRule::parameter_store;
  return has_place && shadow.holds(instruction.rows[4]);
}

/// Those of `lanes` that have an undefined operand, and where it comes from: of several, the first.
LaneMask UndefinedValues::find_origins(Shadow& shadow, Pc pc, LaneMask lanes, Lanes<OriginId>& origin) {
  const Instruction& instruction = code_.instructions[pc];
  const ValueFlow& flow = code_.flows[pc];
  if (flow.rule == FlowRule::nothing) return 0;
  LaneMask undefined = 0;
  for (std::size_t i = flow.end(); i-- > flow.results;) {
    const Row row = instruction.rows[i];
    const Width width = flow.width(i);
    if (!shadow.holds(row)) continue;
    const LaneMask here = lanes & shadow.lanes(row, width);
    for (const std::uint32_t lane : lanes_in(here)) {
      origin[lane] = flow.is_copy ? shadow.origin(row, width, lane) : resolved(shadow, pc, row, width, lane);
      if (is_computed(flow.rule)) origin[lane] &= ~padding_flag;
      if (!flow.is_copy) origin[lane] &= ~bit_field_flag;
    }
    undefined |= here;
  }
  return undefined;
}

void UndefinedValues::follow(Frame& frame, Pc pc, LaneMask active, LaneMask reached) {
  const Instruction& instruction = code_.instructions[pc];
  const ValueFlow& what = code_.flows[pc];
  if (instruction.kind == Kind::guarded_lane) {
    flow_guarded(frame, pc, reached, active);
  } else {
    if (instruction.guard != no_row)
      use(frame, pc, instruction.guard, Width::pred, reached, ValueUse::branch);
    if (what.use)
      for (std::size_t i = what.results; i < what.operands; ++i)
        use(frame, pc, instruction.rows[i], what.widths[i], active, *what.use);
    if (instruction.kind == Kind::call)
      for (const LanePlace& result : code_.calls[instruction.detail].results)
        frame.undefined->define(result, active);
    flow(frame, pc, active);
  }
  frame.settle();
}

void UndefinedValues::flow(Frame& frame, Pc pc, LaneMask lanes) {
  Shadow& shadow = *frame.undefined;
  const Instruction& instruction = code_.instructions[pc];
  const ValueFlow& flow = code_.flows[pc];
  if (!touches(shadow, instruction, flow)) return;
  if (flow.rule == FlowRule::parameter_load || flow.rule == FlowRule::parameter_store)
    return flow_parameter(frame, pc, flow, lanes);

  Lanes<OriginId> origin;
  const LaneMask undefined = find_origins(shadow, pc, lanes, origin);
  const LaneMask defined = lanes & ~undefined;
  for (std::size_t i = 0; i < flow.results; ++i) shadow.define(instruction.rows[i], flow.widths[i], defined);
  if (undefined != 0) {
    if (flow.rule == FlowRule::moved)
      flow_moved(frame, instruction, flow, undefined);
    else
      flow_by_rule(frame, instruction, flow, undefined);
  }
  for (std::size_t i = 0; i < flow.results; ++i) {
    for (const std::uint32_t lane : lanes_in(undefined))
      shadow.set_origin(instruction.rows[i], flow.widths[i], lane, origin[lane]);
    shadow.settle(instruction.rows[i], flow.widths[i]);
  }
}

/// Where the guard is undefined, nobody knows whether the result is the new value or the one before.
void UndefinedValues::flow_guarded(Frame& frame, Pc pc, LaneMask lanes, LaneMask active) {
  Shadow& shadow = *frame.undefined;
  const Instruction& instruction = code_.instructions[pc];
  const LaneMask open =
      shadow.holds(instruction.guard) ? lanes & shadow.lanes(instruction.guard, Width::pred) : 0;
  if ((active & ~open) != 0) flow(frame, pc, active & ~open);
  const ValueFlow& flow = code_.flows[pc];
  for (const std::uint32_t lane : lanes_in(open)) {
    const OriginId origin = resolved(shadow, pc, instruction.guard, Width::pred, lane);
    for (std::size_t i = 0; i < flow.results; ++i)
      shadow.undefine(instruction.rows[i], flow.widths[i], lane_bit(lane), origin);
  }
}

void UndefinedValues::flow_by_rule(Frame& frame, const Instruction& instruction, const ValueFlow& flow,
                                   LaneMask lanes) {
  std::byte* const bits = frame.undefined->bits();
  for (const std::uint32_t lane : lanes_in(lanes)) {
    LaneOperands operands = operands_of(frame, instruction, flow, lane);
    const Row carry = instruction.rows[flow.operands];
    if (flow.has_carry) operands.undefined[max_rows - 1] = cell_in(bits, carry, Width::pred, lane);
    const std::uint64_t result = result_of(flow, operands);
    for (std::size_t i = 0; i < flow.results; ++i)
      set_cell(bits, instruction.rows[i], flow.widths[i], lane, result);
    if (flow.has_carry) set_cell(bits, carry, Width::pred, lane, result);
  }
  if (flow.has_carry) frame.undefined->settle(instruction.rows[flow.operands], Width::pred);
}

/// The instruction moves the undefined bits as it will move the values: it is executed on the shadow.
void UndefinedValues::flow_moved(Frame& frame, const Instruction& instruction, const ValueFlow& flow,
                                 LaneMask lanes) {
  Shadow& shadow = *frame.undefined;
  std::array<Row, max_rows> rows = instruction.rows;
  LaneMask lost = 0;  // where they go is undefined itself
  for (std::size_t i = flow.results; i < flow.operands; ++i) {
    if ((flow.controls >> i & 1) == 0) continue;
    rows[i] = shadow.scratch(i);
    std::memcpy(shadow.bits() + rows[i], frame.rows + instruction.rows[i], bytes_of(flow.widths[i]));
    if (shadow.holds(instruction.rows[i])) lost |= shadow.lanes(instruction.rows[i], flow.widths[i]);
  }
  instruction.run(shadow.bits(), rows.data(), lanes);
  for (std::size_t i = 0; i < flow.results; ++i)
    for (const std::uint32_t lane : lanes_in(lost & lanes))
      set_cell(shadow.bits(), instruction.rows[i], flow.widths[i], lane, every_bit);
}

/// ld.param and st.param inside a function: the place of a parameter is in the frame, and in its shadow. A
/// structure with members of all sizes is passed by bytes: those that nobody has set are padding.
void UndefinedValues::flow_parameter(Frame& frame, Pc pc, const ValueFlow& flow, LaneMask lanes) {
  Shadow& shadow = *frame.undefined;
  const Instruction& instruction = code_.instructions[pc];
  const LanePlace place{instruction.rows[4], instruction.rows[5], instruction.rows[5]};
  const ptx::Instruction& text = *code_.texts[pc];
  const bool is_of_bytes = ptx::bytes_of(text.type()) == 1;
  instruction.run(shadow.bits(), instruction.rows.data(), lanes);
  for (std::size_t i = 0; i < flow.operands; ++i) {
    const Row row = instruction.rows[i];
    const Width width = flow.widths[i];
    for (const std::uint32_t lane : lanes_in(lanes & shadow.lanes(row, width))) {
      if (flow.rule == FlowRule::parameter_load) {
        shadow.set_origin(row, width, lane, shadow.origin(place, lane));
        if (is_of_bytes)
          shadow.set_origin(row, width, lane, resolved(shadow, pc, row, width, lane) | padding_flag);
      } else
        shadow.origin(place, lane) = shadow.origin(row, width, lane);
    }
    shadow.settle(row, width);
  }
  shadow.settle(place);
}

}  // namespace warpwise::simulator::run
