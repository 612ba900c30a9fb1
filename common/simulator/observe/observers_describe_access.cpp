#include "observers.hpp"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

#include "../program.hpp"
#include "../ptx/function_text.hpp"
#include "program_facts.hpp"

namespace warpwise::simulator::observe {

namespace {

/// How to mend each defect, in one sentence.
namespace help {

constexpr const char* race_in_warp =
    "put a barrier between the two: __syncthreads(), or __syncwarp() if only lanes of one warp are involved";
constexpr const char* race_in_warp_rounds =
    "put a barrier between the rounds of the loop or, if the two are in the same round, between reading and "
    "writing: __syncthreads(), or __syncwarp() if only lanes of one warp are involved; if the barriers are "
    "there already, check the condition: it lets a thread work that should be idle";
constexpr const char* race_in_warp_line =
    "put a barrier between reading and writing: __syncthreads(), or __syncwarp() if only lanes of one warp "
    "are involved";
constexpr const char* race_in_warp_volatile =
    "volatile orders nothing between lanes: put __syncwarp() between reading and writing";
constexpr const char* race_in_block = "put __syncthreads() between the two, where every thread reaches it";
constexpr const char* race_in_rounds =
    "put __syncthreads() between the rounds of the loop; if the two are in the same round, a guard such as "
    "if (threadIdx.x < stride) is missing, or a barrier between reading and writing";
constexpr const char* race_in_line =
    "put __syncthreads() between reading and writing, or add the guard that is missing, such as if "
    "(threadIdx.x < n)";
constexpr const char* race_in_next_round =
    "one of the two belongs to the next round of the loop, which the barrier between the lines does not hold "
    "back: put another barrier at the end of the loop's body";
constexpr const char* race_in_instruction =
    "let one thread write, give each thread its own element, or use an atomic";
constexpr const char* race_with_atomic =
    "put __syncthreads() between the two: setting the value, adding to it and reading the result are three "
    "steps; if both only add, make both atomic";
constexpr const char* race_in_block_update =
    "use atomicAdd() or the like, because a thread may add to a value that is out of date by the time it "
    "stores; or give each thread an element of its own";
constexpr const char* race_in_block_global =
    "put __syncthreads() between the two, or let each thread keep to its own elements";
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
constexpr const char* copy_under_way =
    "wait for the copy, with __pipeline_wait_prior(0), cooperative_groups::wait() or the like, and put "
    "__syncthreads() after that if other threads read the copy";
constexpr const char* unwritten_shared =
    "let each thread write its element before any thread reads one, with the identity where there is no "
    "input";
constexpr const char* unwritten_global =
    "initialise the buffer before the launch (cudaMemset, cudaMemcpy), or write it before it is read";
constexpr const char* unwritten_local = "give the variable a value first";
constexpr const char* unset_variable =
    "give the variable a value where it is declared, or on every path that leads here";

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

std::size_t place_in(const ptx::Function& function, const ptx::Instruction& instruction) {
  return static_cast<std::size_t>(&instruction - function.code.data());
}

/// One instruction of a function beside another: a copy of it, where the compiler has unrolled a loop.
bool is_copy(const Program& program, const ptx::Instruction& a, const ptx::Instruction& b) {
  return a.row == b.row && a.modifiers == b.modifiers &&
         program.place_of_location(a.location) == program.place_of_location(b.location);
}

/// Whether a barrier stands between the lines of the two, in a loop that goes round both: then one of them is
/// of the next round, which nothing keeps from coming too early.
bool is_across_rounds(const Program& program, const Side& a, const Side& b, bool is_in_warp) {
  const ptx::Function& function = program.function_of(a.touch.pc);
  if (&function != &program.function_of(b.touch.pc)) return false;
  const auto& code = function.code;
  std::size_t first = place_in(function, program.text_of(a.touch.pc));
  std::size_t last = place_in(function, program.text_of(b.touch.pc));
  if (first > last) std::swap(first, last);
  const auto has_barrier = [&](std::size_t from, std::size_t to) {
    const auto begin = code.begin() + static_cast<std::ptrdiff_t>(from);
    return std::any_of(
        begin, code.begin() + static_cast<std::ptrdiff_t>(to), [&](const ptx::Instruction& each) {
          return (each.what() == ptx::InstructionClass::block_barrier && !each.only_arrives()) ||
                 (each.what() == ptx::InstructionClass::warp_barrier && is_in_warp);
        });
  };
  if (ptx::is_in_loop(function, first, last) && has_barrier(first, last)) return true;
  // Unrolled: what comes later in the code stands further up in the source, and has a copy in front of the
  // other.
  const SourcePlace& above = program.place_of_location(code[last].location);
  const SourcePlace& below = program.place_of_location(code[first].location);
  if (above.file != below.file || above.line >= below.line) return false;
  for (std::size_t i = first; i-- > 0;)
    if (is_copy(program, code[i], code[last])) return has_barrier(i, first);
  return false;
}

/// Whether what a line stores it stores again and again: in a loop, or, where the compiler has unrolled that,
/// by several copies of the instruction.
bool comes_in_rounds(const Program& program, Pc store) {
  const ptx::Function& function = program.function_of(store);
  const ptx::Instruction& here = program.text_of(store);
  if (const std::size_t place = place_in(function, here); ptx::is_in_loop(function, place, place))
    return true;
  return std::count_if(function.code.begin(), function.code.end(),
                       [&](const ptx::Instruction& each) { return is_copy(program, each, here); }) > 1;
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

const char* help_for(const Program& program, const Side& me, const Side& other, ptx::Space space,
                     bool is_same_instruction) {
  const bool has_atomic = me.is_atomic || other.is_atomic;
  if (has_small_scope(me, other)) return help::race_between_blocks_in_block_scope;
  if (is_under_lock(program, me, other)) return help::race_under_lock;
  if (me.touch.when.block != other.touch.when.block) {
    if (has_atomic) {
      const bool is_set = (me.writes && !me.is_atomic) || (other.writes && !other.is_atomic);
      return is_set ? help::race_between_blocks_set_beside_atomic : help::race_between_blocks_with_atomic;
    }
    const bool is_in_one_line = is_one_line(program, me, other) && me.touch.pc != other.touch.pc;
    if (is_in_one_line || is_update(program, me, other)) return help::race_between_blocks_update;
    return me.writes && other.writes ? help::race_between_blocks_writes : help::race_between_blocks;
  }
  if (is_same_instruction) return help::race_in_instruction;
  if (has_atomic) return help::race_with_atomic;
  if (is_update(program, me, other)) return help::race_in_block_update;
  const bool is_in_warp = me.touch.when.warp == other.touch.when.warp;
  if (is_across_rounds(program, me, other, is_in_warp)) return help::race_in_next_round;
  const bool is_volatile = me.touch.is_strong && other.touch.is_strong;
  if (is_in_warp && is_volatile) return help::race_in_warp_volatile;
  if (is_one_line(program, me, other)) {
    if (me.writes && other.writes && me.touch.pc == other.touch.pc) return help::race_in_instruction;
    if (comes_in_rounds(program, me.writes ? me.touch.pc : other.touch.pc))
      return is_in_warp ? help::race_in_warp_rounds : help::race_in_rounds;
    return is_in_warp ? help::race_in_warp_line : help::race_in_line;
  }
  if (is_in_warp) return help::race_in_warp;
  return space == ptx::Space::shared ? help::race_in_block : help::race_in_block_global;
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

}  // namespace

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
  const bool is_same_instruction = !is_between_blocks && me.touch.pc == other.touch.pc && me.writes &&
                                   other.writes && me.touch.when.warp == other.touch.when.warp &&
                                   me.touch.when.time == other.touch.when.time;
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
  description.help = help_for(program, me, other, space, is_same_instruction);
  return description;
}

namespace {

/// What becomes of the value that `it` names.
std::string consequence_of(ValueUse use, const std::string& it) {
  static constexpr std::pair<const char*, const char*> around[] = {
      {"", " decides a branch"},
      {"an address is computed from ", ""},
      {"", " is stored"},
      {"an atomic uses ", ""},
      {"", " decides which threads exchange what"}};
  static_assert(std::size(around) == static_cast<std::size_t>(ValueUse::exchange) + 1);
  const auto& [before, after] = around[static_cast<std::size_t>(use)];
  return before + it + after;
}

}  // namespace

Description describe_clash(const Program& program, const Naming& naming, const Access& access,
                           std::uint32_t thread, const CopiesUnderWay::Clash& clash) {
  const bool is_own = clash.copy_thread == thread;
  Description description;
  description.pc = access.pc;
  description.other_pc = clash.copy_pc;
  description.threads = {thread, clash.copy_thread};
  description.message = "thread " + std::to_string(thread) +
                        (access.kind == AccessKind::load ? " reads " : " writes ") +
                        naming.of(access.space, clash.address) + " while " +
                        (is_own ? "its own" : "thread " + std::to_string(clash.copy_thread) + "'s") +
                        " asynchronous copy to it is under way";
  const SourcePlace line = place_of(program, clash.copy_pc);
  if (line.line != 0 && line != place_of(program, access.pc))
    description.message += " (line " + std::to_string(line.line) + ")";
  description.note =
      "such a copy is certain to be complete only when the thread that began it has waited for it";
  description.help = help::copy_under_way;
  return description;
}

Pc place_of_finding(const Program& program, const UndefinedUse& use) {
  return place_of(program, use.origin.pc).line != 0 ? use.origin.pc : use.pc;
}

Description describe_undefined(const Program& program, const Naming& naming, const WarpContext& warp,
                               const UndefinedUse& use) {
  const UndefinedOrigin& origin = use.origin;
  Description description;
  description.pc = place_of_finding(program, use);
  if (use.pc != description.pc) description.other_pc = use.pc;
  description.threads = {origin.thread};
  const std::string thread = "thread " + std::to_string(origin.thread);
  if (origin.is_register) {
    description.message = thread + " uses a variable here that it has never set";
    description.note = "its value is whatever the register held before";
    description.help = help::unset_variable;
  } else {
    description.message =
        thread + " reads " + naming.of(origin.space, origin.address) + ", which has never been written";
    description.note = "its value is whatever was there before";
    description.help = origin.space == ptx::Space::shared   ? help::unwritten_shared
                       : origin.space == ptx::Space::global ? help::unwritten_global
                                                            : help::unwritten_local;
  }
  const SourcePlace line = place_of(program, use.pc);
  if (line.line == 0 || line == place_of(program, description.pc)) return description;
  // An origin is one instruction of a warp: the thread that it names first need not be one that uses a value.
  const std::uint32_t first = 32 * warp.warp;
  const bool is_of_the_same =
      origin.thread >= first && origin.thread - first < 32 && (use.lanes >> (origin.thread - first) & 1) != 0;
  const std::string in_line = " in line " + std::to_string(line.line);
  if (is_of_the_same)
    description.note += "; " + consequence_of(use.use, "it") + in_line;
  else
    description.note += "; " + consequence_of(use.use, "such a value") + in_line + " (thread " +
                        std::to_string(first + std::countr_zero(use.lanes)) + ")";
  return description;
}

}  // namespace warpwise::simulator::observe
