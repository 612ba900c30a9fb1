#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>

#include "block.hpp"
#include "call_stack.hpp"

namespace warpwise::simulator::run {

namespace {

class Values {
 public:
  explicit Values(std::span<const std::byte> bytes) : bytes_(bytes) {}
  template <class T>
  T next() {
    offset_ = (offset_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T value{};
    if (offset_ + sizeof value <= bytes_.size()) std::memcpy(&value, bytes_.data() + offset_, sizeof value);
    offset_ += sizeof value;
    return value;
  }

 private:
  std::span<const std::byte> bytes_;
  std::size_t offset_ = 0;
};

template <class T>
std::string formatted(const std::string& conversion, T value) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
  const int length = std::snprintf(nullptr, 0, conversion.c_str(), value);
  std::string text(length > 0 ? static_cast<std::size_t>(length) + 1 : 1, '\0');
  std::snprintf(text.data(), text.size(), conversion.c_str(), value);
#pragma GCC diagnostic pop
  text.pop_back();
  return text;
}

/// What a printf writes, and how many of its arguments were used, which is what vprintf returns.
struct PrintedLine {
  std::string text;
  std::uint32_t values = 0;
};

/// The device's printf (CUDA programming guide, "Formatted output"). `values`: 4-byte integers, 8-byte
/// integers, doubles and pointers, each aligned to its size. `text_at` reads a string of device memory for
/// %s.
PrintedLine format_print(const std::string& format, std::span<const std::byte> values,
                         const std::function<std::string(std::uint64_t)>& text_at) {
  PrintedLine line;
  Values arguments(values);
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      line.text += format[i];
      continue;
    }
    if (i + 1 < format.size() && format[i + 1] == '%') {
      line.text += '%';
      ++i;
      continue;
    }
    // %[flags][width][.precision][size]type; the host's printf formats one conversion at a time.
    std::string conversion = "%";
    bool is_long = false;
    std::size_t at = i + 1;
    for (; at < format.size() && std::strchr("-+ #0123456789.*lhjztL", format[at]) != nullptr; ++at) {
      if (format[at] == '*') {
        conversion += std::to_string(arguments.next<std::int32_t>());
        ++line.values;
      } else if (std::strchr("ljzt", format[at]) != nullptr) {
        is_long = true;
      } else if (format[at] != 'h' && format[at] != 'L') {
        conversion += format[at];
      }
    }
    const char type = at < format.size() ? format[at] : '\0';
    if (type == '\0' || std::strchr("diouxXcspeEfFgGaA", type) == nullptr || conversion.size() > 24) {
      line.text.append(format, i, at - i + 1);  // as the device does: unknown conversions stand as they are
      i = at;
      continue;
    }
    ++line.values;
    if (std::strchr("eEfFgGaA", type) != nullptr) {
      line.text += formatted(conversion + type, arguments.next<double>());
    } else if (type == 's') {
      line.text += formatted(conversion + 's', text_at(arguments.next<std::uint64_t>()).c_str());
    } else if (type == 'p') {
      line.text += formatted(conversion + 'p', reinterpret_cast<void*>(arguments.next<std::uint64_t>()));
    } else if (is_long) {
      line.text += formatted(conversion + "ll" + type, arguments.next<long long>());
    } else {
      line.text += formatted(conversion + type, arguments.next<std::int32_t>());
    }
    i = at;
  }
  return line;
}

constexpr std::size_t longest_text = 4096;

template <class T>
T argument(const Frame& frame, const LanePlace& place, std::uint32_t lane) {
  T value{};
  std::memcpy(&value, frame.rows + place.start + std::size_t{lane} * place.stride,
              std::min<std::size_t>(sizeof value, place.bytes));
  return value;
}

template <class T>
void set_result(Frame& frame, const Call& call, std::uint32_t lane, T value) {
  if (call.results.empty()) return;
  const LanePlace& place = call.results[0];
  std::memcpy(frame.rows + place.start + std::size_t{lane} * place.stride, &value,
              std::min<std::size_t>(sizeof value, place.bytes));
}

