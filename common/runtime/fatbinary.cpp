#include "fatbinary.hpp"

#include <cstring>
#include <set>
#include <string>

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

}  // namespace warpwise::runtime
