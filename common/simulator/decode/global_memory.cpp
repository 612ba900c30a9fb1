#include "../global_memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <new>
#include <shared_mutex>

#include "../host/host.hpp"

namespace warpwise::simulator {

namespace {

constexpr std::size_t alignment = 256;  // as cudaMalloc promises
constexpr std::size_t most_released = 1024;
/// Behind an allocation: an index a little too large would else meet what the host's heap happens to have
/// there, on each machine something else. Not where there are very many (malloc() in a kernel).
constexpr std::uint64_t room_behind = 1 << 16;
constexpr std::size_t most_with_room = 1024;

std::byte* new_storage(std::uint64_t bytes, std::uint64_t room) {
  if (bytes > std::uint64_t{1} << 46) throw std::bad_alloc();
  // At least one unit, so that an empty allocation has an address of its own.
  const std::uint64_t size = (bytes / alignment + 1) * alignment + room;
  void* storage = std::aligned_alloc(alignment, size);
  if (storage == nullptr) throw std::bad_alloc();
  return static_cast<std::byte*>(storage);
}

}  // namespace

ZeroedBytes::ZeroedBytes(std::uint64_t size) : size_(size) {
  if (size >= many) {
    data_ = static_cast<std::uint8_t*>(host::map_zeros(size));
  } else if (size != 0) {
    data_ = static_cast<std::uint8_t*>(std::calloc(size, 1));
    if (data_ == nullptr) throw std::bad_alloc();
  }
}

void ZeroedBytes::clear() {
  if (size_ >= many)
    host::unmap(data_, size_);
  else
    std::free(data_);
  data_ = nullptr;
  size_ = 0;
}

void Allocation::mark_written(std::uint64_t offset, std::uint64_t length) {
  if (written.empty()) return;
  std::uint8_t* const words = written.data();
  const std::uint64_t end = std::min(bytes, offset + length);
  while (offset < end && offset % 4 != 0) {
    words[offset / 4] |= static_cast<std::uint8_t>(1u << (offset % 4));
    ++offset;
  }
  if (offset >= end) return;
  std::memset(words + offset / 4, 0xF, (end - offset) / 4);
  for (offset += (end - offset) / 4 * 4; offset < end; ++offset)
    words[offset / 4] |= static_cast<std::uint8_t>(1u << (offset % 4));
}

bool Allocation::is_written(std::uint64_t offset, std::uint64_t length) const {
  if (written.empty()) return true;
  for (std::uint64_t byte = offset; byte < offset + length; ++byte)
    if ((written.data()[byte / 4] >> byte % 4 & 1) == 0) return false;
  return true;
}

/// Keyed by base address. Kernels may allocate while others look (device-side malloc), hence the lock.
struct GlobalMemory::State {
  mutable std::shared_mutex mutex;
  std::map<std::uint64_t, Allocation> allocations;
  std::deque<std::shared_ptr<const Allocation>> released;  ///< the last one first
  std::uint64_t bytes_in_use = 0;
  std::uint64_t next_id = 1;

