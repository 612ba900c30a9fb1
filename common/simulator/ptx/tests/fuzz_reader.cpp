/// \file For libFuzzer: any text must give a Module or an Error, in little time and memory.
///   cmake --preset fuzz && cmake --build --preset fuzz && ctest --preset fuzz

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "common/simulator/ptx.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace ptx = warpwise::simulator::ptx;
  try {
    const ptx::Module module = ptx::read_module({reinterpret_cast<const char*>(data), size}, "fuzz.ptx");
    // What was accepted can be used: every reference is followed once.
    for (const ptx::Function& function : module.functions) {
      ptx::disassemble(module, function);
      for (const ptx::Instruction& instruction : function.code) ptx::source_of(module, instruction.location);
    }
  } catch (const ptx::Error&) {
  }
  return 0;
}
