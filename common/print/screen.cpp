#include "screen.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <ostream>
#include <sstream>
#include <utility>

#include "screen_words.hpp"

namespace warpwise::print {

namespace {

constexpr std::size_t text_column = 17;  // where the sentence after "    x technique  " starts
constexpr std::size_t label_width = 11;  // "write it   "

using report::all_aspects;
using report::Aspect;
using report::Failure;
using report::Outcome;
using report::Verdict;

/// What the screen is about: the kernels that were checked, and at the end what else the checks speak of.
std::vector<report::Kernel> subjects_of(const report::Report& report) {
  const report::Chapter& chapter = report.chapters.front();
  std::vector<report::Kernel> subjects;
  const auto is_known = [&](const std::string& name) {
    return std::any_of(subjects.begin(), subjects.end(),
                       [&](const report::Kernel& one) { return one.name == name; });
  };
  const auto is_checked = [&](const report::Kernel& kernel) {
    return std::any_of(report.verdicts.begin(), report.verdicts.end(),
                       [&](const Verdict& verdict) { return verdict.kernel == kernel.name; });
  };
  std::copy_if(chapter.kernels.begin(), chapter.kernels.end(), std::back_inserter(subjects), is_checked);
  for (const Verdict& verdict : report.verdicts) {
    if (!is_known(verdict.kernel)) subjects.emplace_back().name = verdict.kernel;
  }
  return subjects;
}

/// The sentence of a failure whose findings are printed in full below it.
std::string sentence_above_findings(const Failure& failure, Aspect aspect) {
  if (failure.is_broken) return "the check itself stopped: " + failure.sentence;
  if (failure.findings.empty()) return failure.sentence;
  return aspect == Aspect::safety ? kinds_and_lines(causes_of(failure.findings)) : failure.sentence;
}

/// "/a/b/kernels.hpp" -> "kernels.hpp"
std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

/// What is most worth knowing of a failure in one line.
std::string short_sentence(const Failure& failure) {
  return failure.findings.empty() ? failure.sentence : headline(failure.findings.front());
}

class Screen {
 public:
  Screen(const ScreenContent& content, const Paint& paint) : content_(content), paint_(paint) {}

  std::string text() {
    const auto subjects = subjects_of(content_.report);
    out_ << paint_.strong(chapter_.name + ": " + chapter_.title) << '\n';
    const std::string where =
        " on the simulated GPU" + (chapter_.gpu.empty() ? "" : " and on " + chapter_.gpu);
    if (!content_.source.empty()) out_ << fitted(content_.source + where, 0, 2, content_.lines) << '\n';

    std::vector<std::string> parts = {taken()};
    std::size_t explained = 0;  // of the parts, the kernel to go on with
    const report::Kernel* next = nullptr;
    for (const report::Kernel& subject : subjects) {
      out_ << '\n';
      const bool is_right = content_.report.is_right(chapter_.name, subject.name);
      print_headline(subject, is_right);
      if (is_right) {
        print_passed(subject.name);
      } else if (next == nullptr || content_.is_verbose || content_.explains_all) {
        print_in_full(subject);
      } else {
        print_in_short(subject);
      }
      if (!is_right && next == nullptr) {
        next = &subject;
        explained = parts.size();
      }
      parts.push_back(taken());
    }
    if (content_.shows_counters) print_counters(out_, content_.report, content_.unpredicted);
    if (content_.line_costs) print_lines(out_, content_.report, content_.line_costs);
    parts.push_back(taken());
    print_count(subjects, next);
    parts.push_back(taken());
    return fitted_rows(std::move(parts), explained, content_.rows);
  }

 private:
  std::string taken() { return std::exchange(out_, {}).str(); }  ///< what was printed since the last time

  /// How many of the kernels that are to be written are right, and which is the next; null: none.
  void print_count(const std::vector<report::Kernel>& subjects, const report::Kernel* next) {
    std::size_t right = 0, all = 0;
    for (const report::Kernel& subject : subjects) {
      if (!subject.is_exercise) continue;
      const std::size_t members = std::max<std::size_t>(subject.family.size(), 1);
      all += members;
      if (content_.report.is_right(chapter_.name, subject.name)) right += members;
    }
    out_ << '\n';
    if (all == 0)
      out_ << "There is nothing to write here: these kernels are given.";
    else
      out_ << right << " of " << all << (all == 1 ? " kernel is" : " kernels are") << " right.";
    if (next != nullptr && subjects.size() > 1) {
      const bool is_long = content_.lines == Lines::broken && !next->is_untouched;
      out_ << (is_long ? "\n" : " ") << "Go on with " << paint_.strong(next->name) << what_fails(*next)
           << '.';
    }
    out_ << '\n';
  }

