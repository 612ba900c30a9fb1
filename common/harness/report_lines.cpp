#include "report_lines.hpp"

#include <algorithm>
#include <charconv>
#include <istream>
#include <ostream>
#include <stdexcept>

namespace warpwise::harness {

namespace {

using simulator::Counters;
using simulator::Finding;
using simulator::LaunchReport;

// --- Writing -----------------------------------------------------------------------------------------

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '\t':
        result += "\\t";
        break;
      case '\n':
        result += "\\n";
        break;
      case '\\':
        result += "\\\\";
        break;
      default:
        result += c;
    }
  }
  return result;
}

/// One record: `Line(out, "counter") << name << value;` ends its line when it goes.
class Line {
 public:
  Line(std::ostream& out, std::string_view kind) : out_(out) { out_ << kind; }
  ~Line() { out_ << '\n'; }
  Line(const Line&) = delete;  ///< a line ends once
  Line& operator=(const Line&) = delete;

  Line& operator<<(std::string_view text) {
    out_ << '\t' << escaped(text);
    return *this;
  }
  template <class Number>
  requires std::is_arithmetic_v<Number> Line& operator<<(Number value) {
    out_ << '\t' << value;
    return *this;
  }

 private:
  std::ostream& out_;
};

void write_finding(std::ostream& out, const Finding& finding) {
  std::string threads;
  for (const auto thread : finding.threads) threads += (threads.empty() ? "" : ",") + std::to_string(thread);
  Line(out, "finding") << simulator::name_of(finding.kind) << finding.file << finding.line << finding.message
                       << finding.note << finding.help << finding.source << finding.count << finding.block
                       << threads << finding.other_file << finding.other_line << finding.other_source;
}

void write_launch(std::ostream& out, const ReportedLaunch& launch) {
  const LaunchReport& report = launch.report;
  Line(out, "launch") << report.kernel << report.grid[0] << report.grid[1] << report.grid[2]
                      << report.block[0] << report.block[1] << report.block[2] << report.shared_bytes
                      << (report.completed ? 1 : 0) << launch.device << report.seconds;
  for (const auto& [name, member] : Counters::members()) {
    if (report.counters.*member != 0) Line(out, "counter") << name << report.counters.*member;
  }
  for (const auto& line : report.lines) {
    for (const auto& [name, member] : Counters::members()) {
      if (line.counters.*member != 0)
        Line(out, "line") << line.file << line.line << name << line.counters.*member;
    }
  }
  for (std::size_t i = 0; i < report.divergent_branches_by_interval.size(); ++i) {
    Line(out, "interval") << i << report.divergent_branches_by_interval[i];
  }
  for (const Finding& finding : report.findings) write_finding(out, finding);
}

// --- Reading -----------------------------------------------------------------------------------------

/// The fields of one line; every access that does not fit says which line it was.
class Fields {
 public:
  Fields(const std::string& line, unsigned number) : number_(number) {
    fields_.emplace_back();
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (line[i] == '\t') {
        fields_.emplace_back();
      } else if (line[i] == '\\' && i + 1 < line.size()) {
        const char c = line[++i];
        fields_.back() += c == 't' ? '\t' : c == 'n' ? '\n' : c;
      } else {
        fields_.back() += line[i];
      }
    }
  }
  std::size_t size() const { return fields_.size(); }
  const std::string& text(std::size_t i) const {
    if (i >= fields_.size()) broken("a field is missing");
    return fields_[i];
  }
  template <class Number>
  Number number(std::size_t i) const {
    const std::string& digits = text(i);
    Number value{};
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size())
      broken("`" + digits + "` is not a number");
    return value;
  }
  [[noreturn]] void broken(const std::string& why) const {
    throw std::runtime_error("report:" + std::to_string(number_) + ": " + why);
  }

 private:
  std::vector<std::string> fields_;
  unsigned number_;
};

std::uint64_t& counter_named(Counters& counters, const std::string& name, const Fields& fields) {
  for (const auto& [known, member] : Counters::members()) {
    if (known == name) return counters.*member;
  }
  fields.broken("there is no counter `" + name + "`");
}

simulator::FindingKind kind_named(const std::string& name, const Fields& fields) {
  for (int i = 0; i <= static_cast<int>(simulator::FindingKind::unsupported); ++i) {
    const auto kind = static_cast<simulator::FindingKind>(i);
    if (simulator::name_of(kind) == name) return kind;
  }
  fields.broken("there is no kind of finding `" + name + "`");
}

