#pragma once
/// \file Everything that decoding makes of a module: instructions, one cache line each, whose operands are
/// already rows of a frame; how their results depend on their operands; frames; and all in one array, with
/// the tables that it points to.

#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../observer.hpp"
#include "../program.hpp"
#include "instructions/lane_operations.hpp"

namespace warpwise::simulator::decode {

using instructions::AtomicFunction;
using instructions::LaneFunction;
using instructions::LaneOperation;
using instructions::Lanes;
using instructions::max_rows;
using instructions::ReduxFunction;
using instructions::Row;
using instructions::row_of;
using instructions::ShuffleMode;
using instructions::VoteMode;
using instructions::Width;
using instructions::width_of;

inline constexpr Row no_row = 0xffffffffu;
inline constexpr Pc no_pc = 0xffffffffu;

/// How the interpreter treats an instruction. Everything that works lane by lane is one kind.
enum class Kind : std::uint8_t {
  lane,           ///< no guard: runs in a batch with its neighbours
  guarded_lane,   ///< lane-wise, with a guard
  branch,         ///< `detail` is the target, `offset` the point where both sides meet again (or no_pc)
  branch_table,   ///< brx.idx: `detail` indexes Code::branch_tables, rows[0] is the index
  memory,         ///< ld, st, atom, red: `detail` indexes Code::memory
  async_copy,     ///< cp.async: `detail` indexes Code::copies
  vector_atomic,  ///< atom, red of vectors: `detail` indexes Code::vector_atomics
  collective,     ///< `*.sync`: `detail` indexes Code::collectives
  barrier,        ///< bar.*: `detail` indexes Code::barriers
  async_commit,   ///< cp.async.commit_group
  async_wait,     ///< cp.async.wait_group: `detail` groups may stay under way
  fence,          ///< `detail` is the Scope
  active_mask,
  clock,  ///< mov from %clock, %clock64, %globaltimer; `detail` is the number of 32-bit halves to write
  sleep,  ///< nanosleep: a hint that this group waits for somebody
  call,   ///< `detail` indexes Code::calls
  ret,
  exit,
  trap,
};

struct Instruction {
  LaneFunction run = nullptr;
  std::array<Row, max_rows> rows{};
  std::int64_t offset = 0;  ///< displacement of a memory operand
  Row guard = no_row;
  std::uint32_t detail = 0;
  std::uint16_t run_length = 0;  ///< how many lane-wise instructions without guard start here
  Kind kind = Kind::trap;
  bool is_guard_negated = false;
  ptx::InstructionClass what = ptx::InstructionClass::other;
};
static_assert(sizeof(Instruction) <= 64);

/// Row of Instruction::rows that holds a memory instruction's base address.
inline constexpr std::size_t address_row = 7;

/// The rest of a memory instruction. Data rows are rows[0 .. elements-1]; an atomic has its destination in
/// rows[0], b in rows[1] and, for cas, c in rows[2] (PTX ISA 9.7.13.5).
struct MemoryOperation {
  AccessKind kind = AccessKind::load;
  ptx::Space space = ptx::Space::global;
  Ordering ordering = Ordering::weak;
  Scope scope = Scope::none;
  std::uint8_t element_bytes = 4;
  std::uint8_t elements = 1;
  bool is_signed = false;           ///< a load of fewer bits than the register sign-extends
  bool is_cas = false;              ///< rows[1] is the value to compare with, rows[2] the new one
  bool has_result = false;          ///< atom with a destination
  bool is_async = false;            ///< the store of a cp.async
  bool is_exchange = false;         ///< what an atomic leaves in memory does not depend on what was there
  Width width = Width::b32;         ///< of the data rows
  Width result_width = Width::b32;  ///< of an atomic's destination
  Width address_width = Width::b64;
  std::uint32_t used_bytes = all_bytes;    ///< as Access::used
  std::uint32_t unread_bytes = 0;          ///< of those not used, what goes to registers that nobody reads
  AtomicFunction atomic = nullptr;         ///< in shared and local memory
  AtomicFunction atomic_global = nullptr;  ///< in global memory (f32 add flushes subnormals there)
  std::uint32_t bytes() const { return std::uint32_t{element_bytes} * elements; }
};

/// The rest of a `*.sync` instruction. Rows: 0 destination, 1 its predicate, 2 a, 3 b, 4 c, 5 membermask.
struct Collective {
  enum class Op : std::uint8_t { shuffle, vote, match_any, match_all, redux, elect, warp_barrier };
  Op op = Op::shuffle;
  ShuffleMode shuffle = ShuffleMode::idx;
  VoteMode vote = VoteMode::any;
  ReduxFunction redux = nullptr;
  Width width = Width::b32;
  bool is_negated = false;  ///< of a vote's source predicate
  bool has_mask = true;     ///< false: the forms before sm_70, which take the lanes that are there

