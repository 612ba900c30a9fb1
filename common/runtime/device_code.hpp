#pragma once
/// \file Device code: the fat binaries in which nvcc embeds it into a host program, and what an object file
/// or a program holds of it, found without running it. The format of fat binaries is documented nowhere; what
/// is read here was seen in the output of nvcc 12 and 13.

#include <cstdint>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::runtime {

/// One piece of device code in a fat binary.
struct FatbinaryEntry {
  enum class Kind : std::uint8_t { ptx, machine_code, other };
  Kind kind = Kind::other;
  std::uint32_t arch = 0;  ///< 75 for compute_75 or sm_75
  bool is_compressed = false;
  std::string_view text;  ///< of uncompressed PTX, without the zero bytes at its end; else empty
};

/// Device code that cannot be run: what() is one sentence that says what to do.
class DeviceCodeError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What `__cudaRegisterFatBinary` is given, and what the section .nvFatBinSegment holds.
struct FatbinaryWrapper {
  std::uint32_t magic;
  std::uint32_t version;  ///< 1; 2 where device code is to be linked (-rdc=true)
  const void* data;
  const void* more;
};
inline constexpr std::uint32_t wrapper_magic = 0x466243B1;
inline constexpr std::uint32_t container_magic = 0xBA55ED50;

/// The entries of the container at the start of `bytes`; they point into it. Throws DeviceCodeError where
/// it is none or reaches beyond `bytes`.
std::vector<FatbinaryEntry> read_container(std::span<const std::byte> bytes);

/// Bytes of the container that starts at `data`, by its own header; 0 where there is none.
std::uint64_t container_bytes(const void* data);

/// All entries of all containers that lie one after the other in `section` (.nv_fatbin).
std::vector<FatbinaryEntry> read_section(std::span<const std::byte> section);

/// The PTX that the simulated GPU (compute capability 9.0) runs: the newest up to 9.0, as a driver would
/// choose, else the oldest beyond. Throws DeviceCodeError where there is only machine code or compressed
/// PTX.
const FatbinaryEntry& choose_ptx(std::span<const FatbinaryEntry> entries);

// --- ELF files ------------------------------------------------------------------------------------------

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
