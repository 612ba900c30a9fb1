#include "common/print/ladder.hpp"

#include <sstream>
#include <stdexcept>

#include "common/print/screen.hpp"
#include "common/print/tables.hpp"
#include "common/testing/catch.hpp"

using namespace warpwise;
using namespace warpwise::print;
using warpwise::testing::ContainsSubstring;

namespace {

/// Adds to the report's last chapter a kernel that is right, and its launch.
report::Launch& add_kernel(report::Report& report, const std::string& name, const std::string& technique) {
  report::Chapter& chapter = report.chapters.back();
  report::Kernel& kernel = chapter.kernels.emplace_back();
  kernel.name = name;
  kernel.technique = technique;
  kernel.is_step = true;
  kernel.bytes_per_element = 4;
  for (const report::Aspect aspect : report::all_aspects)
    report.verdicts.push_back({name, aspect, report::Outcome::passed, {}, chapter.name});
  report::Launch& launch = report.launches.emplace_back();
  launch.chapter = chapter.name;
  launch.elements = 65536;
  launch.report.kernel = name;
  launch.report.grid = {256, 1, 1};
  return launch;
}

void add_time(report::Report& report, const std::string& name, double gigabytes_per_second) {
  report::Launch& launch = report.launches.emplace_back();
  launch.chapter = report.chapters.back().name;
  launch.is_simulated = false;
  launch.elements = 1u << 26;
  launch.report.kernel = name;
  launch.report.seconds = 4.0 * launch.elements / gigabytes_per_second / 1e9;
}

report::Report one_kernel() {
  report::Report report;
  report.chapters.emplace_back().name = "ch01_naive";
  report.chapters.back().title = "Pairs";
  report.chapters.back().gpu = "H200";
  simulator::Counters& counters = add_kernel(report, "reduce", "tree").report.counters;
  counters.warp_instructions = 131072;
  counters.divergent_branches = 12288;
  counters.block_barriers = 9 * 256;
  counters.shared_load_wavefronts = 38400;
  counters.global_load_sectors = 8192;
  return report;
}

}  // namespace

TEST_CASE("a table aligns its columns and leaves out the empty ones") {
  Table table({"kernel", "time", "count"});
  table.add_row({"reduce", "", "7"});
  table.add_heading("ch02: more");
  table.add_row({"größer", "", "1 024"});
  CHECK(table.text() ==
        "  kernel  count\n"
        "  reduce      7\n"
        "\n  ch02: more\n"
        "  größer  1 024\n");
}

TEST_CASE("a row with too many cells is refused") {
  Table table({"one"});
  CHECK_THROWS_AS(table.add_row({"1", "2"}), std::invalid_argument);
}

TEST_CASE("figures are grouped and rounded for reading") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(8192) == "8 192");
  CHECK(grouped(16777216) == "16 777 216");
  CHECK(rounded(3.14159) == "3.14");
  CHECK(rounded(31.4159) == "31.4");
  CHECK(rounded(314.159) == "314");
  CHECK(rounded(9.999) == "10.0");
}

TEST_CASE("figures add up what a launch did") {
  report::Launch launch;
  launch.elements = 1024;
  launch.report.grid = {2, 2, 1};
  auto& counters = launch.report.counters;
  counters.block_barriers = 38;
  counters.warp_instructions = 512;
  counters.thread_instructions = 512 * 8;
  counters.shared_load_wavefronts = 70;
  counters.shared_store_wavefronts = 7;
  counters.shared_atomic_bank_conflicts = 3;
  counters.global_atomic_sectors = 1;
  counters.global_load_sectors = 64;
  CHECK(figures::block_barriers.of(launch) == 9.5);
  CHECK(figures::shared_wavefronts.of(launch) == 77);
  CHECK(figures::bank_conflicts.of(launch) == 3);
  CHECK(figures::global_sectors.of(launch) == 65);
  CHECK(figures::instructions_per_element.of(launch) == 0.5);
  CHECK(figures::lanes_busy.of(launch) == 25);
}

TEST_CASE("only a launch that a GPU timed has a time") {
  const report::Kernel kernel{.bytes_per_element = 8};
  report::Launch launch;
  launch.elements = 1'000'000;
  launch.report.seconds = 0.001;
  CHECK(milliseconds(launch) == 0);
  CHECK(gigabytes_per_second(kernel, launch) == 0);
  launch.is_simulated = false;
  CHECK(milliseconds(launch) == Approx(1));
  CHECK(gigabytes_per_second(kernel, launch) == Approx(8));
}

TEST_CASE("powers of two are written as such where they are long") {
  CHECK(size_text(65536, "65 536") == "2^16");
  CHECK(size_text(1024, "1024") == "1024");
  CHECK(size_text(65537, "65 537") == "65 537");
}

