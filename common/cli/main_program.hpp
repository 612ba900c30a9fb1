#pragma once
/// \file What the programs behind ./warpwise have in common.

#include <string>
#include <vector>

namespace warpwise::cli {

using Words = std::vector<std::string>;

/// main's words are handed to `run`, without the program's name. Returns its exit status; a Failure is said
/// in one sentence, "warpwise: …". Marks are ASCII where the terminal has no others.
int run_program(int count, char** words, int (*run)(Words));

}  // namespace warpwise::cli
