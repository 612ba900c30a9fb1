#include "screen_content.hpp"

#include <algorithm>
#include <memory>

#include "../simulator/program.hpp"
#include "../text/chapter_folder.hpp"
#include "../text/files.hpp"
#include "../text/source.hpp"

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
      .report = report, .source = text::shown_path(source), .contract = text::shown_path(contract)};
  const std::vector<text::Contract> contracts = text::read_contracts(file(contract));
  const text::Source code = source.empty() ? text::Source() : text::read_source(file(source));
  for (const std::string& kernel : kernels_to_explain(report)) {
    const text::Contract asked = text::contract_of(contracts, kernel);
    print::KernelText& said = content.texts.emplace_back();
    said = {kernel, asked.line, asked.technique, {}};
    for (const text::Todo& todo : code.todos_of(kernel))
      if (!todo.is_written) said.todos.push_back({todo.line, todo.text});
  }
  return content;
}

print::SourceLine source_line_reader() {
  return [texts = std::make_shared<simulator::SourceTexts>()](const std::string& file, std::uint32_t line) {
    return texts->line({file, line});
  };
}

}  // namespace warpwise::harness
