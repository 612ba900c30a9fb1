#pragma once
/// \file What NVRTC lets pass and nvcc refuses: device code that uses a constant array of the host, which
/// NVRTC silently copies to the device; a kernel called like a function; a second definition of what CUDA
/// defines.

#include <string>
#include <string_view>

namespace warpwise::compile {

/// What may be wrong with a file that NVRTC has accepted.
struct Doubt {
  bool is_there = false;
  /// "(3): error: ...", as nvcc would say it, where the text alone shows it; otherwise empty, and nvcc has to
  /// be asked.
  std::string error;
};

/// `source`: the file itself; `texts`: it and what it includes, `ptx`: what NVRTC has made of it.
Doubt doubt_about(std::string_view source, std::string_view texts, std::string_view ptx);

}  // namespace warpwise::compile