  /// What is first to be mended: on a small screen the verdict has scrolled away.
  std::string what_fails(const report::Kernel& subject) const {
    if (subject.is_untouched) return {};
    if (outcome(subject.name, Aspect::result) == Outcome::failed) return ", whose result is wrong";
    if (outcome(subject.name, Aspect::technique) == Outcome::failed)
      return ", whose technique is not the one asked for";
    return ", which is not safe";
  }

  const Verdict* find(const std::string& kernel, Aspect aspect) const {
    return content_.report.verdict(chapter_.name, kernel, aspect);
  }
  Outcome outcome(const std::string& kernel, Aspect aspect) const {
    return content_.report.outcome(chapter_.name, kernel, aspect);
  }
  void print_headline(const report::Kernel& subject, bool passed) {
    const std::string others =
        subject.family.empty() ? "" : " and " + std::to_string(subject.family.size() - 1) + " like it";
    out_ << (passed ? paint_.good("✓") : paint_.bad("✗")) << ' ' << paint_.strong(subject.name) << others;
    if (!subject.task.empty()) {
      const std::size_t column = subject.name.size() + others.size() + 4;
      out_ << "  " << wrapped_text(subject.task, column, column);
    }
    out_ << '\n';
  }

  void print_passed(const std::string& kernel) {
    std::string line;
    for (const Aspect aspect : all_aspects) {
      if (outcome(kernel, aspect) != Outcome::passed) continue;
      line += (line.empty() ? "    " : "  ") + paint_.good("✓") + ' ' + std::string(name_of(aspect));
    }
    out_ << line << '\n';
    print_proofs(kernel);
  }

  void print_proofs(const std::string& kernel) {
    const Verdict* const verdict = find(kernel, Aspect::result);
    const std::string text = verdict == nullptr ? "" : spelled(verdict->proofs);
    if (text.empty()) return;
    out_ << "      " << paint_.faint("result: " + text) << '\n';
    if (!content_.is_verbose) return;
    const auto print = [&](const char* what, const std::vector<std::string>& sizes) {
      if (!sizes.empty()) out_ << "      " << what << '\n';
      for (const std::string& size : sizes) out_ << "        " << size << '\n';
    };
    print("proved at", verdict->proofs.proved_at);
    print("tried at", verdict->proofs.tried_at);
    if (!verdict->proofs.why_tried.empty())
      out_ << "      tried, since " << verdict->proofs.why_tried << '\n';
  }

  void print_aspect(const std::string& mark, Aspect aspect, const std::string& text) {
    const std::string name(name_of(aspect));
    out_ << "    " << mark << ' ' << name;
    if (!text.empty()) {
      out_ << std::string(text_column - 6 - name.size(), ' ') << wrapped_text(text, text_column, text_column);
    }
    out_ << '\n';
  }

  void print_findings(const std::string& kernel, const Failure& failure) {
    auto findings = content_.is_verbose ? failure.findings : causes_of(failure.findings);
    if (outcome(kernel, Aspect::result) == Outcome::failed)
      for (simulator::Finding& finding : findings) finding.note = without_excuse(finding.note);
    const std::size_t most = content_.is_verbose ? findings.size() : 2;
    for (std::size_t i = 0; i < std::min(most, findings.size()); ++i) {
      out_ << '\n' << finding_on_screen(findings[i], 4, content_.lines);
    }
    if (findings.size() > most)
      out_ << "\n    (" << findings.size() - most << " more: --verbose shows them)\n";
    if (const std::string more = consequences(failure.findings); !more.empty() && !content_.is_verbose)
      out_ << "\n    " << wrapped_text(more + " (--verbose shows them)", 4, 4) << '\n';
    if (!findings.empty() && findings.front().line != 0) {
      out_ << '\n';
      print_picture(kernel, findings.front().file, findings.front().line, &findings.front());
    }
  }

