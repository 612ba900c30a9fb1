#include "feedback.hpp"

#include <sstream>

#include "../harness/contract.hpp"
#include "../harness/screen_content.hpp"
#include "../harness/text_file.hpp"
#include "characters.hpp"
#include "plain_text.hpp"
#include "points.hpp"

namespace warpwise::classroom {
namespace {

using Kind = Verdict::Kind;

constexpr std::size_t most_feedback = 48 * 1024;

/// The place behind the number that starts at `at`: 33, 1.5e+08, 0x1f, 16777216.
std::size_t after_number(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    const bool is_exponent = (text[at] == '+' || text[at] == '-') &&
                             (text[at - 1] == 'e' || text[at - 1] == 'E') && at + 1 < text.size() &&
                             is_digit(text[at + 1]);
    const bool is_point = text[at] == '.' && at + 1 < text.size() && is_digit(text[at + 1]);
    if (!is_of_name(text[at]) && !is_exponent && !is_point) break;
    ++at;
  }
  return at;
}

void hide_numbers(simulator::Finding& finding) {
  finding.message = without_numbers(finding.message);
  finding.note = without_numbers(finding.note);
  finding.help = without_numbers(finding.help);
}

void hide_numbers(report::Report& report) {
  for (report::Verdict& verdict : report.verdicts) {
    for (report::Failure& failure : verdict.failures) {
      failure.sentence = without_numbers(failure.sentence);
      for (simulator::Finding& finding : failure.findings) hide_numbers(finding);
      for (report::LineShare& line : failure.lines) line.share = without_numbers(line.share);
    }
  }
  for (report::Kernel& kernel : report.chapters.front().kernels)
    kernel.problem = without_numbers(kernel.problem);
}

std::string screen_of(report::Report report, const CourseChapter& chapter, bool hides_sizes,
                      const std::filesystem::path& folder) {
  report.chapters.front().source = chapter.name + "/exercise.cu";
  if (hides_sizes) hide_numbers(report);
  std::ostringstream out;
  print::ScreenContent content =
      harness::screen_content(report, chapter.name + "/kernels.hpp", folder.string());
  content.shows_counters = content.shows_sizes = !hides_sizes;
  content.explains_all = true;
  print_screen(out, content, print::Paint(false));
  return out.str();
}

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

}  // namespace

std::string without_numbers(std::string_view sentence) {
  std::string result;
  for (std::size_t at = 0; at < sentence.size();) {
    const bool starts_word = at == 0 || !is_of_name(sentence[at - 1]);
    const bool is_line = result.ends_with("line ") || result.ends_with(".cu:");
    if (starts_word && is_digit(sentence[at])) {
      const std::size_t end = after_number(sentence, at);
      if (is_line)
        result += sentence.substr(at, end - at);
      else
        result += '?';
      at = end;
    } else if (starts_word && is_of_name(sentence[at])) {  // a name, with its digits
      for (; at < sentence.size() && is_of_name(sentence[at]); ++at) result += sentence[at];
    } else {
      result += sentence[at++];
    }
  }
  return result;
}

std::string feedback_on(const Verdict& verdict, const CourseChapter& chapter, bool hides_sizes,
                        const std::filesystem::path& folder) {
  std::string text;
  if (verdict.kind == Kind::does_not_compile) {
    const std::string contract = harness::text_or_nothing(folder / chapter.name / "kernels.hpp");
    text = verdict.messages + chapter.name +
           "/exercise.cu does not compile; the first error is the one to mend.\n" +
           harness::signature_advice(verdict.messages, contract, chapter.name + "/kernels.hpp");
  } else if (verdict.kind != Kind::judged) {
    text = verdict.problem + "\n";
  } else if (!verdict.report.chapters.empty()) {
    text = screen_of(verdict.report, chapter, hides_sizes, folder);
  }
  for (const auto& [kernel, problem] : verdict.unjudged)
    if (verdict.kind == Kind::judged) text += kernel + " could not be judged: " + problem + "\n";
  return at_most(most_feedback, visible(text));
}

std::string points_table(const ChapterResult& chapter) {
  std::size_t width = 5;
  for (const KernelResult& kernel : chapter.kernels) width = std::max(width, kernel.kernel.size());
  std::string text = "\npoints\n";
  for (const KernelResult& kernel : chapter.kernels) {
    text += "  " + padded(kernel.kernel, width);
    for (const AspectResult& aspect : kernel.aspects)
      text += "  " + std::string(report::name_of(aspect.aspect)) + " " +
              padded(points_text(aspect.points) + " of " + points_text(aspect.most), 7);
    while (text.back() == ' ') text.pop_back();
    text += '\n';
  }
  return text + "  " + padded("total", width) + "  " + points_text(chapter.points()) + " of " +
         points_text(chapter.most()) + "\n";
}

}  // namespace warpwise::classroom
