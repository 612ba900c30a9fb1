#include "ladder.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

#include "../harness/paint.hpp"
#include "../report/figures.hpp"
#include "table.hpp"

namespace warpwise::cli {
namespace {

using report::Figure;

const Figure* const columns[] = {&report::divergent_branches, &report::block_barriers,
                                 &report::bank_conflicts,     &report::shared_wavefronts,
                                 &report::global_sectors,     &report::instructions_per_element};

/// Where the terminal is narrow, in this order.
const Figure* const dispensable[] = {&report::shared_wavefronts, &report::block_barriers,
                                     &report::global_sectors, &report::bank_conflicts};
using Figures = std::vector<const Figure*>;

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

std::vector<std::string> cells_of(const Row& row, const std::string& verdict, const Figures& figures) {
  std::vector<std::string> cells{row.kernel.name, size_text(row.simulated), verdict};
  for (const Figure* figure : figures) cells.push_back(cell(row, *figure));
  cells.push_back(row.published == 0 ? "" : rounded(row.published));
  if (row.timed != nullptr)
    cells.insert(cells.end(), {size_text(row.timed), rounded(report::milliseconds(*row.timed)),
                               rounded(report::gigabytes_per_second(row.kernel, *row.timed))});
  return cells;
}

std::string legend(const std::string& gpu, const PublishedTimes& published, const Figures& figures) {
  const auto line = [](std::string title, std::string_view meaning) {
    title.resize(12, ' ');
    return "  " + title + std::string(meaning) + '\n';
  };
  std::string text = line("right?", "result, technique and safety, as the chapter's checks ask");
  std::string left_out;
  for (const Figure* column : columns) {
    if (std::find(figures.begin(), figures.end(), column) == figures.end())
      left_out += (left_out.empty() ? "" : ", ") + std::string(column->title);
    else if (!column->meaning.empty())
      text += line(std::string(column->title), column->meaning);
  }
  if (!left_out.empty()) text += line("...", left_out + ": in a wider terminal");
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

/// With commas, in lines of at most 80 columns that begin at `column`; no change is broken in two.
std::string listed(const std::vector<std::string>& changes, std::size_t column) {
  std::string text;
  std::size_t width = column;
  for (const std::string& one : changes) {
    const std::size_t needed = harness::columns_of(one) + 2;  // and what stands between it and the next
    const bool is_first = text.empty();
    if (!is_first && width + needed > 80) {
      text += ",\n" + std::string(column, ' ');
      width = column;
    } else if (!is_first) {
      text += ", ";
    }
    text += one;
    width += needed;
  }
  return text;
}

/// What is better in `after` (or worse): more gigabytes a second, less of everything else.
std::vector<std::string> changes(const Row& before, const Row& after, const std::string& published_gpu,
                                 bool wants_better) {
  std::vector<std::string> all;
  const auto add = [&](const std::string& one) {
    if (!one.empty()) all.push_back(one);
  };
  if (before.timed != nullptr && after.timed != nullptr)
    add(change("GB/s", report::gigabytes_per_second(before.kernel, *before.timed),
               report::gigabytes_per_second(after.kernel, *after.timed), wants_better));
  else if (before.published != 0 && after.published != 0)
    add(change(published_gpu + " GB/s", before.published, after.published, wants_better));
  if (before.simulated == nullptr || after.simulated == nullptr) return all;
  for (const Figure* figure : columns)
    add(change(figure->title, figure->of(*before.simulated), figure->of(*after.simulated), !wants_better));
  return all;
}

/// With these figures.
std::string table_of(const report::Report& report, const PublishedTimes& published, const Figures& figures) {
  std::vector<std::string> header{"kernel", "n", "right?"};
  for (const Figure* figure : figures) header.emplace_back(figure->title);
  header.push_back(short_name(published.gpu) + " GB/s");
  header.insert(header.end(), {"GPU n", "ms", "GB/s"});
  Table table(std::move(header));
  for (const report::Chapter& chapter : report.chapters) {
    table.add_heading(chapter.name + ": " + chapter.title);
    for (const report::Kernel& kernel : chapter.kernels) {
      const Row row = row_of(report, chapter, kernel, published);
      table.add_row(cells_of(row, verdict_of(report, chapter.name, kernel.name), figures));
    }
  }
  return table.text();
}

/// Where kernels were timed; empty: nowhere.
std::string gpu_of(const report::Report& report, const PublishedTimes& published) {
  std::string gpu;
  for (const report::Chapter& chapter : report.chapters)
    for (const report::Kernel& kernel : chapter.kernels)
      if (row_of(report, chapter, kernel, published).timed != nullptr) gpu = chapter.gpu;
  return gpu;
}

std::size_t width_of(const std::string& text) {
  std::istringstream lines(text);
  std::size_t width = 0;
  for (std::string line; std::getline(lines, line);) width = std::max(width, harness::columns_of(line));
  return width;
}

}  // namespace

std::string ladder_table(const report::Report& report, const PublishedTimes& published, std::size_t width) {
  Figures figures(std::begin(columns), std::end(columns));
  std::string table = table_of(report, published, figures);
  for (const Figure* figure : dispensable) {
    if (width_of(table) <= width) break;
    std::erase(figures, figure);
    table = table_of(report, published, figures);
  }
  return table + '\n' + legend(gpu_of(report, published), published, figures);
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
      for (const bool is_gain : {true, false}) {
        if (!before) break;
        const auto all = changes(*before, row, short_name(published.gpu), is_gain);
        const std::string label = is_gain ? "      gained  " : "      paid    ";
        if (!all.empty()) text += label + listed(all, label.size()) + '\n';
      }
      before.emplace(row);
      ++rungs;
    }
  }
  return rungs < 2 ? "" : text;
}

}  // namespace warpwise::cli