  void forget_released(std::uint64_t base, std::uint64_t bytes) {
    std::erase_if(released, [&](const auto& each) {
      return each->base < base + bytes && base < each->base + each->bytes;
    });
  }
  std::uint64_t room_for_next() const {
    const std::shared_lock lock(mutex);
    return allocations.size() < most_with_room ? room_behind : 0;
  }
  /// The lock is held.
  Allocation& add(std::uint64_t base, std::uint64_t bytes, std::string name, std::uint32_t element_bytes) {
    Allocation& place = allocations[base];
    place.base = base;
    place.bytes = bytes;
    place.name = std::move(name);
    place.element_bytes = element_bytes;
    place.id = next_id++;
    bytes_in_use += bytes;
    forget_released(base, bytes);
    return place;
  }
  void note_release(const Allocation& gone) {
    auto kept = std::make_shared<Allocation>();
    kept->base = gone.base;
    kept->bytes = gone.bytes;
    kept->name = gone.name;
    kept->element_bytes = gone.element_bytes;
    released.push_front(std::move(kept));
    if (released.size() > most_released) released.pop_back();
  }
};

GlobalMemory::GlobalMemory() : state_(std::make_unique<State>()) {}
GlobalMemory::~GlobalMemory() = default;

Allocation& GlobalMemory::allocate(std::uint64_t bytes, std::string name, std::uint32_t element_bytes) {
  std::unique_ptr<std::byte[], void (*)(void*)> storage(new_storage(bytes, state_->room_for_next()),
                                                        std::free);
  std::memset(storage.get(), std::to_integer<int>(poison), bytes);
  ZeroedBytes written((bytes + 3) / 4);
  const std::unique_lock lock(state_->mutex);
  Allocation& place =
      state_->add(reinterpret_cast<std::uint64_t>(storage.get()), bytes, std::move(name), element_bytes);
  place.written = std::move(written);
  place.storage = std::move(storage);
  return place;
}

Allocation& GlobalMemory::reserve(std::uint64_t bytes, std::string name, std::uint32_t element_bytes) {
  if (bytes < ZeroedBytes::many) return allocate(bytes, std::move(name), element_bytes);
  // As far as 32 bits reach, nothing else lies around it: an offset in which they overflow leaves it. And the
  // low half of an address begins again in its middle.
  constexpr std::uint64_t around = std::uint64_t{1} << 32;
  ZeroedBytes pages(around + bytes + 2 * around), written((bytes + 3) / 4);
  const std::uint64_t half = bytes / 2 / alignment * alignment;
  const std::uint64_t middle =
      (reinterpret_cast<std::uint64_t>(pages.data()) + around + half) / around * around + around;
  const std::unique_lock lock(state_->mutex);
  Allocation& place = state_->add(middle - half, bytes, std::move(name), element_bytes);
  place.written = std::move(written);
  place.pages = std::move(pages);
  return place;
}

Allocation& GlobalMemory::adopt(void* host, std::uint64_t bytes, std::string name) {
  const std::unique_lock lock(state_->mutex);
  Allocation& place = state_->add(reinterpret_cast<std::uint64_t>(host), bytes, std::move(name), 0);
  place.written.clear();
  return place;
}

bool GlobalMemory::release(std::uint64_t base) {
  const std::unique_lock lock(state_->mutex);
  const auto at = state_->allocations.find(base);
  if (at == state_->allocations.end()) return false;
  state_->bytes_in_use -= at->second.bytes;
  state_->note_release(at->second);
  state_->allocations.erase(at);
  return true;
}

std::shared_ptr<const Allocation> GlobalMemory::find_released(std::uint64_t address) const {
  const std::shared_lock lock(state_->mutex);
  const auto found = std::find_if(state_->released.begin(), state_->released.end(),
                                  [&](const auto& each) { return each->contains(address, 1); });
  return found == state_->released.end() ? nullptr : *found;
}

Allocation* GlobalMemory::find(std::uint64_t address) {
  const std::shared_lock lock(state_->mutex);
  auto at = state_->allocations.upper_bound(address);
  if (at == state_->allocations.begin()) return nullptr;
  --at;
  return at->second.contains(address, 1) ? &at->second : nullptr;
}

const Allocation* GlobalMemory::nearest(std::uint64_t address) const {
  const std::shared_lock lock(state_->mutex);
  const auto after = state_->allocations.upper_bound(address);
  const Allocation* next = after == state_->allocations.end() ? nullptr : &after->second;
  if (after == state_->allocations.begin()) return next;
  const Allocation* before = &std::prev(after)->second;
  if (before->contains(address, 1) || next == nullptr) return before;
  const std::uint64_t behind = address - (before->base + before->bytes);
  return next->base - address < behind ? next : before;
}

std::vector<const Allocation*> GlobalMemory::all() const {
  const std::shared_lock lock(state_->mutex);
  std::vector<const Allocation*> result;
  for (const auto& [base, allocation] : state_->allocations) result.push_back(&allocation);
  return result;
}

std::uint64_t GlobalMemory::bytes_in_use() const {
  const std::shared_lock lock(state_->mutex);
  return state_->bytes_in_use;
}

std::uint64_t host_memory() { return host::memory_bytes(); }

MemoryImage::MemoryImage(GlobalMemory& memory) : memory_(memory) {
  for (const Allocation* const each : memory.all()) {
    if (each->is_read_only || each->bytes == 0) continue;
    const auto* const begin = reinterpret_cast<const std::byte*>(each->base);  // the host's addresses
    const std::uint8_t* const written = each->written.data();
    parts_.push_back({each->base, {begin, begin + each->bytes}, {written, written + each->written.size()}});
  }
}

void MemoryImage::restore() const {
  for (const Part& part : parts_) {
    Allocation* const to = memory_.find(part.base);
    if (to == nullptr || to->base != part.base || to->bytes != part.bytes.size()) continue;
    std::memcpy(reinterpret_cast<void*>(part.base), part.bytes.data(), part.bytes.size());
    if (to->written.size() == part.written.size())
      std::copy(part.written.begin(), part.written.end(), to->written.data());
  }
}

}  // namespace warpwise::simulator
