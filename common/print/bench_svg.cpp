// The pictures of bench.hpp: three plots a kernel, drawn with lines, text and nothing else.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>

#include "bench.hpp"
#include "drawing.hpp"
#include "tables.hpp"

namespace warpwise::print {
namespace {

using report::BenchKernel;
using report::BenchRow;

constexpr double plot_width = 260, plot_height = 150, left_margin = 56, top_margin = 44, gap = 76;
constexpr double row_height = top_margin + plot_height + 50;

std::string tenths(double value) { return fixed(value, 1); }

std::string text_at(double x, double y, const std::string& text, const std::string& more = "") {
  return "<text x=\"" + tenths(x) + "\" y=\"" + tenths(y) + "\"" + more + ">" + markup_of(text) + "</text>\n";
}

std::string line_from(double x1, double y1, double x2, double y2, const char* style) {
  return "<line x1=\"" + tenths(x1) + "\" y1=\"" + tenths(y1) + "\" x2=\"" + tenths(x2) + "\" y2=\"" +
         tenths(y2) + "\" class=\"" + style + "\"/>\n";
}

/// What one plot shows of a row.
struct Curve {
  const char* style;
  std::function<double(const BenchRow&)> of;
};
struct Plot {
  std::string title;
  std::vector<Curve> curves;
  bool is_logarithmic = false;
  bool has_line_at_one = false;
};

/// Places of values along one axis; the ends are where the frame is.
class Axis {
 public:
  Axis(double low, double high, bool is_logarithmic) : is_logarithmic_(is_logarithmic) {
    low_ = scaled(low);
    high_ = std::max(scaled(high), low_ + 1e-9);
  }
  double place(double value) const { return (scaled(value) - low_) / (high_ - low_); }

 private:
  double scaled(double value) const { return is_logarithmic_ ? std::log10(value) : value; }
  bool is_logarithmic_;
  double low_ = 0, high_ = 1;
};

std::string plot_svg(const Plot& plot, const std::vector<BenchRow>& rows, double x0, double y0) {
  double low = INFINITY, high = 0;
  for (const Curve& curve : plot.curves) {
    for (const BenchRow& row : rows) {
      low = std::min(low, curve.of(row));
      high = std::max(high, curve.of(row));
    }
  }
  if (!plot.is_logarithmic) low = 0;
  if (plot.has_line_at_one) high = std::max(high, 1.1);
  const Axis x(along(rows.front()), along(rows.back()), false), y(low, high, plot.is_logarithmic);
  const auto at_x = [&](double value) { return x0 + x.place(value) * plot_width; };
  const auto at_y = [&](double value) { return y0 + (1 - y.place(value)) * plot_height; };

  std::string svg = text_at(x0, y0 - 8, plot.title);
  svg += line_from(x0, y0, x0, y0 + plot_height, "axis") +
         line_from(x0, y0 + plot_height, x0 + plot_width, y0 + plot_height, "axis");
  svg += text_at(x0 - 6, y0 + 10, rounded(high), " text-anchor=\"end\"") +
         text_at(x0 - 6, y0 + plot_height, plot.is_logarithmic ? rounded(low) : "0", " text-anchor=\"end\"");
  for (const BenchRow* row : {&rows.front(), &rows.back()})
    svg += text_at(at_x(along(*row)), y0 + plot_height + 16, tenths(along(*row)), " text-anchor=\"middle\"");
  if (plot.has_line_at_one) svg += line_from(x0, at_y(1), x0 + plot_width, at_y(1), "one");
  for (const Curve& curve : plot.curves) {
    svg += std::string("<polyline class=\"") + curve.style + "\" points=\"";
    for (const BenchRow& row : rows)
      svg += tenths(at_x(along(row))) + "," + tenths(at_y(curve.of(row))) + " ";
    svg += "\"/>\n";
  }
  return svg;
}

std::vector<Plot> plots_of(const BenchKernel& kernel) {
  const std::string against = " against " + axis_of(kernel);
  return {{"time, ms" + against,
           {{"ours", [](const BenchRow& row) { return row.ours.median; }},
            {"cub", [](const BenchRow& row) { return row.cub.median; }}},
           true},
          {"bandwidth, GB/s" + against,
           {{"ours", [](const BenchRow& row) { return gigabytes_per_second(row, row.ours); }},
            {"cub", [](const BenchRow& row) { return gigabytes_per_second(row, row.cub); }}}},
          {"time by CUB's" + against,
           {{"ours", [](const BenchRow& row) { return row.ratio.median; }},
            {"spread", [](const BenchRow& row) { return row.ratio.low; }},
            {"spread", [](const BenchRow& row) { return row.ratio.high; }}},
           false,
           true}};
}

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

}  // namespace

std::string bench_svg(const report::BenchReport& bench) {
  std::string body;
  double top = 40;
  for (const BenchKernel& kernel : bench.kernels) {
    if (kernel.rows.size() < 2) continue;
    body += text_at(left_margin, top, kernel.kernel + " (blue) beside " + kernel.counterpart + " (grey)",
                    " class=\"title\"");
    double x = left_margin;
    for (const Plot& plot : plots_of(kernel)) {
      body += plot_svg(plot, kernel.rows, x, top + top_margin);
      x += plot_width + gap;
    }
    top += row_height;
  }
  const std::string width = tenths(left_margin + 3 * (plot_width + gap)), height = tenths(top);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + width + " " + height + "\" width=\"" +
         width + "\" height=\"" + height +
         "\" font-family=\"sans-serif\" font-size=\"12\">\n<style>\n"
         ".title{font-size:15px;font-weight:bold} polyline{fill:none;stroke-width:2} .ours{stroke:#1f6fb4}\n"
         ".cub{stroke:#888;stroke-dasharray:5 3} .spread{stroke:#1f6fb4;stroke-width:0.7} "
         ".axis{stroke:#333}\n"
         ".one{stroke:#b33;stroke-dasharray:2 3}\n</style>\n"
         "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n" +
         text_at(left_margin, 18,
                 bench.machine.gpu + ", CUDA " + bench.machine.toolkit + ": " + bench.command) +
         body + "</svg>\n";
}

std::string figures_html(const report::BenchReport& bench) {
  const BenchKernel& kernel = bench.kernels.front();
  std::string html = "<section id=\"measured\" aria-label=\"Measured on a GPU\">\n<h2>Measured on " +
                     markup_of(bench.machine.gpu) + ", beside " + markup_of(kernel.counterpart) + "</h2>\n";
  if (kernel.rows.size() >= 2)
    html +=
        "<img alt=\"time, bandwidth and time by CUB's, against the size; the figures are below\" "
        "src=\"data:image/svg+xml," +
        percent_encoded(bench_svg(bench)) + "\">\n";
  return html + "<details><summary>The figures</summary><pre>" + markup_of(rows_text(kernel)) +
         "</pre></details>\n</section>\n";
}

}  // namespace warpwise::print
