/// \file The instructions of a whole group: neither lane-wise nor a branch, an access or a barrier. Calls,
/// and those that are several accesses to memory.

#include <algorithm>
#include <atomic>
#include <bit>
#include <optional>

#include "block.hpp"
#include "warp.hpp"
#include "worker.hpp"

namespace warpwise::simulator::run {

/// Where it says `reschedule`, group.pc is already right.
Warp::Next Warp::step(Group& group, const Instruction& instruction, LaneMask active) {
  const Pc pc = group.pc;
  std::byte* const rows = group.frame->rows;
  switch (instruction.kind) {
    case Kind::async_copy:
      copy_async(group, code_.copies[instruction.detail], pc, active);
      return Next::advance;
    case Kind::vector_atomic:
      vector_atomic(group, code_.vector_atomics[instruction.detail], pc, active);
      return Next::advance;
    case Kind::collective:
      return collective(group, instruction);
    case Kind::async_commit:
      worker_.observers.on_copy_commit(context_, active);
      return Next::advance;
    case Kind::async_wait:
      if (instruction.offset != 0) worker_.observers.on_copy_commit(context_, active);
      worker_.observers.on_copy_wait(context_, instruction.detail, active);
      return Next::advance;
    case Kind::fence:
      std::atomic_thread_fence(std::memory_order_seq_cst);
      worker_.observers.on_fence(context_, pc, static_cast<Scope>(instruction.detail), active);
      return Next::advance;
    case Kind::active_mask:
      for (const std::uint32_t lane : lanes_in(active))
        row_of<std::uint32_t>(rows, instruction.rows[0])[lane] = active;
      return Next::advance;
    case Kind::clock:
      // Time is counted in warp instructions: it grows, and it is the same in every run.
      for (const std::uint32_t lane : lanes_in(active)) {
        const std::uint64_t now = executed_ >> instruction.offset;
        if (instruction.detail == 2)
          row_of<std::uint64_t>(rows, instruction.rows[0])[lane] = now;
        else
          row_of<std::uint32_t>(rows, instruction.rows[0])[lane] = static_cast<std::uint32_t>(now);
      }
      return Next::advance;
    case Kind::sleep:
      group.has_polled = true;
      return Next::advance;
    case Kind::call:
      return call(group, instruction);
    case Kind::ret:
      return return_from(group);
    case Kind::exit:
      exit_lanes(group);
      return Next::reschedule;
    case Kind::branch_table:
      return branch_table(group, instruction);
    default:
      report({.kind = FaultKind::trap, .pc = pc, .lanes = active});
      return Next::reschedule;
  }
}

void Warp::exit_lanes(Group& group) {
  worker_.observers.on_run(context_, group.pc, group.pc, group.mask);
  ++executed_;
  ++worker_.changes;
  const LaneMask leaving = group.mask;
  groups_.exit(group);
  context_.exited |= leaving;
  stack_.forget(leaving);
  forget_at_syncs(leaving);
  block_.on_exit(lane_count(leaving));
}

/// brx.idx: each lane goes where its index says; an index beyond the list is undefined, and traps here.
Warp::Next Warp::branch_table(Group& group, const Instruction& instruction) {
  const std::vector<Pc>& table = code_.branch_tables[instruction.detail];
  const std::uint32_t* index = row_of<std::uint32_t>(group.frame->rows, instruction.rows[0]);
  const Pc pc = group.pc;
  const LaneMask all = group.mask;
  worker_.observers.on_run(context_, pc, pc, all);
  ++executed_;
  const auto index_of = [&](std::uint32_t lane) { return index[lane]; };
  LaneMask wrong = 0;
  for_each_agreeing(all, index_of, [&](LaneMask same) {
    if (wrong == 0 && index_of(lowest_lane(same)) >= table.size()) wrong = same;
  });
  if (wrong != 0) {
    report(
        {.kind = FaultKind::trap, .pc = pc, .lanes = wrong, .text = "brx.idx with an index beyond its list"});
    return Next::reschedule;
  }
  const LaneMask first = agreeing(all, index_of);
  for_each_agreeing(all & ~first, index_of, [&](LaneMask same) {
    groups_.add(group.frame, table[index_of(lowest_lane(same))], same);
  });
  worker_.observers.on_branch(context_, pc, all, first);
  if (first != all) groups_.expect_meeting(group, static_cast<Pc>(instruction.offset));
  group.mask = first;
  group.pc = table[index_of(lowest_lane(first))];
  if (group.pc <= pc) group.jump_back();
  return Next::reschedule;
}

// ---- Calls: which function, and who goes on where ---------------------------------------------------------

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
      return call_indirect(group, instruction);
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
Warp::Next Warp::call_indirect(Group& group, const Instruction& instruction) {
  const Call& call = code_.calls[instruction.detail];
  const std::uint64_t* pointers = row_of<std::uint64_t>(group.frame->rows, instruction.rows[0]);
  const LaneMask same = agreeing(group.mask, [&](std::uint32_t lane) { return pointers[lane]; });
  const auto function = function_at(pointers[lowest_lane(same)], call, code_);
  if (!function) {
    report({.kind = FaultKind::unsupported,
            .pc = group.pc,
            .lanes = same,
            .text = "a call through a pointer that points to no function of this module"});
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

// ---- Several accesses to memory, one after the other

namespace {

/// Index of AsyncCopy::loads.
std::size_t load_of(std::uint32_t bytes) { return static_cast<std::size_t>(std::countr_zero(bytes)); }

}  // namespace

/// Lanes read all bytes, some of them or none; what they do not read is zero.
void Warp::copy_async(Group& group, const AsyncCopy& copy, Pc pc, LaneMask active) {
  std::byte* const rows = group.frame->rows;
  auto* const data = row_of<std::uint64_t>(rows, copy.data);
  for (const std::uint32_t lane : lanes_in(active)) data[lane] = data[warp_size + lane] = 0;
  LaneMask whole = active, partial = 0;
  if (copy.ignored != no_row) {
    const LaneMask ignored = *row_of<LaneMask>(rows, copy.ignored);
    whole &= copy.is_ignored_negated ? ignored : ~ignored;
  }
  if (copy.size != no_row) {
    const auto* size = row_of<std::uint32_t>(rows, copy.size);
    for (const std::uint32_t lane : lanes_in(active)) {
      if (size[lane] == copy.bytes) continue;
      whole &= ~lane_bit(lane);
      if (size[lane] == 0) continue;
      if (size[lane] > copy.bytes) {
        return report({.kind = FaultKind::trap,
                       .pc = pc,
                       .lanes = lane_bit(lane),
                       .text = "cp.async with a src-size above its cp-size"});
      }
      partial |= lane_bit(lane);
    }
  }
  if (whole != 0) access(group, copy.loads[load_of(copy.bytes)], pc, whole);
  const auto size_of = [&](std::uint32_t lane) { return row_of<std::uint32_t>(rows, copy.size)[lane]; };
  for_each_agreeing(partial, size_of,
                    [&](LaneMask same) { read_pieces(group, copy, size_of(lowest_lane(same)), pc, same); });
  access(group, copy.store, pc, active);
}

/// The first `bytes` of the source into the zeros of AsyncCopy::data, in aligned pieces: 12 are 8 and 4.
void Warp::read_pieces(Group& group, const AsyncCopy& copy, std::uint32_t bytes, Pc pc, LaneMask lanes) {
  std::byte* const rows = group.frame->rows;
  auto* const data = row_of<std::uint64_t>(rows, copy.data);
  const auto* const piece = row_of<std::uint64_t>(rows, copy.piece);
  for (std::uint32_t done = 0; done < bytes;) {
    const std::uint32_t next = std::bit_floor(bytes - done);
    Instruction load = copy.loads[load_of(next)];
    load.offset += done;
    access(group, load, pc, lanes);
    for (const std::uint32_t lane : lanes_in(lanes))
      data[done / 8 * warp_size + lane] |= piece[lane] << done % 8 * 8;
    if (group.frame->undefined != nullptr) undefined_.join(*group.frame, copy.data, copy.piece, done, lanes);
    done += next;
  }
}

void Warp::vector_atomic(Group& group, const VectorAtomic& vector, Pc pc, LaneMask active) {
  const Instruction& first = vector.elements.front();
  const std::byte* const rows = group.frame->rows;
  LaneMask misaligned = 0;
  std::uint64_t bad_address = 0;
  for (const std::uint32_t lane : lanes_in(active)) {
    const std::byte* base = rows + first.rows[address_row];
    const std::uint64_t start = vector.address_width == Width::b64
                                    ? reinterpret_cast<const std::uint64_t*>(base)[lane]
                                    : reinterpret_cast<const std::uint32_t*>(base)[lane];
    const std::uint64_t address = start + static_cast<std::uint64_t>(first.offset);
    if (address % vector.bytes == 0) continue;
    if (misaligned == 0) bad_address = address;
    misaligned |= lane_bit(lane);
  }
  if (misaligned != 0) {
    report({.kind = FaultKind::misaligned,
            .pc = pc,
            .lanes = misaligned,
            .access = code_.memory[first.detail].kind,
            .bytes = static_cast<std::uint8_t>(vector.bytes),
            .address = bad_address});
    active &= ~misaligned;
  }
  if (active == 0) return;
  for (const Instruction& element : vector.elements) access(group, element, pc, active);
}

}  // namespace warpwise::simulator::run
