#include "common/print/unpredicted.hpp"

#include <sstream>

#include "common/print/screen.hpp"
#include "common/testing/catch.hpp"

using namespace warpwise::print;
namespace report = warpwise::report;
using warpwise::testing::ContainsSubstring;

TEST_CASE("what is not predicted yet is a question mark, and remarks on that kernel wait too") {
  report::Report report;
  report::Chapter& chapter = report.chapters.emplace_back();
  chapter.name = "ch01_naive";
  for (const char* kernel : {"first", "second"}) {
    chapter.kernels.emplace_back().name = kernel;
    report::Launch& launch = report.launches.emplace_back();
    launch.chapter = "ch01_naive";
    launch.elements = 1024;
    launch.remarks = std::string("  remark on ") + kernel + "\n";
    launch.report.kernel = kernel;
    launch.report.grid = {4, 1, 1};
    launch.report.counters.block_barriers = 36;
    launch.report.counters.divergent_branches = 77;
    launch.report.counters.shared_load_wavefronts = 55;
  }
  const auto rows = [&](const std::vector<Unpredicted>& open) {
    std::ostringstream out;
    print_counters(out, report, open);
    return out.str();
  };
  const std::string whole = rows({});
  CHECK_THAT(whole, ContainsSubstring("first    1024       77       9       55") &&
                        ContainsSubstring("remark on first"));
  CHECK_THAT(whole, !ContainsSubstring("?"));

  const std::string open =
      rows({{"first", "tree", "block_barriers / blocks"}, {"first", "loads", "shared_load_wavefronts"}});
  CHECK_THAT(open, ContainsSubstring("first    1024       77       ?        ?"));
  CHECK_THAT(open, ContainsSubstring("second   1024       77       9       55"));
  CHECK_THAT(open, ContainsSubstring("\n  ? predict them: ./warpwise predict ch01 tree  (or --counters)\n"
                                     "                  ./warpwise predict ch01 loads\n"));
  CHECK_THAT(open, !ContainsSubstring("remark on first") && ContainsSubstring("remark on second"));

  CHECK(rows({{"third", "tree", "block_barriers"}}) == whole);  // it was not launched
}
