#pragma once
/// \file Kernels and variables of the program, by the addresses that host code knows them by. Their modules
/// are read when one of them is first needed, as the CUDA runtime does (lazy loading).

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "../simulator/gpu.hpp"

namespace warpwise::runtime {

/// One registered fat binary: one translation unit of the program.
struct Module {
  const void* wrapper = nullptr;                        ///< FatbinaryWrapper in the program's data
  std::shared_ptr<simulator::Program> program;          ///< empty until first needed
  std::vector<std::pair<void**, std::string>> managed;  ///< host pointers to set, names of the variables
};

struct Kernel {
  Module* module = nullptr;
  std::string name;                          ///< mangled: as in the PTX
  std::string source_name;                   ///< as the source says: "reduce<256u>"
  const void* host = nullptr;                ///< address of the host stub
  int max_dynamic_shared_bytes = 48 * 1024;  ///< more only by cudaFuncSetAttribute
  int shared_carveout = -1;
};

struct Variable {
  Module* module = nullptr;
  std::string name;
  std::size_t bytes = 0;
};

class Modules {
 public:
  explicit Modules(simulator::Gpu& gpu) : gpu_(gpu) {}

  Module& add(const void* wrapper);
  void add_kernel(Module& module, const void* host, const char* name);
  void add_variable(Module& module, const void* host, const char* name, std::size_t bytes);
  void add_managed(Module& module, void** host_pointer, const char* name, std::size_t bytes);

  /// By the address of the host stub or of the Kernel itself (cudaKernel_t); nullptr where it is neither.
  Kernel* find_kernel(const void* function);
  const Variable* find_variable(const void* symbol) const;

  /// Reads and decodes the module of `module`, once; ends the program with one sentence where it cannot be.
  simulator::Program& program_of(Module& module);
  /// The kernel in its module; nullptr where the module lacks it.
  const simulator::Program::KernelInfo* info_of(const Kernel& kernel);
  const simulator::Allocation* place_of(const Variable& variable);
  /// Back to the state before the first launch (cudaDeviceReset): variables get their first values.
  void forget_programs();

 private:
  simulator::Gpu& gpu_;
  std::deque<Module> modules_;
  std::deque<Kernel> kernels_;
  std::unordered_map<const void*, Kernel*> kernel_at_;
  std::unordered_map<const void*, Variable> variable_at_;
};

/// "void reduce<256u>(float*, int)" -> "reduce<256u>", from the mangled name.
std::string source_name_of_kernel(const std::string& mangled);

}  // namespace warpwise::runtime
