#include "device_code.hpp"

#include <elf.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace warpwise::runtime {

namespace {

constexpr std::uint32_t newest_arch = 90;
constexpr std::uint64_t compression_flags = 0x8000 | 0x2000;  // zstd, LZ4

template <class T>
T read_at(std::span<const std::byte> bytes, std::uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T))
    throw DeviceCodeError("the embedded device code is cut short.");
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

struct ContainerHeader {
  std::uint32_t magic;
  std::uint16_t version;
  std::uint16_t header_bytes;
  std::uint64_t payload_bytes;
};

FatbinaryEntry read_entry(std::span<const std::byte> entry, std::uint32_t header_bytes,
                          std::uint64_t payload_bytes) {
  FatbinaryEntry result;
  const auto kind = read_at<std::uint16_t>(entry, 0);
  result.kind = kind == 1   ? FatbinaryEntry::Kind::ptx
                : kind == 2 ? FatbinaryEntry::Kind::machine_code
                            : FatbinaryEntry::Kind::other;
  result.arch = read_at<std::uint32_t>(entry, 28);
  result.is_compressed = (read_at<std::uint64_t>(entry, 40) & compression_flags) != 0;
  if (result.kind != FatbinaryEntry::Kind::ptx || result.is_compressed) return result;
  result.text = {reinterpret_cast<const char*>(entry.data()) + header_bytes, payload_bytes};
  result.text = result.text.substr(0, result.text.find('\0'));
  return result;
}

}  // namespace

std::uint64_t container_bytes(const void* data) {
  ContainerHeader header;
  std::memcpy(&header, data, sizeof header);
  return header.magic == container_magic ? header.header_bytes + header.payload_bytes : 0;
}

std::vector<FatbinaryEntry> read_container(std::span<const std::byte> bytes) {
  const auto header = read_at<ContainerHeader>(bytes, 0);
  if (header.magic != container_magic) throw DeviceCodeError("the embedded device code is not a fat binary.");
  std::vector<FatbinaryEntry> entries;
  if (header.payload_bytes > bytes.size()) throw DeviceCodeError("the embedded device code is cut short.");
  const std::uint64_t end = header.header_bytes + header.payload_bytes;
  for (std::uint64_t at = header.header_bytes; at < end;) {
    const auto header_bytes = read_at<std::uint32_t>(bytes, at + 4);
    const auto payload_bytes = read_at<std::uint64_t>(bytes, at + 8);
    // The fields read above and below end at byte 48.
    if (header_bytes < 48 || header_bytes > bytes.size() - at ||
        payload_bytes > bytes.size() - at - header_bytes)
      throw DeviceCodeError("the embedded device code is cut short.");
    entries.push_back(
        read_entry(bytes.subspan(at, header_bytes + payload_bytes), header_bytes, payload_bytes));
    at += header_bytes + payload_bytes;
  }
  return entries;
}

std::vector<FatbinaryEntry> read_section(std::span<const std::byte> section) {
  std::vector<FatbinaryEntry> entries;
  while (section.size() >= sizeof(ContainerHeader)) {
    const std::uint64_t bytes = container_bytes(section.data());
    if (bytes == 0) {  // padding between the containers of two object files
      section = section.subspan(8);
      continue;
    }
    const std::vector<FatbinaryEntry> more = read_container(section);
    entries.insert(entries.end(), more.begin(), more.end());
    section = section.subspan((bytes + 7) / 8 * 8 < section.size() ? (bytes + 7) / 8 * 8 : section.size());
  }
  return entries;
}

const FatbinaryEntry& choose_ptx(std::span<const FatbinaryEntry> entries) {
  const FatbinaryEntry* best = nullptr;
  bool is_compressed = false;
  std::set<std::uint32_t> machines;
  for (const FatbinaryEntry& entry : entries) {
    if (entry.kind == FatbinaryEntry::Kind::machine_code) machines.insert(entry.arch);
    if (entry.kind != FatbinaryEntry::Kind::ptx) continue;
    is_compressed |= entry.is_compressed;
    if (entry.is_compressed) continue;
    const bool is_newer = best != nullptr && entry.arch > best->arch;
    if (best == nullptr ||
        (entry.arch <= newest_arch ? is_newer || best->arch > newest_arch : entry.arch < best->arch))
      best = &entry;
  }
  if (best != nullptr) return *best;
  if (is_compressed)
    throw DeviceCodeError("the program's PTX is compressed; compile it with nvcc's option --no-compress.");
  std::string list;
  for (const std::uint32_t arch : machines) list += (list.empty() ? "sm_" : ", sm_") + std::to_string(arch);
  if (list.empty()) throw DeviceCodeError("the program has no device code.");
  throw DeviceCodeError(
      "the program holds only machine code (" + list +
      "), which the simulated GPU cannot run; compile it with -arch=compute_75, which embeds PTX.");
}

