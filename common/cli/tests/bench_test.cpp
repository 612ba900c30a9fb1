// What `bench` does without a GPU: sizes, tables, plots, comparisons, and programs that end in every way.
#include "../bench_figures.hpp"
#include "../bench_run.hpp"

#include <chrono>
#include <fstream>

#include "../failure.hpp"
#include "../gpu.hpp"
#include "common/testing/catch.hpp"
#include "common/testing/temporary_folder.hpp"

using namespace warpwise::cli;
using warpwise::report::BenchKernel;
using warpwise::report::BenchReport;
using warpwise::report::BenchRow;
using warpwise::report::BenchVerdict;
using warpwise::report::Middle;
using warpwise::testing::ContainsSubstring;
using warpwise::testing::TemporaryFolder;

namespace {

Middle about(double value) { return {value, value * 0.99, value * 1.01}; }

BenchRow row(unsigned n, double ours, double cub) {
  return {n, 0, 4.0 * n, 30, about(ours), about(cub), about(ours / cub), about(0.25)};
}

BenchKernel kernel_with_rows() {
  BenchKernel kernel{"ch05_shuffle", "reduce", "cub::Sum", "", BenchVerdict::right, "", {}};
  for (unsigned log = 10; log < 14; ++log) kernel.rows.push_back(row(1U << log, 0.002, 0.004));
  return kernel;
}

BenchReport bench_of(const BenchKernel& kernel) {
  return {.command = "bench", .machine = {"Fake GPU", "13.0", "13.0", 1, 1e12, 9e11, 0}, .kernels = {kernel}};
}

/// A program in place of a chapter's: a shell script.
struct FakeProgram {
  explicit FakeProgram(const std::string& script) {
    std::ofstream(file) << "#!/bin/sh\n" << script << "\n";
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  }
  TemporaryFolder folder;
  std::filesystem::path file = folder.path() / "bench";
};

BenchKernel measured(const std::string& script) {
  const FakeProgram program(script);
  BenchKernel kernel{"ch05_shuffle", "reduce", "cub::Sum", "", BenchVerdict::unwritten, "", {}};
  measure(program.file, {10, 11}, kernel);
  return kernel;
}

constexpr const char* say_right = R"(echo '{"event":"right","sizes":2}')";
constexpr const char* say_row =
    R"(echo '{"event":"row","n":1024,"bins":0,"bytes":4096,"pairs":9,)"
    R"("ours":{"median":2,"low":2,"high":2},"cub":{"median":4,"low":4,"high":4},)"
    R"("ratio":{"median":0.5,"low":0.5,"high":0.5},"called":{"median":0.5,"low":0.5,"high":0.5}}')";

}  // namespace

TEST_CASE("sizes are two exponents, or one") {
  CHECK(log_range_from("10:30").last == 30);
  CHECK(log_range_from("12").first == 12);
  CHECK(log_range_from("12").last == 12);
  for (const char* wrong : {"", "x", "10:", ":10", "20:10", "4:10", "10:31", "10:12:14", "10 :12"})
    CHECK_THROWS_AS(log_range_from(wrong), Failure);
}

TEST_CASE("a kernel that is right has its rows") {
  const std::string arguments = "[ \"$*\" = 'reduce 10 11' ] || exit 7\n";
  const BenchKernel kernel = measured(arguments + say_right + "\n" + say_row);
  CHECK(kernel.verdict == BenchVerdict::right);
  CHECK(kernel.problem == "");
  REQUIRE(kernel.rows.size() == 1);
  CHECK(kernel.rows[0].ratio.median == 0.5);
}

TEST_CASE("a kernel that is wrong is said to be, and has no times") {
  const BenchKernel kernel =
      measured(R"(echo '{"event":"wrong","n":1024,"bins":0,"text":"the sum is 1"}'; exit 1)");
  CHECK(kernel.verdict == BenchVerdict::wrong);
  const std::string text = kernel_text(kernel);
  CHECK_THAT(text, ContainsSubstring("is WRONG: n = 2^10: the sum is 1"));
  CHECK_THAT(text, ContainsSubstring("Nothing was timed"));
}

TEST_CASE("a kernel that crashes says what the GPU said; what was timed before it is kept") {
  const BenchKernel kernel = measured(std::string(say_right) + "\n" + say_row +
                                      "\necho 'the kernel: an illegal memory access' >&2; exit 2");
  CHECK(kernel.verdict == BenchVerdict::failed);
  CHECK(kernel.problem == "the kernel: an illegal memory access");
  CHECK(kernel.rows.size() == 1);
  CHECK_THAT(kernel_text(kernel), ContainsSubstring("FAILED: the kernel: an illegal memory access"));
}

