#pragma once
/// \file What fuzzers left, and what was added by hand: corpus.txt holds all texts, each under a line `===
/// NAME`.
///
/// A text ends before the line break that stands before the next `=== `. Bytes that are neither printable nor
/// a line break nor a tab are written `\x00`, a backslash `\\`.

#include <string>
#include <vector>

namespace warpwise::simulator::ptx::testing {

struct FuzzText {
  std::string name;
  std::string bytes;
};

/// Throws std::runtime_error where the file cannot be read or is not as above.
std::vector<FuzzText> read_fuzz_corpus(const std::string& path);

}  // namespace warpwise::simulator::ptx::testing
