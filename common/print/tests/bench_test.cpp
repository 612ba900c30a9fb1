#include "common/print/bench.hpp"

#include "common/report/tests/example.hpp"
#include "common/testing/catch.hpp"

using namespace warpwise::print;
using namespace warpwise::report::tests;
using warpwise::report::BenchKernel;
using warpwise::testing::ContainsSubstring;

TEST_CASE("the table says how our time compares, and how sure that is") {
  BenchKernel kernel = kernel_with_rows();
  kernel.rows.push_back(row(1U << 14, 0.004, 0.004));
  const std::string text = kernel_text(kernel);
  CHECK_THAT(text, ContainsSubstring("0.500"));
  CHECK_THAT(text, ContainsSubstring("0.495-0.505    faster"));
  CHECK_THAT(text, ContainsSubstring("0.990-1.010  the same"));
  CHECK_THAT(text, ContainsSubstring("called"));
  CHECK_THAT(text, ContainsSubstring("0.250"));
  CHECK_THAT(text, ContainsSubstring("GB/s along log2 n"));
}

TEST_CASE("a plot puts its marks where the values are") {
  const std::string text = plot_text("title", {{'a', {0, 1, 2}, {0, 5, 10}}}, 21, 3);
  CHECK(text ==
        "    title\n"
        "      10.0 |                    a\n"
        "           |          a\n"
        "         0 |a\n"
        "           +---------------------\n"
        "            0                   2\n");
  CHECK(plot_text("nothing", {{'a', {}, {}}}) == "");
}

TEST_CASE("a comparison says what changed, and what is within the spread") {
  BenchKernel before = kernel_with_rows(), after = kernel_with_rows();
  after.rows[0].ours = about(0.001);
  after.rows[1].ours = about(0.00201);
  after.rows[2].ours = about(0.003);
  after.rows.pop_back();
  const std::string text = comparison_text(bench_of(after), bench_of(before), "yesterday");
  CHECK_THAT(text, ContainsSubstring("Compared with yesterday (Fake GPU, CUDA 13.0)"));
  CHECK_THAT(text, ContainsSubstring("-50.0 % faster"));
  CHECK_THAT(text, ContainsSubstring("+0.5 % within the spread"));
  CHECK_THAT(text, ContainsSubstring("+50.0 % slower"));
  CHECK_THAT(text, !ContainsSubstring("2^13"));
}

TEST_CASE("files that have nothing in common are said to") {
  BenchKernel other = kernel_with_rows();
  other.kernel = "other";
  CHECK_THAT(comparison_text(bench_of(kernel_with_rows()), bench_of(other), "x"),
             ContainsSubstring("none of these kernels"));
}

TEST_CASE("the picture has three plots a kernel, and text that is no markup") {
  BenchKernel kernel = kernel_with_rows();
  kernel.counterpart = "cub<&>";
  const std::string svg = bench_svg(bench_of(kernel));
  std::size_t plots = 0;
  for (std::size_t at = svg.find("<polyline"); at != std::string::npos; at = svg.find("<polyline", at + 1))
    ++plots;
  CHECK(plots == 7);  // two curves, two curves, the ratio and its interval
  CHECK_THAT(svg, ContainsSubstring("cub&lt;&amp;>"));
  CHECK_THAT(svg, !ContainsSubstring("nan"));
}

TEST_CASE("what was measured stands on a page as a picture and a table") {
  warpwise::report::BenchReport bench = bench_of(kernel_with_rows());
  bench.machine.gpu = "A <GPU>";
  const std::string html = figures_html(bench);
  CHECK_THAT(html, ContainsSubstring("Measured on A &lt;GPU>, beside cub::Sum"));
  CHECK_THAT(html, ContainsSubstring("2^13"));
  CHECK_THAT(html, ContainsSubstring("src=\"data:image/svg+xml,%3Csvg xmlns=%22"));
  CHECK(html.find('#') == std::string::npos);  // it would end the picture's address
}
