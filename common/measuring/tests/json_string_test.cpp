#include "common/measuring/json_string.hpp"

#include "common/testing/catch.hpp"

using warpwise::measuring::json_string;

TEST_CASE("what JSON would take for its own is escaped") {
  CHECK(json_string("NVIDIA H200") == "\"NVIDIA H200\"");
  CHECK(json_string("a \"b\"\\c\n\x1f\xc3\xa9") == "\"a \\\"b\\\"\\\\c\\u000a\\u001f\xc3\xa9\"");
  CHECK(json_string("") == "\"\"");
}
