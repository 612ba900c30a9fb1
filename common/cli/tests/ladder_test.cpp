#include "../ladder.hpp"

#include "common/testing/catch.hpp"

using namespace warpwise;
using namespace warpwise::cli;
using warpwise::testing::ContainsSubstring;

namespace {

/// Adds to the report's last chapter a kernel that is right, and its launch.
report::Launch& add_kernel(report::Report& report, const std::string& name, const std::string& technique) {
  report::Chapter& chapter = report.chapters.back();
  report::Kernel& kernel = chapter.kernels.emplace_back();
  kernel.name = name;
  kernel.technique = technique;
  kernel.is_rung = true;
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

TEST_CASE("the table shows counters, and times only where a GPU took them") {
  report::Report report = one_kernel();
  const std::string without = ladder_table(report, {}, Counters::all);
  CHECK_THAT(without, ContainsSubstring("\n  ch01_naive: Pairs\n"));
  CHECK_THAT(without,
             ContainsSubstring("reduce  2^16     yes     12 288         9          0      38 400    8 192"
                               "        2.00\n"));
  CHECK(without.find("GB/s") == std::string::npos);
  add_time(report, "reduce", 365.6);
  const std::string with = ladder_table(report, {}, Counters::all);
  CHECK_THAT(with, ContainsSubstring("2^26  0.73   366\n"));
  CHECK_THAT(with, ContainsSubstring("median on H200"));
}

TEST_CASE("below the table stands what its columns mean") {
  CHECK_THAT(
      ladder_table(one_kernel(), {}, Counters::all),
      ContainsSubstring("\n"
                        "  right?      result, technique and safety, as the chapter's checks ask\n"
                        "  divergent   branches that some lanes of a warp take and some do not\n"
                        "  barriers    __syncthreads() that a block passes\n"
                        "  conflicts   extra passes to shared memory, for lanes that met; wavefronts: all\n"
                        "  sectors     32-byte pieces of global memory that were read, written or updated\n"
                        "  instr/elem  PTX warp instructions for each element\n"));
}

TEST_CASE("a narrow terminal gets the figures that tell most, and the names of the others") {
  const report::Report report = one_kernel();
  const std::string whole = ladder_table(report, {}, Counters::all);
  CHECK(ladder_table(report, {}, Counters::all, 200) == whole);
  CHECK_THAT(whole, !ContainsSubstring("wider terminal"));
  const std::string narrow = ladder_table(report, {}, Counters::all, 60);
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

TEST_CASE("each rung of the climb stands beside the one that it comes from, its counters by name alone") {
  report::Report report = one_kernel();
  add_time(report, "reduce", 400);
  add_kernel(report, "aside", "other");
  report.chapters.back().kernels.back().is_rung = false;
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
  const std::string text = climb_text(report);
  CHECK(text.substr(0, text.find("\n\n") + 1) ==
        "  reduce                   tree\n"
        "      GB/s 400\n"
        "  near                     side by side\n"
        "      beside reduce: GB/s 400 → 679\n"
        "      less: divergent, instr/elem; more: conflicts\n"
        "  branch                   another way\n"
        "      beside reduce: GB/s 400 → 500\n"
        "      less: divergent, instr/elem; more: conflicts\n");
  CHECK_THAT(text, ContainsSubstring("\n  divergent   branches that some lanes"));
  CHECK(climb_text(one_kernel()).empty());
}

TEST_CASE("a rung whose base is not there stands by itself") {
  report::Report report = one_kernel();
  add_kernel(report, "near", "side by side");
  report.chapters.back().kernels.back().comes_from = "elsewhere";
  CHECK_THAT(
      climb_text(report),
      ContainsSubstring("  reduce                   tree\n  near                     side by side\n\n"));
}

TEST_CASE("the table and the climb name published bandwidths as what they are") {
  report::Report report = one_kernel();
  add_kernel(report, "faster", "less work");
  report.chapters.back().kernels.back().comes_from = "reduce";
  const report::PublishedTimes times{
      .gpu = "NVIDIA H200",
      .kernels = {{"ch01_naive", "reduce", 1u << 26, 1, 422.1}, {"ch01_naive", "faster", 1u << 26, 1, 679}}};
  CHECK_THAT(ladder_table(report, times), ContainsSubstring("H200 GB/s"));
  CHECK_THAT(ladder_table(report, times), ContainsSubstring("not measured here: NVIDIA H200"));
  CHECK_THAT(ladder_table(report), !ContainsSubstring("GB/s"));
  CHECK_THAT(climb_text(report, times), ContainsSubstring("beside reduce: H200 GB/s 422 → 679\n"));
  add_time(report, "reduce", 1000);
  add_time(report, "faster", 500);
  CHECK_THAT(climb_text(report, times), ContainsSubstring("beside reduce: GB/s 1 000 → 500\n"));
}
