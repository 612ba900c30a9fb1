#pragma once
/// \file What a student is told: what ./warpwise run prints, and the points.

#include <filesystem>
#include <string>
#include <string_view>

#include "assignment.hpp"
#include "judge.hpp"
#include "result.hpp"

namespace warpwise::grade {

/// `sentence` with `?` for its numbers, but those of lines: "n = ?, block = ?: out[?] is ?, expected ?".
/// Names keep their digits.
std::string without_numbers(std::string_view sentence);

/// What it came to as ./warpwise run shows it, without what kernels print and, where sizes are hidden,
/// without numbers and counters. `folder`: where ch01_naive/exercise.cu and kernels.hpp lie.
std::string feedback_on(const JudgedFile& judged, const Assignment& assignment, bool hides_sizes,
                        const std::filesystem::path& folder);

/// A line for each kernel, and the sum.
std::string points_table(const ChapterResult& chapter);

}  // namespace warpwise::grade
