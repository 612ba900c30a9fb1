#pragma once
/// \file Short texts for tests of the reader.

#include <optional>
#include <string>

#include "common/simulator/ptx.hpp"

namespace warpwise::simulator::ptx::testing {

/// The three lines that every module begins with: what follows starts at line 4.
inline const std::string header = ".version 8.0\n.target sm_75\n.address_size 64\n";

inline Module read(const std::string& directives) { return read_module(header + directives, "test.ptx"); }

/// A module with one kernel whose body starts at line 5.
inline std::string kernel(const std::string& body) {
  return ".entry k(.param .u64 in, .param .u32 n) {\n" + body + "\n}\n";
}

inline Function read_body(const std::string& body) { return read(kernel(body)).functions.at(0); }

/// The error that reading gives; fails the test (by bad_optional_access) where there is none.
inline Error error_of(const std::string& directives) {
  std::optional<Error> error;
  try {
    read(directives);
  } catch (const Error& caught) {
    error = caught;
  }
  return error.value();
}

}  // namespace warpwise::simulator::ptx::testing
