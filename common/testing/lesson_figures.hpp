#pragma once
/// \file Figures that a lesson prints and the compiler decides: how many PTX instructions a kernel takes.

#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "catch.hpp"

namespace warpwise::testing {

/// The compiler whose figures the lessons print: cmake/nvrtc-wheel.txt pins it.
inline constexpr std::string_view lessons_compiler = "13.5";

/// The release of the compiler that made a module, from its first lines: "13.5". Throws where they do not
/// say.
inline std::string compiler_of(const std::string& module_path) {
  constexpr std::string_view mark = "Cuda compilation tools, release ";
  std::ifstream file(module_path);
  for (std::string line; std::getline(file, line) && (line.empty() || line.starts_with("//"));) {
    const std::size_t place = line.find(mark);
    if (place == line.npos) continue;
    const std::string release = line.substr(place + mark.size());
    return release.substr(0, release.find(','));
  }
  throw std::runtime_error(module_path + " does not say which compiler made it");
}

/// Holds `counted`, instructions of a kernel in the module, against the figure `printed` in a lesson. With
/// the lessons' compiler it is the same to the instruction; with another, which does the work where the
/// lessons' could not be had, it may be a fifth more or less, and the test says what it is.
inline void check_figure(const std::string& module_path, std::uint64_t counted, std::uint64_t printed) {
  const std::string compiler = compiler_of(module_path);
  CAPTURE(compiler);
  if (compiler == lessons_compiler) {
    CHECK(counted == printed);
    return;
  }
  CHECK(5 * counted >= 4 * printed);
  CHECK(5 * counted <= 6 * printed);
  if (counted != printed)
    WARN("your compiler, " << compiler << ", counts " << counted << "; the lesson's " << printed << " are of "
                           << lessons_compiler);
}

}  // namespace warpwise::testing
