#include "../screen_content.hpp"

#include <fstream>

#include "common/testing/catch.hpp"
#include "common/testing/temporary_folder.hpp"

using namespace warpwise;
using warpwise::testing::TemporaryFolder;

namespace {

report::Report report_with(const std::string& source, report::Outcome outcome) {
  report::Report report;
  report.chapters.emplace_back().source = source;
  report.verdicts = {{"first", report::Aspect::result, outcome, {{"first: result", "wrong", {}}}, ""}};
  if (outcome == report::Outcome::passed) report.verdicts[0].failures.clear();
  return report;
}

void write_sources(const std::filesystem::path& folder) {
  std::ofstream(folder / "kernels.hpp")
      << "\n/// Technique: a tree of adjacent pairs, with one barrier a level. Book: PMPP.\n"
      << "WARPWISE_KERNEL(first, (float* out));\n";
  std::ofstream(folder / "exercise.cu")
      << "extern \"C\" __global__ void first(float* out) {\n  // TODO load (1 line): each\n  load();\n"
      << "  // TODO tree (4 lines): add\n}\nextern \"C\" __global__ void second(float* out) {\n  // TODO "
         "all\n}\n";
}

}  // namespace

TEST_CASE("of a kernel that is not right the screen is told its contract and the TODOs that still stand") {
  const TemporaryFolder folder;
  write_sources(folder.path());
  const report::Report report = report_with("exercise.cu", report::Outcome::failed);
  const print::ScreenContent content = harness::screen_content(report, "kernels.hpp", folder.path().string());
  CHECK(content.source == "exercise.cu");
  CHECK(content.contract == "kernels.hpp");
  REQUIRE(content.texts.size() == 1);
  const print::KernelText& text = content.texts[0];
  CHECK(text.kernel == "first");
  CHECK(text.contract_line == 3);
  CHECK(text.technique == "a tree of adjacent pairs, with one barrier a level.");
  REQUIRE(text.todos.size() == 1);  // that of the load was left, with the code below it
  CHECK(text.todos[0].line == 4);
  CHECK(text.todos[0].text == "tree (4 lines)");
  const report::Report right = report_with("exercise.cu", report::Outcome::passed);
  CHECK(harness::screen_content(right, "kernels.hpp", folder.path().string()).texts.empty());
}

TEST_CASE("what cannot be read says nothing to the screen") {
  const report::Report report = report_with("", report::Outcome::failed);
  const print::ScreenContent content = harness::screen_content(report, "no/kernels.hpp");
  REQUIRE(content.texts.size() == 1);
  CHECK(content.texts[0].contract_line == 0);
  CHECK(content.texts[0].todos.empty());
  CHECK(harness::source_line_reader()("no such file.cu", 1).empty());
}

TEST_CASE("lines of sources are read as they are") {
  const TemporaryFolder folder;
  write_sources(folder.path());
  CHECK(harness::source_line_reader()((folder.path() / "exercise.cu").string(), 3) == "  load();");
}
