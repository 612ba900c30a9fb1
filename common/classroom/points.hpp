#pragma once
/// \file What a submission earns: points for each kernel and aspect, from a small file.
///
///     {"version": 1,
///      "each": {"result": 2, "technique": 2, "safety": 1},
///      "chapters": {"ch03": {"reduce_max": {"result": 4}, "column_sums": {"result": 0, "technique": 0,
///      "safety": 0}}}, "hide": ["sizes"], "seed": 20261}
///
/// All members may be missing; without a file `each` is as here and nothing else stands.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "../report/report.hpp"
#include "course.hpp"

namespace warpwise::classroom {

/// Points of one kernel, by aspect; 1/1000 of a point is the unit, so that sums are exact.
struct Weights {
  std::int64_t result = 2000, technique = 2000, safety = 1000;
  std::int64_t of(report::Aspect aspect) const;
};

struct Points {
  Weights each;
  /// By chapter ("ch03_bank_conflicts") and kernel.
  std::map<std::string, std::map<std::string, Weights>> kernels;
  bool hides_sizes = false;  ///< what a student is told leaves out sizes, places and values
  std::uint64_t seed = 0;    ///< of inputs and of more sizes (harness/check/inputs.hpp); 0: the usual ones

  const Weights& of(const std::string& chapter, const std::string& kernel) const;
};

/// Throws Refusal, "points.json: chapters/ch03/reduce_mox: ch03_bank_conflicts has no kernel of that name".
Points points_from(std::string_view json, const std::string& file, const Course& course);
Points read_points(const std::filesystem::path& file, const Course& course);

/// The same points give the same text; seed and all.
std::string text_of(const Points& points);

/// 2500 -> "2.5", 2000 -> "2".
std::string points_text(std::int64_t thousandths);

}  // namespace warpwise::classroom
