#include "common/harness/check/chapter_run.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <utility>

#include "common/harness/device/tests/kernels.hpp"
#include "common/testing/catch.hpp"

using namespace warpwise::harness;
using warpwise::testing::ContainsSubstring;

namespace {
Options parse(std::vector<const char*> arguments) { return parse_options(arguments); }
}  // namespace

TEST_CASE("what each line costs is asked for by --lines") {
  CHECK(parse({"--lines"}).shows_lines);
  CHECK_FALSE(parse({}).shows_lines);
}

TEST_CASE("options of a chapter's executable") {
  const Options none = parse({});
  CHECK(none.module.empty());
  CHECK(none.device == DeviceChoice::automatic);
  CHECK_FALSE(none.n);

  const Options many = parse({"a.ptx", "--device", "sim", "--n=4096", "--kernel", "k", "--report", "r.json",
                              "--expect-counters", "c.tsv", "--verbose", "--list-tests", "-s"});
  CHECK(many.module == "a.ptx");
  CHECK(many.device == DeviceChoice::simulator);
  CHECK(many.n == 4096u);
  CHECK(many.kernel == "k");
  CHECK(many.report == "r.json");
  CHECK(many.hardware_table == "c.tsv");
  CHECK(many.is_verbose);
  CHECK(many.catch_arguments == std::vector<std::string>{"--list-tests", "-s"});
  CHECK(many.catch2_only_lists());
  CHECK(parse({"-r", "junit", "[safety]"}).catch2_reports());
  CHECK_FALSE(parse({"a.ptx", "[safety]"}).catch2_reports());
  CHECK(parse({"--expect-rejection", "x.cu"}).expected_rejection == "x.cu");
  CHECK(parse({"--expect-failure"}).expects_failure);

  const Options graded = parse({"--threads", "1", "--seed=18446744073709551615", "--budget", "5", "--quiet"});
  CHECK(graded.threads == 1);
  CHECK(graded.seed == 18446744073709551615u);
  CHECK(graded.kernel_budget == 5);
  CHECK(graded.is_quiet);

  const Options traced =
      parse({"--trace", "t.json", "--no-checks", "--block", "64", "--schedule", "split:7"});
  CHECK(traced.trace == "t.json");
  CHECK(traced.runs_no_checks);
  CHECK(traced.block == 64u);
  CHECK(traced.schedule == "split:7");
}

TEST_CASE("the help fits a terminal of 80 columns") {
  std::istringstream lines(usage("ch01_naive"));
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    CHECK(line.size() <= 80);
  }
}

TEST_CASE("wrong usage is told in one sentence") {
  CHECK_THROWS_WITH(parse({"--device", "tpu"}), ContainsSubstring("sim, gpu or auto"));
  CHECK_THROWS_WITH(parse({"--n", "many"}), ContainsSubstring("not 'many'"));
  CHECK_THROWS_WITH(parse({"--n", "-1"}), ContainsSubstring("--n is a whole number"));
  CHECK_THROWS_WITH(parse({"--n", "1073741825"}), ContainsSubstring("2^30"));
  CHECK_THROWS_WITH(parse({"--threads", "1025"}),
                    ContainsSubstring("--threads is a whole number up to 1024"));
  CHECK_THROWS_WITH(parse({"--seed", "x"}), ContainsSubstring("not 'x'"));
  CHECK_THROWS_WITH(parse({"--kernel"}), ContainsSubstring("--kernel needs a value"));
  CHECK_THROWS_WITH(parse({"--block", "48"}), ContainsSubstring("not '48'"));
  CHECK_THROWS_WITH(parse({"--trace", "t.json", "--kernel", "reduce", "--rejected"}),
                    ContainsSubstring("--rejected needs --no-checks"));
  CHECK_THROWS_WITH(parse({"--no-checks"}), ContainsSubstring("--no-checks needs --trace FILE or"));
  CHECK_THROWS_WITH(parse({"--report", "r.json", "--block", "64"}),
                    ContainsSubstring("--block needs --trace FILE or --no-checks"));
  CHECK_THROWS_WITH(parse({"--report", "r.json", "--no-checks", "--schedule", "lockstep"}),
                    ContainsSubstring("--schedule needs --trace FILE"));
  CHECK_THROWS_AS(parse({"--trace", "t.json", "--schedule", "often"}), UsageError);
  CHECK(parse({"--report", "r.json", "--no-checks", "--block", "64"}).block == 64u);
  CHECK_THROWS_WITH(parse({"a.ptx", "b.ptx"}), ContainsSubstring("one module at a time"));
}

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

namespace {

constexpr Kernel<void(int*)> renamed{"renamed"};
const ChapterKernel kernels[] = {{.kernel = nothing}, {.kernel = renamed}};
const CheckedChapter the_chapter{.name = "ch01_naive", .kernels = kernels};

/// What is said of a module whose line 6 is `code`.
std::string complaint_about(const std::string& code) {
  // Test cases run side by side, each in a process of its own.
  const auto path =
      std::filesystem::temp_directory_path() / ("warpwise_devices_" + std::to_string(getpid()) + ".ptx");
  std::ofstream(path) << ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\n" + code +
                             "\n ret;\n}\n.file 1 \"some/exercise.cu\"\n";
  std::string complaint;
  try {
    load_devices(DeviceChoice::simulator, path.string());
  } catch (const NotJudged& error) {
    complaint = error.what();
  }
  std::filesystem::remove(path);
  return complaint;
}

}  // namespace

