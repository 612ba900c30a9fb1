#include "guessing.hpp"

#include <unistd.h>
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <iostream>
#include <sstream>

#include "../print/tables.hpp"
#include "build.hpp"

namespace warpwise::cli {

namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Reads from left to right; one function for each level of precedence.
class ExpressionReader {
 public:
  ExpressionReader(std::string_view text, const Names& names) : text_(text), names_(names) {}

  double read() {
    const double value = sum();
    if (next() != '\0') fail();
    if (!std::isfinite(value)) throw ExpressionError("'" + std::string(text_) + "' divides by 0");
    return value;
  }

 private:
  double sum() {
    double value = product();
    while (next() == '+' || next() == '-') value += take() == '+' ? product() : -product();
    return value;
  }
  double product() {
    double value = power();
    while (next() == '*' || next() == '/') value = take() == '*' ? value * power() : value / power();
    return value;
  }
  double power() {
    const double base = operand();
    if (next() != '^') return base;
    take();
    return std::pow(base, power());
  }
  double operand() {
    if (next() == '-') return take(), -operand();
    if (next() == '(') {
      take();
      const double value = sum();
      if (next() != ')') fail();
      take();
      return value;
    }
    return is_letter(next()) ? named() : number();
  }

  double named() {
    const std::size_t start = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    if (text_.substr(at_, 1) == "[") at_ = std::min(text_.find(']', at_), text_.size() - 1) + 1;
    const std::string_view name = text_.substr(start, at_ - start);
    const auto found = names_.find(name);
    if (found == names_.end()) throw ExpressionError("nothing is called '" + std::string(name) + "'");
    return found->second;
  }
  double number() {
    std::string digits;
    while (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.' || begins_thousands())) {
      if (text_[at_] != ' ') digits += text_[at_];
      ++at_;
    }
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size()) fail();
    return value;
  }
  /// Whether a blank stands here that parts thousands: three digits follow, and no fourth.
  bool begins_thousands() const {
    const auto digit_at = [&](std::size_t i) { return i < text_.size() && is_digit(text_[i]); };
    return text_[at_] == ' ' && at_ > 0 && is_digit(text_[at_ - 1]) && digit_at(at_ + 1) &&
           digit_at(at_ + 2) && digit_at(at_ + 3) && !digit_at(at_ + 4);
  }

  /// The next character that is not a blank; '\0' at the end.
  char next() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  char take() { return text_[at_++]; }
  [[noreturn]] void fail() const {
    throw ExpressionError("'" + std::string(text_) + "' is neither a number nor arithmetic");
  }

  std::string_view text_;
  const Names& names_;
  std::size_t at_ = 0;
};

}  // namespace

double evaluate(std::string_view text, const Names& names) { return ExpressionReader(text, names).read(); }

double answer_in(std::string_view why) {
  const std::vector<text::Equation> equations = text::equations_in(why);
  if (equations.empty()) throw ExpressionError("the reason has no equation");
  return evaluate(equations.back().right);
}

bool agrees(double guess, double measured, double within) {
  constexpr double shown_digits = 0.005;  // half a unit of the last one that figure_text shows
  const double rounding = measured == std::floor(measured) ? 0 : shown_digits;
  return std::fabs(guess - measured) <= std::max(within, rounding) * (1 + 1e-9);
}

std::string figure_text(double value) {
  if (value == std::floor(value) && value >= 0) return print::grouped(static_cast<unsigned long long>(value));
  std::ostringstream text;
  text.setf(std::ios::fixed);
  text.precision(2);
  text << value;
  std::string digits = text.str();
  digits.erase(digits.find_last_not_of('0') + 1);
  return digits.ends_with('.') ? digits.substr(0, digits.size() - 1) : digits;
}

