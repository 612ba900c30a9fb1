#include "common/report/json.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "common/report/trace_file.hpp"
#include "common/testing/catch.hpp"
#include "common/testing/temporary_folder.hpp"
#include "example.hpp"

using namespace warpwise::report;
using tests::bare_traces;
using tests::example_launch;
using tests::example_report;
using tests::example_traces;
using warpwise::testing::ContainsSubstring;
using warpwise::testing::TemporaryFolder;

namespace {

/// What `read` says of a text that it refuses.
std::string refusal_by(const auto& read, const std::string& text) {
  try {
    read(text);
  } catch (const ReportError& error) {
    return error.what();
  }
  return "none";
}

/// The example's text with its first `old` written otherwise.
std::string with(const std::string& old, const std::string& other) {
  std::string text = json_of(example_report());
  const std::size_t at = text.find(old);
  REQUIRE(at != std::string::npos);
  return text.replace(at, old.size(), other);
}

}  // namespace

TEST_CASE("a report comes back as it was, in every member") {
  CHECK(report_from(json_of(example_report())) == example_report());
  CHECK(report_from(json_of(Report{})) == Report{});
}

TEST_CASE("the JSON is the one that is promised") {
  const std::string text = json_of(example_report());
  CHECK_THAT(text, ContainsSubstring("\"version\": 1"));
  CHECK_THAT(text, ContainsSubstring("\"kernel\": \"reduce<256u>\""));
  CHECK_THAT(text, ContainsSubstring("\"device\": \"gpu\""));
  CHECK_THAT(text, ContainsSubstring("\"lane_utilisation\": 0.625"));
  CHECK_THAT(text, ContainsSubstring("\"kind\": \"out-of-bounds\""));
  CHECK_THAT(text, ContainsSubstring("\"outcome\": \"not checked\""));
  CHECK(text.ends_with("}\n"));
}

TEST_CASE("bytes that are no UTF-8 are replaced, and the rest is kept") {
  Report report;
  report.launches.push_back({.remarks = "a\xffz"});
  CHECK(report_from(json_of(report)).launches.at(0).remarks == "a\xEF\xBF\xBDz");
}

TEST_CASE("members that nobody knows yet are left out") {
  CHECK(report_from(with("\"version\": 1", "\"version\": 1, \"colour\": \"red\"")) == example_report());
}

