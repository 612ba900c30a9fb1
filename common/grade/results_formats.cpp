// Results as other programs and people read them: printers of the same results.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "../print/terminal.hpp"
#include "results.hpp"
#include "untrusted.hpp"

namespace warpwise::grade {

namespace {

/// The chapters that anybody handed in, with their kernels.
std::map<std::string, std::vector<std::string>> chapters_of(const std::vector<SubmissionResult>& results) {
  std::map<std::string, std::vector<std::string>> chapters;
  for (const SubmissionResult& result : results) {
    for (const ChapterResult& chapter : result.chapters) {
      if (chapter.chapter.empty()) continue;
      std::vector<std::string>& kernels = chapters[chapter.chapter];
      if (!kernels.empty()) continue;
      for (const KernelResult& kernel : chapter.kernels) kernels.push_back(kernel.kernel);
    }
  }
  return chapters;
}

const ChapterResult* find_chapter(const SubmissionResult& result, const std::string& name) {
  const auto found = std::find_if(result.chapters.begin(), result.chapters.end(),
                                  [&](const ChapterResult& chapter) { return chapter.chapter == name; });
  return found == result.chapters.end() ? nullptr : &*found;
}

std::string verdict_of(const ChapterResult& chapter) {
  return chapter.problem.empty() ? chapter.verdict : "not graded: " + chapter.problem;
}

std::string problem_of(const SubmissionResult& result) {
  for (const ChapterResult& chapter : result.chapters)
    if (!chapter.problem.empty()) return chapter.problem;
  return {};
}

void add_cell(std::string& row, const std::string& cell) { row += "," + csv_cell(visible_line(cell)); }

/// The verdict on one chapter and its kernels' points; as many empty cells where it was not handed in.
void add_chapter(std::string& row, const ChapterResult* chapter, std::size_t kernels) {
  add_cell(row, chapter == nullptr ? "" : verdict_of(*chapter));
  for (std::size_t i = 0; i < kernels; ++i)
    for (std::size_t aspect = 0; aspect < std::size(report::all_aspects); ++aspect)
      add_cell(row, chapter == nullptr ? "" : points_text(chapter->kernels[i].aspects[aspect].points));
}

}  // namespace

std::string csv_of(const std::vector<SubmissionResult>& results) {
  const auto chapters = chapters_of(results);
  std::string text = "name,points,most,problem";
  for (const auto& [chapter, kernels] : chapters) {
    add_cell(text, chapter);
    for (const std::string& kernel : kernels)
      for (const report::Aspect aspect : report::all_aspects)
        add_cell(text, kernel + " " + std::string(report::name_of(aspect)));
  }
  text += "\n";
  for (const SubmissionResult& result : results) {
    text += csv_cell(visible_line(result.name));
    add_cell(text, points_text(result.points()));
    add_cell(text, points_text(result.most()));
    add_cell(text, problem_of(result));
    for (const auto& [chapter, kernels] : chapters)
      add_chapter(text, find_chapter(result, chapter), kernels.size());
    text += "\n";
  }
  return text;
}

namespace {

std::string attribute(const std::string& name, const std::string& value) {
  return " " + name + "=\"" + xml_escaped(visible_line(value)) + "\"";
}

/// Why no point was given for an aspect; empty if it is right.
std::string failure_of(const ChapterResult& chapter, const KernelResult& kernel, const AspectResult& aspect) {
  if (aspect.outcome == report::Outcome::passed)
    return aspect.points == aspect.most ? "" : "counts once the result is right";
  if (!aspect.told.empty()) return aspect.told;
  if (!kernel.problem.empty()) return kernel.problem;
  return chapter.verdict == "graded" ? "not checked" : verdict_of(chapter);
}

std::string case_of(const std::string& suite, const ChapterResult& chapter, const KernelResult& kernel,
                    const AspectResult& aspect) {
  const std::string name = kernel.kernel + ": " + std::string(report::name_of(aspect.aspect));
  const std::string failure = failure_of(chapter, kernel, aspect);
  std::string text = "  <testcase" + attribute("classname", suite) + attribute("name", name);
  if (failure.empty()) return text + "/>\n";
  return text + "><failure" + attribute("message", failure) + "/></testcase>\n";
}

std::string suite_of(const SubmissionResult& result, const ChapterResult& chapter) {
  const std::string name = result.name + (chapter.chapter.empty() ? "" : "." + chapter.chapter);
  std::string cases;
  std::size_t tests = 0, failures = 0;
  for (const KernelResult& kernel : chapter.kernels) {
    for (const AspectResult& aspect : kernel.aspects) {
      cases += case_of(name, chapter, kernel, aspect);
      ++tests;
      if (!failure_of(chapter, kernel, aspect).empty()) ++failures;
    }
  }
  std::size_t errors = 0;
  if (!chapter.problem.empty()) {
    errors = 1;
    ++tests;
    cases = "  <testcase" + attribute("classname", name) + attribute("name", "graded") + "><error" +
            attribute("message", chapter.problem) + "/></testcase>\n" + cases;
  }
  return " <testsuite" + attribute("name", name) + attribute("tests", std::to_string(tests)) +
         attribute("failures", std::to_string(failures)) + attribute("errors", std::to_string(errors)) +
         ">\n" + cases + " </testsuite>\n";
}

}  // namespace

std::string junit_of(const std::vector<SubmissionResult>& results) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (const SubmissionResult& result : results)
    for (const ChapterResult& chapter : result.chapters) text += suite_of(result, chapter);
  return text + "</testsuites>\n";
}

