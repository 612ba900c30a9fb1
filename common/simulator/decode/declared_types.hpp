#pragma once
/// \file What the elements of arrays are. The compiler writes nearly every array as bytes (`.b8 s[256]`); the
/// source says what it was declared as, and the linker's name of a kernel, what its pointers point to.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "../ptx.hpp"

namespace warpwise::simulator::decode {

/// Bytes of the type that is spelled like this in C++; 0 for all but the types that the language, and CUDA's
/// headers, always give the same meaning.
std::uint32_t bytes_of_type(std::string_view type);

/// For each parameter of the function with this (mangled) name, bytes of what it points to; 0 where it is no
/// pointer, or to a type that is not known. Empty where the name has no parameters: of `extern "C"`.
std::vector<std::uint32_t> pointee_bytes(const std::string& name);

/// Variables with a space of their own, such as `__shared__`, in source texts. No preprocessor runs, and no
/// scope is looked at: where several declarations could be meant and say different things, nothing is known.
class Declarations {
 public:
  /// Those in the module's own files, as they can be read now.
  explicit Declarations(const ptx::Module& module);
  explicit Declarations(std::string_view text) { read(text); }

  /// Bytes of an element of the variable of this name and size (0: `extern __shared__ x[]`); 0: unknown. What
  /// is no array is one element. Struct or not, of `x[7]` an element is a seventh.
  std::uint32_t element_bytes(std::string_view name, std::uint64_t bytes) const;

 private:
  struct Declaration {
    std::uint32_t type_bytes = 0;  ///< 0: unknown
    std::uint64_t elements = 1;    ///< 0: not a number in the text
    bool is_open = false;          ///< `x[]`
  };
  using Tokens = std::vector<std::string_view>;
  void read(std::string_view text);
  void read_statement(const Tokens& tokens);

  std::multimap<std::string, Declaration, std::less<>> by_name_;
};

}  // namespace warpwise::simulator::decode
