#include "common/course/variant.hpp"

#include <fstream>
#include <iterator>
#include <stdexcept>

#include "common/cli/tests/temporary_folder.hpp"
#include "common/testing/catch.hpp"

using namespace warpwise::course;
using warpwise::harness::PageError;
using warpwise::testing::ContainsSubstring;
namespace fs = std::filesystem;
