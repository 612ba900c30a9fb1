#pragma once
/// \file What a .cu file of a chapter says, as text: its kernels and how much of them is still to be written.

#include <string>
#include <string_view>
#include <vector>

namespace warpwise::cli {

struct KernelText {
  std::string name;
  std::string definition;  ///< with the comment lines directly above it
  std::size_t line = 0;    ///< of the definition, from 1
  bool has_todo = false;
};

/// The `__global__` functions that `source` defines, in its order. Declarations are left out.
std::vector<KernelText> kernels_in(std::string_view source);

}  // namespace warpwise::cli
