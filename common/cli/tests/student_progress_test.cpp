#include "../student_progress.hpp"

#include <algorithm>

#include "common/testing/catch.hpp"
#include "common/testing/temporary_folder.hpp"

using namespace warpwise::cli;
using warpwise::testing::ContainsSubstring;
using warpwise::testing::TemporaryFolder;
namespace report = warpwise::report;

namespace {

constexpr const char* two_written =
    "__global__ void a(int* p) { *p = 1; }\n__global__ void b(int* p) { *p = 2; }\n";
constexpr const char* one_written =
    "__global__ void a(int* p) { *p = 1; }\n__global__ void b(int* p) { // TODO\n}\n";

/// A chapter of two kernels, a and b.
ChapterFolder make_chapter(const TemporaryFolder& folder, const std::string& name, const char* exercise) {
  folder.write(name + "/kernels.hpp", "");
  folder.write(name + "/exercise.cu", exercise);
  return {name, folder.path() / name, folder.path() / "build" / name};
}

/// What a run of the chapter says: a's result passes, and so does b's technique or not.
report::Report report_of(const ChapterFolder& chapter, report::Outcome technique_of_b) {
  report::Report report;
  report.chapters = {{chapter.name, "A title", "", "", {}}};
  for (const char* name : {"a", "b"}) report.chapters[0].kernels.emplace_back().name = name;
  report.verdicts = {{"a", report::Aspect::result, report::Outcome::passed, {}, chapter.name},
                     {"b", report::Aspect::result, report::Outcome::passed, {}, chapter.name},
                     {"b", report::Aspect::technique, technique_of_b, {}, chapter.name}};
  return report;
}

/// As a command sees it that begins now.
ChapterStanding standing_of(const ChapterFolder& chapter) { return ChapterStanding(chapter.read_anew()); }

void remember(const ChapterFolder& chapter, const report::Report& report) {
  standing_of(chapter).take(report);
}

std::vector<Standing> standings(const ChapterFolder& chapter) {
  const ChapterStanding standing = standing_of(chapter);
  std::vector<Standing> all;
  for (const KernelStanding& kernel : standing.kernels()) all.push_back(kernel.standing);
  return all;
}

}  // namespace

TEST_CASE(
    "a kernel is a skeleton, written, and then what the last judgement said of it; what is not right is "
    "next") {
  const TemporaryFolder folder;
  ChapterFolder chapter = make_chapter(folder, "ch01_naive", "__global__ void a(int* p) { // TODO\n}\n");
  // `in_question`: what is shown without a name.
  const auto expect = [&](const std::vector<Standing>& all, const char* in_question, const char* next) {
    CHECK(standings(chapter) == all);
    CHECK(standing_of(chapter).kernel_in_question() == in_question);
    CHECK(standing_of(chapter).next().value_or(KernelStanding{"none"}).kernel == next);
  };
  expect({Standing::unwritten}, "", "a");
  chapter = make_chapter(folder, "ch01_naive", one_written);
  expect({Standing::unjudged, Standing::unwritten}, "a", "a");
  chapter = make_chapter(folder, "ch01_naive", two_written);
  expect({Standing::unjudged, Standing::unjudged}, "a", "a");
  remember(chapter, report_of(chapter, report::Outcome::failed));
  expect({Standing::right, Standing::wrong}, "b", "b");
  remember(chapter, report_of(chapter, report::Outcome::passed));
  expect({Standing::right, Standing::right}, "", "none");
  chapter = make_chapter(folder, "ch01_naive", one_written);
  expect({Standing::right, Standing::unwritten}, "", "b");
}

TEST_CASE("a family of kernels stands as the one under whose name it is judged") {
  const TemporaryFolder folder;
  const ChapterFolder chapter = make_chapter(folder, "ch01_naive", two_written);
  report::Report report = report_of(chapter, report::Outcome::passed);
  report.chapters[0].kernels[0].family = {"a", "b"};
  report.chapters[0].kernels.pop_back();
  report.verdicts.resize(1);
  remember(chapter, report);
  CHECK(standings(chapter) == std::vector{Standing::right, Standing::right});
}

TEST_CASE("a judgement is of the files as they were") {
  const TemporaryFolder folder;
  const ChapterFolder chapter = make_chapter(folder, "ch01_naive", two_written);
  REQUIRE(chapter.exercise().kernels().size() == 2);  // read before it is edited
  const auto has_same_code = [&] { return have_same_code(chapter, chapter.read_anew()); };
  remember(chapter, report_of(chapter, report::Outcome::passed));
  folder.write("ch01_naive/exercise.cu", std::string(two_written) + "\n// a comment\n");
  CHECK(has_same_code());
  CHECK(standings(chapter) == std::vector{Standing::right, Standing::right});
  folder.write("ch01_naive/exercise.cu", std::string(two_written) + "const int edited = 1;\n");
  CHECK_FALSE(has_same_code());
  CHECK(standings(chapter) == std::vector{Standing::unjudged, Standing::unjudged});
  folder.write("ch01_naive/exercise.cu", two_written);  // as it was
  CHECK(standings(chapter) == std::vector{Standing::right, Standing::right});
  folder.write("ch01_naive/kernels.hpp", "// another contract\n");
  CHECK(standings(chapter) == std::vector{Standing::unjudged, Standing::unjudged});
}

