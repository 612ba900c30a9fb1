#pragma once
/// \file What kernels.hpp says of a kernel: where its declaration stands, and the technique that is asked
/// for.

#include <string>
#include <string_view>
#include <vector>

namespace warpwise::text {

struct Contract {
  unsigned line = 0;        ///< of the declaration, from 1; 0: there is none
  std::string declaration;  ///< "WARPWISE_KERNEL(name, (const float* in));", as one line
  std::string technique;  ///< "strides blockDim.x / 2, / 4 ... 1, and ..."; empty where nothing is said of it
};

/// The contract of `kernel` in `text`, the contents of a kernels.hpp. Its technique stands behind the word
/// "Technique" in the comment above its declaration, or else in the comment `//` above its group, up to the
/// end of the comment or its reference to a book.
Contract contract_in(std::string_view text, std::string_view kernel);
/// The kernels that `text` declares, in its order.
std::vector<std::string> kernels_declared_in(std::string_view text);
/// The same of the file at `path`; empty where it cannot be read.
Contract contract_of(const std::string& path, std::string_view kernel);

/// One sentence where `messages` say that a kernel is defined with another signature than `contract` (the
/// text of kernels.hpp, which lies at `path`) declares; else empty.
std::string signature_advice(std::string_view messages, std::string_view contract, const std::string& path);

}  // namespace warpwise::text
