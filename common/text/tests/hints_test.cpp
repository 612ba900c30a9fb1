#include "common/text/hints.hpp"

#include "common/testing/catch.hpp"

using namespace warpwise::text;

TEST_CASE("hints are numbered lists below the name of a kernel") {
  const auto kernels = parse_hints(
      "# Hints\n\n1. not a hint: before the first kernel\n\n"
      "## first\n\n1. One\n   more of it:\n\n       code\n\n2. Two\n\n## second\n\n1. Only\n");
  REQUIRE(kernels.size() == 2);
  CHECK(kernels[0].kernel == "first");
  REQUIRE(kernels[0].hints.size() == 2);
  CHECK(kernels[0].hints[0] == "One\nmore of it:\n\n    code");
  CHECK(kernels[0].hints[1] == "Two");
  CHECK(kernels[1].hints == std::vector<std::string>{"Only"});
}

TEST_CASE("a hint is broken anew for the screen, and its code stays as it is") {
  const std::string words = "five words and no more of";  // 25 columns
  const std::string code = "    " + std::string(90, 'x');
  CHECK(in_screen_width(words + '\n' + words + '\n' + words + '\n' + words + "\n\n" + code) ==
        words + ' ' + words + ' ' + words + '\n' + words + "\n\n" + code + '\n');
}
