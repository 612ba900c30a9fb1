#pragma once
/// \file A report and a trace in which every member has a value of its own.

#include "common/report/bench_report.hpp"
#include "common/report/trace_file.hpp"

namespace warpwise::report::tests {

inline simulator::Counters all_different() {
  simulator::Counters counters;
  std::uint64_t value = 123456789012;
  for (const simulator::CounterField& field : simulator::counter_fields) counters.*field.member = value++;
  counters.thread_instructions = 20 * counters.warp_instructions;
  return counters;
}

inline simulator::Finding finding_of(simulator::FindingKind kind) {
  return {.kind = kind,
          .file = "a\\b.cu",
          .line = 14,
          .message = "thread 3 reads in[5]\n\tafter the \"end\"",
          .note = "seen twice",
          .help = "guard it",
          .source = "\tx = in[i];  // größer",
          .count = 2,
          .block = 7,
          .threads = {3, 35},
          .other_line = 9,
          .other_file = "b.cu",
          .other_source = "y = 2;"};
}

inline std::vector<simulator::Finding> one_of_each_kind() {
  std::vector<simulator::Finding> findings;
  for (const std::string_view name : simulator::finding_kind_names)
    findings.push_back(finding_of(*simulator::finding_kind_named(name)));
  return findings;
}

inline Launch example_launch() {
  return {.report = {.kernel = "reduce<256u>",
                     .grid = {2, 3, 4},
                     .block = {256, 5, 6},
                     .shared_bytes = 1024,
                     .counters = all_different(),
                     .lines = {{"a.cu", 14, all_different()}, {"a.cu", 15, {}}},
                     .findings = one_of_each_kind(),
                     .divergent_branches_by_interval = {0, 16},
                     .completed = false,
                     .seconds = 0.1},
          .is_simulated = false,
          .chapter = "ch01_naive",
          .elements = 65536,
          .remarks = "  level 1\n"};
}

inline Report example_report() {
  const Kernel kernel{.name = "reduce",
                      .technique = "a tree",
                      .task = "sum",
                      .is_exercise = false,
                      .is_step = true,
                      .comes_from = "reduce_before",
                      .bytes_per_element = 4.5,
                      .is_untouched = true,
                      .problem = "too much shared memory",
                      .family = {"reduce", "reduce_64"}};
  const Failure failure{.test_case = "reduce: safety",
                        .sentence = "race",
                        .findings = one_of_each_kind(),
                        .is_broken = true,
                        .is_out_of_memory = true,
                        .lines = {{"a.cu", 14, "x = 1;", "16 of the 20"}, {}},
                        .n = 33,
                        .block = 64,
                        .schedule = "split:3",
                        .launch = 17,
                        .element = "out[1]",
                        .found = "5",
                        .expected = "9"};
  Report report;
  report.chapters = {{.name = "ch01_naive",
                      .title = "A tree",
                      .source = "/a/exercise.cu",
                      .gpu = "NVIDIA H200",
                      .kernels = {kernel, {}}},
                     {}};
  report.launches = {example_launch(), {}};
  report.verdicts = {{"reduce", Aspect::safety, Outcome::failed, {failure, {}}, "ch01_naive"},
                     {"reduce", Aspect::technique, Outcome::passed, {}, "ch01_naive"},
                     {}};
  return report;
}

/// A trace in which every member has a value that is not its default.
inline TraceFile example_traces() {
  simulator::Trace trace;
  trace.limits = {1, 2, 3, 9};
  trace.schedule = "split:7";
  trace.blocks_left_out = 4;
  trace.instructions_left_out = 5;
  trace.has_all_values = false;
  trace.sources = {{"a.cu", {"first", "größer"}}};
  trace.code = {{"ld.shared.f32 %f1, [%r1];", 0, 14}};
  trace.arrays = {{"partial", true, 128, 256, 4}};
  simulator::TraceStep step{1, 2, 3, 0xf0f0f0f0, 0, 0, {}, {}, {}, 0x3, true, "sync"};
  step.accesses = {
      {0, "atomic", 0, 0x3, 4, 1, {-4, 8}, {"1", "unwritten"}, {"2", "3"}, {1, 0}, 2, 1, 3, true}};
  step.branches = {{0, 0xffffffff, 0x1}};
  step.shuffles = {{0, 0x3, {1, 0}, {"5", "6"}, {0, 1}}};
  trace.steps = {step};
  trace.barriers = {{1, 2, 1, {0xffffffff, 0xffff}}};
  trace.values = {{"in[5]", {}, 1, 33, 0}, {"add", {1, 1}, 1, 33, 0}};
  TraceFile traces;
  traces.launches_left_out = 6;
  const Report report = example_report();
  traces.launches = {{report.launches.at(0), trace, {report.verdicts.at(0).failures.at(0)}}};
  return traces;
}

/// One of everything, with those members alone that are always written.
inline TraceFile bare_traces() {
  TraceFile traces;
  simulator::Trace& trace = traces.launches.emplace_back().trace;
  trace.sources.emplace_back();
  trace.code.emplace_back();
  trace.arrays.emplace_back();
  trace.steps.resize(2);  // the second has nothing in it
  trace.steps[0].accesses.emplace_back().kind = "load";
  trace.steps[0].branches.emplace_back();
  trace.steps[0].shuffles.emplace_back();
  trace.barriers.emplace_back();
  trace.values.emplace_back();
  return traces;
}

// --- A kernel that was timed beside CUB -------------------------------------------------------------------

inline Median about(double value) { return {value, value * 0.99, value * 1.01}; }

inline BenchRow row(unsigned n, double ours, double cub) {
  return {n, 0, 4.0 * n, 30, about(ours), about(cub), about(ours / cub), about(0.25)};
}

inline BenchKernel kernel_with_rows() {
  BenchKernel kernel{"ch05_shuffle", "reduce", "cub::Sum", "", BenchVerdict::right, "", {}};
  for (unsigned log = 10; log < 14; ++log) kernel.rows.push_back(row(1U << log, 0.002, 0.004));
  return kernel;
}

inline BenchReport bench_of(const BenchKernel& kernel) {
  return {.command = "bench", .machine = {"Fake GPU", "13.0", "13.0", 1, 1e12, 9e11, 0}, .kernels = {kernel}};
}

}  // namespace warpwise::report::tests
