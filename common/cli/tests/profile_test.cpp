// What `profile` does with what Nsight Compute prints. The tables are cut from those of an H200.
#include "../ncu.hpp"

#include "../commands.hpp"
#include "common/testing/catch.hpp"

using namespace warpwise;
using namespace warpwise::cli;
using print::profile_comparison;
using print::profile_text;
using warpwise::testing::ContainsSubstring;

namespace {

/// A raw page with every metric; each is `value` in the launch, save where `special` names one.
std::string raw_page(const std::string& special = "", const std::string& special_value = "") {
  std::string head = "\"ID\",\"Kernel Name\",\"Grid Size\"", units = "\"\",\"\",\"\"";
  std::string first = "\"0\",\"reduce(const float *)\",\"(128, 1, 1)\"",
              second = "\"1\",\"reduce\",\"(4, 1, 1)\"";
  for (const CounterMetrics& counter : compared_counters()) {
    for (const std::string& metric : counter.metrics) {
      head += ",\"" + metric + "\"";
      units += ",\"inst\"";
      first += ",\"" + (metric == special ? special_value : "0") + "\"";
      second += ",\"77\"";
    }
  }
  return "5 of 5 kernels are right.\n==PROF== Disconnected\n" + head + "\n" + units + "\n" + first + "\n" +
         second + "\n";
}

constexpr const char* source_page =
    "\"File Path\",\"/home/somebody/ch03_bank_conflicts/solution.cu\"\n"
    "\"Function Name\",\"reduce\"\n"
    "\"Line No\",\"Source\",\"Address\",\"Source\",\"L1 Tag Requests Global\",\"L1 Wavefronts Shared\",\"L2 "
    "Theoretical Sectors Global\"\n"
    "\"14\",\"a = \"\"b\"\", c;\",\"-\",\"-\",\"0\",\"4608\",\"0\"\n"
    "\"\",\"\",\"0x7efb\",\"LDS R1\",\"0\",\"4608\",\"0\"\n"
    "\"26\",\"in[i]\",\"-\",\"-\",\"1024\",\"1024\",\"4096\"\n"
    "\"27\",\"nothing\",\"-\",\"-\",\"0\",\"0\",\"0\"\n";

report::Launch simulated_launch() {
  report::Launch launch;
  launch.chapter = "ch03_bank_conflicts";
  launch.report.kernel = "reduce";
  launch.elements = 32768;
  launch.report.grid = {128, 1, 1};
  launch.report.block = {256, 1, 1};
  launch.report.counters.shared_load_wavefronts = 4608;
  launch.report.counters.global_load_requests = 1024;
  simulator::LineCounters line;
  line.file = "ch03_bank_conflicts/solution.cu";
  line.line = 14;
  line.counters.shared_load_wavefronts = 4608;
  launch.report.lines.push_back(line);
  line.line = 26;
  line.counters = {};
  line.counters.global_load_requests = 1024;
  line.counters.global_load_sectors = 4000;
  line.counters.shared_store_wavefronts = 1024;
  launch.report.lines.push_back(line);
  return launch;
}

const KnownDifferences known(
    "# a remark\n*\twarp_instructions\tmachine code\nreduce\tglobal_load_requests\tchance\n");

}  // namespace

TEST_CASE("fields of CSV keep commas and quotes") {
  CHECK(csv_fields("\"a\",\"1,024\",\"say \"\"x\"\"\",\"\"") ==
        std::vector<std::string>{"a", "1,024", "say \"x\"", ""});
}

TEST_CASE(
    "the raw page gives the first launch of each kernel; thousands have commas, units are passed over") {
  const auto launches = launches_from(raw_page("smsp__inst_executed.sum", "107,520"));
  REQUIRE(launches.size() == 1);
  CHECK(launches[0].kernel == "reduce");
  CHECK(launches[0].grid == "(128, 1, 1)");
  CHECK(launches[0].counters.at("warp_instructions") == 107520);
  CHECK(launches[0].counters.at("shared_load_wavefronts") == 0);
}