TEST_CASE("a run of one kernel adds to what is known of the same files") {
  const TemporaryFolder folder;
  const ChapterFolder chapter = make_chapter(folder, "ch01_naive", two_written);
  report::Report only_b = report_of(chapter, report::Outcome::passed);
  only_b.verdicts.erase(only_b.verdicts.begin());
  remember(chapter, only_b);
  CHECK(standings(chapter) == std::vector{Standing::unjudged, Standing::right});
  report::Report only_a = report_of(chapter, report::Outcome::passed);
  only_a.verdicts.resize(1);
  remember(chapter, only_a);
  CHECK(standings(chapter) == std::vector{Standing::right, Standing::right});
}

TEST_CASE("the next step: in this chapter, in those behind it, in those before it") {
  const TemporaryFolder folder;
  const ChapterFolder one = make_chapter(folder, "ch01_naive", one_written);
  const ChapterFolder two = make_chapter(folder, "ch02_divergence", two_written);
  const auto next = [&](std::string_view from) {
    const auto step = next_step({standing_of(one), standing_of(two)}, from);
    return step ? step->chapter.short_name() + " " + step->kernel.kernel : "none";
  };
  CHECK(next("") == "ch01 a");
  CHECK(next("ch02_divergence") == "ch02 a");
  remember(two, report_of(two, report::Outcome::failed));
  CHECK(next("ch02_divergence") == "ch02 b");
  remember(two, report_of(two, report::Outcome::passed));
  CHECK(next("ch02_divergence") == "ch01 a");
  remember(one, report_of(one, report::Outcome::passed));
  CHECK(next("ch01_naive") == "none");
}

TEST_CASE("the last kernel that has become right is named, and none that was right before") {
  const std::vector<KernelStanding> none = {{"a", Standing::unwritten}, {"b", Standing::wrong}};
  const std::vector<KernelStanding> one = {{"a", Standing::right}, {"b", Standing::wrong}};
  const std::vector<KernelStanding> both = {{"a", Standing::right}, {"b", Standing::right}};
  CHECK(newly_right(none, both) == "b");
  CHECK(newly_right(none, one) == "a");
  CHECK(newly_right(one, both) == "b");
  CHECK(newly_right(one, one).empty());
  CHECK(newly_right(both, one).empty());
}

TEST_CASE("an invitation ends with what to type") {
  const TemporaryFolder folder;
  const ChapterFolder chapter = make_chapter(folder, "ch02_divergence", one_written);
  const std::string fresh = invitation({chapter, {"b", Standing::unwritten}, false}, false);
  CHECK_THAT(fresh, ContainsSubstring("README.md, write b in"));
  CHECK_THAT(invitation({chapter, {"b", Standing::unwritten}, true}, false),
             ContainsSubstring("Never written a kernel?"));
  CHECK(fresh.ends_with("then\n  ./warpwise run ch02\n"));
  const std::string here = invitation({chapter, {"b", Standing::unwritten}, false}, true);
  CHECK_THAT(here, !ContainsSubstring("README"));
  CHECK(here.ends_with("\n  ./warpwise run ch02 b\n"));
  CHECK_THAT(invitation({chapter, {"b", Standing::wrong}, false}, true),
             ContainsSubstring("is not right yet"));
  CHECK_THAT(invitation({chapter, {"b", Standing::unjudged}, false}, true),
             ContainsSubstring("waiting to be judged"));
}

TEST_CASE("work on one kernel leaves what is known of the others") {
  const TemporaryFolder folder;
  const ChapterFolder chapter = make_chapter(folder, "ch01_naive", two_written);
  const auto write = [&](const std::string& text) { folder.write("ch01_naive/exercise.cu", text); };
  const std::string a = "__global__ void a(int* p) { *p = 1; }\n",
                    b = "__global__ void b(int* p) { *p = 2; }\n";
  remember(chapter, report_of(chapter, report::Outcome::passed));
  write(a + "__global__ void b(int* p) { *p = 3; }\n");
  CHECK(standings(chapter) == std::vector{Standing::right, Standing::unjudged});

  // A function counts for those that call it, directly or not, and what stands outside of functions for all.
  const std::string helper = "__device__ int two() { return 2; }\n",
                    caller = "__global__ void b(int* p) { *p = two(); }\n";
  write(helper + a + caller);
  remember(chapter, report_of(chapter, report::Outcome::passed));
  write("__device__ int two() { return 1 + 1; }\n" + a + caller);
  CHECK(standings(chapter) == std::vector{Standing::right, Standing::unjudged});
  write("#define TWO two()\n" + helper + a + b);
  remember(chapter, report_of(chapter, report::Outcome::passed));
  write("#define TWO two()\n__device__ int two() { return 1 + 1; }\n" + a + b);
  CHECK(standings(chapter) == std::vector{Standing::unjudged, Standing::unjudged});
}

TEST_CASE("judgements are a few lines of text") {
  const TemporaryFolder folder;
  const ChapterFolder chapter = make_chapter(folder, "ch01_naive", two_written);
  remember(chapter, report_of(chapter, report::Outcome::failed));
  const std::string text = text_or_nothing(chapter.built / "judged");
  CHECK_THAT(text, ContainsSubstring("right a ") && ContainsSubstring("\nwrong b "));
  CHECK(std::count(text.begin(), text.end(), '\n') == 2);
}

TEST_CASE("an exercise that is empty or missing has no kernels") {
  const TemporaryFolder folder;
  const ChapterFolder chapter = make_chapter(folder, "ch01_naive", "");
  CHECK(standings(chapter).empty());
  const auto step = next_step({standing_of(chapter)}, "");
  REQUIRE(step);
  CHECK(invitation(*step, true).ends_with("bring it back:\n  ./warpwise reset ch01\n"));
  std::filesystem::remove(chapter.exercise_file());
  CHECK(standings(chapter).empty());
}
