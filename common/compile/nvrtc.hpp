#pragma once
/// \file NVRTC, NVIDIA's library that compiles device code to PTX in the process that asks: no host compiler,
/// no other process. It is loaded when it is first needed.
/// Source: NVRTC, "User Interface" (docs.nvidia.com/cuda/nvrtc).

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace warpwise::compile {

/// A header that is text in this program: what `#include <name>` gives.
struct NamedHeader {
  const char* name;
  const char* text;
};

struct NvrtcResult {
  bool is_compiled = false;
  std::string ptx;
  std::string messages;  ///< errors and warnings, "FILE(LINE): error: ..."
};

class Nvrtc {
 public:
  /// Loads it. Throws std::runtime_error, one sentence, where that fails.
  explicit Nvrtc(const std::filesystem::path& library);

  /// "13.5"
  const std::string& version() const { return version_; }
  /// Whether it has the option -minimal: since 12.4.
  bool knows_minimal() const { return knows_minimal_; }
  /// `name`: the source's path, as messages and the PTX are to name it. Throws std::runtime_error where NVRTC
  /// itself fails, for want of memory or by an option that it does not know.
  NvrtcResult compile(const std::string& source, const std::string& name,
                      std::span<const NamedHeader> headers, std::span<const std::string> options) const;
  /// Writes the CUDA headers that the library brings into `folder`, unless they are there; false where it
  /// brings none (before 13.3).
  bool install_headers(const std::filesystem::path& folder) const;

 private:
  template <class Function>
  Function* find(const char* name) const;

  void* library_;  ///< never closed: NVRTC keeps state of its own
  std::string version_;
  bool knows_minimal_ = false;
};

}  // namespace warpwise::compile
