// What `bench` does without a GPU: sizes, tables, plots, comparisons, and programs that end in every way.
#include "../bench_run.hpp"

#include <chrono>
#include <fstream>

#include "../commands.hpp"
#include "../gpu_presence.hpp"
#include "common/print/bench.hpp"
#include "common/report/tests/example.hpp"
#include "common/testing/catch.hpp"
#include "common/testing/temporary_folder.hpp"

using namespace warpwise::cli;
using namespace warpwise::report::tests;
using warpwise::print::kernel_text;
using warpwise::print::machine_text;
using warpwise::report::BenchKernel;
using warpwise::report::BenchReport;
using warpwise::report::BenchVerdict;
using warpwise::testing::ContainsSubstring;
using warpwise::testing::TemporaryFolder;

namespace {

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
  CHECK_THAT(measured("kill -SEGV $$").problem, ContainsSubstring("ended by signal 11 ("));
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

TEST_CASE("figures of a kernel that was not timed are none") {
  BenchReport bench = bench_of(kernel_with_rows());
  REQUIRE(figures_of(bench, "ch05_shuffle", "reduce"));
  CHECK(figures_of(bench, "ch05_shuffle", "reduce")->kernels.size() == 1);
  bench.kernels.front().verdict = BenchVerdict::wrong;
  CHECK_FALSE(figures_of(bench, "ch05_shuffle", "reduce"));
}
