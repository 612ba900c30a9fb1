/// \file What the code that nvcc adds to each translation unit calls before main: here is the device code,
/// here are its kernels and variables. Seen in crt/host_runtime.h of CUDA 12 and 13.

#include "api.hpp"
#include "refusing.hpp"

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