TEST_CASE("atomics are the sum of those with and without a result") {
  const auto requests = [](const char* operation) {
    const std::string metric = std::string("l1tex__t_requests_pipe_lsu_mem_global_op_") + operation + ".sum";
    return launches_from(raw_page(metric, "5")).at(0).counters.at("global_atomic_requests");
  };
  CHECK(requests("atom") == 5);
  CHECK(requests("red") == 5);
}

TEST_CASE("a page without one of the metrics is refused") {
  CHECK_THROWS_WITH(launches_from("\"ID\",\"Kernel Name\",\"Grid Size\"\n\"0\",\"k\",\"(1, 1, 1)\"\n"),
                    ContainsSubstring("did not measure l1tex__data_pipe"));
  CHECK(launches_from("==ERROR== nothing\n").empty());
}

TEST_CASE("the source page gives the lines that touch memory, each once") {
  const auto lines = lines_from(source_page);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].line == 14);
  CHECK(lines[0].kernel == "reduce");
  CHECK(lines[0].shared_wavefronts == 4608);
  CHECK(lines[1].global_sectors == 4096);
}

TEST_CASE("a kernel without shared memory has no column for it") {
  const auto lines = lines_from(
      "\"Function Name\",\"k\"\n\"Line No\",\"Source\",\"L1 Tag Requests Global\"\n\"3\",\"x\",\"9\"\n");
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].global_requests == 9);
  CHECK(lines[0].shared_wavefronts == 0);
}

TEST_CASE("counters that differ have a reason where one is known") {
  const auto hardware =
      launches_from(raw_page("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "4608")).at(0);
  const auto pairs = pairs_of(simulated_launch(), hardware, known);
  REQUIRE(pairs.size() == 2);  // those that are 0 on both sides are left out
  CHECK(pairs[0].counter == "shared_load_wavefronts");
  CHECK(pairs[0].verdict == "=");
  CHECK(pairs[1].counter == "global_load_requests");
  CHECK(pairs[1].verdict == "chance");
  CHECK(KnownDifferences("").reason("reduce", "warp_instructions") == "");
  CHECK(known.reason("anything", "warp_instructions") == "machine code");
}

TEST_CASE("line by line: equal figures once, others side by side, paths in any spelling") {
  const std::string text =
      profile_text(simulated_launch(), {}, line_pairs(simulated_launch(), lines_from(source_page)));
  CHECK_THAT(text, ContainsSubstring("reduce, 32 768 elements, 128 blocks of 256"));
  CHECK_THAT(text, ContainsSubstring("solution.cu:14        =              4 608"));
  CHECK_THAT(text,
             ContainsSubstring("solution.cu:26  differs              1 024            1 024  4 000 / 4 096"));
  CHECK_THAT(profile_text(simulated_launch(), {}, {}), ContainsSubstring("names no lines of this kernel"));
}

TEST_CASE("a table that is saved comes back, and is compared") {
  std::vector<CounterPair> pairs{{"ch03", "reduce", "global_load_requests", 5, 5, "="},
                                 {"ch03", "reduce", "global_load_sectors", 7, 9, "differs"}};
  const auto back = pairs_from(table_of(pairs, "# GPU: x\n"));
  REQUIRE(back.size() == 2);
  CHECK(back[1].hardware == 9);
  CHECK(back[1].verdict == "differs");
  CHECK_THAT(profile_comparison(pairs, back, "yesterday"),
             ContainsSubstring("yesterday: 2 hardware counters, all as they were"));
  pairs[0].hardware = 6;
  CHECK_THAT(profile_comparison(pairs, back, "yesterday"), ContainsSubstring("1 changed"));
}

TEST_CASE("what ncu refuses is said with what to do") {
  CHECK_THAT(ncu_problem("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission\n"),
             ContainsSubstring("NVreg_RestrictProfilingToAdminUsers=0"));
  CHECK(ncu_problem("x\n==ERROR== Failed to initialize the profiler\nmore") ==
        "Nsight Compute says: Failed to initialize the profiler");
  CHECK(ncu_problem("") == "Nsight Compute measured nothing.");
}
