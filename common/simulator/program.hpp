#pragma once
/// \file A module made ready to run: one array of code for all its functions, and the source lines that its
/// instructions come from.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "global_memory.hpp"
#include "ptx.hpp"

namespace warpwise::simulator {

/// Index of an instruction in a Program; the same numbering for all functions of a module.
using Pc = std::uint32_t;

/// Instructions [begin, end).
struct PcRange {
  Pc begin = 0, end = 0;

  std::uint32_t size() const { return end - begin; }
  std::uint32_t index_of(Pc pc) const { return pc - begin; }
};

namespace decode {
struct Code;  // what the machine runs: of no use outside the simulator
}

/// A line of a source file, in the order of reports: by file, then line.
struct SourcePlace {
  std::string file;  ///< below the current directory: relative to it; empty where unknown
  std::uint32_t line = 0;

  auto operator<=>(const SourcePlace&) const = default;
};

/// Immutable after construction; shared by all workers and launches.
class Program {
 public:
  /// Decodes every function. Throws ptx::Error (with the line of the PTX text) where an instruction is not
  /// known. Global and constant variables are placed in `memory`, which must outlive the program.
  Program(ptx::Module module, GlobalMemory& memory);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  const ptx::Module& module() const;
  std::uint32_t size() const;  ///< number of instructions: pcs are below it
  ptx::InstructionClass class_of(Pc pc) const;
  const ptx::Instruction& text_of(Pc pc) const;  ///< as parsed
  const ptx::Function& function_of(Pc pc) const;
  /// Where the sides of the branch at `pc` meet again; nothing where they do so at the function's end only,
  /// and for other instructions.
  std::optional<Pc> meeting_of(Pc pc) const;
  const decode::Code& decoded() const;
  /// Of an index into Module::locations, out of the toolkit's headers; line 0 where the module names none.
  const SourcePlace& place_of_location(std::int32_t location) const;

  /// A symbol of the module for cudaMemcpyToSymbol and its like: device address and size; nullptr if absent.
  const Allocation* find_variable(std::string_view name) const;

  struct SharedVariable {
    std::string name;  ///< as in the source: demangled, without the function
    std::uint32_t offset = 0;
    std::uint32_t bytes = 0;          ///< 0: to the end of shared memory (extern)
    std::uint32_t element_bytes = 0;  ///< as declared; 0: unknown
  };

  struct KernelInfo {
    const ptx::Function* function = nullptr;
    Pc entry = 0;
    std::uint32_t static_shared_bytes = 0;   ///< as the program asked, without the gaps between variables
    std::uint32_t dynamic_shared_start = 0;  ///< offset of the dynamic array, behind variables and gaps
    /// Asks for shared memory of the system (`%reserved_smem_offset_…`, PTX ISA 10.29): cooperative groups
    /// keep there what the warps of a tile of more than 32 threads exchange.
    bool uses_reserved_shared = false;
    std::uint32_t parameter_bytes = 0;
    std::uint32_t local_bytes = 0;  ///< a thread, all depots of the kernel alone
    std::uint32_t registers = 0;    ///< PTX registers, of all types
    /// The smallest range that holds the kernel and every function that it may call. A module of a library
    /// has hundreds of kernels: who looks at a launch need not look at them all.
    PcRange reach;
    std::vector<SharedVariable> shared_variables;  ///< the static ones by offset, then the dynamic array
  };
  const KernelInfo* find_kernel(std::string_view name) const;
  std::vector<std::string> kernel_names() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// ---- From an instruction to the line of its source -------------------------------------------------------

/// Where the instruction at `pc` comes from.
const SourcePlace& place_of(const Program& program, Pc pc);

/// The same, and for an instruction for which the compiler names no line (`.loc 1 0 0`) that of the nearest
/// one of its function that has a line; of two as near, the one before it.
struct NearPlace {
  SourcePlace place;     ///< line 0 where no instruction of the function has one
  bool is_near = false;  ///< a neighbour's
};
NearPlace near_place_of(const Program& program, Pc pc);

/// Reads each file once.
class SourceTexts {
 public:
  /// Without its line end; empty where the file cannot be read or has no such line.
  std::string line(const SourcePlace& place);
  /// All lines, without their ends; none where the file cannot be read.
  const std::vector<std::string>& file(const std::string& path);

 private:
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace warpwise::simulator
