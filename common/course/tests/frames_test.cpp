#include "common/course/frames.hpp"

#include "common/testing/catch.hpp"

using namespace warpwise::course;
using warpwise::testing::ContainsSubstring;

namespace {

std::string file_with(const std::string& body, const std::string& more = "") {
  return "#include \"kernels.hpp\"\n" + more +
         "\n/// Adds.\nextern \"C\" __global__ void add(float* out) {\n" + body + "}\n";
}

const std::string solution = file_with("  out[0] = 1;\n");
const std::string skeleton = file_with("  // TODO (1 line)\n");
std::string nothing() { return {}; }

}  // namespace

TEST_CASE("a frame is a file without the bodies of its functions") {
  CHECK(frame_of(solution) == file_with("").replace(file_with("").find("{\n"), 3, "{}"));
  CHECK(frame_of(solution) == frame_of(skeleton));
}

TEST_CASE("exercise and solution differ inside of bodies alone") {
  CHECK_THAT(compare_frames(skeleton, solution, nothing), ContainsSubstring("1 bodies, the same frame"));
  CHECK_THROWS_WITH(compare_frames("int i;\n", solution, nothing),
                    ContainsSubstring("no function: nothing was checked"));
}

TEST_CASE("a frame that has drifted is reported with the line") {
  const std::string drifted = file_with("  // TODO (1 line)\n", "#include \"more.hpp\"\n");
  CHECK_THROWS_WITH(compare_frames(drifted, solution, nothing),
                    ContainsSubstring("the exercise has\n  #include \"more.hpp\""));
  const std::string renamed =
      "#include \"kernels.hpp\"\n\n/// Adds up.\nextern \"C\" __global__ void add(float* out) {\n  // "
      "TODO\n}\n";
  CHECK_THROWS_WITH(compare_frames(renamed, solution, nothing), ContainsSubstring("/// Adds up."));
  CHECK_THROWS_WITH(compare_frames(drifted, solution, [&] { return drifted; }),
                    ContainsSubstring("more.hpp"));
}

TEST_CASE("what somebody has begun to write is not judged") {
  const std::string helper = "__device__ void helper() {}\n";
  CHECK_THAT(compare_frames(file_with("  out[0] = 1 + 0;\n", helper), solution, nothing),
             ContainsSubstring("somebody has written add"));
  // Begun outside of the bodies: git's version is judged.
  CHECK_THAT(compare_frames(file_with("  // TODO (1 line)\n", helper), solution, [] { return skeleton; }),
             ContainsSubstring("git's version"));
}
