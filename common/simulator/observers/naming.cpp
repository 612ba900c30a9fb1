#include "naming.hpp"

#include <algorithm>

namespace warpwise::simulator {

using machine::Allocation;

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

}  // namespace

Naming::Naming(const machine::LaunchContext& launch)
    : memory_(*launch.memory), shared_(launch.program->shared_variables(launch.kernel)) {
  std::stable_sort(shared_.begin(), shared_.end(),
                   [](const auto& a, const auto& b) { return a.offset < b.offset; });
}

std::string Naming::shared(std::uint64_t offset, std::uint32_t element_bytes) const {
  const machine::Program::SharedVariable* best = nullptr;
  for (const auto& variable : shared_) {
    if (variable.offset > offset) break;
    const bool is_inside = variable.bytes == 0 || offset < variable.offset + variable.bytes;
    if (is_inside || best == nullptr || best->offset + best->bytes <= offset) best = &variable;
  }
  if (best == nullptr) return "shared memory at byte " + std::to_string(offset);
  const std::uint32_t element = element_size(best->element_bytes, element_bytes);
  if (best->bytes != 0 && best->bytes <= element && offset < best->offset + best->bytes) return best->name;
  return indexed(best->name, static_cast<std::int64_t>(offset - best->offset), element);
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
  const std::string name = allocation.name.empty() ? "it" : allocation.name;
  return name + " has " + std::to_string(elements) + (elements == 1 ? " element" : " elements");
}

std::string thread_name(std::uint32_t thread, std::uint64_t block, bool is_block_told) {
  const std::string name = "thread " + std::to_string(thread);
  return is_block_told ? name + " of block " + std::to_string(block) : name;
}

std::vector<std::uint32_t> threads_of(std::uint32_t warp, machine::LaneMask lanes) {
  std::vector<std::uint32_t> threads;
  for (machine::LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    threads.push_back(warp * machine::warp_size + machine::lowest(rest));
  }
  return threads;
}

std::string lanes_name(std::uint32_t warp, machine::LaneMask lanes) {
  const std::vector<std::uint32_t> threads = threads_of(warp, lanes);
  if (threads.empty()) return "no thread";
  if (threads.size() == 1) return "thread " + std::to_string(threads[0]);
  if (threads.back() - threads.front() + 1 == threads.size() && threads.size() > 2) {
    return "threads " + std::to_string(threads.front()) + " to " + std::to_string(threads.back());
  }
  std::string text = "threads " + std::to_string(threads[0]);
  const std::size_t told = std::min<std::size_t>(threads.size(), 4);
  for (std::size_t i = 1; i < told; ++i) {
    const bool is_last = i + 1 == threads.size();
    text += (is_last ? " and " : ", ") + std::to_string(threads[i]);
  }
  if (told < threads.size()) text += " and " + std::to_string(threads.size() - told) + " more";
  return text;
}

}  // namespace warpwise::simulator
