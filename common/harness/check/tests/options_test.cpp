#include "common/harness/check/options.hpp"

#include <sstream>

#include "common/harness/check/prints.hpp"
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
                              "--expect-counters", "c.tsv", "--verbose", "--", "--list-tests", "-s"});
  CHECK(many.module == "a.ptx");
  CHECK(many.device == DeviceChoice::simulator);
  CHECK(many.n == 4096u);
  CHECK(many.kernel == "k");
  CHECK(many.report == "r.json");
  CHECK(many.hardware_table == "c.tsv");
  CHECK(many.is_verbose);
  CHECK(many.catch_arguments == std::vector<std::string>{"--list-tests", "-s"});
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

TEST_CASE("wrong usage is told in one sentence") {
  CHECK_THROWS_WITH(parse({"--speed"}), ContainsSubstring("there is no option --speed"));
  CHECK_THROWS_WITH(parse({"--device", "tpu"}), ContainsSubstring("sim, gpu or auto"));
  CHECK_THROWS_WITH(parse({"--n", "many"}), ContainsSubstring("not 'many'"));
  CHECK_THROWS_WITH(parse({"--n", "-1"}), ContainsSubstring("--n is a whole number"));
  CHECK_THROWS_WITH(parse({"--n", "1073741825"}), ContainsSubstring("2^30"));
  CHECK_THROWS_WITH(parse({"--threads", "1025"}),
                    ContainsSubstring("--threads is a whole number up to 1024"));
  CHECK_THROWS_WITH(parse({"--seed", "x"}), ContainsSubstring("not 'x'"));
  CHECK_THROWS_WITH(parse({"--kernel"}), ContainsSubstring("--kernel needs a value"));
  CHECK_THROWS_WITH(parse({"--block", "48"}), ContainsSubstring("not '48'"));
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
