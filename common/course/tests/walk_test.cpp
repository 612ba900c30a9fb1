#include "common/course/walk.hpp"

#include "common/testing/catch.hpp"
#include "common/testing/temporary_folder.hpp"
#include "common/text/files.hpp"

using namespace warpwise::course;
using warpwise::testing::ContainsSubstring;
using warpwise::testing::TemporaryFolder;

namespace {

const std::string command = "```\n$ ./warpwise exec mine/a.cu\n";
const std::string mending = "<!-- mends: mine/a.cu -->\n```diff\n-wrong\n+right\n```\n";

/// Walks through `page`, where a program prints its own text.
std::size_t walked(const std::string& page) {
  const TemporaryFolder folder;
  folder.write("mine/a.cu", "one\nwrong\n");
  return check_walk(
      page, "page.md", folder.path(),
      [&](const std::string&) {
        return ProcessOutput{warpwise::text::read_text(folder.path() / "mine/a.cu"), 3};
      },
      Figures::as_shown);
}

}  // namespace

TEST_CASE("a program is run as it is, mended, and run again") {
  CHECK(walked(command + "one\nwrong\n```\n" + mending + command + "one\nright\n```\n") == 3);
  CHECK_THROWS_WITH(walked(command + "one\nright\n```\n" + mending),
                    ContainsSubstring("line 2: ./warpwise exec mine/a.cu is shown with other output"));
  CHECK_THROWS_WITH(walked(mending + command + "one\nwrong\n```\n"), ContainsSubstring("one\nright\n"));
}

TEST_CASE("a difference that does not fit is named, also behind the last command") {
  CHECK_THROWS_WITH(walked(command + "one\nwrong\n```\n" + mending + mending),
                    ContainsSubstring("page.md:13: the difference no longer applies: mine/a.cu"));
}

TEST_CASE("a difference and its comment need each other") {
  CHECK_THROWS_WITH(walked("```diff\n-a\n+b\n```\n"),
                    ContainsSubstring("page.md:1: no `<!-- mends: FILE -->`"));
  CHECK_THROWS_WITH(walked("<!-- mends: mine/a.cu -->\n\nWords.\n"),
                    ContainsSubstring("page.md:1: no ```diff"));
  CHECK_THROWS_WITH(walked(command + "one\nwrong\n```\n"), ContainsSubstring("nothing to mend"));
}
