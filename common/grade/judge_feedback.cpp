#include "judge.hpp"

#include <sstream>

#include "../harness/screen_content.hpp"
#include "../text/source.hpp"
#include "results.hpp"
#include "untrusted.hpp"

namespace warpwise::grade {
namespace {

using Kind = JudgedFile::Kind;

constexpr std::size_t most_feedback = 48 * 1024;

/// The place behind the number that starts at `at`: 33, 1.5e+08, 0x1f, 16777216.
std::size_t after_number(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    const bool is_exponent = (text[at] == '+' || text[at] == '-') &&
                             (text[at - 1] == 'e' || text[at - 1] == 'E') && at + 1 < text.size() &&
                             text::is_digit(text[at + 1]);
    const bool is_point = text[at] == '.' && at + 1 < text.size() && text::is_digit(text[at + 1]);
    if (!text::is_of_name(text[at]) && !is_exponent && !is_point) break;
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

std::string screen_of(report::Report report, const Assignment& assignment, bool hides_sizes,
                      const std::filesystem::path& folder) {
  report.chapters.front().source = assignment.name() + "/exercise.cu";
  if (hides_sizes) hide_numbers(report);
  std::ostringstream out;
  print::ScreenContent content =
      harness::screen_content(report, assignment.name() + "/kernels.hpp", folder.string());
  content.shows_counters = !hides_sizes;
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
    const bool starts_word = at == 0 || !text::is_of_name(sentence[at - 1]);
    const bool is_line = result.ends_with("line ") || result.ends_with(".cu:");
    if (starts_word && text::is_digit(sentence[at])) {
      const std::size_t end = after_number(sentence, at);
      if (is_line)
        result += sentence.substr(at, end - at);
      else
        result += '?';
      at = end;
    } else if (starts_word && text::is_of_name(sentence[at])) {  // a name, with its digits
      for (; at < sentence.size() && text::is_of_name(sentence[at]); ++at) result += sentence[at];
    } else {
      result += sentence[at++];
    }
  }
  return result;
}

std::string feedback_on(const JudgedFile& judged, const Assignment& assignment, bool hides_sizes,
                        const std::filesystem::path& folder) {
  std::string text;
  if (judged.kind == Kind::does_not_compile) {
    text = judged.messages + assignment.name() + "/exercise.cu does not compile; " +
           text::error_to_mend(judged.messages) + "\n" +
           text::signature_advice(judged.messages, assignment.chapter.contracts(),
                                  assignment.name() + "/kernels.hpp");
  } else if (judged.kind != Kind::judged) {
    text = judged.problem + "\n";
  } else if (!judged.report.chapters.empty()) {
    text = screen_of(judged.report, assignment, hides_sizes, folder);
  }
  for (const auto& [kernel, problem] : judged.unjudged)
    if (judged.kind == Kind::judged) text += kernel + " could not be judged: " + problem + "\n";
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

}  // namespace warpwise::grade
