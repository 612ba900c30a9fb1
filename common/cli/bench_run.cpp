#include "bench_run.hpp"

#include <charconv>
#include <csignal>

#include "../process/process.hpp"
#include "../report/json.hpp"
#include "build.hpp"
#include "clone.hpp"
#include "commands.hpp"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;
using report::BenchKernel;
using report::BenchReport;
using report::BenchVerdict;

/// Cuts what comes in pieces into lines.
class LineReader {
 public:
  explicit LineReader(std::function<void(const std::string&)> use) : use_(std::move(use)) {}
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

/// Why the process ended without having timed everything; `said` is its last line that was none of a
/// comparison.
std::string reason_of(const process::Result& result, const std::string& said) {
  if (result.signal == SIGALRM) return "it did not end within a minute";
  return result.signal != 0 || said.empty() ? "it " + result.how_it_ended() : said;
}

std::string output_of(const std::vector<std::string>& command) {
  const process::Result result = process::run({.words = command, .keeps = process::Keeps::all});
  if (result.status != 0)
    throw Failure("the GPU cannot be used: " + (result.output.empty()
                                                    ? reason_of(result, {})
                                                    : result.output.substr(0, result.output.find('\n'))));
  return result.output;
}

/// An empty one where the file is not there or is none of bench.
BenchReport readable(const fs::path& file) {
  try {
    return fs::exists(file) ? report::read_bench(file) : BenchReport{};
  } catch (const report::ReportError&) {
    return {};
  }
}

}  // namespace

void measure(const fs::path& program, const LogRange& sizes, BenchKernel& kernel,
             const BenchListener& listener) {
  kernel.verdict = BenchVerdict::failed;  // until it says otherwise
  std::string said;
  LineReader lines([&](const std::string& line) {
    const std::string other = read_comparison_line(line, kernel);
    if (!other.empty()) said = other;
    if (listener) listener(kernel);
  });
  const process::Result result = process::run(
      {.words = {program.string(), kernel.kernel, std::to_string(sizes.first), std::to_string(sizes.last)},
       .keeps = process::Keeps::all,
       .listener = [&](std::string_view piece) {
         lines.read(piece);
         return true;
       }});
  lines.end();
  if (kernel.verdict == BenchVerdict::wrong) return;
  if (result.status == 0 && kernel.verdict == BenchVerdict::right) return;
  kernel.verdict = BenchVerdict::failed;
  kernel.problem = reason_of(result, said);
}

std::vector<BenchKernel> kernels_of(const fs::path& program, const std::string& chapter) {
  return report::kernels_from(output_of({program.string(), "--list"}), chapter);
}

report::BenchMachine machine_of(const fs::path& program) {
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

fs::path bench_file(const std::string& word) {
  return word == "h200" ? course_folder() / "docs/results/h200/bench.json" : fs::path(word);
}

fs::path kept_figures_file(const fs::path& built, const std::string& kind) {
  return built / "bench" / (kind + ".json");
}

void keep_figures(const fs::path& file, const report::BenchMachine& machine, const BenchKernel& kernel) {
  BenchReport kept = readable(file);
  if (kept.machine.gpu != machine.gpu || kept.machine.toolkit != machine.toolkit) kept.kernels.clear();
  std::erase_if(kept.kernels, [&](const BenchKernel& other) { return other.kernel == kernel.kernel; });
  kept.machine = machine;
  kept.kernels.push_back(kernel);
  report::write_bench(file, kept);
}

std::optional<BenchReport> figures_of(const BenchReport& bench, const std::string& chapter,
                                      const std::string& kernel) {
  for (const BenchKernel& one : bench.kernels)
    if (one.chapter == chapter && one.kernel == kernel && one.verdict == BenchVerdict::right &&
        !one.rows.empty())
      return BenchReport{.command = bench.command, .machine = bench.machine, .kernels = {one}};
  return std::nullopt;
}

std::optional<BenchReport> kept_figures_of(const fs::path& file, const fs::path& source,
                                           const std::string& chapter, const std::string& kernel) {
  std::error_code error;
  const auto measured = fs::last_write_time(file, error);
  if (error || measured < fs::last_write_time(source, error)) return std::nullopt;
  return figures_of(readable(file), chapter, kernel);
}

}  // namespace warpwise::cli