namespace {

namespace fs = std::filesystem;

/// A kernel of the chapter's solution, or of an attempt.
report::Launch measure_module(const ChapterFolder& chapter, const text::MeasuredRun& run) {
  const Subject subject = subject_of(chapter, run.of == text::MeasuredRun::Of::solution, run.name);
  if (!chapter.has_solution())
    throw Failure(shown_path(chapter.solution_file()) + " is missing, and predictions are measured on it.");
  build_or_fail(chapter, subject);
  const std::string kernel = subject.implementation ? subject.implementation->kernel : run.kernel;
  const std::string not_measured = kernel + " could not be measured";
  const report::Report report = report_of(
      launch_command(chapter, subject, {.kernel = kernel, .n = run.n, .block = run.block}), not_measured);
  if (const report::Launch* launch = report.launch(chapter.name, kernel, true)) return *launch;
  for (const report::Kernel& described : report.chapters.front().kernels)
    if (described.name == kernel && !described.problem.empty())
      throw Failure(not_measured + ": " + described.problem);
  throw Failure(not_measured + ": nothing was launched.");
}

/// A CUDA program beside the predictions, as `exec` runs it.
report::Report report_of_program(const fs::path& program) {
  const fs::path warpwise = programs_folder() / "common" / "cli" / "warpwise_more";
  return report_of(
      {warpwise.string(), "exec", program.string(), "--quiet", "-I" + course_folder().string(), "-std=c++17"},
      shown_path(program) + " could not be measured");
}

}  // namespace

report::Launch Measurements::launch_of_program(const text::MeasuredRun& run) {
  const fs::path program = chapter_.predictions_file().parent_path() / run.name;
  auto known = programs_.find(run.name);
  if (known == programs_.end()) known = programs_.emplace(run.name, report_of_program(program)).first;
  unsigned seen = 0;
  for (const report::Launch& launch : known->second.launches)
    if (launch.report.kernel == run.kernel && ++seen == run.launch) return launch;
  throw Failure(shown_path(program) + " launches '" + run.kernel + "' " + std::to_string(seen) +
                " times, not " + std::to_string(run.launch) + ".");
}

const Names& Measurements::of(const text::MeasuredRun& run) {
  const auto known = std::find_if(launches_.begin(), launches_.end(),
                                  [&](const auto& launch) { return launch.first == run; });
  if (known != launches_.end()) return known->second;
  const bool is_program = run.of == text::MeasuredRun::Of::program;
  const report::Launch launch = is_program ? launch_of_program(run) : measure_module(chapter_, run);
  return launches_.emplace_back(run, names_of(launch)).second;
}

Names names_of(const report::Launch& launch) {
  const simulator::LaunchReport& report = launch.report;
  Names names;
  for (const simulator::CounterField& field : simulator::counter_fields)
    names.emplace(field.name, static_cast<double>(report.counters.*field.member));
  const auto add_list = [&](const std::string& name, const auto& values) {
    for (std::size_t i = 0; i < values.size(); ++i)
      names[name + "[" + std::to_string(i) + "]"] = static_cast<double>(values[i]);
  };
  add_list("divergent_branches_by_interval", report.divergent_branches_by_interval);
  if (!report.findings.empty()) add_list("finding_threads", report.findings.front().threads);
  names["shared_wavefronts"] = print::figures::shared_wavefronts.of(launch);
  names["bank_conflicts"] = print::figures::bank_conflicts.of(launch);
  names["global_sectors"] = print::figures::global_sectors.of(launch);
  names["lanes_busy"] = print::figures::lanes_busy.of(launch);
  const auto volume = [](const auto& extent) { return 1.0 * extent[0] * extent[1] * extent[2]; };
  names["blocks"] = volume(report.grid);
  names["threads"] = volume(report.block);
  names["warps"] = names["blocks"] * names["threads"] / 32;
  names["elements"] = static_cast<double>(launch.elements);
  return names;
}

Dialogue Dialogue::of_this_process() { return {std::cin, std::cout, isatty(STDIN_FILENO) != 0}; }

std::optional<std::string> Dialogue::ask(const std::string& prompt) {
  out_ << prompt << ' ' << std::flush;
  std::string line;
  if (!std::getline(in_, line)) {
    out_ << '\n';
    return std::nullopt;
  }
  constexpr const char* blanks = " \t\r";
  line.erase(line.find_last_not_of(blanks) + 1);
  line.erase(0, line.find_first_not_of(blanks));
  if (!is_typed_) out_ << line << '\n';
  return line;
}

}  // namespace warpwise::cli
