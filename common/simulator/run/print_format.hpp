#pragma once
/// \file The device's printf (CUDA programming guide, "Formatted output").

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace warpwise::simulator::run {

struct PrintedLine {
  std::string text;
  std::uint32_t values = 0;  ///< how many arguments were used: what vprintf returns
};

/// `values`: 4-byte integers, 8-byte integers, doubles and pointers, each aligned to its size.
/// `text_at` reads a string of device memory for %s.
PrintedLine format_print(const std::string& format, std::span<const std::byte> values,
                         const std::function<std::string(std::uint64_t)>& text_at);

}  // namespace warpwise::simulator::run
