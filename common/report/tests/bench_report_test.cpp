#include "../bench_report.hpp"

#include <filesystem>
#include <fstream>

#include "../json.hpp"
#include "common/testing/catch.hpp"
#include "common/testing/temporary_folder.hpp"

using namespace warpwise::report;

namespace {
constexpr const char* row_line =
    R"({"event":"row","n":1024,"bins":0,"bytes":4096,"pairs":30,"ours":{"median":0.002,"low":0.0019,"high":0.0021},)"
    R"("cub":{"median":0.004,"low":0.004,"high":0.0041},"ratio":{"median":0.5,"low":0.48,"high":0.52},"called":{"median":0.4,"low":0.4,"high":0.4}})";

BenchReport example() {
  BenchReport bench{.command = "./warpwise bench ch05",
                    .machine = {"NVIDIA H200", "13.0", "13.0", 132, 4.6e12, 4.3e12, 4.9e12}};
  bench.kernels.push_back({"ch05_shuffle", "reduce", "cub::Sum", "", BenchVerdict::unwritten, "", {}});
  read_comparison_line(R"({"event":"right","sizes":2})", bench.kernels[0]);
  read_comparison_line(row_line, bench.kernels[0]);
  bench.kernels.push_back(
      {"ch05_shuffle", "other", "cub::Sum", "", BenchVerdict::wrong, "n = 7: 1, not 2", {}});
  return bench;
}
}  // namespace

TEST_CASE("a row of a comparison becomes a row of its kernel, and speeds follow from its bytes") {
  const BenchRow row = example().kernels[0].rows.at(0);
  CHECK(row.pairs == 30);
  CHECK(row.ratio.low == 0.48);
  CHECK(gigabytes_per_second(row, row.ours) == Approx(2.048));
  CHECK(example().kernels[0].verdict == BenchVerdict::right);
}

TEST_CASE("a wrong result names the size") {
  BenchKernel kernel;
  CHECK(read_comparison_line(R"({"event":"wrong","n":1027,"bins":0,"text":"the sum is 1, CUB's is 2"})",
                             kernel) == "");
  CHECK(kernel.verdict == BenchVerdict::wrong);
  CHECK(kernel.problem == "n = 2^10 + 3: the sum is 1, CUB's is 2");
  read_comparison_line(R"({"event":"wrong","n":64,"bins":3,"text":"x"})", kernel);
  CHECK(kernel.problem == "n = 2^6, 3 bins: x");
}

TEST_CASE("what a comparison's program says otherwise is handed on; half a line of its own is refused") {
  BenchKernel kernel;
  CHECK(read_comparison_line("cudaMalloc: out of memory", kernel) == "cudaMalloc: out of memory");
  CHECK_THROWS_AS(read_comparison_line(R"({"event":"row","n":10)", kernel), ReportError);
  CHECK_THROWS_AS(read_comparison_line(R"({"event":"row","n":10})", kernel), ReportError);
}

TEST_CASE("a bench that is written comes back") {
  const warpwise::testing::TemporaryFolder folder;
  const auto file = folder.path() / "bench.json";
  write_bench(file, example());
  const BenchReport bench = read_bench(file);
  CHECK(bench.command == "./warpwise bench ch05");
  CHECK(bench.machine.gpu == "NVIDIA H200");
  CHECK(bench.machine.copy == 4.3e12);
  REQUIRE(bench.kernels.size() == 2);
  CHECK(bench.kernels[0].rows.at(0).cub.high == 0.0041);
  CHECK(bench.kernels[0].rows.at(0).called.median == 0.4);
  CHECK(bench.kernels[1].verdict == BenchVerdict::wrong);
  CHECK(bench.kernels[1].problem == "n = 7: 1, not 2");
}

TEST_CASE("a file that is no result of bench is refused with its name") {
  const warpwise::testing::TemporaryFolder folder;
  const auto file = folder.path() / "wrong.json";
  for (const char* text : {"no json", "{}", R"({"bench":2})", R"({"bench":1,"command":"x","machine":{}})"}) {
    std::ofstream(file) << text;
    CHECK_THROWS_WITH(read_bench(file), warpwise::testing::ContainsSubstring(file.string() + ": it is"));
  }
  std::filesystem::remove(file);
  CHECK_THROWS_WITH(read_bench(file), warpwise::testing::ContainsSubstring("cannot read"));
}

TEST_CASE("sizes read as powers of two where they are some, and a few more") {
  const auto text = [](unsigned n) { return size_text(BenchRow{n, 0, 0, 0, {}, {}, {}, {}}); };
  CHECK(text(1024) == "2^10");
  CHECK(text(1027) == "2^10 + 3");
  CHECK(text(1000) == "1000");
  CHECK(text((1u << 30) + 3) == "2^30 + 3");
}