std::string feedback_of(const SubmissionResult& result) {
  std::string text;
  for (const ChapterResult& chapter : result.chapters) text += (text.empty() ? "" : "\n") + chapter.feedback;
  return text;
}

namespace {

/// "12 of 25", and what is worth a look where there is anything.
std::string cell_of(const ChapterResult* chapter) {
  if (chapter == nullptr) return "-";
  return points_text(chapter->points()) + " of " + points_text(chapter->most());
}

std::string remarks_on(const SubmissionResult& result) {
  std::set<std::string> remarks;
  for (const ChapterResult& chapter : result.chapters) {
    if (!chapter.problem.empty())
      remarks.insert("not graded: " + chapter.problem);
    else if (chapter.verdict != "graded")
      remarks.insert(chapter.verdict);
    else if (chapter.fingerprints.is_skeleton)
      remarks.insert("the skeleton");
  }
  std::string text;
  for (const std::string& remark : remarks) text += (text.empty() ? "" : "; ") + remark;
  return text;
}

}  // namespace

std::string table_of(const std::vector<SubmissionResult>& results) {
  const auto chapters = chapters_of(results);
  std::vector<std::vector<std::string>> rows(1, {"submission"});
  for (const auto& [chapter, kernels] : chapters) rows.front().push_back(report::short_name(chapter));
  rows.front().emplace_back("points");
  for (const SubmissionResult& result : results) {
    std::vector<std::string>& row = rows.emplace_back();
    row.push_back(print::shortened(visible_line(result.name), 32));
    for (const auto& [chapter, kernels] : chapters) row.push_back(cell_of(find_chapter(result, chapter)));
    row.push_back(points_text(result.points()) + " of " + points_text(result.most()));
    row.push_back(remarks_on(result));
  }
  std::vector<std::size_t> widths(chapters.size() + 2);
  for (const auto& row : rows)
    for (std::size_t i = 0; i < widths.size(); ++i)
      widths[i] = std::max(widths[i], print::columns_of(row[i]));
  std::string text;
  for (const auto& row : rows) {
    text += "  ";
    for (std::size_t i = 0; i < row.size(); ++i) {
      text += row[i];
      if (i < widths.size()) text += std::string(widths[i] - print::columns_of(row[i]) + 2, ' ');
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

namespace {

using Json = nlohmann::ordered_json;

std::string output_of(const KernelResult& kernel, const AspectResult& aspect) {
  if (aspect.outcome == report::Outcome::passed)
    return aspect.points == aspect.most ? "" : "counts once the result is right";
  return aspect.told.empty() ? kernel.problem : aspect.told;
}

}  // namespace

std::string gradescope_of(const SubmissionResult& result) {
  Json tests = Json::array();
  for (const ChapterResult& chapter : result.chapters) {
    for (const KernelResult& kernel : chapter.kernels) {
      for (const AspectResult& aspect : kernel.aspects) {
        const bool has_passed = aspect.outcome == report::Outcome::passed && aspect.points == aspect.most;
        tests.push_back({{"name", report::short_name(chapter.chapter) + " " + kernel.kernel + ": " +
                                      std::string(report::name_of(aspect.aspect))},
                         {"score", json_of_points(aspect.points)},
                         {"max_score", json_of_points(aspect.most)},
                         {"status", has_passed ? "passed" : "failed"},
                         {"output", output_of(kernel, aspect)},
                         {"output_format", "text"},
                         {"visibility", "visible"}});
      }
    }
  }
  const Json json = {{"score", json_of_points(result.points())},
                     {"output", feedback_of(result)},
                     {"output_format", "text"},
                     {"visibility", "visible"},
                     {"stdout_visibility", "hidden"},
                     {"tests", tests}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace warpwise::grade
