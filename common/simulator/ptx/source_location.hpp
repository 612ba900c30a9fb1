#pragma once
/// \file From an instruction to the line that a student wrote.

#include <cstdint>
#include <string>
#include <string_view>

#include "module.hpp"

namespace warpwise::simulator::ptx {

struct SourceLine {
  std::string file;        ///< path as the compiler gives it; empty where nothing is known
  std::uint32_t line = 0;  ///< from 1; 0 where the compiler names no line
  bool operator==(const SourceLine&) const = default;
};

/// Whether `path` is a header that comes with the CUDA toolkit or the system, and not the student's: include
/// directories of a toolkit, those of NVIDIA's wheels, /usr/include, CCCL (CUB, Thrust, libcu++), and headers
/// whose names only a toolkit has, wherever they lie. `path` may hold `.` and `..`.
bool is_toolkit_file(std::string_view path);

/// The innermost line of `location` (index into Module::locations) that the student wrote: out of the
/// toolkit's headers, and out of places without a line, it follows `inlined_at`. Where the whole chain lies
/// in the toolkit, its innermost line; for -1 an empty SourceLine.
SourceLine source_of(const Module& module, std::int32_t location);

}  // namespace warpwise::simulator::ptx
