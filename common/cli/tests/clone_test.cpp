#include <algorithm>
#include <set>

#include "../clone.hpp"
#include "../commands.hpp"
#include "common/testing/catch.hpp"
#include "common/testing/temporary_folder.hpp"

using namespace warpwise::cli;
using warpwise::testing::ContainsSubstring;
using warpwise::testing::TemporaryFolder;
namespace text = warpwise::text;

namespace {

void make_course(const TemporaryFolder& folder) {
  folder.write("ch01_naive/kernels.hpp", "");
  folder.write("ch02_divergence/kernels.hpp", "");
}

}  // namespace

TEST_CASE("a chapter has several names") {
  const TemporaryFolder folder;
  make_course(folder);
  const auto chapters = text::find_chapters(folder.path(), "/build");
  for (const char* word : {"ch01_naive", "ch01", "ch1", "01", "1", "naive", "ch01_naive/"}) {
    CHECK(chapter_named(word, chapters).name == "ch01_naive");
  }
}

TEST_CASE("an unknown chapter is wrong usage, with a suggestion") {
  const TemporaryFolder folder;
  make_course(folder);
  const auto chapters = text::find_chapters(folder.path(), "/build");
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

TEST_CASE("what the student's folder lacks is the course's, and a chapter read anew is the same one") {
  const TemporaryFolder folder;
  folder.write("mine/kernels.hpp", "");
  folder.write("mine/exercise.cu", "// mine");
  folder.write("course/solution.cu", "// theirs");
  ChapterFolder chapter("ch01_naive", folder.path() / "mine", folder.path() / "mine/build");
  CHECK_FALSE(chapter.has_solution());
  chapter.course = folder.path() / "course";
  chapter.programs = "/programs";
  const ChapterFolder anew = chapter.read_anew();
  CHECK(anew.exercise().text() == "// mine");
  CHECK(anew.solution().text() == "// theirs");
  CHECK(anew.executable() == "/programs/ch01_naive");
  CHECK(subject_of(chapter, true, {}).source == folder.path() / "course/solution.cu");
  CHECK(subject_of(chapter, false, {}).source == folder.path() / "mine/exercise.cu");
}

TEST_CASE("each TODO of an exercise is told of some kernel") {
  for (const ChapterFolder& chapter : text::find_chapters(root_folder(), build_folder())) {
    const text::Source& source = chapter.exercise();
    const std::vector<std::string> kernels = source.kernels();
    const bool is_untouched = std::all_of(kernels.begin(), kernels.end(), [&](const std::string& kernel) {
      return source.is_skeleton(kernel);
    });
    if (!is_untouched) continue;  // a reader's own file
    std::set<std::string> told;
    for (const std::string& kernel : kernels)
      for (const text::Function& function : source.kernel_and_callees(kernel)) told.insert(function.name);
    for (const text::Function& function : source.functions()) {
      INFO(chapter.name << ": " << function.name);
      CHECK((!function.has_todo || told.contains(function.name)));
    }
  }
}

TEST_CASE("an unknown attempt is wrong usage, with a suggestion") {
  const TemporaryFolder folder;
  const std::string implementation =
      "- rejected by: result: out[0]\n- why: because\n\n```diff\n a\n-b\n```\n";
  folder.write("ch01_naive/kernels/sum.md",
               "# `sum`\n\n## Wrong attempts\n\n### no_guard\n\n" + implementation);
  folder.write("ch01_naive/solution.cu", "");
  const ChapterFolder chapter{"ch01_naive", folder.path() / "ch01_naive", "/build/ch01_naive"};
  CHECK(subject_of(chapter, false, "somewhere/sum_no_guard.cu").module ==
        "/build/ch01_naive/attempts/sum_no_guard.ptx");
  CHECK(subject_of(chapter, false, "sum_no_guard").source == "/build/ch01_naive/attempts/sum_no_guard.cu");
  CHECK_THROWS_WITH(
      subject_of(chapter, false, "sum_no_gard"),
      ContainsSubstring("there is no attempt 'sum_no_gard' in ch01_naive; did you mean sum_no_guard?"));
  CHECK_THROWS_WITH(accepted_subject(chapter, "sum_other"),
                    ContainsSubstring("nothing accepted is called 'sum_other' in ch01_naive"));
}

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
