// A compiler or judge that fails for the grader's own reasons, played by scripts: what it did is never a
// result.
#include <sys/resource.h>
#include <unistd.h>
#include <chrono>
#include <cstdlib>
#include <string>

#include "common/grade/grading.hpp"
#include "common/report/json.hpp"
#include "common/testing/catch.hpp"
#include "course_example.hpp"

namespace warpwise::grade {
namespace {

namespace fs = std::filesystem;

void write_script(const fs::path& path, const std::string& text) {
  write_file(path, "#!/bin/sh\n" + text);
  fs::permissions(path, fs::perms::owner_all);
}

/// The chapter ch01_first, whose kernels are both right. `nvcc` and `judge` are run before the scripts do as
/// they should.
struct Classroom : CourseExample {
  Grading grading;
  ClassOptions options;

  Classroom() {
    report::Report report;
    report.chapters.emplace_back().name = "ch01_first";
    for (const char* kernel : {"add", "twice"})
      for (const report::Aspect aspect : report::all_aspects) {
        report::Verdict& verdict = report.verdicts.emplace_back();
        verdict.chapter = "ch01_first";
        verdict.kernel = kernel;
        verdict.aspect = aspect;
        verdict.outcome = report::Outcome::passed;
      }
    report::write_file(folder.path() / "right.json", report);
    play({}, {});
    course.compiler = folder.path() / "nvcc";
    write_file(folder.path() / "class/ada.cu", solution());
    options.submissions = submissions_in(folder.path() / "class").all;
    options.chapters = {"ch01_first"};
    options.out = folder.path() / "graded";
    grading.course = course;
    grading.pause_before_retry = std::chrono::milliseconds(1);
  }

  /// `hits FILE N`: true for the first N calls of all.
  void play(const std::string& nvcc, const std::string& judge) const {
    const std::string hits = "hits() { echo >>" + (folder.path() / "$1").string() + "; [ \"$(wc -l <" +
                             (folder.path() / "$1").string() + ")\" -le \"$2\" ]; }\n";
    const std::string last =
        "for last; do case $previous in -o|--report) out=$last;; esac; previous=$last; done\n";
    write_script(folder.path() / "nvcc", hits + nvcc + "\n" + last + "echo module >\"$out\"\n");
    write_script(
        course.assignments[0].chapter.executable(),
        hits + judge + "\n" + last + "cat " + (folder.path() / "right.json").string() + " >\"$out\"\n");
  }

  SubmissionResult graded() const { return grade_class(options, grading).front(); }
  bool is_stored() const { return !fs::is_empty(options.out / "results"); }
};

struct Fault {
  const char *name, *nvcc, *judge;
};

/// Each hits the first two tries of the one submission; the third is right.
constexpr Fault passing[] = {
    {"the compiler is killed", "hits a 2 && kill -9 $$", ""},
    {"a part of the compiler is killed",
     "hits a 2 && { echo \"nvcc error   : 'cicc' died due to signal 9 (Kill signal)\"; exit 9; }", ""},
    {"g++ says that a part of it was killed",
     "hits a 2 && { echo 'g++: fatal error: Killed signal terminated program cc1plus'; exit 1; }", ""},
    {"the disk is full, and the student's own line is in a warning",
     "hits a 2 && { echo 'ch01_first/exercise.cu(3): warning #177-D: x was declared'; "
     "echo 'error: cannot write /tmp/x.cubin: No space left on device'; exit 1; }",
     ""},
    {"the compiler fails without a word about the submission", "hits a 2 && exit 1", ""},
    {"the compiler crashes", "hits a 2 && kill -11 $$", ""},
    {"the compiler leaves no module", "hits a 2 && exit 0", ""},
    {"the judge is killed", "", "hits b 2 && kill -9 $$"},
    {"the judge crashes", "", "hits b 2 && kill -6 $$"},
    {"the judge leaves no report", "", "hits b 2 && exit 1"},
    {"the judge leaves half a report", "", "hits b 2 && { for last; do :; done; exit 1; }"},
    {"the judge is not there", "", "hits b 2 && exit 127"},
};

}  // namespace

TEST_CASE("what the grader's own failure did is no result: the submission is tried again, alone") {
  for (const Fault& fault : passing) {
    DYNAMIC_SECTION(fault.name) {
      const Classroom classroom;
      classroom.play(fault.nvcc, fault.judge);
      const SubmissionResult result = classroom.graded();
      INFO(result.chapters.front().problem << result.chapters.front().feedback);
      CHECK(result.could_be_graded());
      CHECK(result.points() == result.most());
      CHECK(classroom.is_stored());
    }
  }
}

TEST_CASE("where no more threads can be started, those that there are grade all") {
#if defined(__SANITIZE_ADDRESS__)
  WARPWISE_NOT_CHECKED("AddressSanitizer takes terabytes of addresses");
#endif
  Classroom classroom;
  classroom.options.jobs = 64;
  rlimit before{};
  getrlimit(RLIMIT_AS, &before);
  std::uint64_t pages = 0;  // of addresses that are in use
  std::ifstream("/proc/self/statm") >> pages;
  // Room for the stacks of a few.
  const rlimit few{pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) + (64 << 20), before.rlim_max};
  setrlimit(RLIMIT_AS, &few);
  const SubmissionResult result = classroom.graded();
  setrlimit(RLIMIT_AS, &before);
  CHECK(result.points() == result.most());
}

