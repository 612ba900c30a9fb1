#include "bench_figures.hpp"

#include <cctype>

#include "../print/markup.hpp"
#include "../report/json.hpp"
#include "bench_text.hpp"
#include "build.hpp"
#include "clone.hpp"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;
using report::BenchKernel;
using report::BenchReport;
using report::BenchVerdict;

/// As an address holds it (RFC 3986, section 2.1): a picture in an address of its own has its own styles.
std::string percent_encoded(std::string_view text) {
  constexpr char digits[] = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || std::string_view("-._~ =:/,;()").find(c) != std::string_view::npos)
      encoded += c;
    else
      encoded.append({'%', digits[byte / 16], digits[byte % 16]});
  }
  return encoded;
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

fs::path bench_file(const std::string& word) {
  return word == "h200" ? root_folder() / "docs/results/h200/bench.json" : fs::path(word);
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

std::string figures_html(const BenchReport& bench) {
  const BenchKernel& kernel = bench.kernels.front();
  std::string html = "<section id=\"measured\" aria-label=\"Measured on a GPU\">\n<h2>Measured on " +
                     print::markup_of(bench.machine.gpu) + ", beside " +
                     print::markup_of(kernel.counterpart) + "</h2>\n";
  if (kernel.rows.size() >= 2)
    html +=
        "<img alt=\"time, bandwidth and time by CUB's, against the size; the figures are below\" "
        "src=\"data:image/svg+xml," +
        percent_encoded(bench_svg(bench)) + "\">\n";
  return html + "<details><summary>The figures</summary><pre>" + print::markup_of(rows_text(kernel)) +
         "</pre></details>\n</section>\n";
}

}  // namespace warpwise::cli
