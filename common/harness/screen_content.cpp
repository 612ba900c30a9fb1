#include "screen_content.hpp"

#include <algorithm>
#include <memory>

#include "../simulator/program.hpp"
#include "contract.hpp"
#include "skeleton.hpp"

namespace warpwise::harness {

namespace {

/// The kernels of which the screen says more than that they are right.
std::vector<std::string> kernels_to_explain(const report::Report& report) {
  const report::Chapter& chapter = report.chapters.front();
  std::vector<std::string> names;
  for (const report::Verdict& verdict : report.verdicts) {
    const bool is_known = std::find(names.begin(), names.end(), verdict.kernel) != names.end();
    if (!is_known && !report.is_right(chapter.name, verdict.kernel)) names.push_back(verdict.kernel);
  }
  return names;
}

}  // namespace

print::ScreenContent screen_content(const report::Report& report, const std::string& contract,
                                    const std::string& folder) {
  const std::string& source = report.chapters.front().source;
  const auto file = [&](const std::string& path) { return folder.empty() ? path : folder + '/' + path; };
  print::ScreenContent content{
      .report = report, .source = shown_path(source), .contract = shown_path(contract)};
  for (const std::string& kernel : kernels_to_explain(report)) {
    const Contract asked = contract_of(file(contract), kernel);
    print::KernelText& text = content.texts.emplace_back();
    text = {kernel, asked.line, asked.technique, {}};
    if (source.empty()) continue;
    for (const Todo& todo : todos_in_file(file(source), kernel))
      if (!todo.is_written) text.todos.push_back({todo.line, todo.text});
  }
  return content;
}

print::SourceLine source_line_reader() {
  return [texts = std::make_shared<simulator::SourceTexts>()](const std::string& file, std::uint32_t line) {
    return texts->line({file, line});
  };
}

}  // namespace warpwise::harness
