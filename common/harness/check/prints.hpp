#pragma once
/// \file What kernels print, up to a point: the checks launch each of them hundreds of times, and the verdict
/// stands below.

#include <cstdint>
#include <ostream>
#include <string_view>

namespace warpwise::harness {

/// Not for several threads at once: the simulated GPU hands over one block's text after the other.
class Prints {
 public:
  Prints(std::ostream& out, std::uint64_t most_lines) : out_(out), left_(most_lines) {}

  void show(std::string_view text) {
    while (!text.empty()) {
      const std::string_view line = text.substr(0, text.find('\n') + std::size_t{1});
      const std::string_view next = line.empty() ? text : line;  // the last need not end
      text.remove_prefix(next.size());
      if (left_ == 0) {
        ++dropped_;
      } else {
        --left_;
        out_ << next;
      }
    }
  }

  /// Says how much was not shown.
  void end() const {
    if (dropped_ == 0) return;
    out_ << '(' << dropped_
         << " more lines of printf; --verbose shows all. To print less, print under a condition: if (n == "
            "33))\n\n";
  }

 private:
  std::ostream& out_;
  std::uint64_t left_;
  std::uint64_t dropped_ = 0;
};

}  // namespace warpwise::harness
