#include "../table.hpp"

#include <stdexcept>

#include "common/testing/catch.hpp"

using namespace warpwise::cli;

TEST_CASE("a table aligns its columns and leaves out the empty ones") {
  Table table({"kernel", "time", "count"});
  table.add_row({"reduce", "", "7"});
  table.add_heading("ch02: more");
  table.add_row({"größer", "", "1 024"});
  CHECK(table.text() ==
        "  kernel  count\n"
        "  reduce      7\n"
        "\n  ch02: more\n"
        "  größer  1 024\n");
}

TEST_CASE("a row with too many cells is refused") {
  Table table({"one"});
  CHECK_THROWS_AS(table.add_row({"1", "2"}), std::invalid_argument);
}

TEST_CASE("figures are grouped and rounded for reading") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(8192) == "8 192");
  CHECK(grouped(16777216) == "16 777 216");
  CHECK(rounded(3.14159) == "3.14");
  CHECK(rounded(31.4159) == "31.4");
  CHECK(rounded(314.159) == "314");
  CHECK(rounded(9.999) == "10.0");
}