TEST_CASE("a kernel that does not end, or whose process is killed") {
  CHECK(measured("kill -ALRM $$").problem == "it did not end within a minute");
  CHECK_THAT(measured("kill -SEGV $$").problem, ContainsSubstring("ended by a signal"));
  CHECK(measured("exit 5").problem == "it ended with status 5");
  CHECK(measured("exit 0").verdict == BenchVerdict::failed);  // it said nothing of a result
}

TEST_CASE("a program that cannot use the GPU says why, in one line") {
  const FakeProgram program("echo 'CUDA driver version is insufficient'; exit 2");
  CHECK_THROWS_WITH(machine_of(program.file), "the GPU cannot be used: CUDA driver version is insufficient");
}

TEST_CASE("the machine's line names measured and published speeds") {
  const FakeProgram program(
      R"(echo '{"event":"machine","gpu":"NVIDIA H200","multiprocessors":132,"driver":"13.0","toolkit":"13.0",)"
      R"("read":4.5e12,"copy":4.2e12,"peak":4.9e12}')");
  const std::string text = machine_text(machine_of(program.file));
  CHECK_THAT(text, ContainsSubstring("4500 GB/s read, 4200 GB/s copied"));
  CHECK_THAT(text, ContainsSubstring("4800 GB/s by the datasheet"));
}

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
  const std::string text = plot_text("title", {{"a", 'a', {0, 1, 2}, {0, 5, 10}}}, 21, 3);
  CHECK(text ==
        "    title\n"
        "      10.0 |                    a\n"
        "           |          a\n"
        "         0 |a\n"
        "           +---------------------\n"
        "            0                   2\n");
  CHECK(plot_text("nothing", {{"a", 'a', {}, {}}}) == "");
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

TEST_CASE("a driver of an older major version than the toolkit's is too old") {
  CHECK(driver_problem({true, "GPU, driver for CUDA 13.0", 13000}, "13.5.1") == "");
  CHECK(driver_problem({true, "GPU, driver for CUDA 13.0", 13000}, "12.4") == "");
  CHECK_THAT(driver_problem({true, "GPU, driver for CUDA 12.2", 12020}, "13.0.88"),
             ContainsSubstring("too old (GPU, driver for CUDA 12.2) for programs of CUDA 13.0.88"));
}

TEST_CASE("bench keeps the last figures of each kernel, of one machine") {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "kept.json", source = folder.path() / "exercise.cu";
  std::ofstream(source) << "// a kernel\n";
  const BenchReport bench = bench_of(kernel_with_rows());
  BenchKernel other = bench.kernels.front();
  other.kernel = "scan";
  keep_figures(file, bench.machine, bench.kernels.front());
  keep_figures(file, bench.machine, other);
  other.rows.pop_back();
  keep_figures(file, bench.machine, other);

  const auto kept = kept_figures_of(file, source, "ch05_shuffle", "scan");
  REQUIRE(kept);
  REQUIRE(kept->kernels.size() == 1);
  CHECK(kept->kernels.front().rows.size() == 3);
  CHECK(kept_figures_of(file, source, "ch05_shuffle", "reduce"));
  CHECK_FALSE(kept_figures_of(file, source, "ch06_scan", "scan"));
  CHECK_FALSE(kept_figures_of(folder.path() / "nothing.json", source, "ch05_shuffle", "scan"));

  std::filesystem::last_write_time(source, std::filesystem::last_write_time(file) + std::chrono::seconds(1));
  CHECK_FALSE(kept_figures_of(file, source, "ch05_shuffle", "scan"));  // the source has changed since

  auto another_gpu = bench.machine;
  another_gpu.gpu = "Other GPU";
  keep_figures(file, another_gpu, other);
  CHECK(warpwise::report::read_bench(file).kernels.size() == 1);
  std::ofstream(file) << "not JSON";
  keep_figures(file, bench.machine, other);
  CHECK(warpwise::report::read_bench(file).kernels.size() == 1);
}

TEST_CASE("figures of a kernel that was not timed are none, and those of one that was stand on a page") {
  BenchReport bench = bench_of(kernel_with_rows());
  bench.machine.gpu = "A <GPU>";
  const auto found = figures_of(bench, "ch05_shuffle", "reduce");
  REQUIRE(found);
  const std::string html = figures_html(*found);
  CHECK_THAT(html, ContainsSubstring("Measured on A &lt;GPU>, beside cub::Sum"));
  CHECK_THAT(html, ContainsSubstring("2^13"));
  CHECK_THAT(html, ContainsSubstring("src=\"data:image/svg+xml,%3Csvg xmlns=%22"));
  CHECK(html.find('#') == std::string::npos);  // it would end the picture's address
  bench.kernels.front().verdict = BenchVerdict::wrong;
  CHECK_FALSE(figures_of(bench, "ch05_shuffle", "reduce"));
}