TEST_CASE("what is no report is refused in a sentence that says where") {
  const auto refusal = [](const std::string& text) { return refusal_by(report_from, text); };
  CHECK(refusal("") == "the report is no JSON");
  CHECK(refusal("warpwise-report\t1\n") == "the report is no JSON");
  CHECK(refusal("[]") == "the report is no object");
  CHECK(refusal("{}") == "/version is missing");
  CHECK(refusal("{\"version\": 2}") == "the report is of version 2; this Warpwise reads version 1");
  CHECK(refusal("{\"version\": 1e999}") == "the report is no JSON");
  CHECK(refusal(std::string(200'000, '[')) == "the report is no JSON");
  CHECK(refusal(std::string(200'000, '[') + std::string(200'000, ']')) == "the report is no object");

  const std::string text = json_of(example_report());
  CHECK(refusal(text.substr(0, text.size() / 2)) == "the report is no JSON");
  CHECK(refusal(with("\"kernel\": \"reduce<256u>\",", "")) == "/launches/0/kernel is missing");
  CHECK(refusal(with("\"reduce<256u>\"", "[]")) == "/launches/0/kernel is no text");
  CHECK(refusal(with("\"gpu\",\n", "\"tpu\",\n")) == "/launches/0/device is 'tpu', not sim or gpu");
  CHECK(refusal(with("\"completed\": false", "\"completed\": 0")) ==
        "/launches/0/completed is neither true nor false");
  CHECK(refusal(with("\"seconds\": 0.1", "\"seconds\": null")) == "/launches/0/seconds is no number");
  CHECK(refusal(with("\"shared_bytes\": 1024", "\"shared_bytes\": -1")) ==
        "/launches/0/shared_bytes is no whole number from 0 to 4294967295");
  CHECK(refusal(with("\"shared_bytes\": 1024", "\"shared_bytes\": 4294967296")) ==
        "/launches/0/shared_bytes is no whole number from 0 to 4294967295");
  CHECK(refusal(with("\"shared_bytes\": 1024", "\"shared_bytes\": 1.5")) ==
        "/launches/0/shared_bytes is no whole number from 0 to 4294967295");
  CHECK(refusal(with("        2,\n        3,\n        4\n", "2, 3")) ==
        "/launches/0/grid is no list of three numbers");
  CHECK(refusal(with("\"shuffles\":", "\"shuffle\":")) == "/launches/0/counters/shuffles is missing");
  CHECK(refusal(with("\"shuffles\":", "\"speed\": 1, \"shuffles\":")) ==
        "/launches/0/counters has a counter that is not known");
  CHECK(refusal(with("\"kind\": \"race\"", "\"kind\": \"sadness\"")) ==
        "/launches/0/findings/0/kind is 'sadness', which is not known");
  CHECK(refusal(with("\"outcome\": \"failed\"", "\"outcome\": \"fine\"")) ==
        "/checks/0/outcome is 'fine', which is not known");
}

TEST_CASE("an aspect fails if any of its test cases fails; verdicts stand in the order in which they came") {
  Report report;
  CHECK(report.outcome("ch01", "k", Aspect::safety) == Outcome::not_checked);
  report.add("ch01", "k", Aspect::safety);
  CHECK(report.outcome("ch01", "k", Aspect::safety) == Outcome::passed);
  report.add("ch01", "a", Aspect::result);
  report.add("ch01", "k", Aspect::safety, {{.sentence = "out[0] is 1, expected 2"}});
  report.add("ch01", "k", Aspect::safety);
  CHECK(report.outcome("ch01", "k", Aspect::safety) == Outcome::failed);
  REQUIRE(report.verdict("ch01", "k", Aspect::safety)->failures.size() == 1);
  CHECK(report.verdict("ch01", "k", Aspect::safety)->failures[0].sentence == "out[0] is 1, expected 2");
  CHECK(report.verdict("ch01", "k", Aspect::result) == nullptr);
  REQUIRE(report.verdicts.size() == 2);
  CHECK(report.verdicts[0].kernel == "k");
  CHECK(report.verdicts[1].aspect == Aspect::result);
}

TEST_CASE("files are written and read, and named where they cannot be") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "report.json";
  write_file(file, example_report());
  CHECK(read_file(file) == example_report());
  std::ofstream(file) << "nonsense\n";
  CHECK_THROWS_WITH(read_file(file), file.string() + ": the report is no JSON.");
  CHECK_THROWS_WITH(read_file("/nonexistent/report.json"), "cannot read /nonexistent/report.json.");
  CHECK_THROWS_WITH(write_file("/nonexistent/report.json", Report{}),
                    "cannot write /nonexistent/report.json.");
}

TEST_CASE("the report of a running program is whole at every moment") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "report.json";
  std::ofstream(path) << std::string(1000, 'x');  // of an earlier run
  ReportFile file(path);
  Report expected;
  CHECK(read_file(path) == expected);
  for (int i = 0; i < 3; ++i) {
    expected.launches.push_back(i == 1 ? Launch{} : example_launch());
    file.add(expected.launches.back());
    CHECK(read_file(path) == expected);
  }
}

TEST_CASE("the report of a running program asks for a file that can be rewritten") {
  CHECK_THROWS_WITH(ReportFile("/nonexistent/report.json"),
                    ContainsSubstring("cannot write the report /nonexistent/report.json."));
  const TemporaryFolder folder;
  const auto name = folder.path() / "pipe";
  REQUIRE(mkfifo(name.c_str(), 0600) == 0);
  const int reader = open(name.c_str(), O_RDONLY | O_NONBLOCK);  // or opening it to write would wait
  CHECK_THROWS_WITH(ReportFile(name), ContainsSubstring("give a file that can be overwritten"));
  close(reader);
}

TEST_CASE("published times are read; where there is no file there are none") {
  const TemporaryFolder folder;
  folder.write(
      "times.json",
      R"({"version": 1, "gpu": "NVIDIA H200", "kernels": [{"chapter": "ch01_naive", "kernel": "reduce",
                   "elements": 67108864, "milliseconds": 0.6359, "gigabytes_per_second": 422.1}]})");
  const PublishedTimes times = read_times(folder.path() / "times.json");
  CHECK(times.gpu == "NVIDIA H200");
  CHECK(times.of("ch01_naive", "reduce") == 422.1);
  CHECK(times.of("ch02_divergence", "reduce") == 0);
  CHECK(read_times(folder.path() / "none.json") == PublishedTimes());
  folder.write("times.json", R"({"version": 2})");
  CHECK_THROWS_WITH(read_times(folder.path() / "times.json"), ContainsSubstring("is of version 2"));
}

TEST_CASE("a trace comes back from JSON as it was") {
  CHECK(traces_from(json_of(example_traces())) == example_traces());
  CHECK(traces_from(json_of(bare_traces())) == bare_traces());
  CHECK(traces_from(json_of(TraceFile{})) == TraceFile{});
}

TEST_CASE("what is no trace is refused in one sentence") {
  const auto why = [](const std::string& text) { return refusal_by(traces_from, text); };
  CHECK(why("{") == "the trace is no JSON");
  CHECK(why(R"({"version":7})") == "the trace is of version 7; this Warpwise reads version 1");
  CHECK(why(R"({"version":1,"launches_left_out":-1,"launches":[]})") ==
        "/launches_left_out is no whole number from 0 to 18446744073709551615");
}
