#pragma once
/// \file Where everything lies: what a function names in the frame of a warp that runs it, and the variables
/// of a module.
///
/// Registers, immediates and special registers are all rows of 32 cells, so that an instruction never asks
/// what kind its operand is. Immediates are written once, when a frame is made; special registers when a
/// warp takes the frame.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "../memory.hpp"
#include "../ptx.hpp"
#include "instruction.hpp"
#include "instructions/operations.hpp"

namespace warpwise::simulator::decode {

/// Special registers (PTX ISA 10), as special_named() has their names. The clocks are not here: they are read
/// when they are named.
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
  std::vector<bool> is_dynamic;        ///< `extern .shared`
  std::vector<bool> is_common_shared;  ///< does not belong to one kernel
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

struct Code;  // code.hpp
/// Writes the addresses of variables and functions into the initial values that name them (PTX ISA 5.4.5).
void apply_relocations(const ptx::Module& module, const Placement& placement, const Code& code);

/// "_ZZ6kernelPiE7partial" -> "partial": as the source says it, without function and namespace.
std::string source_name(const std::string& name);

}  // namespace warpwise::simulator::decode
