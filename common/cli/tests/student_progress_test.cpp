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
ChapterProgress progress_in(const ChapterFolder& chapter) { return ChapterProgress(chapter.read_anew()); }

void remember(const ChapterFolder& chapter, const report::Report& report) {
  progress_in(chapter).take(report);
}

std::vector<KernelState> states(const ChapterFolder& chapter) {
  const ChapterProgress progress = progress_in(chapter);
  std::vector<KernelState> all;
  for (const KernelProgress& kernel : progress.kernels()) all.push_back(kernel.state);
  return all;
}

}  // namespace

TEST_CASE(
    "a kernel is a skeleton, written, and then what the last judgement said of it; what is not right is "
    "next") {
  const TemporaryFolder folder;
  ChapterFolder chapter = make_chapter(folder, "ch01_naive", "__global__ void a(int* p) { // TODO\n}\n");
  // `in_question`: what is shown without a name.
  const auto expect = [&](const std::vector<KernelState>& all, const char* in_question, const char* next) {
    CHECK(states(chapter) == all);
    CHECK(progress_in(chapter).kernel_in_question() == in_question);
    CHECK(progress_in(chapter).next().value_or(KernelProgress{"none"}).kernel == next);
  };
  expect({KernelState::unwritten}, "", "a");
  chapter = make_chapter(folder, "ch01_naive", one_written);
  expect({KernelState::unjudged, KernelState::unwritten}, "a", "a");
  chapter = make_chapter(folder, "ch01_naive", two_written);
  expect({KernelState::unjudged, KernelState::unjudged}, "a", "a");
  remember(chapter, report_of(chapter, report::Outcome::failed));
  expect({KernelState::right, KernelState::wrong}, "b", "b");
  remember(chapter, report_of(chapter, report::Outcome::passed));
  expect({KernelState::right, KernelState::right}, "", "none");
  chapter = make_chapter(folder, "ch01_naive", one_written);
  expect({KernelState::right, KernelState::unwritten}, "", "b");
}

TEST_CASE("a family of kernels stands as the one under whose name it is judged") {
  const TemporaryFolder folder;
  const ChapterFolder chapter = make_chapter(folder, "ch01_naive", two_written);
  report::Report report = report_of(chapter, report::Outcome::passed);
  report.chapters[0].kernels[0].family = {"a", "b"};
  report.chapters[0].kernels.pop_back();
  report.verdicts.resize(1);
  remember(chapter, report);
  CHECK(states(chapter) == std::vector{KernelState::right, KernelState::right});
}

TEST_CASE("a judgement is of the files as they were") {
  const TemporaryFolder folder;
  const ChapterFolder chapter = make_chapter(folder, "ch01_naive", two_written);
  REQUIRE(chapter.exercise().kernels().size() == 2);  // read before it is edited
  const auto has_same_code = [&] { return have_same_code(chapter, chapter.read_anew()); };
  remember(chapter, report_of(chapter, report::Outcome::passed));
  folder.write("ch01_naive/exercise.cu", std::string(two_written) + "\n// a comment\n");
  CHECK(has_same_code());
  CHECK(states(chapter) == std::vector{KernelState::right, KernelState::right});
  folder.write("ch01_naive/exercise.cu", std::string(two_written) + "const int edited = 1;\n");
  CHECK_FALSE(has_same_code());
  CHECK(states(chapter) == std::vector{KernelState::unjudged, KernelState::unjudged});
  folder.write("ch01_naive/exercise.cu", two_written);  // as it was
  CHECK(states(chapter) == std::vector{KernelState::right, KernelState::right});
  folder.write("ch01_naive/kernels.hpp", "// another contract\n");
  CHECK(states(chapter) == std::vector{KernelState::unjudged, KernelState::unjudged});
}

TEST_CASE("a run of one kernel adds to what is known of the same files") {
  const TemporaryFolder folder;
  const ChapterFolder chapter = make_chapter(folder, "ch01_naive", two_written);
  report::Report only_b = report_of(chapter, report::Outcome::passed);
  only_b.verdicts.erase(only_b.verdicts.begin());
  remember(chapter, only_b);
  CHECK(states(chapter) == std::vector{KernelState::unjudged, KernelState::right});
  report::Report only_a = report_of(chapter, report::Outcome::passed);
  only_a.verdicts.resize(1);
  remember(chapter, only_a);
  CHECK(states(chapter) == std::vector{KernelState::right, KernelState::right});
}

