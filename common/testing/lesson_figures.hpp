#pragma once
/// \file Figures that a lesson prints and the compiler decides: how many PTX instructions a kernel takes.

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>

#include "catch.hpp"

namespace warpwise::testing {

/// The nvcc whose figures the lessons print.
inline constexpr std::string_view lessons_nvcc = "13.0";

/// The release of the nvcc that made a module, from its first lines: "13.0". Throws where they do not say.
inline std::string nvcc_of(const std::string& module_path) {
  constexpr std::string_view mark = "Cuda compilation tools, release ";
  std::ifstream file(module_path);
  for (std::string line; std::getline(file, line) && (line.empty() || line.starts_with("//"));) {
    const std::size_t place = line.find(mark);
    if (place == line.npos) continue;
    const std::string release = line.substr(place + mark.size());
    return release.substr(0, release.find(','));
  }
  throw std::runtime_error(module_path + " does not say which nvcc made it");
}

/// What another nvcc makes of it, measured.
struct OtherFigure {
  std::string_view nvcc;
  std::uint64_t count;
};

/// Holds `counted`, instructions of a kernel in the module, against the figure `printed` in a lesson. With
/// the lesson's nvcc it is the same to the instruction, with those of `others` what stands there; with an
/// nvcc that has not been tried it may be a fifth more or less. Where it differs the test says what it is.
inline void check_figure(const std::string& module_path, std::uint64_t counted, std::uint64_t printed,
                         std::initializer_list<OtherFigure> others = {}) {
  const std::string nvcc = nvcc_of(module_path);
  CAPTURE(nvcc);
  const auto known = std::find_if(others.begin(), others.end(),
                                  [&](const OtherFigure& other) { return other.nvcc == nvcc; });
  if (nvcc == lessons_nvcc) {
    CHECK(counted == printed);
  } else if (known != others.end()) {
    CHECK(counted == known->count);
  } else {
    CHECK(5 * counted >= 4 * printed);
    CHECK(5 * counted <= 6 * printed);
  }
  if (counted != printed)
    WARN("your nvcc " << nvcc << " counts " << counted << "; the lesson's " << printed << " are of nvcc "
                      << lessons_nvcc);
}

}  // namespace warpwise::testing
