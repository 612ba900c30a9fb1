#include "device_code.hpp"

#include <elf.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <optional>
#include <span>
#include <vector>

#include "fatbinary.hpp"

namespace warpwise::runtime {

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
