#include "ladder.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "../report/figures.hpp"
#include "table.hpp"

namespace warpwise::cli {
namespace {

using report::Figure;

const Figure* const columns[] = {&report::divergent_branches, &report::block_barriers,
                                 &report::bank_conflicts,     &report::shared_wavefronts,
                                 &report::global_sectors,     &report::instructions_per_element};

/// One row: a kernel with its launches, each null where there was none.
struct Row {
  const report::Kernel& kernel;
  const report::Launch* simulated;
  const report::Launch* timed;
  double published = 0;  ///< GB/s on the GPU of the course; 0: unknown
};

/// "NVIDIA H200" -> "H200": a column is narrow.
std::string short_name(const std::string& gpu) {
  const std::size_t space = gpu.rfind(' ');
  return space == std::string::npos ? gpu : gpu.substr(space + 1);
}

Row row_of(const report::Report& report, const report::Chapter& chapter, const report::Kernel& kernel,
           const PublishedTimes& published) {
  const report::Launch* timed = report.launch(chapter.name, kernel.name, false);
  const bool has_time = timed != nullptr && report::milliseconds(*timed) > 0;
  return {kernel, report.launch(chapter.name, kernel.name, true), has_time ? timed : nullptr,
          published.of(chapter.name, kernel.name)};
}

/// "yes", or which of the three is wrong.
std::string verdict_of(const report::Report& report, const std::string& chapter, const std::string& kernel) {
  if (report.is_right(chapter, kernel)) return "yes";
  std::string wrong;
  for (const report::Aspect aspect : report::all_aspects) {
    if (report.outcome(chapter, kernel, aspect) != report::Outcome::passed)
      wrong += (wrong.empty() ? "NO: " : ", ") + std::string(name_of(aspect));
  }
  return wrong;
}

std::string size_text(const report::Launch* launch) {
  const std::uint64_t n = launch == nullptr ? 0 : launch->elements;
  return report::size_text(n, grouped(n));
}

std::string cell(const Row& row, const Figure& figure) {
  if (row.simulated == nullptr || (!figure.is_count && row.simulated->elements == 0)) return "";
  const double value = figure.of(*row.simulated);
  return figure.is_count ? grouped(static_cast<unsigned long long>(std::llround(value))) : rounded(value);
}

std::vector<std::string> cells_of(const Row& row, const std::string& verdict) {
  std::vector<std::string> cells{row.kernel.name, size_text(row.simulated), verdict};
  for (const Figure* column : columns) cells.push_back(cell(row, *column));
  cells.push_back(row.published == 0 ? "" : rounded(row.published));
  if (row.timed != nullptr)
    cells.insert(cells.end(), {size_text(row.timed), rounded(report::milliseconds(*row.timed)),
                               rounded(report::gigabytes_per_second(row.kernel, *row.timed))});
  return cells;
}

std::string legend(const std::string& gpu, const PublishedTimes& published) {
  const auto line = [](std::string title, std::string_view meaning) {
    title.resize(12, ' ');
    return "  " + title + std::string(meaning) + '\n';
  };
  std::string text = line("right?", "result, technique and safety, as the chapter's checks ask");
  for (const Figure* column : columns) {
    if (!column->meaning.empty()) text += line(std::string(column->title), column->meaning);
  }
  if (!published.gpu.empty())
    text +=
        line(short_name(published.gpu) + " GB/s", "not measured here: one " + published.gpu +
                                                      ", 2^26 elements or the most it takes (docs/results)");
  return gpu.empty() ? text : text + line("ms, GB/s", "median on " + gpu);
}

std::string figure_text(double value) {
  const bool is_whole = value == std::floor(value);
  return is_whole ? grouped(static_cast<unsigned long long>(value)) : rounded(value);
}

/// "divergent 12 288 → 1 536"; empty where the change is small, or not of the kind that is wanted.
std::string change(std::string_view name, double from, double to, bool wants_more) {
  constexpr double twentieth = 0.05;
  if (from == to || std::abs(to - from) < twentieth * std::max(from, to) || (to > from) != wants_more)
    return {};
  return std::string(name) + ' ' + figure_text(from) + " → " + figure_text(to);
}

/// What is better in `after` (or worse), with commas: more gigabytes a second, less of everything else.
std::string changes(const Row& before, const Row& after, const std::string& published_gpu,
                    bool wants_better) {
  std::string text;
  const auto add = [&](const std::string& one) {
    if (!one.empty()) text += (text.empty() ? "" : ", ") + one;
  };
  if (before.timed != nullptr && after.timed != nullptr)
    add(change("GB/s", report::gigabytes_per_second(before.kernel, *before.timed),
               report::gigabytes_per_second(after.kernel, *after.timed), wants_better));
  else if (before.published != 0 && after.published != 0)
    add(change(published_gpu + " GB/s", before.published, after.published, wants_better));
  if (before.simulated == nullptr || after.simulated == nullptr) return text;
  for (const Figure* figure : columns)
    add(change(figure->title, figure->of(*before.simulated), figure->of(*after.simulated), !wants_better));
  return text;
}

}  // namespace

std::string ladder_table(const report::Report& report, const PublishedTimes& published) {
  std::vector<std::string> header{"kernel", "n", "right?"};
  for (const Figure* column : columns) header.emplace_back(column->title);
  header.push_back(short_name(published.gpu) + " GB/s");
  header.insert(header.end(), {"GPU n", "ms", "GB/s"});
  Table table(std::move(header));
  std::string gpu;
  for (const report::Chapter& chapter : report.chapters) {
    table.add_heading(chapter.name + ": " + chapter.title);
    for (const report::Kernel& kernel : chapter.kernels) {
      const Row row = row_of(report, chapter, kernel, published);
      table.add_row(cells_of(row, verdict_of(report, chapter.name, kernel.name)));
      if (row.timed != nullptr) gpu = chapter.gpu;
    }
  }
  return table.text() + '\n' + legend(gpu, published);
}

std::string climb_text(const report::Report& report, const PublishedTimes& published) {
  std::string text;
  std::optional<Row> before;
  unsigned rungs = 0;
  for (const report::Chapter& chapter : report.chapters) {
    for (const report::Kernel& kernel : chapter.kernels) {
      if (!kernel.is_rung) continue;
      const Row row = row_of(report, chapter, kernel, published);
      text += "  " + kernel.name + std::string(kernel.name.size() < 25 ? 25 - kernel.name.size() : 1, ' ') +
              kernel.technique + '\n';
      const std::string gained = before ? changes(*before, row, short_name(published.gpu), true) : "";
      const std::string paid = before ? changes(*before, row, short_name(published.gpu), false) : "";
      if (!gained.empty()) text += "      gained  " + gained + '\n';
      if (!paid.empty()) text += "      paid    " + paid + '\n';
      before.emplace(row);
      ++rungs;
    }
  }
  return rungs < 2 ? "" : text;
}

}  // namespace warpwise::cli
