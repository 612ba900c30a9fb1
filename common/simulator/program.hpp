#pragma once
/// \file A module made ready to run: one row of code for all its functions, operands turned into rows of
/// frames.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "../ptx/module.hpp"
#include "memory.hpp"
#include "observer.hpp"

namespace warpwise::simulator::machine {

struct Instruction;  // instruction.hpp, private to the machine
struct Code;         // code.hpp, likewise

/// What an observer may ask of an instruction, without knowing how it is run.
enum class Class : std::uint8_t {
  arithmetic,
  branch,
  memory,
  block_barrier,
  warp_barrier,
  shuffle,
  vote,
  match,
  warp_reduce,
  fence,
  call,
  exit,
  other,
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
  Class class_of(Pc pc) const;
  const ptx::Instruction& text_of(Pc pc) const;  ///< as parsed
  const ptx::Function& function_of(Pc pc) const;
  /// Where the sides of the branch at `pc` meet again; nothing where they do so at the function's end only,
  /// and for other instructions.
  std::optional<Pc> meeting_of(Pc pc) const;
  std::span<const Instruction> code() const;
  const Code& decoded() const;  ///< for the machine

  /// A symbol of the module for cudaMemcpyToSymbol and its like: device address and size; nullptr if absent.
  const Allocation* find_variable(std::string_view name) const;

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
  };
  const KernelInfo* find_kernel(std::string_view name) const;
  std::vector<std::string> kernel_names() const;

  /// Static shared variables of `kernel`, and the dynamic array last: to name an offset.
  struct SharedVariable {
    std::string name;  ///< as in the source: demangled, without the function
    std::uint32_t offset = 0;
    std::uint32_t bytes = 0;          ///< 0: to the end of shared memory (extern)
    std::uint32_t element_bytes = 0;  ///< 0: unknown (nvcc writes .b8 arrays)
  };
  std::vector<SharedVariable> shared_variables(std::string_view kernel) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace warpwise::simulator::machine
