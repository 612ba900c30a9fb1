#pragma once
/// \file show: draws what each lane of a small run did.

#include <filesystem>
#include <iosfwd>
#include <string>

#include "../print/show.hpp"
#include "commands.hpp"

namespace warpwise::cli {

struct ShowOptions {
  std::string chapter,
      kernel;  ///< kernel empty: the attempt's, the first that is written and not right, the first
  bool uses_solution = false;
  std::string attempt, accepted;  ///< the name of one
  unsigned long long n = 0;       ///< elements; 0: few
  unsigned block = 64;            ///< threads, where the kernel takes any number
  std::string schedule = "converged";
  std::string beside;     ///< "solution" or "CHAPTER:KERNEL"; empty: nothing
  std::string output;     ///< file of the page or picture; empty: below the build folder
  std::string bench;      ///< a result of `bench --json`, or "h200": the page has its figures of the kernel
  bool is_text = false;   ///< no page: the same for a terminal
  std::string view;       ///< no page: one picture, as SVG; one of print::view_names()
  print::Moment moment;   ///< of the run, that a picture shows
  bool is_opened = true;  ///< the page, in a browser, where there is a desktop
  TypedLine line = {};    ///< a picture says what draws it again
};
/// Records one small launch and draws it: a page of HTML, text, or one picture.
int show(const ShowOptions& options);

/// Writes the page, says on `out` where `name` is drawn, and opens it where that is wished and there is a
/// desktop. Throws Failure (wrong usage) if the file cannot be written.
void present_page(std::ostream& out, const std::string& name, const std::string& page,
                  const std::filesystem::path& file, bool is_opened = true);

}  // namespace warpwise::cli
