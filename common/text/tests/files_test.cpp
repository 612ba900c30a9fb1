#include "common/text/files.hpp"

#include "common/testing/catch.hpp"
#include "common/testing/temporary_folder.hpp"

using namespace warpwise::text;

TEST_CASE("a file that cannot be read is one sentence") {
  CHECK_THROWS_WITH(read_text("/nonexistent/file"), "/nonexistent/file cannot be read.");
  CHECK_THROWS_WITH(read_text("/"), "/ cannot be read.");
}

TEST_CASE("an empty file is a file") {
  const warpwise::testing::TemporaryFolder folder;
  folder.write("exercise.cu", "");
  CHECK(read_text(folder.path() / "exercise.cu").empty());
}

TEST_CASE("paths below the current folder are shown as one would type them") {
  const auto here = std::filesystem::current_path();
  CHECK(shown_path((here / "a" / "b.cu").string()) == "a/b.cu");
  CHECK(shown_path("/somewhere/else.cu") == "/somewhere/else.cu");
}
