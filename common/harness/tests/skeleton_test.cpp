#include "common/harness/skeleton.hpp"

#include <filesystem>

#include "common/testing/catch.hpp"

using namespace warpwise::harness;

namespace {
const char* const source = R"(// TODO: this one belongs to no kernel
extern "C" __global__ void reduce(const float* in) {
  // TODO load (about 3 lines): each thread copies its element
  // TODO: store (1 line)
}

__device__ void add(float* to) {
  // TODO add (1 line): one step
}

extern "C" __global__ void reduce_more(const float* in) {
  // TODO (about 5 lines): all of it, with add()
  reduce(in);  // TODO
}

__device__ void unused() {}  // TODO: nobody's
)";
}  // namespace

TEST_CASE("the TODOs of a kernel are those in its body and in the functions that it names") {
  const auto todos = todos_in(source, "reduce");
  REQUIRE(todos.size() == 2);
  CHECK(todos[0].line == 3);
  CHECK(todos[0].text == "load (about 3 lines)");
  CHECK(todos[1].line == 4);
  CHECK(todos[1].text == "store (1 line)");
  CHECK_FALSE(todos[0].is_written);
  const auto more = todos_in(source, "reduce_more");
  REQUIRE(more.size() == 3);
  CHECK(more[0].line == 8);
  CHECK(more[0].text == "add (1 line)");
  CHECK(more[1].line == 12);
  CHECK_FALSE(more[0].is_written);
  CHECK(more[1].is_written);
  CHECK(todos_in(source, "more").empty());
  CHECK(todos_in_file("there/is/no.cu", "reduce").empty());
}

TEST_CASE("the source of a module is its first .cu file") {
  warpwise::simulator::ptx::Module module;
  CHECK(source_of(module).empty());
  module.files = {{1, "/usr/include/cuda.h"}, {2, "/home/me/exercise.cu"}, {3, "/home/me/other.cu"}};
  CHECK(source_of(module) == "/home/me/exercise.cu");
}

TEST_CASE("paths below the current folder are shown as one would type them") {
  const auto here = std::filesystem::current_path();
  CHECK(shown_path((here / "a" / "b.cu").string()) == "a/b.cu");
  CHECK(shown_path("/somewhere/else.cu") == "/somewhere/else.cu");
}
