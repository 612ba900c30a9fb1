#include "recording.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

#include "../observer.hpp"
#include "../program.hpp"

namespace warpwise::simulator::observe {

namespace {

using ptx::Type;

/// The shortest text that is read as the same number.
template <class Number>
std::string shortest(Number value) {
  if (value != value)
    return std::signbit(static_cast<double>(value)) ? "-nan" : "nan";  // in every C++ library
  char text[64];
  const auto [end, error] = std::to_chars(text, text + sizeof text, value);
  return {text, end};
}

/// Numbers that programs hold in floats, and that whole numbers in use are not as bits.
bool is_ordinary(double value) {
  const double size = std::fabs(value);
  return std::isinf(value) || (size > 1e-12 && size < 1e18);
}

/// The compiler writes .u32 for int as well: large bits are taken for a number just below 0.
template <class Unsigned, class Signed>
std::string whole(Unsigned bits, bool is_signed) {
  constexpr Unsigned barely_negative = static_cast<Unsigned>(0) - 65536;
  return is_signed || bits >= barely_negative ? shortest(static_cast<Signed>(bits)) : shortest(bits);
}

}  // namespace

std::string value_text(const std::byte* from, std::uint32_t bytes, Type type) {
  if (bytes == 8) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, from, sizeof bits);
    const auto real = std::bit_cast<double>(bits);
    if (type == Type::f64 || (type == Type::b64 && is_ordinary(real))) return shortest(real);
    return whole<std::uint64_t, std::int64_t>(bits, type == Type::s64);
  }
  std::uint32_t bits = 0;
  std::memcpy(&bits, from, bytes < 4 ? bytes : 4);
  const auto real = std::bit_cast<float>(bits);
  if (type == Type::f32 || (type == Type::b32 && is_ordinary(real))) return shortest(real);
  if (bytes < 4) return shortest(bits);
  return whole<std::uint32_t, std::int32_t>(bits, type == Type::s32);
}

namespace {

const char* name_of(AccessKind kind) {
  constexpr const char* names[] = {"load", "store", "atomic", "reduction"};
  return names[static_cast<std::size_t>(kind)];
}

bool is_shared(const Access& access) { return access.space == ptx::Space::shared; }

void mark_written(SharedWords& words, std::uint64_t offset, std::uint32_t bytes) {
  for (std::uint64_t byte = offset; byte < offset + bytes; ++byte)
    words[byte / 4] |= static_cast<std::uint8_t>(1 << byte % 4);
}

bool is_written(const SharedWords& words, std::uint64_t offset, std::uint32_t bytes) {
  for (std::uint64_t byte = offset; byte < offset + bytes; ++byte) {
    const auto word = words.find(byte / 4);
    if (word == words.end() || (word->second >> byte % 4 & 1) == 0) return false;
  }
  return true;
}

/// Where the bytes lie in the host's memory.
const std::byte* host_place(const BlockContext& block, const Access& access, std::uint64_t address) {
  return is_shared(access) ? block.shared.data() + address : reinterpret_cast<const std::byte*>(address);
}

}  // namespace

std::string register_text(std::uint32_t bits) {
  return value_text(reinterpret_cast<const std::byte*>(&bits), 4, ptx::Type::b32);
}

AccessRecorder::AccessRecorder(const LaunchContext& launch, Trace& trace) : launch_(launch), trace_(trace) {
  const std::uint64_t end = launch.shared_bytes - launch.reserved_shared_bytes;
  for (const auto& variable : launch.program->find_kernel(launch.kernel)->shared_variables) {
    const std::uint64_t bytes =
        variable.bytes != 0 ? variable.bytes : end - std::min<std::uint64_t>(end, variable.offset);
    if (bytes == 0) continue;
    trace.arrays.push_back({variable.name, true, variable.offset, bytes,
                            variable.element_bytes != 0 ? variable.element_bytes : 4});
  }
  if (launch.reserved_shared_bytes != 0)
    trace.arrays.push_back({"cooperative groups", true, end, launch.reserved_shared_bytes, 4});
}

