#pragma once
/// \file A solution differs from its exercise only inside the bodies of functions: what stands around them
/// (comments, includes, signatures) is the same text.

#include <functional>
#include <string>

#include "../text/source.hpp"

namespace warpwise::course {

/// `source` without what stands between the braces of its functions.
std::string frame_of(const text::Source& source);

/// Says how the two agree. An exercise that somebody has begun to write may have functions of its own, and is
/// not judged: it is known by a function of the solution that has neither a TODO nor the solution's text.
/// Otherwise `committed()`, the exercise as git has it, is judged in its place where that differs; empty: git
/// has none. Throws std::runtime_error with the first line that differs.
std::string compare_frames(const text::Source& exercise, const text::Source& solution,
                           const std::function<std::string()>& committed);

}  // namespace warpwise::course
