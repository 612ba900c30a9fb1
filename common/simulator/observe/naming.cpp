#include "findings.hpp"

#include <algorithm>

namespace warpwise::simulator::observe {

namespace {

/// An address this far from an allocation was hardly meant for it.
constexpr std::uint64_t farthest = std::uint64_t{1} << 24;

std::uint32_t element_size(std::uint32_t declared, std::uint32_t accessed) {
  return std::max(declared != 0 ? declared : accessed, 1u);
}

std::string indexed(const std::string& name, std::int64_t bytes, std::uint32_t element) {
  const std::int64_t size = element;
  const std::int64_t index = bytes >= 0 ? bytes / size : -((-bytes + size - 1) / size);
  return name + "[" + std::to_string(index) + "]";
}

std::string count_text(const std::string& name, std::uint64_t elements) {
  return name + " has " + std::to_string(elements) + (elements == 1 ? " element" : " elements");
}

/// In shared memory an index below zero comes to an address just below 2^32.
std::int64_t signed_offset(std::uint64_t offset) {
  return offset >> 32 == 0 ? static_cast<std::int32_t>(offset) : static_cast<std::int64_t>(offset);
}

}  // namespace

Naming::Naming(const LaunchContext& launch)
    : memory_(*launch.memory), shared_(launch.program->shared_variables(launch.kernel)) {
  std::stable_sort(shared_.begin(), shared_.end(),
                   [](const auto& a, const auto& b) { return a.offset < b.offset; });
}

const Program::SharedVariable* Naming::meant_in_shared(std::uint64_t offset) const {
  if (signed_offset(offset) < 0) return shared_.empty() ? nullptr : &shared_.front();
  const auto next =
      std::upper_bound(shared_.begin(), shared_.end(), offset,
                       [](std::uint64_t at, const auto& variable) { return at < variable.offset; });
  if (next == shared_.begin()) return next == shared_.end() ? nullptr : &*next;
  const auto& before = *(next - 1);
  const std::uint64_t end = std::uint64_t{before.offset} + before.bytes;
  if (before.bytes == 0 || offset < end || next == shared_.end()) return &before;
  return next->offset - offset < offset - end ? &*next : &before;
}

std::string Naming::shared(std::uint64_t offset, std::uint32_t element_bytes) const {
  const Program::SharedVariable* meant = meant_in_shared(offset);
  if (meant == nullptr) return "shared memory at byte " + std::to_string(offset);
  const std::uint32_t element = element_size(meant->element_bytes, element_bytes);
  const bool is_inside = offset >= meant->offset && offset - meant->offset < meant->bytes;
  if (is_inside && meant->bytes <= element) return meant->name;
  return indexed(meant->name, signed_offset(offset) - meant->offset, element);
}

std::string Naming::shared_size(std::uint64_t offset, std::uint32_t element_bytes) const {
  const Program::SharedVariable* meant = meant_in_shared(offset);
  if (meant == nullptr || meant->bytes == 0) return "";
  return count_text(meant->name, meant->bytes / element_size(meant->element_bytes, element_bytes));
}

bool Naming::is_in_variable(std::uint64_t offset) const {
  const Program::SharedVariable* meant = meant_in_shared(offset);
  return meant != nullptr && offset >= meant->offset && offset - meant->offset < meant->bytes;
}

std::string Naming::global(const Allocation& allocation, std::uint64_t address,
                           std::uint32_t element_bytes) const {
  const std::uint32_t element = element_size(allocation.element_bytes, element_bytes);
  const auto bytes = static_cast<std::int64_t>(address - allocation.base);
  if (!allocation.name.empty()) {
    const bool is_scalar = allocation.bytes > 0 && allocation.bytes <= element && bytes >= 0 &&
                           address < allocation.base + element;
    return is_scalar ? allocation.name : indexed(allocation.name, bytes, element);
  }
  const std::string size = "an allocation of " + std::to_string(allocation.bytes) + " bytes";
  if (bytes < 0) return "what lies " + std::to_string(-bytes) + " bytes before " + size;
  return "element " + std::to_string(static_cast<std::uint64_t>(bytes) / element) + " of " + size;
}

std::string Naming::of(ptx::Space space, std::uint64_t address, std::uint32_t element_bytes) const {
  switch (space) {
    case ptx::Space::shared:
      return shared(address, element_bytes);
    case ptx::Space::local:
      return "its local memory at byte " + std::to_string(address);
    case ptx::Space::param:
      return "a parameter at byte " + std::to_string(address);
    default:
      break;
  }
  const Allocation* allocation = meant_by(address);
  return allocation == nullptr ? "global memory" : global(*allocation, address, element_bytes);
}

const Allocation* Naming::meant_by(std::uint64_t address) const {
  const Allocation* nearest = memory_.nearest(address);
  if (nearest == nullptr) return nullptr;
  const std::uint64_t end = nearest->base + nearest->bytes;
  const bool is_near = address + farthest >= nearest->base && address < end + farthest;
  return is_near ? nearest : nullptr;
}

std::string size_of(const Allocation& allocation, std::uint32_t element_bytes) {
  const std::uint32_t element = element_size(allocation.element_bytes, element_bytes);
  const std::uint64_t elements = allocation.bytes / element;
  return count_text(allocation.name.empty() ? "it" : allocation.name, elements);
}

std::string thread_name(std::uint32_t thread, std::uint64_t block, bool names_block) {
  const std::string name = "thread " + std::to_string(thread);
  return names_block ? name + " of block " + std::to_string(block) : name;
}

std::vector<std::uint32_t> threads_of(std::uint32_t warp, LaneMask lanes) {
  std::vector<std::uint32_t> threads;
  for (const std::uint32_t lane : lanes_in(lanes)) threads.push_back(warp * warp_size + lane);
  return threads;
}

std::string lanes_name(std::uint32_t warp, LaneMask lanes) {
  const std::vector<std::uint32_t> threads = threads_of(warp, lanes);
  if (threads.empty()) return "no thread";
  if (threads.size() == 1) return "thread " + std::to_string(threads[0]);
  if (threads.back() - threads.front() + 1 == threads.size() && threads.size() > 2) {
    return "threads " + std::to_string(threads.front()) + " to " + std::to_string(threads.back());
  }
  std::string text = "threads " + std::to_string(threads[0]);
  const std::size_t named = std::min<std::size_t>(threads.size(), 4);
  for (std::size_t i = 1; i < named; ++i) {
    const bool is_last = i + 1 == threads.size();
    text += (is_last ? " and " : ", ") + std::to_string(threads[i]);
  }
  if (named < threads.size()) text += " and " + std::to_string(threads.size() - named) + " more";
  return text;
}

}  // namespace warpwise::simulator::observe
