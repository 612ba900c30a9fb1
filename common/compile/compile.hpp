#pragma once
/// \file Kernel files to PTX modules: the one place of the house that compiles kernels. NVRTC does it, in
/// this process and in the same version on every machine, so that everybody's counters are those of the
/// lessons. A file for which it is not enough, because it has code for the host, goes to the toolkit's nvcc
/// where there is one. So it has the verdict that it would have had of nvcc.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "../text/installation.hpp"

namespace warpwise::compile {

/// Where nobody asks for another: the oldest that CUDA 13 still compiles for, so that the module runs on
/// every GPU since Turing.
inline constexpr const char* usual_architecture = "compute_75";

struct Kernels {
  std::filesystem::path source;                        ///< a .cu file
  std::vector<std::filesystem::path> include_folders;  ///< for `#include "ch01_naive/kernels.hpp"`: the clone
  std::string architecture = usual_architecture;
  std::vector<std::string> options = {};  ///< further ones, which NVRTC and nvcc both know: "-fmad=false"
  /// The one that is wanted: where the source compiles without a word with this kernel alone, the others may
  /// be missing in the module, and be wrong. That takes a tenth of the time where there are many. Empty: all.
  std::string kernel = {};
};

struct Compiled {
  bool is_compiled = false;
  std::string ptx;
  /// Errors and warnings, "FILE(LINE): error: ...", with the paths as they were given. Where nvcc would be
  /// needed and is not there, a sentence at their end says so.
  std::string messages;
};

/// Throws std::runtime_error where the source cannot be read, or a compiler fails by itself.
Compiled to_ptx(const Kernels& kernels, const text::Installation& installation);

/// The files that `#include "FILE"` brings into the source, as far as they are found in its own folder and in
/// the include folders, each once, the source first.
std::vector<std::filesystem::path> files_of(const Kernels& kernels);

/// The same as a file, `module`, which is left as it is if it was made of the same texts by the same
/// compiler. Beside it, in module.messages, is kept what the compiler said, so that warnings come with every
/// build.
struct Made {
  bool is_made = false;  ///< the module is there, and of these texts
  std::string messages;
};
Made make_module(const Kernels& kernels, const std::filesystem::path& module,
                 const text::Installation& installation);

}  // namespace warpwise::compile