  /// Whether lanes that execute this and lanes that execute `other` wait for each other where their masks are
  /// equal too, wherever in the program the two stand. PTX ISA 9.7.9.6 and others: "with the same
  /// qualifiers".
  bool meets(const Collective& other) const {
    return op == other.op && shuffle == other.shuffle && vote == other.vote && redux == other.redux &&
           width == other.width && has_mask == other.has_mask;
  }
};

/// The rest of a `bar` instruction. Rows: 0 destination, 1 barrier, 2 thread count, 3 source predicate.
struct BlockBarrier {
  enum class Op : std::uint8_t { sync, arrive, popc, all, any };
  Op op = Op::sync;
  bool has_count = false;
  bool is_negated = false;
  bool is_fixed = true;  ///< barrier and thread count are immediates: no lane can mean another
};

/// One value a lane in a frame: a parameter of a function or of a call sequence, or a register.
struct LanePlace {
  Row start = 0;             ///< of lane 0
  std::uint32_t stride = 0;  ///< bytes from one lane to the next
  std::uint32_t bytes = 0;
};

/// The rest of a call (PTX ISA 9.7.12.5). Row 0 is the pointer of an indirect one.
struct Call {
  enum class Target : std::uint8_t { function, indirect, print, assertion, allocate, release };
  Target target = Target::function;
  std::uint32_t function = 0;                 ///< index into Code::functions
  std::vector<LanePlace> arguments, results;  ///< in the caller's frame
};

/// `cp.async` (PTX ISA 9.7.9.25.3.1): a load from global memory and a store to shared memory. The copy is
/// made at once, and reported as one that lands when its lane waits for it (Access::is_async, on_copy_wait).
struct AsyncCopy {
  std::array<Instruction, 5>
      loads;  ///< of 1, 2, 4, 8 and 16 bytes; the whole copy's into `data`, else `piece`
  Instruction store;
  Row data = no_row;   ///< b128: what is copied
  Row piece = no_row;  ///< b64
  std::uint8_t bytes = 0;
  Row size = no_row;     ///< src-size: bytes to read, the rest is filled with zeros
  Row ignored = no_row;  ///< ignore-src: a predicate, true where zeros are written and nothing is read
  bool is_ignored_negated = false;
};

/// `atom` and `red` with .v2, .v4 or .v8 (PTX ISA 9.7.13.5): each element is atomic, the vector is not.
struct VectorAtomic {
  std::vector<Instruction> elements;
  std::uint32_t bytes = 0;  ///< of the vector, which has to be aligned to them
  Width address_width = Width::b64;
};

// ---- code_value_flow.cpp: how the bits of an instruction's results depend on those of its operands, read
// off its row (ptx::Result). ValueFlow is what the machine needs, to tell what is undefined in a result where
// something is undefined in an operand. The questions below it are those of whoever follows values through
// the text of a function.

enum class FlowRule : std::uint8_t {
  nothing,          ///< the results do not depend on the operands, or there are none
  whole,            ///< an undefined bit in an operand makes each result undefined: most of arithmetic
  upwards,          ///< ... makes the bits at its place and above undefined: sums and products of integers
  moved,            ///< bits are moved: the instruction itself says where to, `controls` apart
  logic,            ///< bit by bit, by the `table` of lop3: 0 and anything is 0
  chosen,           ///< selp: the operand that is chosen
  compared,         ///< setp.eq, setp.ne: one bit that differs decides
  parameter_load,   ///< from the area of a function's parameter
  parameter_store,  ///< to it
};

/// Of one instruction. Operands are numbered as its rows, results first. Empty for those that hand values to
/// memory or to other lanes.
struct ValueFlow {
  FlowRule rule = FlowRule::nothing;
  std::uint8_t results = 0;
  std::uint8_t operands = 0;      ///< with the results
  std::uint8_t controls = 0;      ///< bit i: operand i says where bits are moved to
  std::uint8_t table = 0;         ///< of `logic`
  bool is_copy = false;           ///< mov, selp: nothing is computed
  bool has_carry = false;         ///< the row behind the operands is the carry, read and written
  std::optional<ValueUse> use{};  ///< what the instruction itself, not its results, needs the operands for
  std::uint64_t compared = 0;     ///< bits of a cell that `compared` looks at
  std::array<Width, max_rows> widths{};