// --- ELF files ------------------------------------------------------------------------------------------

namespace {

using Bytes = std::vector<std::byte>;

/// The file's first bytes, at most `most`; none where it cannot be read. In one piece, since `exec` looks
/// into programs of many megabytes before it starts them.
Bytes read_file(const std::filesystem::path& path, std::uintmax_t most = UINTMAX_MAX) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) return {};
  Bytes bytes(std::min(size, most));
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

template <class T>
std::optional<T> read_at(const Bytes& file, std::uint64_t offset) {
  if (offset > file.size() || file.size() - offset < sizeof(T)) return {};
  T value;
  std::memcpy(&value, file.data() + offset, sizeof value);
  return value;
}

std::optional<Elf64_Ehdr> header_of(const Bytes& file) {
  const auto header = read_at<Elf64_Ehdr>(file, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64)
    return {};
  return header;
}

std::span<const std::byte> contents(const Bytes& file, const Elf64_Shdr& section) {
  if (section.sh_type == SHT_NOBITS || section.sh_offset > file.size() ||
      section.sh_size > file.size() - section.sh_offset)
    return {};
  return std::span(file).subspan(section.sh_offset, section.sh_size);
}

std::span<const std::byte> section_named(const Bytes& file, std::string_view name) {
  const auto header = header_of(file);
  if (!header) return {};
  const auto section = [&](std::uint64_t i) {
    return read_at<Elf64_Shdr>(file, header->e_shoff + i * sizeof(Elf64_Shdr));
  };
  const auto names_section = section(header->e_shstrndx);
  if (!names_section) return {};
  const std::span<const std::byte> names = contents(file, *names_section);
  for (std::uint64_t i = 0; i < header->e_shnum; ++i) {
    const auto candidate = section(i);
    if (!candidate || candidate->sh_name >= names.size()) continue;
    const std::string_view text(reinterpret_cast<const char*>(names.data()), names.size());
    const std::string_view rest = text.substr(candidate->sh_name);
    if (rest.substr(0, rest.find('\0')) == name) return contents(file, *candidate);
  }
  return {};
}

bool has_kernel(const std::vector<FatbinaryEntry>& entries) {
  for (const FatbinaryEntry& entry : entries)
    if (entry.text.find(".entry") != entry.text.npos) return true;
  return false;
}

}  // namespace

std::string reason_not_to_run(const std::filesystem::path& path) {
  const Bytes file = read_file(path);
  const std::string none = "the program has no device code: there is nothing to run on the simulated GPU.";
  if (!section_named(file, "__nv_relfatbin").empty())
    return "the program was compiled as relocatable device code, which is not supported; compile it without "
           "-rdc=true.";
  const std::span<const std::byte> section = section_named(file, ".nv_fatbin");
  if (section.empty()) return none;
  try {
    const std::vector<FatbinaryEntry> entries = read_section(section);
    if (has_kernel(entries)) return {};
    choose_ptx(entries);  // throws where there is only what cannot be run
  } catch (const DeviceCodeError& error) {
    return error.what();
  }
  return none;
}

bool is_elf(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  char magic[SELFMAG] = {};
  return file.read(magic, SELFMAG) && std::memcmp(magic, ELFMAG, SELFMAG) == 0;
}

bool is_program(const std::filesystem::path& path) {
  const auto header = header_of(read_file(path, sizeof(Elf64_Ehdr)));
  return header && (header->e_type == ET_EXEC || header->e_type == ET_DYN);
}

bool has_runtime(const std::filesystem::path& path) {
  const Bytes file = read_file(path);
  return std::string_view(reinterpret_cast<const char*>(file.data()), file.size()).find(runtime_mark_start) !=
         std::string_view::npos;
}

}  // namespace warpwise::runtime
