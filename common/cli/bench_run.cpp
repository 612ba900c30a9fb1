#include "bench_run.hpp"

#include <charconv>
#include <csignal>
#include <cstring>

#include "../report/json.hpp"
#include "failure.hpp"
#include "process.hpp"

namespace warpwise::cli {
namespace {

/// Cuts what comes in pieces into lines.
class Lines {
 public:
  explicit Lines(std::function<void(const std::string&)> use) : use_(std::move(use)) {}
  void read(std::string_view piece) {
    for (const char c : piece) {
      if (c != '\n') {
        line_ += c;
        continue;
      }
      use_(line_);
      line_.clear();
    }
  }
  void end() {
    if (!line_.empty()) use_(line_);
    line_.clear();
  }

 private:
  std::function<void(const std::string&)> use_;
  std::string line_;
};

/// Why the process ended without having timed everything; `said` is its last line that was none of a contest.
std::string reason_of(const ProcessResult& result, const std::string& said) {
  if (result.signal == SIGALRM) return "it did not end within a minute";
  if (result.signal != 0) return std::string("it was ended by a signal: ") + strsignal(result.signal);
  return said.empty() ? "it ended with status " + std::to_string(result.status) : said;
}

std::string output_of(const std::vector<std::string>& command) {
  const ProcessResult result = capture_process(command);
  if (result.status != 0)
    throw Failure("the GPU cannot be used: " + (result.output.empty()
                                                    ? reason_of(result, {})
                                                    : result.output.substr(0, result.output.find('\n'))));
  return result.output;
}

}  // namespace

void measure(const std::filesystem::path& program, const LogRange& sizes, report::BenchKernel& kernel,
             const BenchListener& listener) {
  kernel.verdict = report::BenchVerdict::failed;  // until it says otherwise
  std::string said;
  Lines lines([&](const std::string& line) {
    const std::string other = read_contest_line(line, kernel);
    if (!other.empty()) said = other;
    if (listener) listener(kernel);
  });
  const ProcessResult result = capture_process(
      {program.string(), kernel.kernel, std::to_string(sizes.first), std::to_string(sizes.last)}, {}, true,
      [&](std::string_view piece) { lines.read(piece); });
  lines.end();
  if (kernel.verdict == report::BenchVerdict::wrong) return;
  if (result.status == 0 && kernel.verdict == report::BenchVerdict::right) return;
  kernel.verdict = report::BenchVerdict::failed;
  kernel.problem = reason_of(result, said);
}

std::vector<report::BenchKernel> kernels_of(const std::filesystem::path& program,
                                            const std::string& chapter) {
  return report::kernels_from(output_of({program.string(), "--list"}), chapter);
}

report::BenchMachine machine_of(const std::filesystem::path& program) {
  return report::machine_from(output_of({program.string(), "--machine"}));
}

LogRange log_range_from(const std::string& text) {
  LogRange range;
  const std::size_t colon = text.find(':');
  const std::string first = text.substr(0, colon);
  const std::string last = colon == std::string::npos ? first : text.substr(colon + 1);
  const auto read = [](const std::string& word, unsigned& value) {
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    return error == std::errc{} && end == word.data() + word.size() && !word.empty();
  };
  if (!read(first, range.first) || !read(last, range.last) || range.first < 5 || range.last > 30 ||
      range.first > range.last)
    throw Failure("--sizes " + text + ": give two exponents of 2 from 5 to 30, as in --sizes 10:26",
                  wrong_usage);
  return range;
}

}  // namespace warpwise::cli
