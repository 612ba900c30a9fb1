#pragma once
/// \file What each struct of a document consists of: its members by their names in JSON, and what they mean
/// to the reader of the file. These lists are the only ones: writing, reading (json_members.hpp) and the
/// schemas in docs/ (tests/schema_test.cpp) go through them.
///
/// `members.object(name, meaning)` comes first; `members(name, value, meaning)` is always there,
/// `members.optional` where it is not empty. A Range or Words after the meaning says what values a member
/// has beyond its type.

#include <concepts>
#include <initializer_list>
#include <string_view>
#include <type_traits>

#include "trace_file.hpp"

namespace warpwise::report {

template <class T, class U>
concept Is = std::is_same_v<std::remove_const_t<T>, U>;

/// The least and the most that a number can be; of the version both are the one that this Warpwise writes.
struct Range {
  double least = 0, most = 0;
};
/// What a text can be.
using Words = std::initializer_list<std::string_view>;

// --- Reports ----------------------------------------------------------------------------------------------

void describe(auto& members, Is<simulator::Finding> auto& finding) {
  members.object("finding", "One defect: a kind at a source line.");
  members("kind", finding.kind);
  members("file", finding.file, "empty where the line is not known");
  members("line", finding.line, "0 where it is not known");
  members("message", finding.message, "what happened");
  members("note", finding.note, "why that is wrong, how often it was seen, and where first");
  members("help", finding.help, "how to mend it");
  members("source", finding.source, "the text of the line");
  members("count", finding.count, "how often it happened in this launch");
  members("block", finding.block, "the first one, linear");
  members("threads", finding.threads, "the first ones, linear in the block");
  members.optional("other_file", finding.other_file, "the other side of a race, the other barrier");
  members.optional("other_line", finding.other_line);
  members.optional("other_source", finding.other_source, "the text of that line");
  members.optional("follows", finding.follows, "another finding, earlier in the launch, explains it");
}

void describe(auto& members, Is<simulator::LineCounters> auto& line) {
  members.object("line", "What a source line cost in the whole launch.");
  members("file", line.file);
  members("line", line.line);
  members("counters", line.counters);
}

void describe(auto& members, Is<Launch> auto& launch) {
  members.object("launch", "One launch. Of one on a GPU only kernel, shape and seconds are known.");
  members("kernel", launch.report.kernel, "as the source names it: `reduce<256u>`");
  members.choice("device", launch.is_simulated, "sim", "gpu");
  members("grid", launch.report.grid);
  members("block", launch.report.block);
  members("shared_bytes", launch.report.shared_bytes, "a block, static and dynamic");
  members("completed", launch.report.completed,
          "false: it never started, was ended early, or had a memory fault");
  members("seconds", launch.report.seconds, "of the host for a simulated launch");
  members("counters", launch.report.counters);
  members("divergent_branches_by_interval", launch.report.divergent_branches_by_interval,
          "between one block barrier and the next, summed over blocks");
  members("lines", launch.report.lines);
  members("findings", launch.report.findings);
  members.optional("chapter", launch.chapter);
  members.optional("elements", launch.elements, "that the kernel was given");
  members.optional("remarks", launch.remarks, "lines that the chapter shows below the counters");
}

void describe(auto& members, Is<LineShare> auto& line) {
  members.object("line_share", "A source line, and what it has to do with a failure.");
  members("file", line.file);
  members("line", line.line);
  members("source", line.source, "the text of the line");
  members("share", line.share, "16 of the 20: how much it takes of what is too much; or: writes results");
}

void describe(auto& members, Is<Failure> auto& failure) {
  members.object("failure", "A failed test case.");
  members("test", failure.test_case);
  members("message", failure.sentence);
  members("findings", failure.findings);
  members.optional("lines", failure.lines, "where to look; the lines that have most to do with it first");
  members.optional("broken", failure.is_broken, "the check itself broke off: it says nothing of the kernel");
  members.optional("out_of_memory", failure.is_out_of_memory,
                   "that is what it broke off for: the kernel may have eaten all memory");
  members.optional("n", failure.n,
                   "elements of the last launch before the failure; left out where nobody said");
  members.optional("block", failure.block, "its threads a block");
  members.optional("schedule", failure.schedule, "its schedule, such as split:3");
  members.optional("launch", failure.launch,
                   "which of the test's launches on the simulated GPU it is, from 1");
  members.optional("element", failure.element, "the first that is wrong: out[1]");
  members.optional("found", failure.found, "what it holds; left out where nothing was written");
  members.optional("expected", failure.expected, "what it ought to hold");
}

void describe(auto& members, Is<Proofs> auto& proofs) {
  members.object("proofs", "How a right result has been shown.");
  members.optional("proved_at", proofs.proved_at, "sizes at which it is right for every value");
  members.optional("tried_at", proofs.tried_at, "sizes at which it is right for the values that were tried");
  members.optional("why_tried", proofs.why_tried, "what hindered a proof first");
}

void describe(auto& members, Is<Verdict> auto& verdict) {
  members.object("check", "One aspect of one kernel: failed if any of its test cases did.");
  members("chapter", verdict.chapter);
  members("kernel", verdict.kernel);
  members("aspect", verdict.aspect);
  members("outcome", verdict.outcome);
  members("failures", verdict.failures);
  members.optional("proofs", verdict.proofs, "of a result");
}

void describe(auto& members, Is<Kernel> auto& kernel) {
  members.object("kernel", "A kernel of a chapter: what is asked of it, and how it stands.");
  members("name", kernel.name);
  members("technique", kernel.technique);
  members("task", kernel.task, "what it must do");
  members("exercise", kernel.is_exercise, "to be written by the student; false: given");
  members("step", kernel.is_step, "a step of the ladder that `tour` shows");
  members.optional("comes_from", kernel.comes_from,
                   "the kernel, another step of the ladder, that this one is compared with");
  members("bytes_per_element", kernel.bytes_per_element, "of global memory, read or written");
  members("untouched", kernel.is_untouched, "it writes nothing yet");
  members.optional("problem", kernel.problem, "why there is no launch of it, or no time");
  members.optional("family", kernel.family,
                   "kernels that are judged together under this name, itself among them");
}

void describe(auto& members, Is<Chapter> auto& chapter) {
  members.object("chapter");
  members("name", chapter.name);
  members("title", chapter.title);
  members.optional("source", chapter.source, "the .cu file that was run");
  members.optional("gpu", chapter.gpu, "on which results were checked as well");
  members("kernels", chapter.kernels);
}

// --- Times that come with the course ----------------------------------------------------------------------

void describe(auto& members, Is<KernelTime> auto& time) {
  members("chapter", time.chapter);
  members("kernel", time.kernel);
  members("elements", time.elements);
  members("milliseconds", time.milliseconds);
  members("gigabytes_per_second", time.gigabytes);
}

void describe(auto& members, Is<PublishedTimes> auto& times) {
  members("version", times.version);
  members("gpu", times.gpu);
  members("kernels", times.kernels);
}

void describe(auto& members, Is<Report> auto& report) {
  members.object(
      "report",
      "Launches with their counters and findings, in the order in which they ran; chapters and checks of "
      "`tour` and `run`. Counters are numbers of PTX warp instructions unless their names say otherwise.");
  members("version", report.version, "of this form; it changes when a member goes or gets another meaning",
          Range{current_version, current_version});
  members("chapters", report.chapters, "none in a report of `exec`");
  members("launches", report.launches);
  members("checks", report.verdicts);
}

// --- Traces -----------------------------------------------------------------------------------------------

void describe(auto& members, Is<simulator::TraceLimits> auto& limits) {
  members.object("limits", "What bounds the trace.");
  members.optional("first_block", limits.first_block, "of the grid; left out where it is block 0");
  members("blocks", limits.blocks, "so many blocks from there");
  members("steps", limits.steps, "of each block");
  members("values", limits.values, "of the launch");
}

void describe(auto& members, Is<simulator::TraceSource> auto& source) {
  members.object("source", "A source file of the kernel, as it was when the trace was made.");
  members("file", source.file, "as in findings; empty where the module has no line information");
  members("lines", source.lines, "the first is line 1; empty where the file cannot be read");
}

void describe(auto& members, Is<simulator::TraceInstruction> auto& instruction) {
  members.object("instruction", "A PTX instruction that a step executed.");
  members("text", instruction.text,
          "as the compiler wrote it; a label is the index of an instruction of the function");
  members("source", instruction.source, "index into `sources`");
  members("line", instruction.line, "0: unknown");
}

void describe(auto& members, Is<simulator::TraceArray> auto& array) {
  members.object("array", "A variable of shared memory, or an allocation of global memory that was touched.");
  members("name", array.name, "as in findings");
  members("shared", array.is_shared, "of a block; else in global memory");
  members("start", array.start,
          "shared: bytes from the start of shared memory, whose word w lies in bank w mod 32; global: 0");
  members("bytes", array.bytes, "its size");
  members("element_bytes", array.element_bytes, "of one element");
}

inline constexpr const char* nodes_meaning =
    "the values' places in `values`, counted from 1; 0: not followed; of an atomic, those of the values that "
    "its lanes leave";

void describe(auto& members, Is<simulator::TraceAccess> auto& access) {
  members.object(
      "access",
      "A memory instruction. `offsets` has an entry for each lane of `lanes`, ascending; `values` and "
      "`nodes` one for each element of each lane.");
  members("instruction", access.instruction, "index into `code`");
  members("kind", access.kind, "what it does", Words{"load", "store", "atomic", "reduction"});
  members("array", access.array, "index into `arrays`");
  members("lanes", access.lanes, "lanes whose address was good; bit i stands for lane i");
  members("element_bytes", access.element_bytes, "of one element", Range{1, 4294967295});
  members("elements", access.elements, "of a lane", Range{1, 4294967295});
  members("offsets", access.offsets, "bytes from the start of the array");
  members(
      "values", access.values,
      "what was read or is written; of an atomic, what was there before the instruction; `unwritten` where "
      "it has never been written");
  members("nodes", access.nodes, nodes_meaning);
  members.optional("after", access.after, "of an atomic: what is there after the instruction");
  members.optional("wavefronts", access.wavefronts, "of shared memory");
  members.optional("bank_conflicts", access.bank_conflicts, "of shared memory");
  members.optional("sectors", access.sectors, "of global memory");
  members.optional("continued", access.is_continued,
                   "the same request as the access before it, in another array; the costs stand there");
}

void describe(auto& members, Is<simulator::TraceBranch> auto& branch) {
  members.object("branch", "A branch with a guard.");
  members("instruction", branch.instruction, "index into `code`");
  members("active", branch.active, "lanes that came; bit i stands for lane i");
  members("taken", branch.taken, "lanes that jumped; bit i stands for lane i");
}

void describe(auto& members, Is<simulator::TraceShuffle> auto& shuffle) {
  members.object("shuffle", "Who got whose value: an entry for each lane of `lanes`, ascending.");
  members("instruction", shuffle.instruction, "index into `code`");
  members("lanes", shuffle.lanes, "lanes that took part; bit i stands for lane i");
  members("from", shuffle.from, "the lane whose value it got", Range{0, 31});
  members("values", shuffle.values, "the value");
  members("nodes", shuffle.nodes, nodes_meaning);
}

void describe(auto& members, Is<simulator::TraceStep> auto& step) {
  members.object("step", "One source line, as far as one group of lanes executed it in one go.");
  members("block", step.block, "linear in the grid");
  members("warp", step.warp, "of the block");
  members("interval", step.interval, "block barriers that the block has passed");
  members("lanes", step.lanes, "lanes that executed it; bit i stands for lane i");
  members("first", step.first, "first instruction, an index into `code`");
  members("last", step.last, "last instruction, included");
  members.optional("accesses", step.accesses, "of shared and global memory, in their order");
  members.optional("branches", step.branches, "in their order");
  members.optional("shuffles", step.shuffles, "in their order");
  members.optional("met", step.met,
                   "lanes that met at an instruction of the warp (`*.sync`); bit i stands for lane i");
  members.optional("arrival", step.is_arrival, "the lanes have arrived at a block barrier");
  members.optional(
      "defect", step.defect,
      "what was found here, a kind of finding; at a barrier that threads skip, of those that wait");
}

void describe(auto& members, Is<simulator::TraceBarrier> auto& barrier) {
  members.object("barrier", "A block barrier opened.");
  members("block", barrier.block, "linear in the grid");
  members("number", barrier.number, "of the barrier", Range{0, 15});
  members("after", barrier.after, "steps that were recorded before");
  members("lanes", barrier.lanes, "a mask for each warp of the block");
}

void describe(auto& members, Is<simulator::TraceValue> auto& value) {
  members.object("value",
                 "An element that was read from memory, or what an instruction made of several values.");
  members("name", value.name, "`in[5]`, or the instruction's opcode");
  members.optional("from", value.from, "what it was made of: places in `values`, counted from 1",
                   Range{1, 4294967295});
  members("block", value.block, "where it was made or first read");
  members("thread", value.thread, "linear in the block");
  members("step", value.step, "index into `steps`");
}

void describe(auto& members, Is<TracedLaunch> auto& traced) {
  auto& trace = traced.trace;
  members.object(
      "traced_launch",
      "A launch and its steps, in the order in which they were simulated. It is an order that CUDA allows, "
      "and it is not time.");
  members("launch", traced.launch);
  members.optional("rejected", traced.rejected, "why a check rejects it, without its findings: none, or one");
  members("schedule", trace.schedule, "converged, lockstep or split:SEED");
  members("limits", trace.limits);
  members("blocks_left_out", trace.blocks_left_out, "blocks of the grid that no step tells of");
  members("instructions_left_out", trace.instructions_left_out,
          "warp instructions of the launch that no step tells of");
  members("all_values", trace.has_all_values, "false: there were more values than `limits.values`");
  members("sources", trace.sources, "of the code that ran");
  members("code", trace.code, "what ran, in the order of the program");
  members("arrays", trace.arrays, "of shared memory, then of global memory");
  members("steps", trace.steps, "those of a block and warp follow each other");
  members("barriers", trace.barriers, "in their order");
  members("values", trace.values, "which value was made of which");
}

void describe(auto& members, Is<TraceFile> auto& traces) {
  members.object(
      "trace",
      "What the lanes of launches did, step by step (`--trace` of `./warpwise run` and `exec`). Counters and "
      "findings are those of each launch's report.");
  members("version", traces.version, "of this format", Range{current_trace_version, current_trace_version});
  members("launches_left_out", traces.launches_left_out, "launches after those that were recorded");
  members("launches", traces.launches, "in the order in which they ran");
}

}  // namespace warpwise::report
