#include "common/course/page_commands.hpp"
#include "common/testing/catch.hpp"
#include "common/testing/temporary_folder.hpp"
#include "common/text/files.hpp"

using namespace warpwise::course;
namespace process = warpwise::process;
using warpwise::testing::ContainsSubstring;
using warpwise::testing::TemporaryFolder;

namespace {

const std::string page_of_runs =
    "Try `./warpwise run ch01\n--solution`, or `./warpwise hint ch01`.\n\n"
    "```\n$ ./warpwise run ch02 --solution\n...\n  a 1\n...\n```\n\n"
    "```sh\n./warpwise list    the chapters\n./warpwise run ch03 --attempt NAME\n```\n";

}  // namespace

TEST_CASE("the commands that a page names, with the output that it shows") {
  const auto commands = commands_in(page_of_runs);
  REQUIRE(commands.size() == 4);
  CHECK(commands[0].command == "./warpwise run ch01 --solution");
  CHECK(commands[1].command == "./warpwise hint ch01");
  CHECK(commands[2].command == "./warpwise run ch02 --solution");
  CHECK(commands[2].line == 5);
  CHECK(commands[2].output == "...\n  a 1\n...\n");
  CHECK(commands[3].command == "./warpwise list");
}

TEST_CASE("programs of the build are commands, those that need a GPU are left out, others are refused") {
  const auto commands =
      commands_in("```\n$ build/ch09/program\nprinted\n```\n<!-- needs a GPU -->\n```\n$ build/x\n```\n");
  REQUIRE(commands.size() == 1);
  CHECK(commands[0].command == "build/ch09/program");
  const auto prints = [](const std::string&) { return process::Result{.output = "printed\n"}; };
  CHECK(check_commands("```\n$ build/ch09/program\nprinted\n```\n`./warpwise exec a.cu`\n", prints,
                       Figures::as_shown, Which::compiled) == 2);
  CHECK(check_commands("`./warpwise list`\n\n`./warpwise exec a.cu`\n", prints, Figures::as_shown,
                       Which::quick) == 1);
  CHECK(commands[0].output == "printed\n");
  CHECK_THROWS_WITH(commands_in("```\n$ nvcc a.cu\n```\n"),
                    ContainsSubstring("line 2: `nvcc a.cu` begins with neither"));
}

TEST_CASE("three dots stand for lines that are left out") {
  CHECK(shows("a\nb\n", "a\nb\n"));
  CHECK(shows("a\n...\n", "a\nb\n"));
  CHECK(shows("...\nb\nc\n...\ne\n", "a\nb\nc\nd\ne\n"));
  CHECK_FALSE(shows("b\n", "a\nb\n"));
  CHECK_FALSE(shows("a\n", "a\nb\n"));
  CHECK_FALSE(shows("...\na\nc\n...\n", "a\nb\nc\n"));
  CHECK_FALSE(shows("...\nb\n...\na\n", "a\nb\n"));
}

TEST_CASE("of another compiler the figures may differ, and nothing else") {
  CHECK(without_numbers("a  2^16     1280  1.16   93%") == "a #^# # # #%");
  const std::string page = "```\n$ ./warpwise run ch05\nsum     1280   1.16\n```\n";
  const auto prints = [](const std::string& text) {
    return [text](const std::string&) { return process::Result{.output = text}; };
  };
  CHECK(check_commands(page, prints("sum      960  10.14\n"), Figures::any) == 1);
  CHECK_THROWS(check_commands(page, prints("sum      960  10.14\n")));
  CHECK_THROWS(check_commands(page, prints("max     1280   1.16\n"), Figures::any));
  CHECK_THROWS(check_commands(page, prints("sum     1280\n"), Figures::any));
}

TEST_CASE("commands run, and print what is shown; those that do more than read are asked for their help") {
  std::string asked;
  const auto run = [&](const std::string& command) {
    asked += command + "; ";
    return process::Result{.status = command == "./warpwise run ch01 --solution" ? 1 : 0,
                           .output = "head\n  a 1\ntail\n"};
  };
  CHECK(check_commands(page_of_runs, run) == 4);
  CHECK(asked ==
        "./warpwise run ch01 --solution; ./warpwise hint --help; ./warpwise run ch02 --solution; ./warpwise "
        "list; ");

  CHECK_THROWS_WITH(
      check_commands(page_of_runs, [](const std::string&) { return process::Result{.output = "  a 2\n"}; }),
      ContainsSubstring("line 5: ./warpwise run ch02 --solution is shown with other output"));
  CHECK_THROWS_WITH(
      check_commands(page_of_runs,
                     [](const std::string&) { return process::Result{.status = 2, .output = "no such\n"}; }),
      ContainsSubstring("line 1: ./warpwise run ch01 --solution ends with 2:\nno such"));
}

namespace {

const std::string command = "```\n$ ./warpwise exec mine/a.cu\n";
const std::string mending = "<!-- mends: mine/a.cu -->\n```diff\n-wrong\n+right\n```\n";

/// Walks through `walk`, where a program prints its own text.
std::size_t walked(const std::string& walk) {
  const TemporaryFolder folder;
  folder.write("mine/a.cu", "one\nwrong\n");
  return check_walk(
      walk, "page.md", folder.path(),
      [&](const std::string&) {
        return process::Result{.status = 3, .output = warpwise::text::read_text(folder.path() / "mine/a.cu")};
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
