#include "../build.hpp"

#include <filesystem>
#include <string>
#include <vector>

#include "../commands.hpp"
#include "../progress_line.hpp"
#include "common/report/json.hpp"
#include "common/testing/catch.hpp"
#include "common/text/chapter_folder.hpp"
#include "common/text/files.hpp"

using namespace warpwise::cli;
using warpwise::cli::progress_text;
using warpwise::testing::ContainsSubstring;
using warpwise::text::error_to_mend;
using warpwise::text::Source;
using namespace std::chrono_literals;

namespace {

/// As the compiler says it, as build_targets() hands it on.
constexpr std::string_view messages =
    R"(ch01_naive/exercise.cu(3): warning #549-D: variable "v" is used before its value is set
    v += in[i];
    ^

Remark: The warnings can be suppressed with "-diag-suppress <warning-number>"

ch01_naive/exercise.cu(7): warning #177-D: variable "partial" was declared but never referenced
    extern __shared__ float partial[];
                            ^

/usr/include/thing.h(3): warning #1-D: last line of file ends without a newline
  }
  ^

ch01_naive/exercise.cu(9): error: expected a ";"
  }
  ^

)";

const auto contract = warpwise::text::contracts_in(R"(/// Sums.
WARPWISE_KERNEL(other, (int* out));
WARPWISE_KERNEL(reduce_naive, (const float* in,
                               unsigned n));
)");

std::string advice(const std::string& complaint) {
  return warpwise::text::signature_advice(complaint, contract, "ch01_naive/kernels.hpp");
}

}  // namespace

TEST_CASE("the warnings about a file are kept, with their lines of code") {
  const std::string warnings = warnings_about(messages, "ch01_naive/exercise.cu");
  CHECK(warnings.starts_with("ch01_naive/exercise.cu(3): warning #549-D: variable \"v\" is used before"));
  CHECK_THAT(warnings,
             ContainsSubstring("    v += in[i];\n    ^\n\nch01_naive/exercise.cu(7): warning #177-D"));
  for (const char* other : {"Remark", "thing.h", "error"}) CHECK_THAT(warnings, !ContainsSubstring(other));
  CHECK(warnings_about(messages, "exercise.cu").empty());
}

TEST_CASE("that a skeleton does not use its array yet is no news") {
  const std::string warnings = warnings_about(messages, "ch01_naive/exercise.cu");
  const std::string kernel =
      "__global__ void written(float* in) {\n  float v;\n  v += in[0];\n}\n\n"
      "__global__ void k() {\n  extern __shared__ float partial[];\n";
  const std::string unfinished = without_unfinished(warnings, Source(kernel + "  // TODO\n}\n"));
  CHECK_THAT(unfinished, ContainsSubstring("#549-D"));
  CHECK_THAT(unfinished, !ContainsSubstring("#177-D"));
  CHECK(without_unfinished(warnings, Source(kernel + "}\n")) == warnings);
}

TEST_CASE("another signature is held against the contract") {
  const std::string expected =
      "The signature of reduce_naive is not that of the contract, ch01_naive/kernels.hpp:3:\n"
      "  WARPWISE_KERNEL(reduce_naive, (const float* in, unsigned n));\n";
  CHECK(advice("e.cu(2): error: more than one instance of overloaded function \"reduce_naive\" has \"C\" "
               "linkage\n  void reduce_naive(int* in) {\n\n") == expected);
  CHECK(advice("e.cu(1): error: something\n  else\n\n"
               "e.cu(2): error: cannot overload functions distinguished by return type alone\n"
               "  int reduce_naive(const float* in, unsigned n) {\n\n") == expected);
  CHECK(advice("e.cu(2): error: identifier \"reduce_naive\" is undefined\n\n").empty());
  CHECK(advice("e.cu(2): error: more than one instance of overloaded function \"mine\" has \"C\" linkage\n\n")
            .empty());
}

TEST_CASE("the error to mend is the first, but not where a brace is missing") {
  CHECK(error_to_mend(messages) == "the first error is the one to fix.");
  const std::string brace = "e.cu(25): error: expected a \"}\"\ne.cu(5): note #3196-D: to match this \"{\"\n";
  CHECK_THAT(error_to_mend("e.cu(22): error: linkage specification is not allowed\n\n" + brace),
             ContainsSubstring("a } is missing"));
}

TEST_CASE("progress counts, and estimates once it knows enough") {
  CHECK(progress_text("grading", 3, 120, 9s) == "grading 3 of 120");
  CHECK(progress_text("grading", 20, 120, 1s) == "grading 20 of 120");
  CHECK(progress_text("grading", 40, 120, 25s) == "grading 40 of 120, about 50 s left");
  CHECK(progress_text("grading", 40, 120, 26s) == "grading 40 of 120, about 55 s left");
  CHECK(progress_text("grading", 30, 1200, 10s) == "grading 30 of 1200, about 7 min left");
  CHECK(progress_text("grading", 119, 120, 80s) == "grading 119 of 120");
  CHECK(progress_text("grading", 95, 101, 160s) ==
        "grading 95 of 101");  // the last take longer than the others
}

TEST_CASE("a report is taken again while nothing has changed, and a damaged one never") {
  const warpwise::text::TemporaryFolder folder;
  const auto program = (folder.path() / "program").string(), module = (folder.path() / "m.ptx").string();
  const auto runs = folder.path() / "runs";
  const auto write_program = [&](const std::string& remark) {
    warpwise::text::write_text(program, "#!/bin/sh\n" + remark + "echo >>" + runs.string() +
                                            "\nwhile [ $# -gt 1 ]; do shift; done\ncat >\"$1\" <<'END'\n" +
                                            warpwise::report::json_of(warpwise::report::Report{}) + "END\n");
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  };
  write_program("");
  warpwise::text::write_text(module, ".version 8.0\n");
  bool is_good = false;
  std::vector<std::string> command{program, module, "--device", "sim"};
  const auto is_taken = [&] {
    const auto before = warpwise::text::text_or_nothing(runs).size();
    const KnownReport known =
        report_while_unchanged(command, "lost", [&](const warpwise::report::Report&) { return is_good; });
    CHECK(known.was_kept == (warpwise::text::text_or_nothing(runs).size() == before));
    return known.was_kept;
  };
  CHECK_FALSE(is_taken());
  CHECK_FALSE(is_taken());  // it was not good
  is_good = true;
  CHECK_FALSE(is_taken());
  CHECK(is_taken());
  const std::string kept = warpwise::text::read_text(module + ".judged");
  std::string damaged = kept;
  ++damaged[damaged.size() / 2];
  const int change = GENERATE(range(0, 6));
  CAPTURE(change);
  if (change == 0) warpwise::text::write_text(module, ".version 8.1\n");
  if (change == 1) write_program("# changed\n");
  if (change == 2) command.back() = "auto";
  if (change == 3) warpwise::text::write_text(module + ".judged", kept.substr(0, kept.size() - 9));
  if (change == 4) warpwise::text::write_text(module + ".judged", damaged);
  if (change == 5) warpwise::text::write_text(module + ".judged", "");
  CHECK_FALSE(is_taken());
  CHECK(is_taken());
}
