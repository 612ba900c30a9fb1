#include "common/harness/check/prints.hpp"

#include <sstream>

#include "common/testing/catch.hpp"

using namespace warpwise::harness;

TEST_CASE("kernels print so many lines, and the rest is counted") {
  std::ostringstream out;
  Prints prints(out, 3);
  prints.show("one\ntwo\n");
  prints.show("");
  prints.show("three\nfour\nfive");
  CHECK(out.str() == "one\ntwo\nthree\n");
  prints.end();
  CHECK(out.str().starts_with("one\ntwo\nthree\n(2 more lines of printf; --verbose shows all."));
}

TEST_CASE("where nothing was left out, nothing is said") {
  std::ostringstream out;
  Prints prints(out, 3);
  prints.show("one\ntwo");
  prints.end();
  CHECK(out.str() == "one\ntwo");
}
