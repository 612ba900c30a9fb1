#include <sstream>

#include "common/harness/screen.hpp"
#include "common/testing/catch.hpp"

using namespace warpwise::harness;
namespace report = warpwise::report;
using report::Aspect;
using report::Outcome;
using warpwise::simulator::Finding;

TEST_CASE("the command after a finding draws a launch like the one that failed, as far as it can be drawn") {
  Finding finding;
  finding.file = "exercise.cu";
  finding.line = 9;
  finding.threads = {70};
  report::Failure failure{"first: safety", "race", {finding}};
  const auto command = [&](bool shows_sizes = true) {
    report::Report report;
    report::Chapter& chapter = report.chapters.emplace_back();
    chapter.name = "ch01_first";
    chapter.source = "exercise.cu";
    chapter.kernels.emplace_back().name = "first";
    report.verdicts = {{"first", Aspect::safety, Outcome::failed, {failure}, "ch01_first"}};
    std::ostringstream out;
    print_screen(out, {.report = report, .contract = "", .shows_sizes = shows_sizes}, Paint(false));
    const std::string text = out.str();
    const std::size_t at = text.find("--at 9");
    return at == text.npos ? text : text.substr(at, text.find('\n', at) - at);
  };
  CHECK(command() == "--at 9");  // nobody said which launch: the usual one, of 64 threads
  failure.n = 33;
  failure.block = 128;
  failure.schedule = "split:3";
  failure.findings[0].block = 2;
  CHECK(command() == "--at 9 --n 33 --block 128 --schedule split:3 --of-block 2 --warp 2");
  CHECK(command(false) == "--at 9");
  failure.findings[0].block = 700;  // only the first blocks are drawn
  CHECK(command() == "--at 9 --n 33 --block 128 --schedule split:3 --warp 2");
  failure.n = 70000;
  failure.schedule = "converged";
  CHECK(command() == "--at 9 --block 128 --warp 2");
  failure.block = 96;  // show takes powers of two
  CHECK(command() == "--at 9");
}
