#include "../hints.hpp"

#include "common/testing/catch.hpp"

using namespace warpwise::cli;

TEST_CASE("a hint is broken anew for the screen, and its code stays as it is") {
  const std::string words = "five words and no more of";  // 25 columns
  const std::string code = "    " + std::string(90, 'x');
  CHECK(in_screen_width(words + '\n' + words + '\n' + words + '\n' + words + "\n\n" + code) ==
        words + ' ' + words + ' ' + words + '\n' + words + "\n\n" + code + '\n');
}

TEST_CASE("how many hints were shown survives writing and reading") {
  const std::map<std::string, std::size_t> progress = {{"first", 2}, {"second", 0}};
  CHECK(parse_progress(spelled(progress)) == progress);
  CHECK(parse_progress("nonsense").empty());
}
