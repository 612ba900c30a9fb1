#include "ladder.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "tables.hpp"
#include "terminal.hpp"

namespace warpwise::print {
namespace {

const Figure* const columns[] = {&figures::divergent_branches, &figures::block_barriers,
                                 &figures::bank_conflicts,     &figures::shared_wavefronts,
                                 &figures::global_sectors,     &figures::instructions_per_element};

/// Where the terminal is narrow, in this order.
const Figure* const dispensable[] = {&figures::shared_wavefronts, &figures::block_barriers,
                                     &figures::global_sectors, &figures::bank_conflicts};
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
           const report::PublishedTimes& published) {
  const report::Launch* timed = report.launch(chapter.name, kernel.name, false);
  const bool has_time = timed != nullptr && milliseconds(*timed) > 0;
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
  return print::size_text(n, grouped(n));
}

std::string cell(const Row& row, const Figure& figure) {
  if (row.simulated == nullptr || (!figure.is_count && row.simulated->elements == 0)) return "";
  return text_of(figure, *row.simulated);
}

std::vector<std::string> cells_of(const Row& row, const std::string& verdict, const Figures& figures) {
  std::vector<std::string> cells{row.kernel.name, size_text(row.simulated), verdict};
  for (const Figure* figure : figures) cells.push_back(cell(row, *figure));
  cells.push_back(row.published == 0 ? "" : rounded(row.published));
  if (row.timed != nullptr)
    cells.insert(cells.end(), {size_text(row.timed), rounded(milliseconds(*row.timed)),
                               rounded(gigabytes_per_second(row.kernel, *row.timed))});
  return cells;
}

std::string legend_line(std::string title, std::string_view meaning) {
  title.resize(12, ' ');
  return "  " + title + std::string(meaning) + '\n';
}

/// What the figures mean; of one without a meaning another says it.
std::string meanings(const Figures& figures) {
  std::string text;
  for (const Figure* figure : figures)
    if (!figure->meaning.empty()) text += legend_line(std::string(figure->title), figure->meaning);
  return text;
}

/// `left_out`: figures for which there was no room.
std::string legend(const std::string& gpu, const report::PublishedTimes& published, const Figures& figures,
                   const Figures& left_out) {
  std::string text =
      legend_line("right?", "result, technique and safety, as the chapter's checks ask") + meanings(figures);
  std::string names;
  for (const Figure* figure : left_out) names += (names.empty() ? "" : ", ") + std::string(figure->title);
  if (!names.empty()) text += legend_line("...", names + ": in a wider terminal");
  if (!published.gpu.empty())
    text += legend_line(short_name(published.gpu) + " GB/s",
                        "not measured here: " + published.gpu + ", 2^26 elements or the most it takes");
  return gpu.empty() ? text : text + legend_line("ms, GB/s", "median on " + gpu);
}

std::string figure_text(double value) {
  const bool is_whole = value == std::floor(value);
  return is_whole ? grouped(static_cast<unsigned long long>(value)) : rounded(value);
}

/// "H200 GB/s 422 → 679", or what is known of it.
std::string bandwidth_text(const Row* before, const Row& after, const std::string& published_gpu) {
  double from = before == nullptr ? 0 : before->published, to = after.published;
  std::string unit = published_gpu + " GB/s";
  if (after.timed != nullptr) {
    const bool are_both_timed = before != nullptr && before->timed != nullptr;
    from = are_both_timed ? gigabytes_per_second(before->kernel, *before->timed) : 0;
    to = gigabytes_per_second(after.kernel, *after.timed);
    unit = "GB/s";
  }
  if (to == 0) return {};
  return unit + ' ' + (from == 0 ? "" : figure_text(from) + " → ") + figure_text(to);
}

/// The figures of `after` that are lower than those of `before` by a twentieth or more; with `is_higher`
/// those that are higher.
Figures changed(const Row& before, const Row& after, bool is_higher) {
  Figures figures;
  if (before.simulated == nullptr || after.simulated == nullptr) return figures;
  constexpr double twentieth = 0.05;
  for (const Figure* figure : columns) {
    const double from = figure->of(*before.simulated), to = figure->of(*after.simulated);
    const bool is_large = std::abs(to - from) >= twentieth * std::max(from, to);
    if (from != to && is_large && (to > from) == is_higher) figures.push_back(figure);
  }
  return figures;
}

std::string names_of(const Figures& figures) {
  std::string text;
  for (const Figure* figure : figures) text += (text.empty() ? "" : ", ") + std::string(figure->title);
  return text;
}

/// "less: divergent, instr/elem; more: conflicts"
std::string changes_text(const Row& before, const Row& after) {
  const std::string less = names_of(changed(before, after, false)),
                    more = names_of(changed(before, after, true));
  return (less.empty() ? "" : "less: " + less) + (less.empty() || more.empty() ? "" : "; ") +
         (more.empty() ? "" : "more: " + more);
}

std::string step_text(const Row* before, const Row& row, const std::string& published_gpu) {
  const std::string& name = row.kernel.name;
  std::string text = "  " + name + std::string(name.size() < 25 ? 25 - name.size() : 1, ' ') +
                     std::string(row.kernel.technique) + '\n';
  const auto add = [&](const std::string& line) {
    if (!line.empty()) text += "      " + wrapped_text(line, 6, 6) + '\n';
  };
  const std::string bandwidth = bandwidth_text(before, row, published_gpu);
  add(before == nullptr
          ? bandwidth
          : "compared with " + before->kernel.name + (bandwidth.empty() ? "" : ": ") + bandwidth);
  if (before != nullptr) add(changes_text(*before, row));
  return text;
}

/// With these figures.
std::string table_of(const report::Report& report, const report::PublishedTimes& published,
                     const Figures& figures) {
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
std::string gpu_of(const report::Report& report, const report::PublishedTimes& published) {
  std::string gpu;
  for (const report::Chapter& chapter : report.chapters)
    for (const report::Kernel& kernel : chapter.kernels)
      if (row_of(report, chapter, kernel, published).timed != nullptr) gpu = chapter.gpu;
  return gpu;
}

std::size_t width_of(const std::string& text) {
  std::istringstream lines(text);
  std::size_t width = 0;
  for (std::string line; std::getline(lines, line);) width = std::max(width, columns_of(line));
  return width;
}

}  // namespace

std::string ladder_table(const report::Report& report, const report::PublishedTimes& published,
                         LadderCounters counters, std::size_t width) {
  Figures shown{&figures::instructions_per_element};
  if (counters == LadderCounters::all) shown.assign(std::begin(columns), std::end(columns));
  Figures left_out = shown;
  std::string table = table_of(report, published, shown);
  for (const Figure* figure : dispensable) {
    if (width_of(table) <= width) break;
    if (std::erase(shown, figure) == 0) continue;
    table = table_of(report, published, shown);
  }
  std::erase_if(left_out, [&](const Figure* figure) {
    return std::find(shown.begin(), shown.end(), figure) != shown.end();
  });
  return table + '\n' + legend(gpu_of(report, published), published, shown, left_out);
}

std::string ladder_text(const report::Report& report, const report::PublishedTimes& published) {
  std::string text;
  std::map<std::string, Row> steps;
  for (const report::Chapter& chapter : report.chapters) {
    for (const report::Kernel& kernel : chapter.kernels) {
      if (!kernel.is_step) continue;
      const Row row = row_of(report, chapter, kernel, published);
      const auto before = steps.find(kernel.comes_from);  // a handout may lack its chapter
      text += step_text(before == steps.end() ? nullptr : &before->second, row, short_name(published.gpu));
      steps.emplace(kernel.name, row);
    }
  }
  if (steps.size() < 2) return {};
  return text + '\n' + meanings(Figures(std::begin(columns), std::end(columns)));
}

}  // namespace warpwise::print
