#include "common/course/frames.hpp"

#include "common/testing/catch.hpp"

using namespace warpwise::course;
using warpwise::text::Source;
using warpwise::testing::ContainsSubstring;

namespace {

std::string file_with(const std::string& body, const std::string& more = "") {
  return "#include \"kernels.hpp\"\n" + more +
         "\n/// Adds.\nextern \"C\" __global__ void add(float* out) {\n" + body + "}\n";
}

const std::string solution = file_with("  out[0] = 1;\n");
const std::string skeleton = file_with("  // TODO (1 line)\n");
std::string nothing() { return {}; }

std::string compare(const std::string& exercise, const std::function<std::string()>& committed) {
  return compare_frames(Source(exercise), Source(solution), committed);
}

}  // namespace

TEST_CASE("a frame is a file without the bodies of its functions") {
  CHECK(frame_of(Source(solution)) == file_with("").replace(file_with("").find("{\n"), 3, "{}"));
  CHECK(frame_of(Source(solution)) == frame_of(Source(skeleton)));
}

TEST_CASE("exercise and solution differ inside of bodies alone") {
  CHECK_THAT(compare(skeleton, nothing), ContainsSubstring("1 bodies, the same frame"));
  CHECK_THROWS_WITH(compare("int i;\n", nothing),
                    ContainsSubstring("no function: nothing was checked"));
}

TEST_CASE("a frame that has drifted is reported with the line") {
  const std::string drifted = file_with("  // TODO (1 line)\n", "#include \"more.hpp\"\n");
  CHECK_THROWS_WITH(compare(drifted, nothing),
                    ContainsSubstring("the exercise has\n  #include \"more.hpp\""));
  const std::string renamed =
      "#include \"kernels.hpp\"\n\n/// Adds up.\nextern \"C\" __global__ void add(float* out) {\n  // "
      "TODO\n}\n";
  CHECK_THROWS_WITH(compare(renamed, nothing), ContainsSubstring("/// Adds up."));
  CHECK_THROWS_WITH(compare(drifted, [&] { return drifted; }),
                    ContainsSubstring("more.hpp"));
}

TEST_CASE("what somebody has begun to write is not judged") {
  const std::string helper = "__device__ void helper() {}\n";
  CHECK_THAT(compare(file_with("  out[0] = 1 + 0;\n", helper), nothing),
             ContainsSubstring("somebody has written add"));
  // Begun outside of the bodies: git's version is judged.
  CHECK_THAT(compare(file_with("  // TODO (1 line)\n", helper), [] { return skeleton; }),
             ContainsSubstring("git's version"));
}