TEST_CASE("the table shows counters, and times only where a GPU took them") {
  report::Report report = one_kernel();
  const std::string without = ladder_table(report, {}, LadderCounters::all);
  CHECK_THAT(without, ContainsSubstring("\n  ch01_naive: Pairs\n"));
  CHECK_THAT(without,
             ContainsSubstring("reduce  2^16     yes     12 288         9          0      38 400    8 192"
                               "        2.00\n"));
  CHECK(without.find("GB/s") == std::string::npos);
  add_time(report, "reduce", 365.6);
  const std::string with = ladder_table(report, {}, LadderCounters::all);
  CHECK_THAT(with, ContainsSubstring("2^26  0.73   366\n"));
  CHECK_THAT(with, ContainsSubstring("median on H200"));
}

TEST_CASE("below the table stands what its columns mean") {
  CHECK_THAT(
      ladder_table(one_kernel(), {}, LadderCounters::all),
      ContainsSubstring("\n"
                        "  right?      result, technique and safety, as the chapter's checks ask\n"
                        "  divergent   branches that some lanes of a warp take and some do not\n"
                        "  barriers    how often a block passes __syncthreads()\n"
                        "  conflicts   extra passes to shared memory, for lanes that met; wavefronts: all\n"
                        "  sectors     32-byte pieces of global memory that were read, written or updated\n"
                        "  instr/elem  PTX warp instructions for each element\n"));
}

TEST_CASE("a narrow terminal gets the figures that tell most, and the names of the others") {
  const report::Report report = one_kernel();
  const std::string whole = ladder_table(report, {}, LadderCounters::all);
  CHECK(ladder_table(report, {}, LadderCounters::all, 200) == whole);
  CHECK_THAT(whole, !ContainsSubstring("wider terminal"));
  const std::string narrow = ladder_table(report, {}, LadderCounters::all, 60);
  CHECK_THAT(narrow, ContainsSubstring("  kernel     n  right?  divergent  conflicts  instr/elem\n"));
  CHECK_THAT(narrow,
             ContainsSubstring("\n  ...         barriers, wavefronts, sectors: in a wider terminal\n"));
}

TEST_CASE("a kernel is right where nothing that was checked failed") {
  report::Report report = one_kernel();
  report.verdicts.pop_back();  // some kernels have no check of one aspect
  CHECK(report.is_right(report.chapters.front().name, "reduce"));
  CHECK_THAT(ladder_table(report), ContainsSubstring("  yes  "));
  report.verdicts.clear();
  CHECK_FALSE(report.is_right(report.chapters.front().name, "reduce"));
}

TEST_CASE("the table names what is wrong, and what was not checked beside it") {
  report::Report report = one_kernel();
  report.launches.clear();
  report.verdicts.pop_back();  // safety
  report.verdicts.back().outcome = report::Outcome::failed;
  CHECK_THAT(ladder_table(report), ContainsSubstring("reduce  0  NO: technique, safety\n"));
}

TEST_CASE("the table gives no counter away that a lesson asks for") {
  const std::string table = ladder_table(one_kernel());
  CHECK_THAT(table, ContainsSubstring("  kernel     n  right?  instr/elem\n"));
  CHECK_THAT(table, ContainsSubstring("  reduce  2^16     yes        2.00\n"));
  CHECK_THAT(table, ContainsSubstring("  instr/elem  PTX warp instructions for each element\n"));
  CHECK_THAT(table, !ContainsSubstring("divergent"));
}

TEST_CASE("each step of the ladder stands beside the one that it comes from, its counters by name alone") {
  report::Report report = one_kernel();
  add_time(report, "reduce", 400);
  add_kernel(report, "aside", "other");
  report.chapters.back().kernels.back().is_step = false;
  simulator::Counters counters = report.launches.front().report.counters;
  counters.divergent_branches = 1536;
  counters.warp_instructions = 100000;
  counters.shared_load_bank_conflicts = 26880;
  counters.global_load_sectors = 8400;  // less than a twentieth more
  report.chapters.emplace_back().name = "ch02_near";
  add_kernel(report, "near", "side by side").report.counters = counters;
  report.chapters.back().kernels.back().comes_from = "reduce";
  add_time(report, "near", 679);
  add_kernel(report, "branch", "another way").report.counters = counters;
  report.chapters.back().kernels.back().comes_from = "reduce";
  add_time(report, "branch", 500);
  const std::string text = ladder_text(report);
  CHECK(text.substr(0, text.find("\n\n") + 1) ==
        "  reduce                   tree\n"
        "      GB/s 400\n"
        "  near                     side by side\n"
        "      compared with reduce: GB/s 400 → 679\n"
        "      less: divergent, instr/elem; more: conflicts\n"
        "  branch                   another way\n"
        "      compared with reduce: GB/s 400 → 500\n"
        "      less: divergent, instr/elem; more: conflicts\n");
  CHECK_THAT(text, ContainsSubstring("\n  divergent   branches that some lanes"));
  CHECK(ladder_text(one_kernel()).empty());
}

TEST_CASE("a step whose base is not there stands by itself") {
  report::Report report = one_kernel();
  add_kernel(report, "near", "side by side");
  report.chapters.back().kernels.back().comes_from = "elsewhere";
  CHECK_THAT(
      ladder_text(report),
      ContainsSubstring("  reduce                   tree\n  near                     side by side\n\n"));
}

