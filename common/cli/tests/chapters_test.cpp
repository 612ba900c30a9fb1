#include "../chapters.hpp"

#include <algorithm>
#include <set>

#include "../../text/source.hpp"
#include "../failure.hpp"
#include "common/testing/catch.hpp"
#include "common/testing/temporary_folder.hpp"

using namespace warpwise::cli;
using warpwise::testing::ContainsSubstring;
using warpwise::testing::TemporaryFolder;

namespace {

/// Two chapters, a folder without an exercise, and one that only looks like a chapter.
void make_course(const TemporaryFolder& folder) {
  folder.write("ch02_divergence/kernels.hpp", "");
  folder.write("ch01_naive/kernels.hpp", "");
  folder.write("ch01_naive/README.md", "<!-- a comment -->\n# A tree of adjacent pairs\ntext\n");
  folder.write("ch03_empty/README.md", "# Not yet\n");
  folder.write("chapter/kernels.hpp", "");
}

}  // namespace

TEST_CASE("chapters are found, ascending, with their titles") {
  const TemporaryFolder folder;
  make_course(folder);
  const auto chapters = find_chapters(folder.path(), "/somewhere/build");
  REQUIRE(chapters.size() == 2);
  CHECK(chapters[0].name == "ch01_naive");
  CHECK(chapters[0].title == "A tree of adjacent pairs");
  CHECK(chapters[0].executable() == "/somewhere/build/ch01_naive/ch01_naive");
  CHECK(chapters[1].title == "ch02_divergence");
}

TEST_CASE("a chapter has several names") {
  const TemporaryFolder folder;
  make_course(folder);
  const auto chapters = find_chapters(folder.path(), "/build");
  for (const char* word : {"ch01_naive", "ch01", "ch1", "01", "1", "naive", "ch01_naive/"}) {
    CHECK(chapter_named(word, chapters).name == "ch01_naive");
  }
}

TEST_CASE("an unknown chapter is wrong usage, with a suggestion") {
  const TemporaryFolder folder;
  make_course(folder);
  const auto chapters = find_chapters(folder.path(), "/build");
  CHECK_THROWS_WITH(chapter_named("ch01_naiv", chapters), ContainsSubstring("did you mean ch01_naive?"));
  for (const char* number : {"ch09", "ch9", "09"})
    CHECK_THROWS_WITH(chapter_named(number, chapters), ContainsSubstring("there are: ch01_naive, "));
  CHECK_THROWS_WITH(chapter_named("reduction", chapters),
                    ContainsSubstring("there are: ch01_naive, ch02_divergence."));
  try {
    chapter_named("99", chapters);
    FAIL("no failure");
  } catch (const Failure& failure) {
    CHECK(failure.status() == wrong_usage);
  }
}

TEST_CASE("each TODO of an exercise is told of some kernel") {
  namespace text = warpwise::text;
  for (const Chapter& chapter : find_chapters(root_folder(), build_folder())) {
    const std::string source = read_text(chapter.exercise());
    const auto kernels = text::kernels_in(source);
    const bool is_untouched = std::all_of(kernels.begin(), kernels.end(), [&](const auto& kernel) {
      return text::is_skeleton(source, kernel.name);
    });
    if (!is_untouched) continue;  // a reader's own file
    std::set<std::string> told;
    for (const auto& kernel : kernels)
      for (const auto& function : text::kernel_and_callees(source, kernel.name)) told.insert(function.name);
    for (const auto& function : text::functions_in(source)) {
      INFO(chapter.name << ": " << function.name);
      CHECK((!function.has_todo() || told.contains(function.name)));
    }
  }
}
