#include "print_format.hpp"

#include <cstdio>
#include <cstring>

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

}  // namespace

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

}  // namespace warpwise::simulator::run
