#pragma once
/// \file What each struct of a trace consists of, by its names in JSON, as members.hpp says it of reports.

#include "members.hpp"
#include "trace.hpp"

namespace warpwise::report {

void describe(auto& members, Is<simulator::TraceLimits> auto& limits) {
  members("blocks", limits.blocks);
  members("steps", limits.steps);
  members("values", limits.values);
}

void describe(auto& members, Is<simulator::TraceSource> auto& source) {
  members("file", source.file);
  members("lines", source.lines);
}

void describe(auto& members, Is<simulator::TraceInstruction> auto& instruction) {
  members("text", instruction.text);
  members("source", instruction.source);
  members("line", instruction.line);
}

void describe(auto& members, Is<simulator::TraceArray> auto& array) {
  members("name", array.name);
  members("shared", array.is_shared);
  members("start", array.start);
  members("bytes", array.bytes);
  members("element_bytes", array.element_bytes);
}

void describe(auto& members, Is<simulator::TraceAccess> auto& access) {
  members("instruction", access.instruction);
  members("kind", access.kind);
  members("array", access.array);
  members("lanes", access.lanes);
  members("element_bytes", access.element_bytes);
  members("elements", access.elements);
  members("offsets", access.offsets);
  members("values", access.values);
  members("nodes", access.nodes);
  members.optional("after", access.after);
  members.optional("wavefronts", access.wavefronts);
  members.optional("bank_conflicts", access.bank_conflicts);
  members.optional("sectors", access.sectors);
  members.optional("continued", access.is_continued);
}

void describe(auto& members, Is<simulator::TraceBranch> auto& branch) {
  members("instruction", branch.instruction);
  members("active", branch.active);
  members("taken", branch.taken);
}

void describe(auto& members, Is<simulator::TraceShuffle> auto& shuffle) {
  members("instruction", shuffle.instruction);
  members("lanes", shuffle.lanes);
  members("from", shuffle.from);
  members("values", shuffle.values);
  members("nodes", shuffle.nodes);
}

void describe(auto& members, Is<simulator::TraceStep> auto& step) {
  members("block", step.block);
  members("warp", step.warp);
  members("interval", step.interval);
  members("lanes", step.lanes);
  members("first", step.first);
  members("last", step.last);
  members.optional("accesses", step.accesses);
  members.optional("branches", step.branches);
  members.optional("shuffles", step.shuffles);
  members.optional("met", step.met);
  members.optional("arrival", step.is_arrival);
  members.optional("defect", step.defect);
}

void describe(auto& members, Is<simulator::TraceBarrier> auto& barrier) {
  members("block", barrier.block);
  members("number", barrier.number);
  members("after", barrier.after);
  members("lanes", barrier.lanes);
}

void describe(auto& members, Is<simulator::TraceValue> auto& value) {
  members("name", value.name);
  members.optional("from", value.from);
  members("block", value.block);
  members("thread", value.thread);
  members("step", value.step);
}

void describe(auto& members, Is<TracedLaunch> auto& traced) {
  auto& trace = traced.trace;
  members("launch", traced.launch);
  members("schedule", trace.schedule);
  members("limits", trace.limits);
  members("blocks_left_out", trace.blocks_left_out);
  members("instructions_left_out", trace.instructions_left_out);
  members("all_values", trace.has_all_values);
  members("sources", trace.sources);
  members("code", trace.code);
  members("arrays", trace.arrays);
  members("steps", trace.steps);
  members("barriers", trace.barriers);
  members("values", trace.values);
}

void describe(auto& members, Is<TraceFile> auto& traces) {
  members("version", traces.version);
  members("launches_left_out", traces.launches_left_out);
  members("launches", traces.launches);
}

}  // namespace warpwise::report