std::uint64_t allocate_for_kernel(GlobalMemory& memory, std::uint64_t bytes) {
  Allocation& place = memory.allocate(bytes, "malloc");
  place.owner = Owner::kernel;
  return place.base;
}

}  // namespace

std::span<std::byte> DeviceLibrary::bytes_at(std::uint64_t address, std::uint32_t lane) {
  if (address - local_window < window_bytes) {
    const std::uint64_t offset = address - local_window;
    if (offset >= stack_.local_bytes()) return {};
    return {stack_.local() + std::size_t{lane} * stack_.local_bytes() + offset,
            stack_.local_bytes() - offset};
  }
  if (address - shared_window < window_bytes) {
    const std::uint64_t offset = address - shared_window;
    if (offset >= block_.shared_bytes()) return {};
    return {block_.shared() + offset, block_.shared_bytes() - offset};
  }
  if (address >> 56 == constant_window >> 56) address -= constant_window;
  const Allocation* place = launch_.memory.find(address);
  if (place == nullptr) return {};
  return {reinterpret_cast<std::byte*>(address), place->base + place->bytes - address};
}

std::string DeviceLibrary::text_at(std::uint64_t address, std::uint32_t lane) {
  std::string text;
  if (address == 0) return "(null)";
  for (std::byte b : bytes_at(address, lane).first(std::min(bytes_at(address, lane).size(), longest_text))) {
    if (b == std::byte{0}) break;
    text += static_cast<char>(b);
  }
  return text;
}

/// vprintf(format, buffer): the values lie in the buffer like the members of a structure.
void DeviceLibrary::print(Frame& frame, LaneMask lanes, const Call& call) {
  for (const std::uint32_t lane : lanes_in(lanes)) {
    const auto format = argument<std::uint64_t>(frame, call.arguments[0], lane);
    const auto values = argument<std::uint64_t>(frame, call.arguments[1], lane);
    const PrintedLine line =
        format_print(text_at(format, lane), values == 0 ? std::span<std::byte>{} : bytes_at(values, lane),
                     [&](std::uint64_t address) { return text_at(address, lane); });
    block_.printed() += line.text;
    set_result<std::int32_t>(frame, call, lane, static_cast<std::int32_t>(line.values));
  }
}

/// __assertfail(expression, file, line, function, character size)
std::string DeviceLibrary::expression(const Frame& frame, LaneMask lanes, const Call& call) {
  const std::uint32_t lane = lowest_lane(lanes);
  return text_at(argument<std::uint64_t>(frame, call.arguments[0], lane), lane);
}

void DeviceLibrary::allocate(Frame& frame, LaneMask lanes, const Call& call) {
  for (const std::uint32_t lane : lanes_in(lanes)) {
    const auto bytes = argument<std::uint64_t>(frame, call.arguments[0], lane);
    std::uint64_t address = 0;
    try {
      // The default size of the device's heap is 8 MiB (CUDA programming guide, "Dynamic global memory").
      if (bytes != 0 && bytes <= 8u << 20) address = allocate_for_kernel(launch_.memory, bytes);
    } catch (const std::bad_alloc&) {
      address = 0;
    }
    set_result(frame, call, lane, address);
  }
}

/// The memory goes when the launch ends: other workers may be looking at the allocation.
std::optional<Fault> DeviceLibrary::release(Frame& frame, LaneMask lanes, const Call& call) {
  const std::lock_guard lock(launch_.mutex);
  std::optional<Fault> fault;
  for (const std::uint32_t lane : lanes_in(lanes)) {
    const auto address = argument<std::uint64_t>(frame, call.arguments[0], lane);
    if (address == 0) continue;  // as in C
    Allocation* const place = launch_.memory.find(address);
    if (place != nullptr && place->owner == Owner::kernel && place->base == address) {
      place->owner = Owner::nobody;
      launch_.released.push_back(address);
      continue;
    }
    if (!fault) fault = {.kind = FaultKind::bad_free, .space = ptx::Space::generic, .address = address};
    fault->lanes |= lane_bit(lane);
  }
  return fault;
}

}  // namespace warpwise::simulator::run
