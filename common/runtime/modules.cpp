#include "modules.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <cstring>

#include "context.hpp"
#include "device_code.hpp"
#include "run_report.hpp"

namespace warpwise::runtime {

namespace {

std::string_view ptx_of(const Module& module) {
  FatbinaryWrapper wrapper;
  std::memcpy(&wrapper, module.wrapper, sizeof wrapper);
  if (wrapper.magic != wrapper_magic) throw DeviceCodeError("the program registers no fat binary.");
  if (wrapper.version != 1)
    throw DeviceCodeError("relocatable device code is not supported; compile the program without -rdc=true.");
  const auto* data = static_cast<const std::byte*>(wrapper.data);
  const std::vector<FatbinaryEntry> entries = read_container({data, container_bytes(data)});
  return choose_ptx(entries).text;
}

}  // namespace

std::string source_name_of_kernel(const std::string& mangled) {
  int status = -1;
  char* demangled = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
  if (status != 0) return mangled;
  std::string text = demangled;
  std::free(demangled);
  // From the end: the parameter list goes; then what stands before a space outside all brackets, the type.
  int depth = 0;
  std::size_t end = text.size(), begin = 0;
  bool has_parameters = false;
  for (std::size_t i = text.size(); i-- > 0;) {
    const char c = text[i];
    if (c == ')' || c == '>' || c == '}') ++depth;
    if (c == '(' || c == '<' || c == '{') --depth;
    if (depth == 0 && c == '(' && !has_parameters) {
      has_parameters = true;
      end = i;
    }
    if (depth == 0 && c == ' ' && has_parameters) {
      begin = i + 1;
      break;
    }
  }
  return text.substr(begin, end - begin);
}

Module& Modules::add(const void* wrapper) {
  Module& module = modules_.emplace_back();
  module.wrapper = wrapper;
  return module;
}

void Modules::add_kernel(Module& module, const void* host, const char* name) {
  Kernel& kernel = kernels_.emplace_back();
  kernel.module = &module;
  kernel.name = name;
  kernel.source_name = source_name_of_kernel(name);
  kernel.host = host;
  kernel_at_[host] = &kernel;
  kernel_at_[&kernel] = &kernel;
}

void Modules::add_variable(Module& module, const void* host, const char* name, std::size_t bytes) {
  variable_at_[host] = {&module, name, bytes};
}

void Modules::add_managed(Module& module, void** host_pointer, const char* name, std::size_t bytes) {
  module.managed.emplace_back(host_pointer, name);
  variable_at_[host_pointer] = {&module, name, bytes};
}

Kernel* Modules::find_kernel(const void* function) {
  const auto at = kernel_at_.find(function);
  return at == kernel_at_.end() ? nullptr : at->second;
}

const Variable* Modules::find_variable(const void* symbol) const {
  if (const auto at = variable_at_.find(symbol); at != variable_at_.end()) return &at->second;
  // A managed variable is named by what its host pointer points to.
  for (const auto& [host, variable] : variable_at_)
    for (const auto& [pointer, name] : variable.module->managed)
      if (pointer == host && *pointer == symbol) return &variable;
  return nullptr;
}

simulator::Program& Modules::program_of(Module& module) {
  if (module.program != nullptr) return *module.program;
  try {
    module.program = gpu_.load(ptx_of(module), "the program's PTX");
  } catch (const DeviceCodeError& error) {
    refuse(error.what());
  } catch (const simulator::ptx::Error& error) {
    refuse(error.what());
  }
  for (const auto& [pointer, name] : module.managed)
    if (const auto* place = module.program->find_variable(name))
      *pointer = reinterpret_cast<void*>(place->base);
  return *module.program;
}

const simulator::Program::KernelInfo* Modules::info_of(const Kernel& kernel) {
  return program_of(*kernel.module).find_kernel(kernel.name);
}

const simulator::Allocation* Modules::place_of(const Variable& variable) {
  return program_of(*variable.module).find_variable(variable.name);
}

void Modules::forget_programs() {
  for (Module& module : modules_) module.program.reset();
}

}  // namespace warpwise::runtime

// --- Registration -----------------------------------------------------------------------------------------

// What the code that nvcc adds to each translation unit calls before main: here is the device code,
// here are its kernels and variables. Seen in crt/host_runtime.h of CUDA 12 and 13.

namespace {

using warpwise::runtime::Context;
using warpwise::runtime::Module;

Module& module_of(void** handle) { return *reinterpret_cast<Module*>(handle); }

}  // namespace

extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) {
  Context& context = Context::get();
  const std::lock_guard lock(context.mutex);
  return reinterpret_cast<void**>(&context.modules.add(wrapper));
}

void __cudaRegisterFatBinaryEnd(void**) {}

/// Runs at exit, one call a translation unit.
void __cudaUnregisterFatBinary(void**) {}

void __cudaRegisterFunction(void** handle, const char* host, char*, const char* name, int, uint3*, uint3*,
                            dim3*, dim3*, int*) {
  Context& context = Context::get();
  const std::lock_guard lock(context.mutex);
  context.modules.add_kernel(module_of(handle), host, name);
}

void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, size_t bytes, int, int) {
  Context& context = Context::get();
  const std::lock_guard lock(context.mutex);
  context.modules.add_variable(module_of(handle), host, name, bytes);
}

void __cudaRegisterManagedVar(void** handle, void** host, char*, const char* name, int, size_t bytes, int,
                              int) {
  Context& context = Context::get();
  const std::lock_guard lock(context.mutex);
  context.modules.add_managed(module_of(handle), host, name, bytes);
}

/// Called before host code first touches a managed variable of the module.
char __cudaInitModule(void** handle) {
  Context& context = Context::get();
  const std::lock_guard lock(context.mutex);
  context.modules.program_of(module_of(handle));
  return 1;
}

}  // extern "C"
