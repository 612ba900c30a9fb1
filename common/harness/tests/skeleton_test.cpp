#include "common/harness/skeleton.hpp"

#include "common/testing/catch.hpp"

using namespace warpwise::harness;

TEST_CASE("the source of a module is its first .cu file") {
  warpwise::simulator::ptx::Module module;
  CHECK(source_of(module).empty());
  module.files = {{1, "/usr/include/cuda.h"}, {2, "/home/me/exercise.cu"}, {3, "/home/me/other.cu"}};
  CHECK(source_of(module) == "/home/me/exercise.cu");
}
