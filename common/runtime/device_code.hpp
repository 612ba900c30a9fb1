#pragma once
/// \file What device code an object file or a program holds, found without running it.

#include <filesystem>
#include <string>

namespace warpwise::runtime {

/// Looks into the ELF file at `path`. Empty where it holds kernels as PTX that can be run; else one sentence
/// that says what is missing ("the program has no device code.").
std::string reason_not_to_run(const std::filesystem::path& path);

/// True for an ELF file: an object, a library or a program.
bool is_elf(const std::filesystem::path& path);
/// ... that can be started (ET_EXEC, ET_DYN), not an object.
bool is_program(const std::filesystem::path& path);
/// Whether the program was linked against this runtime.
bool has_runtime(const std::filesystem::path& path);

/// A text that this runtime leaves in every program that it is linked into.
inline constexpr const char* runtime_mark_start = "warpwise runtime ";

}  // namespace warpwise::runtime
