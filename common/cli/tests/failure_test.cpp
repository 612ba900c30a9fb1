#include "../failure.hpp"

#include "common/testing/catch.hpp"

using namespace warpwise::cli;

TEST_CASE("words are joined by commas") {
  CHECK(joined({"list", "run", "tour"}) == "list, run, tour");
  CHECK(joined({}).empty());
}

TEST_CASE("edit distance counts letters added, removed, replaced, and neighbours exchanged") {
  CHECK(edit_distance("", "tour") == 4);
  CHECK(edit_distance("tour", "tour") == 0);
  CHECK(edit_distance("tuor", "tour") == 1);
  CHECK(edit_distance("rnu", "run") == 1);
  CHECK(edit_distance("ab", "bca") == 3);
  CHECK(edit_distance("hin", "hint") == 1);
  CHECK(edit_distance("list", "lost") == 1);
}

TEST_CASE("a near word is suggested, a far one lists them all") {
  const std::vector<std::string> commands = {"list", "run", "tour"};
  CHECK(suggestion("tuor", commands) == "; did you mean tour?");
  CHECK(suggestion("wa", {"list", "watch"}) == "; did you mean watch?");
  CHECK(suggestion("r", {"run"}) == "; there are: run.");
  CHECK(suggestion("frobnicate", commands) == "; there are: list, run, tour.");
  CHECK(suggestion("rnu", commands) == "; did you mean run?");
  CHECK(suggestion("x", {}) == ".");
  std::vector<std::string> many;
  for (int i = 0; i < 51; ++i) many.push_back("name_" + std::to_string(i));
  CHECK(suggestion("frobnicate", many).ends_with(", name_23 and 27 more."));
}
