#pragma once
/// \file A folder for one test case, removed at its end.

#include <filesystem>
#include <fstream>
#include <string>

#include "common/text/files.hpp"

namespace warpwise::testing {

class TemporaryFolder : public text::TemporaryFolder {
 public:
  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path() / name).parent_path());
    std::ofstream(path() / name) << text;
  }
};

}  // namespace warpwise::testing
