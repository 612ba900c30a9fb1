#pragma once
/// \file What the table of counters leaves open until it is predicted: a question of the chapter's
/// lesson/predict.md that the student has not answered yet.

#include <string>
#include <vector>

#include "tables.hpp"

namespace warpwise::print {

struct Unpredicted {
  std::string kernel;   ///< of whose solution it asks
  std::string section;  ///< of the page, for `predict`
  std::string counted;  ///< the arithmetic of the question: "shared_load_wavefronts / blocks"
};

/// Whether a row of `kernel` would tell with this figure what one of `open` asks.
bool is_unpredicted(const Figure& figure, const std::string& kernel, const std::vector<Unpredicted>& open);
/// Whether any of them asks about `kernel`.
bool has_unpredicted(const std::string& kernel, const std::vector<Unpredicted>& open);

/// What stands below a table that leaves something open: a line for each section. `chapter`: "ch02".
std::string where_to_predict(const std::string& chapter, const std::vector<Unpredicted>& open);

}  // namespace warpwise::print
