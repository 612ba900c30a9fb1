#pragma once
/// \file How a module is decoded: where everything lies, the flow graph of a function, and its instructions
/// in their pre-decoded form.

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "../global_memory.hpp"
#include "../ptx.hpp"
#include "code.hpp"

namespace warpwise::simulator::decode {

// ---- decoder_placement.cpp: where everything lies, what a function names in its frame and the variables of
// a module

/// Builds the layout of one function while it is decoded.
class FrameBuilder {
 public:
  explicit FrameBuilder(const ptx::Function& function);

  Row register_row(ptx::RegisterId id) const { return registers_[id]; }
  Row immediate(std::uint64_t bits, Width width);
  /// Throws std::invalid_argument where there is no such special register.
  Row special(std::string_view name, Width width);
  Row local_address(std::int64_t offset, Width width);
  Row dynamic_address(std::int64_t offset, Width width);
  Row kernel_parameter(std::uint32_t offset, std::uint8_t bytes, bool is_signed, Width width);
  /// A row that nobody reads.
  Row scratch(Width width);
  /// The condition code register CC.CF (PTX ISA 9.7.2).
  Row carry();
  void leave_unset(ptx::RegisterId id);
  FrameLayout& layout() { return layout_; }
  FrameLayout finish();

 private:
  Row add(Width width);

  const ptx::Function& function_;
  FrameLayout layout_;
  std::vector<Row> registers_;
  std::map<std::pair<std::uint64_t, Width>, Row> immediates_;
  std::map<std::pair<Special, Width>, Row> specials_;
  std::map<std::pair<std::int64_t, Width>, Row> local_addresses_, dynamic_addresses_;
  std::map<std::tuple<std::uint32_t, std::uint8_t, bool, Width>, Row> kernel_parameters_;
  std::map<Width, Row> scratch_;
  std::optional<Row> carry_;
};

// ---- Variables: global and constant ones in memory, shared ones in the block's shared memory, local ones in
// the frame of their function

/// Where the variables of a module lie, by VariableId.
struct VariablePlaces {
  /// global, constant: device address; shared, local: offset. Dynamic shared arrays: 0.
  std::vector<std::uint64_t> address;
  std::vector<bool> is_dynamic;              ///< `extern .shared`
  std::vector<bool> is_common_shared;        ///< does not belong to one kernel
  std::vector<std::uint32_t> element_bytes;  ///< as declared in the source; 0: unknown
};

/// How far the variables of shared memory reach.
struct SharedTop {
  std::uint64_t bytes = 0;  ///< without gaps: what the program asked for
  std::uint64_t gaps = 0;   ///< bytes of all gaps, the one behind the last variable included
};

struct Placement {
  VariablePlaces places;
  std::map<std::string, Allocation*, std::less<>> variables;  ///< of module scope, by their PTX name
  SharedTop common_shared;  ///< after the shared variables that several functions may name
  std::map<std::string, SharedTop, std::less<>> kernel_shared;  ///< after a kernel's own
};

/// Shared memory of a block: first the common variables (only where the kernel, or a function that it may
/// call, names one), then the kernel's own, then the dynamic array. Behind each variable lies a gap, so that
/// an index past the end of an array does not meet the next one.
/// Throws ptx::Error for `.extern` variables that nobody defines.
Placement place_variables(const ptx::Module& module, GlobalMemory& memory);

/// Writes the addresses of variables and functions into the initial values that name them (PTX ISA 5.4.5).
void apply_relocations(const ptx::Module& module, const Placement& placement, const Code& code);

/// "_ZZ6kernelPiE7partial" -> "partial": as the source says it, without function and namespace.
std::string source_name(const std::string& name);

// ---- decoder_control_flow.cpp: where divergent lanes of a function meet again, and what is read unwritten

struct ControlFlow {
  static constexpr std::uint32_t none = 0xffffffffu;

  /// For each instruction of `function.code`: the first instruction of its branch's immediate post-dominator,
  /// `none` for instructions that are no branch or whose sides meet only at the end.
  std::vector<std::uint32_t> reconvergence;
  /// Registers that some path from the entry reads before any unguarded write.
  std::vector<ptx::RegisterId> read_unwritten;
  /// For each register: some instruction reads it.
  std::vector<bool> is_read;

  /// Post-dominators after Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm" (2001); liveness by
  /// the usual backward iteration.
  static ControlFlow of(const ptx::Function& function);
};

// ---- decoder_function.cpp, decoder_memory.cpp, decoder_control.cpp: the instructions

/// Decodes one function into `code`. Its methods decode_* are those that the table of instructions names.
/// A form that is not known throws std::invalid_argument; decode() adds file, line and instruction.
class FunctionDecoder {
 public:
  FunctionDecoder(const ptx::Module& module, std::uint32_t function, const VariablePlaces& places,
                  Code& code);
  /// Appends the function's instructions. Throws ptx::Error.
  void decode();