TEST_CASE("the next step: in this chapter, in those behind it, in those before it") {
  const TemporaryFolder folder;
  const ChapterFolder one = make_chapter(folder, "ch01_naive", one_written);
  const ChapterFolder two = make_chapter(folder, "ch02_divergence", two_written);
  const auto next = [&](std::string_view from) {
    const auto step = next_step({progress_in(one), progress_in(two)}, from);
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
  const std::vector<KernelProgress> none = {{"a", KernelState::unwritten}, {"b", KernelState::wrong}};
  const std::vector<KernelProgress> one = {{"a", KernelState::right}, {"b", KernelState::wrong}};
  const std::vector<KernelProgress> both = {{"a", KernelState::right}, {"b", KernelState::right}};
  CHECK(newly_right(none, both) == "b");
  CHECK(newly_right(none, one) == "a");
  CHECK(newly_right(one, both) == "b");
  CHECK(newly_right(one, one).empty());
  CHECK(newly_right(both, one).empty());
}

TEST_CASE("an invitation ends with what to type") {
  const TemporaryFolder folder;
  const ChapterFolder chapter = make_chapter(folder, "ch02_divergence", one_written);
  const std::string fresh = invitation({chapter, {"b", KernelState::unwritten}, false}, false);
  CHECK_THAT(fresh, ContainsSubstring("README.md, write b in"));
  CHECK_THAT(invitation({chapter, {"b", KernelState::unwritten}, true}, false),
             ContainsSubstring("Never written a kernel?"));
  CHECK(fresh.ends_with("then\n  ./warpwise run ch02\n"));
  const std::string here = invitation({chapter, {"b", KernelState::unwritten}, false}, true);
  CHECK_THAT(here, !ContainsSubstring("README"));
  CHECK(here.ends_with("\n  ./warpwise run ch02 b\n"));
  CHECK_THAT(invitation({chapter, {"b", KernelState::wrong}, false}, true),
             ContainsSubstring("is not right yet"));
  // A chapter of several pages: the one that asks to write it.
  folder.write("ch02_divergence/README.md", "# One\n\n**Write** `a`.\n\nLater: `b`.\n");
  folder.write("ch02_divergence/more.md", "# More\n\n**Write** `c`,\nthen `b`.\n");
  const std::string more = invitation({chapter, {"b", KernelState::unwritten}, false}, true);
  CHECK_THAT(more, ContainsSubstring("more.md, write b in"));
  CHECK_THAT(invitation({chapter, {"a", KernelState::unwritten}, false}, true), !ContainsSubstring(".md"));
  // No page names it: that of the kernel above.
  folder.write("ch02_divergence/README.md", "# One\n");
  folder.write("ch02_divergence/more.md", "# More\n\n**Write** `a`.\n");
  CHECK_THAT(invitation({chapter, {"b", KernelState::unwritten}, false}, true),
             ContainsSubstring("more.md, write b in"));
  CHECK_THAT(invitation({chapter, {"b", KernelState::unjudged}, false}, true),
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
  CHECK(states(chapter) == std::vector{KernelState::right, KernelState::unjudged});

  // A function counts for those that call it, directly or not, and what stands outside of functions for all.
  const std::string helper = "__device__ int two() { return 2; }\n",
                    caller = "__global__ void b(int* p) { *p = two(); }\n";
  write(helper + a + caller);
  remember(chapter, report_of(chapter, report::Outcome::passed));
  write("__device__ int two() { return 1 + 1; }\n" + a + caller);
  CHECK(states(chapter) == std::vector{KernelState::right, KernelState::unjudged});
  write("#define TWO two()\n" + helper + a + b);
  remember(chapter, report_of(chapter, report::Outcome::passed));
  write("#define TWO two()\n__device__ int two() { return 1 + 1; }\n" + a + b);
  CHECK(states(chapter) == std::vector{KernelState::unjudged, KernelState::unjudged});
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
  CHECK(states(chapter).empty());
  const auto step = next_step({progress_in(chapter)}, "");
  REQUIRE(step);
  CHECK(invitation(*step, true).ends_with("bring it back:\n  ./warpwise reset ch01\n"));
  std::filesystem::remove(chapter.exercise_file());
  CHECK(states(chapter).empty());
}