Finding read_finding(const Fields& fields) {
  Finding finding;
  finding.kind = kind_named(fields.text(1), fields);
  finding.file = fields.text(2);
  finding.line = fields.number<std::uint32_t>(3);
  finding.message = fields.text(4);
  finding.note = fields.text(5);
  finding.help = fields.text(6);
  finding.source = fields.text(7);
  finding.count = fields.number<std::uint64_t>(8);
  finding.block = fields.number<std::uint64_t>(9);
  std::string_view threads = fields.text(10);
  while (!threads.empty()) {
    std::uint32_t thread = 0;
    const auto [end, error] = std::from_chars(threads.data(), threads.data() + threads.size(), thread);
    if (error != std::errc{}) fields.broken("the threads are not numbers");
    finding.threads.push_back(thread);
    threads.remove_prefix(
        std::min<std::size_t>(static_cast<std::size_t>(end - threads.data()) + 1, threads.size()));
  }
  finding.other_file = fields.text(11);
  finding.other_line = fields.number<std::uint32_t>(12);
  finding.other_source = fields.text(13);
  return finding;
}

ReportedLaunch read_launch(const Fields& fields) {
  ReportedLaunch launch;
  LaunchReport& report = launch.report;
  report.kernel = fields.text(1);
  for (std::size_t i = 0; i < 3; ++i) report.grid[i] = fields.number<std::uint32_t>(2 + i);
  for (std::size_t i = 0; i < 3; ++i) report.block[i] = fields.number<std::uint32_t>(5 + i);
  report.shared_bytes = fields.number<std::uint32_t>(8);
  report.completed = fields.number<int>(9) != 0;
  launch.device = fields.text(10);
  report.seconds = fields.number<double>(11);
  return launch;
}

/// What the next records belong to.
struct Reader {
  Report report;
  std::vector<Finding>* findings = nullptr;

  LaunchReport& launch(const Fields& fields) {
    if (report.launches.empty()) fields.broken("no launch precedes this record");
    return report.launches.back().report;
  }
  void take(const Fields& fields) {
    const std::string& kind = fields.text(0);
    if (kind == "chapter") {
      report.chapter = fields.text(1);
      report.title = fields.text(2);
      report.module = fields.text(3);
      for (std::size_t i = 4; i < fields.size(); ++i) report.devices.push_back(fields.text(i));
    } else if (kind == "check") {
      report.checks.push_back({fields.text(1), fields.text(2), fields.text(3), {}});
    } else if (kind == "failure") {
      if (report.checks.empty()) fields.broken("no check precedes this failure");
      findings = &report.checks.back()
                      .failures.emplace_back(ReportedFailure{fields.text(1), fields.text(2), {}})
                      .findings;
    } else if (kind == "launch") {
      findings = &report.launches.emplace_back(read_launch(fields)).report.findings;
    } else if (kind == "counter") {
      counter_named(launch(fields).counters, fields.text(1), fields) = fields.number<std::uint64_t>(2);
    } else if (kind == "line") {
      take_line(fields);
    } else if (kind == "interval") {
      launch(fields).divergent_branches_by_interval.push_back(fields.number<std::uint64_t>(2));
    } else if (kind == "finding") {
      if (findings == nullptr) fields.broken("this finding belongs to nothing");
      findings->push_back(read_finding(fields));
    } else {
      fields.broken("there is no record `" + kind + "`");
    }
  }
  void take_line(const Fields& fields) {
    auto& lines = launch(fields).lines;
    const auto number = fields.number<std::uint32_t>(2);
    if (lines.empty() || lines.back().file != fields.text(1) || lines.back().line != number) {
      lines.push_back({fields.text(1), number, {}});
    }
    counter_named(lines.back().counters, fields.text(3), fields) = fields.number<std::uint64_t>(4);
  }
};

}  // namespace

void write_report(std::ostream& out, const Report& report) {
  Line(out, "warpwise-report") << 1;
  if (!report.chapter.empty()) {
    Line line(out, "chapter");
    line << report.chapter << report.title << report.module;
    for (const std::string& device : report.devices) line << device;
  }
  for (const ReportedCheck& check : report.checks) {
    Line(out, "check") << check.kernel << check.aspect << check.outcome;
    for (const ReportedFailure& failure : check.failures) {
      Line(out, "failure") << failure.test_case << failure.sentence;
      for (const Finding& finding : failure.findings) write_finding(out, finding);
    }
  }
  for (const ReportedLaunch& launch : report.launches) write_launch(out, launch);
}

Report read_report(std::istream& in) {
  Reader reader;
  std::string line;
  unsigned number = 0;
  while (std::getline(in, line)) {
    const Fields fields(line, ++number);
    if (number == 1) {
      if (fields.text(0) != "warpwise-report" || fields.text(1) != "1") fields.broken("this is no report");
    } else {
      reader.take(fields);
    }
  }
  if (number == 0) throw std::runtime_error("report:1: this is no report");
  return std::move(reader.report);
}

}  // namespace warpwise::harness
