#pragma once
/// \file What kernels.hpp says about each kernel: where its declaration is, and the technique that is asked
/// for.

#include <string>
#include <string_view>
#include <vector>

namespace warpwise::text {

struct Contract {
  std::string kernel;
  unsigned line = 0;        ///< of the declaration, from 1; 0: there is none
  std::string declaration;  ///< "WARPWISE_KERNEL(name, (const float* in));", as one line
  std::string technique;    ///< "strides blockDim.x / 2, / 4 ... 1, and ..."; empty if nothing is said of it
};

/// Of the kernels that `text`, the contents of a kernels.hpp, declares, in its order. A technique stands
/// behind the word "Technique" in the comment above the declaration, or else in the comment `//` above its
/// group, up to the end of the comment or its reference to a book.
std::vector<Contract> contracts_in(std::string_view text);
/// The same of the file at `path`; none if there is no such file.
std::vector<Contract> read_contracts(const std::string& path);

/// The one of `kernel`; an empty one if there is none.
Contract contract_of(const std::vector<Contract>& contracts, std::string_view kernel);

/// One sentence where `messages` of a compiler say that a kernel is defined with another signature than
/// `contracts` (of the kernels.hpp at `path`) declare; else empty.
std::string signature_advice(std::string_view messages, const std::vector<Contract>& contracts,
                             const std::string& path);

}  // namespace warpwise::text
