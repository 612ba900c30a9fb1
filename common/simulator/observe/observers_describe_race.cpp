// A race in words, and what mends it.
#include <algorithm>
#include <tuple>

#include "../program.hpp"
#include "../ptx/function_text.hpp"
#include "observers.hpp"
#include "program_facts.hpp"

namespace warpwise::simulator::observe {

namespace {

/// How to mend each race, in one sentence, where no second run has to show it.
namespace help {

constexpr const char* race_in_instruction =
    "let one thread write, give each thread its own element, or use an atomic";
constexpr const char* race_in_block_update =
    "use atomicAdd() or the like, because a thread may add to a value that is out of date by the time it "
    "stores; or give each thread an element of its own";
constexpr const char* race_between_blocks =
    "end the kernel between the two, or write to a different buffer from the one that is read; within one "
    "kernel, only __threadfence() with an atomic flag or ticket puts blocks in order";
constexpr const char* race_between_blocks_writes =
    "give each block an element of its own, such as out[blockIdx.x], or use an atomic";
constexpr const char* race_between_blocks_set_beside_atomic =
    "set the value before the launch, with cudaMemset() or a separate kernel; if both only add, make both "
    "atomic";
constexpr const char* race_between_blocks_with_atomic =
    "read the result after the kernel has ended, or let the block that draws the last ticket read it, after "
    "__threadfence()";
constexpr const char* race_between_blocks_in_block_scope =
    "use the form for the whole device: atomicAdd() in place of atomicAdd_block(), thread_scope_device in "
    "place of thread_scope_block";
constexpr const char* race_under_lock =
    "put __threadfence() after the loop that takes the lock, and another before the lock is released; if the "
    "lock guards a single number, an atomic on that number needs no lock";
constexpr const char* race_between_blocks_update =
    "give each thread an element of its own (is blockIdx.x in the index?), or use atomicAdd() or the like";
constexpr const char* race_between_blocks_exchange =
    "use atomicMax(), atomicAdd() or the like, or a compare-and-swap loop: between the plain read and the "
    "exchange another thread may have exchanged, and its value is lost";
constexpr const char* race_with_atomic =
    "set, add and read in different phases, which every thread of the block takes part in, or make every "
    "access atomic";
constexpr const char* race_in_block_untried =
    "let each thread keep to elements of its own, or part the two by a point that all threads of the block "
    "must have reached";

}  // namespace help

/// One side of a race, as a sentence needs it.
struct Side {
  Touch touch;
  bool writes = false;
  bool is_atomic = false;
};

bool is_atomic(const Program& program, Pc pc) {
  const ptx::MemoryAccess access = program.text_of(pc).row->access;
  return access == ptx::MemoryAccess::atomic || access == ptx::MemoryAccess::reduction;
}

std::string doing(const Side& side) {
  if (side.is_atomic) return "updates atomically";
  return side.writes ? "writes" : "reads";
}

std::string may_still(const Side& side) {
  if (side.is_atomic) return "may still update it atomically";
  return side.writes ? "may still write it" : "may still read it";
}

/// Blocks that meet where one of them promises something to its own threads alone.
bool has_small_scope(const Side& a, const Side& b) {
  return a.touch.when.block != b.touch.when.block && a.touch.is_strong && b.touch.is_strong &&
         (a.touch.is_block_scope || b.touch.is_block_scope);
}

bool is_under_lock(const Program& program, const Side& a, const Side& b) {
  return !a.touch.is_strong && !b.touch.is_strong && is_behind_lock(program, a.touch.pc) &&
         is_behind_lock(program, b.touch.pc);
}

/// Whether the two sides are one source line that reads and writes, such as `total += x`.
bool is_one_line(const Program& program, const Side& a, const Side& b) {
  const SourcePlace place = place_of(program, a.touch.pc);
  return place.line != 0 && place == place_of(program, b.touch.pc);
}

/// The address of a load or a store, as `access` says; null for any other instruction.
const ptx::Operand* address_of(const ptx::Instruction& instruction, ptx::MemoryAccess access) {
  const std::size_t place = access == ptx::MemoryAccess::load ? 1 : 0;
  const bool is_it = instruction.row->access == access && instruction.operands.size() > place;
  return is_it ? &instruction.operands[place] : nullptr;
}

/// Whether the instruction at `store` puts back what its function loads from the same address: an update such
/// as `++bins[key]`. Where it is given, `load` must be that load.
bool is_update(const Program& program, Pc store, const ptx::Instruction* load) {
  const ptx::Operand* const place = address_of(program.text_of(store), ptx::MemoryAccess::store);
  if (place == nullptr) return false;
  const auto& code = program.function_of(store).code;
  return std::any_of(code.begin(), code.end(), [&](const ptx::Instruction& each) {
    const ptx::Operand* const from = address_of(each, ptx::MemoryAccess::load);
    return from != nullptr && (load == nullptr || load == &each) && ptx::is_same_place(*from, *place);
  });
}

bool is_update(const Program& program, const Side& me, const Side& other) {
  if (me.writes && other.writes)
    return me.touch.pc == other.touch.pc && is_update(program, me.touch.pc, nullptr);
  const Side &reader = me.writes ? other : me, &writer = me.writes ? me : other;
  return is_update(program, writer.touch.pc, &program.text_of(reader.touch.pc)) &&
         reaches_instruction(program, reader.touch.pc, writer.touch.pc);
}

/// Whether what is read plainly is an operand of an exchange on the same word.
bool feeds_exchange(const Program& program, const Side& reader) {
  const ptx::Operand* const from = address_of(program.text_of(reader.touch.pc), ptx::MemoryAccess::load);
  if (from == nullptr || reader.is_atomic) return false;
  const auto& code = program.function_of(reader.touch.pc).code;
  const auto first = reader.touch.pc - static_cast<Pc>(&program.text_of(reader.touch.pc) - code.data());
  for (Pc i = 0; i < code.size(); ++i) {
    const bool is_exchange = code[i].row->access == ptx::MemoryAccess::atomic && code[i].has("exch");
    if (is_exchange && code[i].operands.size() > 1 && ptx::is_same_place(*from, code[i].operands[1]) &&
        reaches_instruction(program, reader.touch.pc, first + i))
      return true;
  }
  return false;
}

std::string note_for(const Program& program, const Side& me, const Side& other, bool is_same_instruction) {
  if (has_small_scope(me, other)) return "an access of block scope promises nothing to other blocks";
  if (is_under_lock(program, me, other))
    return "the atomics on a lock let one thread in at a time, but order no other accesses";
  if (me.touch.when.block != other.touch.when.block) {
    return "blocks run in no particular order, and no fence with a flag orders these two";
  }
  if (is_same_instruction) return "it is undefined which of the values remains";
  if (me.touch.when.warp == other.touch.when.warp) {
    return "lanes of a warp need not run in step, and no barrier orders the two";
  }
  return "no barrier orders the two";
}

std::string exchange_name(const ptx::Instruction& instruction) {
  switch (instruction.row->what) {
    case ptx::InstructionClass::shuffle:
      return "shuffle";
    case ptx::InstructionClass::warp_reduce:
      return "reduction";
    default:
      return instruction.opcode;
  }
}

/// Hardware cannot write before it has the value that the shuffle waits for; CUDA does not promise as much.
void describe_passage(const Program& program, Pc passed, Description& description) {
  const SourcePlace line = place_of(program, passed);
  const std::string name = exchange_name(program.text_of(passed));
  description.note = "the value that was read went through the " + name +
                     (line.line == 0 ? "" : " in line " + std::to_string(line.line)) +
                     " before the other lane wrote: today's hardware cannot reorder the two, but the memory "
                     "model promises nothing, because a " +
                     name + " does not order memory";
}

/// Lanes that write at once.
bool are_one_instruction(const Side& me, const Side& other) {
  const Moment &a = me.touch.when, &b = other.touch.when;
  return a.block == b.block && me.touch.pc == other.touch.pc && me.writes && other.writes &&
         a.warp == b.warp && a.epoch == b.epoch && a.time == b.time;
}

std::string line_text(std::uint32_t line) { return "line " + std::to_string(line); }
std::string line_of(const Program& program, Pc pc) {
  return line_text(near_place_of(program, pc).place.line);
}

/// Two arrays of different types in the same bytes.
std::optional<std::string> help_for_overlap(const Program& program, const Naming& naming,
                                            const RaceSeen& seen, const RaceOrder& order) {
  const RaceOrder::Extent &a = order.first, &b = order.second;
  const bool are_two = seen.space == ptx::Space::shared && a.element_bytes != 0 && b.element_bytes != 0 &&
                       a.element_bytes != b.element_bytes && !naming.is_in_variable(seen.race.address);
  if (!are_two) return std::nullopt;
  const auto extent = [&](Pc pc, const RaceOrder::Extent& of) {
    return "the elements of " + std::to_string(of.element_bytes) + " bytes in " + line_of(program, pc) +
           " take bytes " + std::to_string(of.begin - naming.dynamic_shared_start()) + " to " +
           std::to_string(of.end - naming.dynamic_shared_start() - 1);
  };
  return "two arrays overlap in the block's dynamic shared memory: " + extent(seen.race.first.pc, a) + ", " +
         extent(seen.race.second.pc, b) + "; let the second begin behind the end of the first";
}

std::string help_for_flag(const Program& program, const FlagBetween& flag) {
  const std::string writers = "after " + line_text(flag.write_line) + ", before the flag is set in " +
                              line_of(program, flag.set_pc),
                    readers = "after " + line_text(flag.read_line) + ", behind the read of the flag";
  if (flag.is_set_fenced) return "put __threadfence() " + readers;
  if (flag.is_read_fenced) return "put __threadfence() " + writers;
  return "put __threadfence() " + writers + ", and another " + readers;
}

bool lacks_fence(const RaceOrder& order) {
  return order.flag && !(order.flag->is_set_fenced && order.flag->is_read_fenced);
}

/// Whether a thread reads again and again what the instruction at `read` reads, until it is something else.
bool waits(const Program& program, Pc read) {
  const ptx::Function& function = program.function_of(read);
  const auto place = static_cast<std::size_t>(&program.text_of(read) - function.code.data());
  return ptx::is_in_loop(function, place, place) &&
         !RegisterReaders(function).uses_of(place).branches.empty();
}

/// Whether what the instruction at `read` reads decides who goes on, be it by way of shared memory.
bool decides(const Program& program, Pc read) {
  const ptx::Function& function = program.function_of(read);
  const ValueUses uses = RegisterReaders(function).uses_of(
      static_cast<std::size_t>(&program.text_of(read) - function.code.data()));
  return !uses.branches.empty() || uses.decides_otherwise || uses.goes_to_shared;
}

/// A barrier that was tried.
std::string help_for_barrier(const RaceSeen& seen, const RaceOrder& order, const std::string& file) {
  const BarrierPlace& place = *order.barrier;
  const Moment &a = seen.race.first.when, &b = seen.race.second.when;
  const bool is_in_warp = a.warp == b.warp;
  const bool is_known_for_warp = place.is_for_warp || order.has_warp_barriers;
  const bool is_for_warp = is_in_warp && (is_known_for_warp || order.keeps_to_warps);
  std::string text = std::string("put ") + (is_for_warp ? "__syncwarp()" : "__syncthreads()") + " after " +
                     line_text(place.line);
  if (place.file != file) text += " of " + place.file;
  if (place.needs_braces) text += ", at the end of the loop's body, which needs braces for that";
  if (place.ends_loop && !place.needs_braces) text += ", at the end of the loop's body";
  if (is_in_warp && !is_for_warp)
    text += " (__syncwarp() is enough where only lanes of one warp are involved)";
  if (is_for_warp && !is_known_for_warp)
    text += " (__syncthreads() where threads of other warps are involved)";
  if (order.loop_line != 0)
    text += ": the two are of different rounds of the loop in " + line_text(order.loop_line) +
            ", and nothing holds the next round back";
  else if (order.is_next_call)
    text += ": the two are of different calls of the function, and nothing holds the next call back";
  return text;
}

/// Every thread reads, then every thread writes.
std::string help_for_round(bool is_in_warp) {
  return std::string("let each thread read into a variable of its own, put ") +
         (is_in_warp ? "__syncwarp() (or __syncthreads())" : "__syncthreads()") +
         " behind that, where every thread comes to it, and write only then";
}

std::string help_in_block(const Program& program, const RaceSeen& seen, const RaceOrder& order,
                          const Side& me, const Side& other) {
  const bool is_in_warp = me.touch.when.warp == other.touch.when.warp;
  const std::string file = near_place_of(program, me.touch.pc).place.file;
  if (lacks_fence(order) && waits(program, order.flag->read_pc)) return help_for_flag(program, *order.flag);
  if (order.barrier && order.barrier->orders_all) return help_for_barrier(seen, order, file);
  const bool is_of_plain_ones = !me.is_atomic && !other.is_atomic;
  if (is_of_plain_ones && is_update(program, me, other)) return help::race_in_block_update;
  if (order.idle && !order.barrier) {
    const std::string idle = "thread " + std::to_string(order.idle->when.thread()) + " should be idle in " +
                             line_of(program, order.idle->pc) +
                             ", because what it does there reaches no result: ";
    if (!order.idle_has_element)
      return "both are of one round: " + help_for_round(is_in_warp) + "; or " +
             (order.condition != 0 ? "correct the condition in " + line_text(order.condition)
                                   : std::string("put the line under a condition")) +
             ", if thread " + std::to_string(order.idle->when.thread()) + " should be idle there";
    if (order.condition != 0)
      return idle + "correct the condition in " + line_text(order.condition) + ", or the index";
    return idle + "put the line under a condition, or " + help_for_round(is_in_warp);
  }
  if (me.is_atomic || other.is_atomic)
    return order.barrier ? help_for_barrier(seen, order, file) : help::race_with_atomic;
  if (order.barrier) return help_for_barrier(seen, order, file);
  if (me.writes && other.writes) return help::race_in_instruction;
  if (order.is_same_round && order.loop_line == 0)
    return "both are of one round: " + help_for_round(is_in_warp) +
           "; or correct the index, if no thread should meet an element of another one";
  if (order.keeps_away != 0)
    return "no barrier can stand between the two, because the condition in " + line_text(order.keeps_away) +
           " keeps threads of the block away: move it, so that all threads reach a barrier between them";
  return help::race_in_block_untried;
}

}  // namespace

std::string note_on_fences(std::string note, const RaceOrder& order) {
  static constexpr std::string_view none = "no fence with a flag orders these two";
  const std::size_t at = note.find(none);
  if (at == note.npos || !order.flag || order.flag->is_set_fenced == order.flag->is_read_fenced) return note;
  return note.replace(at, none.size(),
                      order.flag->is_set_fenced ? "the writer's fence alone does not order these two"
                                                : "the reader's fence alone does not order these two");
}

const char* help_for_waiting(const Program& program, Pc pc, const char* otherwise) {
  const auto& locations = program.module().locations;
  for (std::int32_t at = program.text_of(pc).location; at >= 0;
       at = locations[static_cast<std::size_t>(at)].inlined_at) {
    const ptx::File* const file = program.module().find_file(locations[static_cast<std::size_t>(at)].file);
    if (file != nullptr && file->path.find("cooperative_groups") != std::string::npos)
      return "grid.sync() waits for all blocks of the grid: one that has ended, or that cannot start before "
             "another ends, never comes. Let every block call it equally often, and launch no more blocks "
             "than "
             "can be resident together";
  }
  return otherwise;
}

std::string help_for_race(const Program& program, const Naming& naming, const RaceSeen& seen,
                          const RaceOrder* order) {
  const Race race = seen_from_one_side(program, seen.race);
  const Side me{race.second, race.second_writes, is_atomic(program, race.second.pc)};
  const Side other{race.first, race.first_writes, is_atomic(program, race.first.pc)};
  if (has_small_scope(me, other)) return help::race_between_blocks_in_block_scope;
  if (is_under_lock(program, me, other)) return help::race_under_lock;
  if (order != nullptr)
    if (const auto overlap = help_for_overlap(program, naming, seen, *order)) return *overlap;
  const bool is_exchanged = me.writes != other.writes && feeds_exchange(program, me.writes ? other : me);
  if (is_exchanged) return help::race_between_blocks_exchange;
  if (me.touch.when.block != other.touch.when.block) {
    if (order != nullptr && lacks_fence(*order) && decides(program, order->flag->read_pc))
      return help_for_flag(program, *order->flag);
    if (me.is_atomic || other.is_atomic) {
      const bool is_set = (me.writes && !me.is_atomic) || (other.writes && !other.is_atomic);
      return is_set ? help::race_between_blocks_set_beside_atomic : help::race_between_blocks_with_atomic;
    }
    const bool is_in_one_line = is_one_line(program, me, other) && me.touch.pc != other.touch.pc;
    if (is_in_one_line || is_update(program, me, other)) return help::race_between_blocks_update;
    return me.writes && other.writes ? help::race_between_blocks_writes : help::race_between_blocks;
  }
  if (are_one_instruction(me, other)) return help::race_in_instruction;
  if (order != nullptr && order->is_known) {
    const bool is_volatile = me.touch.is_strong && other.touch.is_strong && !me.is_atomic &&
                             !other.is_atomic && me.touch.when.warp == other.touch.when.warp;
    return (is_volatile ? "volatile orders nothing between lanes: " : "") +
           help_in_block(program, seen, *order, me, other);
  }
  if (me.is_atomic || other.is_atomic) return help::race_with_atomic;
  return is_update(program, me, other) ? help::race_in_block_update : help::race_in_block_untried;
}

Race seen_from_one_side(const Program& program, Race race) {
  const auto rank = [&](const Touch& touch, bool writes) {
    return std::tuple(!writes, !is_atomic(program, touch.pc), touch.pc);
  };
  if (rank(race.first, race.first_writes) > rank(race.second, race.second_writes)) {
    std::swap(race.first, race.second);
    std::swap(race.first_writes, race.second_writes);
  }
  return race;
}

Description describe_race(const Program& program, const Naming& naming, const Race& race, ptx::Space space,
                          std::optional<Pc> passed) {
  const Side me{race.second, race.second_writes, is_atomic(program, race.second.pc)};
  const Side other{race.first, race.first_writes, is_atomic(program, race.first.pc)};
  const bool is_between_blocks = me.touch.when.block != other.touch.when.block;
  const std::string place = naming.of(space, race.address);
  const std::uint32_t my_thread = me.touch.when.thread(), other_thread = other.touch.when.thread();
  const bool is_same_instruction = are_one_instruction(me, other);
  Description description;
  description.pc = me.touch.pc;
  description.other_pc = other.touch.pc;
  description.threads = {my_thread, other_thread};
  if (is_same_instruction) {
    description.message = "threads " + std::to_string(other_thread) + " and " + std::to_string(my_thread) +
                          " write different values to " + place + " at the same time";
  } else {
    const char* const scope = has_small_scope(me, other) ? ", in a scope that is too small," : "";
    description.message = thread_name(my_thread, me.touch.when.block, is_between_blocks) + " " + doing(me) +
                          " " + place + scope + " while " +
                          thread_name(other_thread, other.touch.when.block, is_between_blocks) + " " +
                          may_still(other);
    const SourcePlace line = place_of(program, other.touch.pc);
    if (line.line != 0 && line != place_of(program, me.touch.pc)) {
      description.message += " (line " + std::to_string(line.line) + ")";
    }
  }
  description.note = note_for(program, me, other, is_same_instruction);
  if (passed) describe_passage(program, *passed, description);
  description.help = help_for_race(program, naming, {race, space}, nullptr);
  return description;
}
}  // namespace warpwise::simulator::observe