TEST_CASE("what is wrong in an asm statement is told by the line of the statement") {
  const std::string complaint =
      complaint_about(".loc 1 31 3\n// begin inline asm\n shlf.sync %r1;\n// end inline asm");
  CHECK(
      complaint.starts_with("some/exercise.cu has an asm statement that is not PTX:\n\n"
                            "    some/exercise.cu:31: unsupported: asm: "));
  CHECK_THAT(complaint, ContainsSubstring("`shlf.sync %r1;`"));
  CHECK_THAT(complaint, ContainsSubstring("= help: the compiler copies the text of an asm statement"));
}

TEST_CASE("what the simulated GPU does not have is told by the line that asks for it") {
  const std::string complaint = complaint_about(".loc 1 7 3\n wgmma.fence.sync.aligned;");
  CHECK(
      complaint.starts_with("some/exercise.cu uses something that the simulated GPU does not have:\n\n"
                            "    some/exercise.cu:7: unsupported: wgmma.fence.sync.aligned: "));
}

TEST_CASE("a module without lines is named itself") {
  CHECK_THAT(complaint_about(" wgmma.fence.sync.aligned;"), ContainsSubstring(".ptx:6: "));
}

TEST_CASE("a kernel that the chapter lacks is wrong usage; one that the module lacks is not") {
  const std::string module = WARPWISE_BINARY_DIR "/device/tests/kernels.ptx";
  const Devices devices = load_devices(DeviceChoice::simulator, module);
  const auto expect = [&](const std::string& kernel) {
    expect_kernels(the_chapter, kernel, *devices.simulated, module);
  };
  CHECK_NOTHROW(expect("nothing"));
  CHECK_THROWS_AS(expect("nobody"), UsageError);
  CHECK_THROWS_AS(expect("renamed"), NotJudged);
  CHECK_THROWS_AS(expect(""), NotJudged);
}

namespace {

Failure failure_with(const std::string& sentence) {
  Failure failure;
  failure.sentence = sentence;
  return failure;
}

/// The status, and what is printed.
std::pair<int, std::string> judged(const warpwise::text::ExpectedRejection& expected,
                                   const warpwise::report::Report& report) {
  std::ostringstream said;
  std::streambuf* const before = std::cout.rdbuf(said.rdbuf());
  const int status = judge_rejection(expected, report);
  std::cout.rdbuf(before);
  return {status, said.str()};
}

}  // namespace

TEST_CASE("the judgement of an attempt") {
  const auto expected = warpwise::text::parse_rejection("// rejected by: k: technique: block barriers");
  warpwise::report::Report report = report_of(the_chapter);
  const auto add = [&](Aspect aspect, std::vector<Failure> failures = {}) {
    report.add(the_chapter.name, "k", aspect, std::move(failures));
  };
  CHECK_THAT(judge_attempt(expected, report).sentence, ContainsSubstring("there is no check k: technique"));

  add(Aspect::technique);
  CHECK_FALSE(judge_attempt(expected, report).is_as_expected);
  CHECK_THAT(judge_attempt(expected, report).sentence, ContainsSubstring("that check passed"));

  add(Aspect::technique, {failure_with("shuffles: 4, expected 5")});
  CHECK_FALSE(judge_attempt(expected, report).is_as_expected);
  CHECK_THAT(judge_attempt(expected, report).sentence, ContainsSubstring("shuffles: 4"));

  add(Aspect::result, {failure_with("block barriers")});
  CHECK_FALSE(judge_attempt(expected, report).is_as_expected);  // the right words in the wrong check

  add(Aspect::technique, {failure_with("block barriers: 17, at most 9")});
  CHECK(judge_attempt(expected, report).is_as_expected);
  CHECK(judged(expected, report) ==
        std::pair<int, std::string>(all_well, "rejected, as it must be: : block barriers: 17, at most 9\n"));

  add(Aspect::safety, {{.sentence = "out of range", .is_broken = true}});
  // A check that broke off, whichever, proves nothing.
  CHECK(judged(expected, report) ==
        std::pair<int, std::string>(unusable, "the check itself stopped: : out of range\n"));
}

namespace {

warpwise::report::Report reduce_with_seven_shuffles() {
  warpwise::report::Report report;
  report.chapters.emplace_back().name = "ch01_naive";
  warpwise::report::Launch launch;
  launch.chapter = "ch01_naive";
  launch.report.kernel = "reduce";
  launch.report.counters.shuffles = 7;
  report.launches = {launch};
  return report;
}

}  // namespace

TEST_CASE("counters are held against the rows of their chapter that agreed on the hardware") {
  const auto comparison = compare_with_hardware(reduce_with_seven_shuffles(),
                                                "# a comment\n"
                                                "ch01_naive\treduce\tshuffles\t7\t7\t=\n"
                                                "ch01_naive\treduce\tvotes\t1\t2\tmachine code\n"
                                                "ch02_other\treduce\tshuffles\t9\t9\t=\n");
  CHECK(comparison.compared == 1);
  CHECK(comparison.differences.empty());
}

TEST_CASE("what the hardware counted otherwise, or what was not launched here, differs") {
  const auto comparison = compare_with_hardware(reduce_with_seven_shuffles(),
                                                "ch01_naive\treduce\tshuffles\t8\t8\t=\n"
                                                "ch01_naive\tother\tvotes\t1\t1\t=\n");
  CHECK(comparison.compared == 2);
  CHECK(comparison.differences ==
        "reduce, shuffles: simulated 7, hardware 8\nother, votes: simulated 0, hardware 1\n");
}