  void decode_lane_wise(const ptx::Instruction& text, Instruction& out);
  // decoder_control.cpp
  void decode_branch(const ptx::Instruction& text, Instruction& out);
  void decode_branch_table(const ptx::Instruction& text, Instruction& out);
  void decode_call(const ptx::Instruction& text, Instruction& out);
  void decode_return(const ptx::Instruction& text, Instruction& out);
  void decode_exit(const ptx::Instruction& text, Instruction& out);
  void decode_trap(const ptx::Instruction& text, Instruction& out);
  void decode_sleep(const ptx::Instruction& text, Instruction& out);
  void decode_nothing(const ptx::Instruction& text, Instruction& out);
  // decoder_memory.cpp
  void decode_load_store(const ptx::Instruction& text, Instruction& out);
  void decode_atomic(const ptx::Instruction& text, Instruction& out);
  void decode_fence(const ptx::Instruction& text, Instruction& out);
  void decode_async_copy(const ptx::Instruction& text, Instruction& out);
  // decoder_control.cpp: of warps and blocks
  void decode_block_barrier(const ptx::Instruction& text, Instruction& out);
  void decode_shuffle(const ptx::Instruction& text, Instruction& out);
  void decode_vote(const ptx::Instruction& text, Instruction& out);
  void decode_match(const ptx::Instruction& text, Instruction& out);
  void decode_redux(const ptx::Instruction& text, Instruction& out);
  void decode_elect(const ptx::Instruction& text, Instruction& out);
  void decode_active_mask(const ptx::Instruction& text, Instruction& out);

 private:
  void decode_one(const ptx::Instruction& text, Instruction& out);
  void decode_clock(const ptx::Instruction& text, Instruction& out);
  void mark_batches(Pc first, Pc end);
  bool is_formal(ptx::RegisterId id) const;

  /// Throws unless the register is of one of `widths`: a row is read and written by those who know its width.
  void expect_register(ptx::RegisterId id, std::initializer_list<Width> widths) const;
  /// The row that holds `operand`: an immediate is converted to `type` first. Throws where the operand has
  /// another width; an instruction that takes several asks width_of_operand before.
  Row row_of_operand(const ptx::Operand& operand, Width width, ptx::Type type);
  Row address_of_variable(ptx::VariableId id, std::int64_t offset, Width width);
  Width width_of_operand(const ptx::Operand& operand, Width otherwise) const;
  /// Fills rows[address_row], offset and the width of the base from `[base + offset]`.
  Width decode_address(const ptx::Operand& operand, Instruction& out);
  struct Data {
    std::span<const ptx::Operand> parts;
    ptx::Type type = ptx::Type::none;
    std::uint32_t bytes = 0;  ///< of each part
    Width width = Width::b32;
  };
  Data data_of(const ptx::Instruction& text, std::size_t i, Instruction& out);
  void add_memory(const MemoryOperation& operation, Instruction& out);
  void decode_parameter_access(const ptx::Instruction& text, Instruction& out, bool is_load);
  void decode_vector_atomic(const ptx::Instruction& text, MemoryOperation operation, Instruction& out);
  Instruction memory_step(MemoryOperation operation, const ptx::Operand& address);
  std::uint32_t used_bytes(const ptx::Instruction& text, std::span<const ptx::Operand> parts,
                           const MemoryOperation& memory) const;
  std::uint32_t unread_bytes(std::span<const ptx::Operand> parts, const MemoryOperation& memory) const;
  bool reads_parameter_in_place(const ptx::Operand& address) const;
  LanePlace place_of_argument(const ptx::Operand& operand, ptx::Type type);
  Collective& add_collective(Collective::Op op, Instruction& out);
  void membermask(const ptx::Operand& operand, Instruction& out);
  void destination_pair(const ptx::Operand& operand, Width width, Instruction& out);

  const ptx::Module& module_;
  const ptx::Function& function_;
  DecodedFunction& decoded_;
  const VariablePlaces& places_;
  Code& code_;
  FrameBuilder frame_;
  std::vector<std::uint32_t> reconvergence_;
  ValueFlow flow_;             ///< of the instruction that is being decoded
  std::vector<bool> is_read_;  ///< by register: some instruction of the function reads it
};

/// Throws where `text` has a modifier that is neither a type nor in `known` nor starts with "L1::" or "L2::".
void allow_modifiers(const ptx::Instruction& text, std::initializer_list<std::string_view> known);
/// Throws where `text` has fewer than `least` or more than `most` operands.
void expect_operands(const ptx::Instruction& text, std::size_t least, std::size_t most);

/// Value of an immediate as a cell of `type`: floating-point immediates are converted, integers truncated.
std::uint64_t immediate_bits(const ptx::Operand& operand, ptx::Type type);

}  // namespace warpwise::simulator::decode