  /// Behind the last row that is read: the carry is one of them.
  std::size_t end() const { return std::size_t{operands} + has_carry; }
  Width width(std::size_t i) const { return i < operands ? widths[i] : Width::pred; }
};

/// Of an instruction whose results do not depend on its operands; `widths` are those of both, in order.
ValueFlow flow_to(std::optional<ValueUse> use, std::uint8_t results, std::initializer_list<Width> widths);
/// Of a lane-wise one. `operation` is what find_lane_operation() gave for `text`.
ValueFlow flow_of(const ptx::Instruction& text, const LaneOperation& operation);

/// Hands on the bits of its one source.
bool is_move(const ptx::Instruction& text);
/// Takes whole bytes out of a value, or puts them to another place, from where a join picks them up.
bool places_bytes(const ptx::Instruction& text);
/// Puts bytes of several values together, whatever these are.
bool joins_bytes(const ptx::Instruction& text);
/// Likewise where one of its operands has been placed: an `or`.
bool joins_placed_bytes(const ptx::Instruction& text);
/// The operands of which the result has bits where they stand; of a field that is put in, the word around it.
std::vector<const ptx::Operand*> words_around(const ptx::Instruction& text);

// ---- Frames: what a function names, as a warp that runs it keeps it
//
// Registers, immediates and special registers are all rows of 32 cells, so that an instruction never asks
// what kind its operand is. Immediates are written once, when a frame is made; special registers when a
// warp takes the frame.

/// Special registers (PTX ISA 10), as special_named() (decoder_placement.cpp) has their names. The clocks are
/// not here: they are read when they are named.
enum class Special : std::uint8_t {
  tid_x,
  tid_y,
  tid_z,
  ntid_x,
  ntid_y,
  ntid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  laneid,
  warpid,
  nwarpid,
  smid,
  nsmid,
  gridid,
  lanemask_eq,
  lanemask_lt,
  lanemask_le,
  lanemask_gt,
  lanemask_ge,
  dynamic_smem_size,
  grid_workspace_high,  ///< %envreg1: where cooperative groups keep the barrier of the grid
  grid_workspace_low,   ///< %envreg2
  total_smem_size,
  reserved_smem_begin,  ///< see Program::KernelInfo::uses_reserved_shared
  reserved_smem_end,
  reserved_smem_cap,
  reserved_smem_0,
  reserved_smem_1,
  lanes_in_warp,
  zero,
  one,
};

/// Bytes of a row of `width`.
std::uint32_t bytes_of(Width width);
/// One lane's cell of a row, as a number: predicates are 0 or 1, of 128 bits `half` says which.
inline std::uint64_t cell_in(const std::byte* rows, Row row, Width width, std::uint32_t lane,
                             std::uint32_t half = 0) {
  const std::byte* at = rows + row;
  switch (width) {
    case Width::pred:
      return *reinterpret_cast<const LaneMask*>(at) >> lane & 1;
    case Width::b32:
      return reinterpret_cast<const std::uint32_t*>(at)[lane];
    default:
      return reinterpret_cast<const std::uint64_t*>(at)[half * warp_size + lane];
  }
}

struct FrameLayout {
  struct Immediate {
    Row row;
    Width width;
    std::uint64_t bits;
  };
  struct SpecialRow {
    Row row;
    Width width;
    Special special;
  };
  struct AddressRow {
    Row row;
    Width width;
    std::int64_t offset;
  };
  struct KernelParameterRow {
    Row row;
    Width width;
    std::uint32_t offset;
    std::uint8_t bytes;
    bool is_signed;
  };
  struct Unset {
    Row row;
    Width width;
  };

  std::uint32_t bytes = 0;
  std::uint32_t local_bytes = 0;  ///< of the function's own depot, a thread
  std::vector<Immediate> immediates;
  std::vector<SpecialRow> specials;
  std::vector<AddressRow> local_addresses;    ///< depot variables
  std::vector<AddressRow> dynamic_addresses;  ///< `extern .shared`: after the kernel's static variables
  std::vector<KernelParameterRow> kernel_parameters;
  std::vector<Unset> unset;  ///< registers that may be read before they are written
  /// Function::parameters, then Function::returns; a kernel's own parameters have no place here.
  std::vector<LanePlace> parameters;
};

// ---- The module

/// Function pointers are this plus the pc of the function's entry: no memory has such an address.
inline constexpr std::uint64_t function_window = 0xF500'0000'0000'0000;

struct DecodedFunction {
  const ptx::Function* function = nullptr;
  Pc entry = 0, end = 0;  ///< instructions [entry, end); the last one is a `ret` that closes the body
  FrameLayout layout;
  std::vector<LanePlace> formals, returns;  ///< in this function's frame
  std::vector<std::uint32_t> callees;       ///< indices into Code::functions
  bool has_indirect_calls = false;
  bool names_common_shared = false;  ///< uses shared variables that do not belong to one kernel
};

struct Code {
  std::vector<Instruction> instructions;
  std::vector<const ptx::Instruction*> texts;  ///< as parsed, by pc
  std::vector<ValueFlow> flows;                ///< by pc
  std::vector<std::uint32_t> owners;           ///< index into `functions`, by pc
  std::vector<DecodedFunction> functions;      ///< as Module::functions
  std::vector<MemoryOperation> memory;
  std::vector<AsyncCopy> copies;
  std::vector<VectorAtomic> vector_atomics;
  std::vector<Collective> collectives;
  std::vector<BlockBarrier> barriers;
  std::vector<std::vector<Pc>> branch_tables;
  std::vector<Call> calls;
  // What a launch leaves for the next, which would make the same:
  mutable std::shared_ptr<void> frames;  ///< run/frame.hpp
  mutable std::map<std::string, std::shared_ptr<const void>, std::less<>>
      facts;  ///< by kernel: program_facts.hpp
};

}  // namespace warpwise::simulator::decode
