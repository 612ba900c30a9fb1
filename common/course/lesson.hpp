#pragma once
/// \file A lesson shows code that exists, and output that was printed.

#include <functional>
#include <string>
#include <string_view>

#include "process_output.hpp"

namespace warpwise::course {

/// Each ```cpp block of a lesson stands under a line
///     <!-- code: solution.cu#tree -->
/// and must equal, to the character, what stands in that file between the lines `// [tree]` and `// [/tree]`,
/// moved to the left margin and without other anchors. `source` gives the text of a file. Returns how many
/// blocks there are; throws std::runtime_error for one that differs, and where there is none.
std::size_t check_lesson(std::string_view lesson,
                         const std::function<std::string(const std::string& file)>& source);

/// The lesson with the code that the sources say now in every such block; a block whose `source` is empty, or
/// has no such anchor any more, stays as it is.
std::string with_current_code(std::string_view lesson,
                              const std::function<std::string(const std::string& file)>& source);

/// The text between the anchors, as a lesson shows it; where `source` has no such lines, its function of that
/// name. Throws std::runtime_error where it has neither.
std::string anchored(std::string_view source, const std::string& anchor);

/// What the lesson shows under `$ build/.../PROGRAM` is, to the character, what the program printed;
/// `program` is its path. Throws std::runtime_error where it is not, or where the program failed or printed
/// nothing.
void check_output(std::string_view lesson, const std::string& program, const ProcessOutput& output);

}  // namespace warpwise::course