TEST_CASE("the table and the ladder name published bandwidths as what they are") {
  report::Report report = one_kernel();
  add_kernel(report, "faster", "less work");
  report.chapters.back().kernels.back().comes_from = "reduce";
  const report::PublishedTimes times{
      .gpu = "NVIDIA H200",
      .kernels = {{"ch01_naive", "reduce", 1u << 26, 1, 422.1}, {"ch01_naive", "faster", 1u << 26, 1, 679}}};
  CHECK_THAT(ladder_table(report, times), ContainsSubstring("H200 GB/s"));
  CHECK_THAT(ladder_table(report, times), ContainsSubstring("not measured here: NVIDIA H200"));
  CHECK_THAT(ladder_table(report), !ContainsSubstring("GB/s"));
  CHECK_THAT(ladder_text(report, times), ContainsSubstring("compared with reduce: H200 GB/s 422 → 679\n"));
  add_time(report, "reduce", 1000);
  add_time(report, "faster", 500);
  CHECK_THAT(ladder_text(report, times), ContainsSubstring("compared with reduce: GB/s 1 000 → 500\n"));
}

namespace {

report::Launch launch_with_counters() {
  report::Launch launch;
  launch.chapter = "ch01_naive";
  launch.elements = 1024;
  launch.report.kernel = "first";
  launch.report.grid = {4, 1, 1};
  simulator::Counters& counters = launch.report.counters;
  counters.warp_instructions = 512;
  counters.thread_instructions = 512 * 8;
  counters.divergent_branches = 48;
  counters.block_barriers = 36;
  counters.shared_load_wavefronts = 70;
  counters.shared_store_wavefronts = 7;
  return launch;
}

/// A chapter of two kernels, the first of which was launched.
report::Report counted_report() {
  report::Report report;
  report::Chapter& chapter = report.chapters.emplace_back();
  chapter.name = "ch01_naive";
  chapter.kernels.resize(2);
  chapter.kernels[0].name = "first";
  chapter.kernels[1].name = "second";
  report.launches = {launch_with_counters()};
  return report;
}

std::string counters_of(const report::Report& report) {
  std::ostringstream out;
  print_counters(out, report);
  return out.str();
}

}  // namespace

TEST_CASE("the table of counters, the times, and what the chapter remarks") {
  report::Report report = counted_report();
  report.launches.push_back(launch_with_counters());
  report.launches[0].remarks = "  level 1 2 3\n";
  report.launches[1].is_simulated = false;
  report.launches[1].elements = 1u << 26;
  report.launches[1].report.seconds = 0.002;
  report.chapters.front().gpu = "a GPU";
  report.chapters.front().kernels[0].bytes_per_element = 4;
  report.chapters.front().kernels[1].problem = "too many threads";
  const std::string text = counters_of(report);
  report.chapters.front().kernels[0].name = report.launches[0].report.kernel = "warp_sum_one_condition";
  CHECK_THAT(counters_of(report), ContainsSubstring("\n  warp_sum_one_condition\n                    1024 "));
  CHECK(text ==
        "\n                 diverg.   barr.   shared    bank   global instr. lanes\n"
        "  counted     n branches a block  wavefr.  confl.  sectors /elem.  busy\n"
        "  first    1024       48       9       77       0        0   0.50   25%\n"
        "  first    2^26 on a GPU: 2 ms, 134.2 GB/s\n"
        "  second: too many threads\n"
        "\n"
        "  first, n = 1024:\n"
        "  level 1 2 3\n");
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 80);
}

TEST_CASE("what each line costs, in 80 columns") {
  report::Report report = counted_report();
  report.verdicts = {{"second", report::Aspect::result, report::Outcome::failed, {}, "ch01_naive"}};
  report::Launch& launch = report.launches[0];
  simulator::Counters of_line;
  of_line.warp_instructions = 500;
  of_line.divergent_branches = 48;
  of_line.shared_load_bank_conflicts = 3;
  of_line.shared_store_bank_conflicts = 4;
  of_line.global_load_sectors = 5;
  of_line.global_store_sectors = 6;
  launch.report.counters.shared_load_bank_conflicts = 3;
  launch.report.counters.shared_store_bank_conflicts = 4;
  launch.report.counters.global_load_sectors = 5;
  launch.report.counters.global_store_sectors = 6;
  launch.report.counters.thread_instructions = of_line.thread_instructions = 7;
  launch.report.lines = {{"a.cu", 12, of_line}, {"no such file.cu", 13, {}}};
  const auto text_of = [](const std::string& file, std::uint32_t line) {
    return file == "a.cu" && line == 12 ? "  x = 1;" : "";
  };
  std::ostringstream out;
  print_lines(out, report, text_of);
  CHECK(out.str() ==
        "\n  first, n = 1024: what each line costs\n"
        "              warp  diverg.    bank   global\n"
        "    line    instr. branches  confl.  sectors\n"
        "  a.cu\n"
        "      12       500       48       7       11  x = 1;\n"
        "  no such file.cu\n"
        "      13\n"
        "       -        12                            (the compiler names no line)\n"
        "     all       512       48       7       11\n"
        "\n"
        "  second: its lines are counted once the result is right\n");
}