TEST_CASE("a failure that lasts is said, and not kept: the next run grades") {
  const std::pair<const char*, const char*> lasting[] = {{"kill -9 $$", ""},
                                                         {"echo 'No space left on device'; exit 1", ""},
                                                         {"", "kill -9 $$"},
                                                         {"", "exit 127"}};
  for (const auto& [nvcc, judge] : lasting) {
    DYNAMIC_SECTION("nvcc: " << nvcc << "; judge: " << judge) {
      const Classroom classroom;
      classroom.play(nvcc, judge);
      const SubmissionResult failed = classroom.graded();
      CHECK_FALSE(failed.could_be_graded());
      CHECK_THAT(failed.chapters.front().problem,
                 warpwise::testing::ContainsSubstring("the grader failed, not the submission: "));
      CHECK_FALSE(classroom.is_stored());
      classroom.play("", "");
      CHECK(classroom.graded().points() == failed.most());
      CHECK(classroom.is_stored());
    }
  }
}

TEST_CASE("a submission that sleeps until its limit by the clock is the student's, and is not tried again") {
  Classroom classroom;
  classroom.grading.limits = {.seconds = 1, .spare_seconds = 0};
  const auto tries = [&] { return text::read_text(classroom.folder.path() / "tries").size(); };
  SECTION("while it is compiled") {
    classroom.play("hits tries 9; exec sleep 60", "");
    const SubmissionResult result = classroom.graded();
    CHECK(result.could_be_graded());
    CHECK_THAT(result.chapters.front().feedback,
               testing::ContainsSubstring("the compiler was stopped: it used up its 1 s."));
    CHECK(tries() == 1);
  }
  SECTION("while it is judged: then its kernels are judged one by one") {
    classroom.play("", "hits tries 1 && exec sleep 60");
    const SubmissionResult result = classroom.graded();
    CHECK(result.could_be_graded());
    CHECK(result.points() == result.most());
    CHECK(tries() == 3);
  }
  CHECK(classroom.is_stored());
}

TEST_CASE("a submission that cannot be laid out, for want of space, is not graded") {
  const Classroom classroom;
  setenv("TMPDIR", (classroom.folder.path() / "class/ada.cu").c_str(), 1);  // no folder can be made in a file
  const SubmissionResult failed = classroom.graded();
  unsetenv("TMPDIR");
  CHECK_FALSE(failed.could_be_graded());
  CHECK_FALSE(classroom.is_stored());
  CHECK(classroom.graded().could_be_graded());
}

TEST_CASE("what a submission brings about is its result, at once or once it is settled") {
  const auto verdict_of = [](const std::string& nvcc) {
    const Classroom classroom;
    // A contract alone compiles: the file that is handed in has kernels.
    classroom.play("grep -q __global__ ch01_first/exercise.cu && { " + nvcc + "; }", "");
    const SubmissionResult result = classroom.graded();
    CHECK(classroom.is_stored());
    const auto tries = text::read_text(classroom.folder.path() / "tries");
    return result.chapters.front().verdict + ", " + std::to_string(tries.size());
  };
  CHECK(verdict_of("hits tries 9; echo 'ch01_first/exercise.cu(2): error: expected a \";\"'; exit 1") ==
        "does not compile, 1");
  CHECK(verdict_of("hits tries 9; kill -24 $$") == "unusable, 1");  // SIGXCPU: its own limit
  CHECK(verdict_of("hits tries 9; kill -11 $$") == "unusable, 3");
  CHECK(verdict_of("hits tries 9; echo \"'cicc' died due to signal 11\"; exit 1") == "unusable, 3");
  CHECK(verdict_of("hits tries 9; echo '#error No space left on device'; exit 1") == "does not compile, 3");
}

TEST_CASE("who lacks a brace is told where to look, not to fix the first error") {
  const Classroom classroom;
  const std::string message = "ch01_first/exercise.cu(9): error: expected a \"}\"";
  classroom.play("grep -q __global__ ch01_first/exercise.cu && { echo '" + message + "'; exit 1; }", "");
  CHECK_THAT(
      classroom.graded().chapters.front().feedback,
      testing::ContainsSubstring("exercise.cu does not compile; a } is missing: look in the function"));
}

}  // namespace warpwise::grade
