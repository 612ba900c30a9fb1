#pragma once
/// \file What each struct of a report consists of, by its names in JSON: the writer and the reader both go
/// through these lists. `members(name, value)` is always there, `members.optional(name, value)` where it is
/// not empty.

#include <type_traits>

#include "report.hpp"

namespace warpwise::report {

template <class T, class U>
concept Is = std::is_same_v<std::remove_const_t<T>, U>;

void describe(auto& members, Is<simulator::Finding> auto& finding) {
  members("kind", finding.kind);
  members("file", finding.file);
  members("line", finding.line);
  members("message", finding.message);
  members("note", finding.note);
  members("help", finding.help);
  members("source", finding.source);
  members("count", finding.count);
  members("block", finding.block);
  members("threads", finding.threads);
  members.optional("other_file", finding.other_file);
  members.optional("other_line", finding.other_line);
  members.optional("other_source", finding.other_source);
}

void describe(auto& members, Is<simulator::LineCounters> auto& line) {
  members("file", line.file);
  members("line", line.line);
  members("counters", line.counters);
}

void describe(auto& members, Is<Launch> auto& launch) {
  members("kernel", launch.report.kernel);
  members.choice("device", launch.is_simulated, "sim", "gpu");
  members("grid", launch.report.grid);
  members("block", launch.report.block);
  members("shared_bytes", launch.report.shared_bytes);
  members("completed", launch.report.completed);
  members("seconds", launch.report.seconds);
  members("counters", launch.report.counters);
  members("divergent_branches_by_interval", launch.report.divergent_branches_by_interval);
  members("lines", launch.report.lines);
  members("findings", launch.report.findings);
  members.optional("chapter", launch.chapter);
  members.optional("elements", launch.elements);
  members.optional("remarks", launch.remarks);
}

void describe(auto& members, Is<LineShare> auto& line) {
  members("file", line.file);
  members("line", line.line);
  members("source", line.source);
  members("share", line.share);
}

void describe(auto& members, Is<Failure> auto& failure) {
  members("test", failure.test_case);
  members("message", failure.sentence);
  members("findings", failure.findings);
  members.optional("lines", failure.lines);
  members.optional("broken", failure.is_broken);
  members.optional("out_of_memory", failure.is_out_of_memory);
  members.optional("n", failure.n);
  members.optional("block", failure.block);
  members.optional("schedule", failure.schedule);
}

void describe(auto& members, Is<Verdict> auto& verdict) {
  members("chapter", verdict.chapter);
  members("kernel", verdict.kernel);
  members("aspect", verdict.aspect);
  members("outcome", verdict.outcome);
  members("failures", verdict.failures);
}

void describe(auto& members, Is<Kernel> auto& kernel) {
  members("name", kernel.name);
  members("technique", kernel.technique);
  members("task", kernel.task);
  members("exercise", kernel.is_exercise);
  members("rung", kernel.is_rung);
  members.optional("comes_from", kernel.comes_from);
  members("bytes_per_element", kernel.bytes_per_element);
  members("untouched", kernel.is_untouched);
  members.optional("problem", kernel.problem);
  members.optional("family", kernel.family);
}

void describe(auto& members, Is<Chapter> auto& chapter) {
  members("name", chapter.name);
  members("title", chapter.title);
  members.optional("source", chapter.source);
  members.optional("gpu", chapter.gpu);
  members("kernels", chapter.kernels);
}

void describe(auto& members, Is<Report> auto& report) {
  members("version", report.version);
  members("chapters", report.chapters);
  members("launches", report.launches);
  members("checks", report.verdicts);
}

}  // namespace warpwise::report