std::uint32_t AccessRecorder::array_of(const Access& access, std::uint32_t lane) {
  std::uint32_t found = 0;
  if (is_shared(access)) {
    for (std::uint32_t i = 0; i < trace_.arrays.size(); ++i)
      if (trace_.arrays[i].is_shared && trace_.arrays[i].start <= access.address[lane]) found = i;
    return found;
  }
  const Allocation& allocation = *access.allocation[lane];
  const auto [at, is_new] =
      allocations_.try_emplace(allocation.id, static_cast<std::uint32_t>(trace_.arrays.size()));
  if (is_new) {
    const std::string name =
        allocation.name.empty() ? "allocation " + std::to_string(allocation.id) : allocation.name;
    const std::uint32_t element =
        allocation.element_bytes != 0 ? allocation.element_bytes : access.bytes / access.elements;
    trace_.arrays.push_back({name, false, 0, allocation.bytes, element});
  }
  return at->second;
}

void AccessRecorder::record(const BlockContext& block, const Access& access, SharedWords& written,
                            std::vector<RecordedAccess>& to) {
  if (!is_shared(access) && access.space != ptx::Space::global) return;
  bool is_first = true;
  for_each_agreeing(
      access.lanes, [&](std::uint32_t lane) { return array_of(access, lane); },
      [&](LaneMask lanes) {
        RecordedAccess& recorded = to.emplace_back();
        recorded.event = access.of(lanes);
        std::copy_n(access.address, warp_size, recorded.address.begin());
        TraceAccess& out = recorded.access;
        out.instruction = access.pc;
        out.kind = name_of(access.kind);
        out.array = array_of(access, lowest_lane(lanes));
        out.lanes = lanes;
        out.elements = access.elements;
        out.element_bytes = access.bytes / access.elements;
        out.is_continued = !is_first;
        if (is_first && is_shared(access)) {
          const SharedCost cost = shared_cost(access.kind, access.bytes, access.lanes, access.address);
          out.wavefronts = cost.wavefronts;
          out.bank_conflicts = cost.bank_conflicts;
        } else if (is_first) {
          out.sectors = global_sectors(access.kind, access.bytes, access.lanes, access.address);
        }
        is_first = false;
        fill(block, written, recorded);
      });
}

/// Offsets and values. A store brings its values; all others find what lies there.
void AccessRecorder::fill(const BlockContext& block, SharedWords& written, RecordedAccess& recorded) {
  const Access& access = recorded.event;
  TraceAccess& out = recorded.access;
  const ptx::Type type = launch_.program->text_of(access.pc).type();
  const std::uint64_t start = is_shared(access) ? trace_.arrays[out.array].start : 0;
  for (const std::uint32_t lane : lanes_in(access.lanes)) {
    const std::uint64_t address = recorded.address[lane];
    const std::uint64_t base = is_shared(access) ? start : access.allocation[lane]->base;
    out.offsets.push_back(static_cast<std::int64_t>(address - base));
    for (std::uint32_t i = 0; i < access.elements; ++i) {
      const std::uint64_t at = address + std::uint64_t{i} * out.element_bytes;
      const bool has_value =
          access.kind == AccessKind::store ||
          (is_shared(access) ? is_written(written, at, out.element_bytes)
                             : access.allocation[lane]->is_written(at - base, out.element_bytes));
      const std::byte* const from =
          access.kind == AccessKind::store
              ? access.value + std::size_t{lane} * access.bytes + i * out.element_bytes
              : host_place(block, access, at);
      out.values.push_back(has_value ? value_text(from, out.element_bytes, type) : unwritten_text);
    }
  }
  if (is_shared(access) && access.kind != AccessKind::load)
    for (const std::uint32_t lane : lanes_in(access.lanes))
      mark_written(written, recorded.address[lane], access.bytes);
}

void AccessRecorder::settle(const BlockContext& block, RecordedAccess& recorded) {
  if (!recorded.is_atomic() || !recorded.access.after.empty()) return;
  const TraceAccess& access = recorded.access;
  const ptx::Type type = launch_.program->text_of(recorded.event.pc).type();
  for (const std::uint32_t lane : lanes_in(access.lanes))
    for (std::uint32_t i = 0; i < access.elements; ++i)
      recorded.access.after.push_back(
          value_text(host_place(block, recorded.event, recorded.address[lane] + i * access.element_bytes),
                     access.element_bytes, type));
}

}  // namespace warpwise::simulator::observe