  /// `is_explained`: findings follow, which say more of what happened than the order does.
  void print_failures(const Verdict& verdict, bool is_explained) {
    const std::size_t most = content_.is_verbose ? verdict.failures.size() : 1;
    for (std::size_t i = 0; i < std::min(most, verdict.failures.size()); ++i) {
      print_aspect(paint_.bad("✗"), verdict.aspect,
                   sentence_above_findings(verdict.failures[i], verdict.aspect));
      for (const report::LineShare& line : verdict.failures[i].lines) print_share(line);
      const Failure& failure = verdict.failures[i];
      if (const std::string help = is_explained ? meaning_of(failure.schedule) : help_on(failure);
          !help.empty())
        out_ << std::string(text_column, ' ') << wrapped_text(help, text_column, text_column) << '\n';
    }
    if (verdict.aspect == Aspect::technique) print_below_technique(verdict);
  }

  /// "line 49 `if (lane == 0) counts[warp] = …`: 16 of the 16"; of what is written wrongly only where that
  /// is: the mistake may lie elsewhere.
  void print_share(const report::LineShare& line) {
    const bool is_own = line.file == content_.source;
    const bool is_write = line.share == report::writes_results;
    const std::string place = (is_write ? "results are written in line " : "line ") +
                              std::to_string(line.line) + (is_own ? "" : " of " + file_name(line.file)) +
                              " `";
    const std::string share = is_write ? "`" : "`: " + line.share;
    const std::size_t taken = text_column + place.size() + share.size();
    out_ << std::string(text_column, ' ') << place
         << shortened(unindented(line.source),
                      std::max<std::size_t>(80 - std::min<std::size_t>(taken, 70), 10))
         << share << '\n';
  }

  /// Where to read on after a technique that is not the one asked for. Links to more stand here.
  void print_below_technique(const Verdict& verdict) {
    const KernelText& text = text_of(verdict.kernel);
    if (!text.technique.empty()) {
      const std::string place =
          "contract (" + content_.contract + ":" + std::to_string(text.contract_line) + "): ";
      out_ << std::string(text_column, ' ')
           << wrapped_text(place + first_sentences(text.technique), text_column, text_column) << '\n';
    }
    for (const Failure& failure : verdict.failures)
      for (const report::LineShare& line : failure.lines)
        if (line.file == content_.source) return print_picture(verdict.kernel, line.file, line.line);
  }

  /// The command that draws the launch that failed, at the line where there is one. An attempt is of one
  /// kernel.
  void print_picture(const std::string& kernel, const std::string& file = {}, std::uint32_t line = 0,
                     const simulator::Finding* finding = nullptr) {
    const std::filesystem::path source = content_.source;
    const bool is_attempt = source.parent_path().filename() == "attempts";
    std::string command = "./warpwise show " + report::short_name(chapter_.name) + ' ' +
                          (is_attempt ? "--attempt " + source.stem().string() : kernel);
    if (source.filename() == "solution.cu") command += " --solution";
    const std::string in_file = file == content_.source ? "" : file_name(file) + ":";
    if (line != 0) command += " --at " + in_file + std::to_string(line);
    const bool has_two_sides = finding != nullptr && finding->kind != simulator::FindingKind::sync;
    if (has_two_sides && finding->other_line != 0 && finding->other_line != line &&
        finding->other_file == file)
      command += ',' + in_file + std::to_string(finding->other_line);  // a race is seen where both sides are
    const std::size_t column = 4 + label_width;
    out_ << "    see it     " << fitted_command(command, column, column + 4, content_.lines) << '\n';
  }

  /// The failure whose findings are worth showing once: a wrong result often meets the same ones as the
  /// safety check.
  Failure failure_with_findings(const std::string& kernel) const {
    for (const Aspect aspect : {Aspect::safety, Aspect::result, Aspect::technique}) {
      const Verdict* verdict = find(kernel, aspect);
      if (verdict == nullptr) continue;
      for (const Failure& failure : verdict->failures) {
        if (!failure.findings.empty()) return failure;
      }
    }
    return {};
  }

  void print_in_full(const report::Kernel& subject) {
    const std::string& kernel = subject.name;
    const bool is_untouched = subject.is_untouched;
    const bool is_result_wrong = outcome(kernel, Aspect::result) == Outcome::failed;
    const Failure shown = failure_with_findings(kernel);
    for (const Aspect aspect : all_aspects) {
      const Verdict* verdict = find(kernel, aspect);
      if (verdict == nullptr) continue;
      const bool says_why =
          std::any_of(verdict->failures.begin(), verdict->failures.end(), [&](const Failure& one) {
            return one.is_broken || (aspect == Aspect::safety && !one.findings.empty());
          });
      const bool must_wait = is_result_wrong && aspect != Aspect::result && (is_untouched || !says_why);
      if (must_wait) {
        const bool is_clean = aspect == Aspect::safety && verdict->outcome == Outcome::passed &&
                              !is_untouched && shown.findings.empty();
        print_aspect(paint_.faint("·"), aspect,
                     paint_.faint(std::string(is_clean ? "nothing found so far; " : "") +
                                  "judged once the result is right"));
      } else if (verdict->outcome == Outcome::passed && aspect == Aspect::safety && !shown.findings.empty()) {
        print_aspect(paint_.faint("·"), aspect, paint_.faint("its own checks found nothing; but see below"));
      } else if (verdict->outcome == Outcome::passed) {
        print_aspect(paint_.good("✓"), aspect, "");
      } else {
        print_failures(*verdict, !shown.findings.empty());
      }
    }
    if (is_untouched) {
      if (!print_todos("write it", kernel)) out_ << '\n';
      print_where_to_read(kernel, true);
      return;
    }
    print_findings(kernel, shown);
    const bool has_todos = print_todos("still TODO", kernel);
    if (!shown.findings.empty() || has_todos) return;
    out_ << '\n';  // neither a finding nor a TODO says what to do; a failed technique has shown the contract
    if (is_result_wrong) print_picture(kernel);
    print_where_to_read(kernel, is_result_wrong);
  }

  void print_in_short(const report::Kernel& subject) {
    for (const Aspect aspect : all_aspects) {
      const Verdict* verdict = find(subject.name, aspect);
      if (verdict == nullptr || verdict->failures.empty()) continue;
      print_aspect(paint_.bad("✗"), aspect,
                   shortened(short_sentence(verdict->failures.front()), 80 - text_column));
      break;  // the first one: the others can wait
    }
    const bool is_exercise = file_name(content_.source) == "exercise.cu";
    if (is_exercise && !subject.is_untouched)
      out_ << "    in full    ./warpwise run " << report::short_name(chapter_.name) << ' ' << subject.name
           << '\n';
  }

  /// What is to be written in the kernel's source, below a blank line; false where there is nothing.
  bool print_todos(std::string label, const std::string& kernel) {
    const std::vector<KernelText::Todo>& todos = text_of(kernel).todos;
    if (todos.empty()) return false;
    const std::string& path = content_.source;
    const std::size_t width = path.size() + 1 + std::to_string(todos.back().line).size();
    label.resize(label_width, ' ');
    out_ << '\n';
    for (const KernelText::Todo& todo : todos) {
      const std::string place = path + ':' + std::to_string(todo.line);
      out_ << "    " << label << place << std::string(width - place.size() + 2, ' ')
           << shortened(todo.text, 40) << '\n';
      label.assign(label_width, ' ');  // it stands before the first only
    }
    return true;
  }

  void print_where_to_read(const std::string& kernel, bool shows_contract) {
    const unsigned line = text_of(kernel).contract_line;
    if (shows_contract)
      out_ << "    contract   " << content_.contract << (line == 0 ? "" : ":" + std::to_string(line)) << '\n';
    out_ << "    hint       ./warpwise hint " << report::short_name(chapter_.name) << ' ' << kernel << '\n';
  }

  /// Nothing is said of a kernel that the chapter's files do not know.
  const KernelText& text_of(const std::string& kernel) const {
    static const KernelText none;
    const auto found = std::find_if(content_.texts.begin(), content_.texts.end(),
                                    [&](const KernelText& text) { return text.kernel == kernel; });
    return found == content_.texts.end() ? none : *found;
  }

  std::ostringstream out_;
  const ScreenContent& content_;
  const report::Chapter& chapter_ = content_.report.chapters.front();
  const Paint& paint_;
};

}  // namespace

void print_screen(std::ostream& out, const ScreenContent& content, const Paint& paint) {
  out << Screen(content, paint).text();
}

}  // namespace warpwise::print
