// What the page is told of runs: their traces, and in lists that go with those the facts of facts.hpp. The
// page draws them and works nothing out. The facts are no part of the trace file: what writes that one
// knows no pictures, and a trace of any age has facts as they are today.

#include <algorithm>
#include <bit>
#include <iterator>
#include <tuple>

#include "../report/json_members.hpp"
#include "facts.hpp"
#include "recorded_run.hpp"
#include "tables.hpp"

namespace warpwise::print {

using report::Json;
using simulator::Trace;
using simulator::TraceAccess;
using simulator::TraceStep;

namespace {

/// Empty words and lists are left out: the page takes them for what they are.
void put(Json& object, const char* name, Json value) {
  const bool is_empty = value.is_string()    ? value.get_ref<const std::string&>().empty()
                        : value.is_boolean() ? !value.get<bool>()
                                             : value.empty();
  if (!is_empty) object[name] = std::move(value);
}

// --- Steps ------------------------------------------------------------------------------------------------

std::vector<std::string> notes_on(const TraceStep& step, const Turn& turn, const Reach& reach) {
  std::vector<std::string> notes;
  if (turn.times > 1 && turn.time > 0)
    notes.push_back(ordinal(turn.time) + " of " + std::to_string(turn.times) + " times at this line");
  if (reach.from != Reach::From::nowhere) notes.push_back(clause_of(reach));
  for (const simulator::TraceBranch& branch : step.branches)
    if (is_divergent(branch))
      notes.push_back("◇ divergent: " + plural(static_cast<unsigned>(std::popcount(branch.taken)), "lane") +
                      " jump, " + std::to_string(std::popcount(branch.active & ~branch.taken)) + " do not");
  if (step.is_arrival) notes.push_back("waits at the barrier");
  if (!step.defect.empty()) notes.push_back("✕ " + step.defect);
  return notes;
}

/// Lanes bear other numbers than their threads in all warps but the first.
std::string threads_of(const TraceStep& step) {
  std::vector<std::uint32_t> threads = lanes_of(step.lanes);
  if (step.warp == 0 || threads.size() == warp_size) return {};
  for (std::uint32_t& thread : threads) thread += warp_size * step.warp;
  return (threads.size() == 1 ? "thread " : "threads ") + listed(threads);
}

/// `words`: the first of each lane; `asked`: [word, value, whether it is part of a conflict] of each word.
Json facts_of(const Trace& trace, const TraceAccess& access) {
  const AskedMemory memory = asked_memory(trace, access);
  Json facts = {
      {"name", name_of(trace, access)}, {"sentence", cost_sentence(trace, access)}, {"rows", memory.rows}};
  if (memory.rows_left_out != 0)
    facts["rows_left_out"] =
        plural(memory.rows_left_out, "more row") + " of 32 words are touched but not drawn.";
  for (const LaneWords& want : memory.wants) facts["words"].push_back(want.word);
  for (const auto& [word, asked] : memory.words) {
    Json each = Json::array({word, access.kind == "store" ? Json() : Json(asked.value)});
    if (asked.is_conflict) each.push_back(true);
    facts["asked"].push_back(std::move(each));
  }
  return facts;
}

Json facts_of(const simulator::TraceShuffle& shuffle) {
  const std::string reach = text_of(reach_of(shuffle));
  return {{"name", reach.empty() ? "shuffle" : "shuffle " + reach}, {"sentence", sentence_of(shuffle)}};
}

bool has_data(const TraceStep& step) { return !step.accesses.empty() || !step.shuffles.empty(); }

/// Of each step the one whose data is drawn in its place: the last with data up to there, else the first of
/// all. Empty where there is none.
std::vector<std::size_t> data_steps(const std::vector<TraceStep>& steps) {
  const auto first = std::find_if(steps.begin(), steps.end(), has_data);
  if (first == steps.end()) return {};
  std::vector<std::size_t> of_each;
  auto last = static_cast<std::size_t>(first - steps.begin());
  for (std::size_t i = 0; i < steps.size(); ++i) of_each.push_back(last = has_data(steps[i]) ? i : last);
  return of_each;
}

Json steps_of(const Trace& trace, const std::vector<Turn>& turns,
              const std::map<std::size_t, std::size_t>& rows) {
  const std::vector<std::size_t> data = data_steps(trace.steps);
  Json steps = Json::array();
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const TraceStep& step = trace.steps[i];
    const Reach reach = reach_of(trace, step);
    Json facts = {{"row", rows.at(i)}};
    put(facts, "threads", threads_of(step));
    put(facts, "turn", text_of(turns[i]));
    put(facts, "reach", text_of(reach));
    put(facts, "notes", notes_on(step, turns[i], reach));
    put(facts, "meets", has_bank_conflict(step));
    put(facts, "writes", words_written(trace, step));
    if (!data.empty() && data[i] != i) facts["data"] = data[i];
    for (const TraceAccess& access : step.accesses) facts["accesses"].push_back(facts_of(trace, access));
    for (const simulator::TraceShuffle& shuffle : step.shuffles)
      facts["shuffles"].push_back(facts_of(shuffle));
    steps.push_back(std::move(facts));
  }
  return steps;
}

/// Of each mask of lanes that the page names, the lanes in words.
Json lanes_in_words(const Trace& trace) {
  Json words = Json::object();
  for (const TraceStep& step : trace.steps) words[std::to_string(step.lanes)] = listed(lanes_of(step.lanes));
  return words;
}

// --- Blocks -----------------------------------------------------------------------------------------------

/// The one reach of all the steps that have one.
std::string common_reach(const Trace& trace, const std::vector<std::size_t>& steps, std::uint32_t interval) {
  std::set<std::string> reaches;
  for (const std::size_t i : steps)
    if (trace.steps[i].interval == interval) reaches.insert(text_of(reach_of(trace, trace.steps[i])));
  reaches.erase("");
  return reaches.size() == 1 ? *reaches.begin() : "";
}

Json intervals_of(const Trace& trace, const std::vector<std::size_t>& steps, const Rows& rows) {
  Json intervals = Json::array();
  for (const auto& [number, first] : rows.first_row) {
    Json interval = {{"number", number}, {"row", first}};
    put(interval, "reach", common_reach(trace, steps, number));
    intervals.push_back(std::move(interval));
  }
  return intervals;
}

/// The results of a block. Levels of their trees are alike, mostly: each stands once, and results have their
/// indices.
Json tree_of(const report::TracedLaunch& traced, std::uint64_t block, const std::vector<Turn>& turns) {
  const Trace& trace = traced.trace;
  const std::vector<Result> results = results_of(trace, block);
  if (results.empty()) return {{"nothing", no_results_sentence(block)}};
  std::vector<TreeLevel> levels;
  const auto index_of = [&](const TreeLevel& level) {
    const auto known = std::find(levels.begin(), levels.end(), level);
    return known == levels.end() ? (levels.push_back(level), levels.size() - 1)
                                 : static_cast<std::size_t>(known - levels.begin());
  };
  Json tree = {{"largest", &largest_result(trace, results) - results.data()}};
  for (const Result& result : results) {
    const Depths depths = depths_under(trace, {result.node});
    const std::string taken_in = taken_in_sentence(trace, result);
    Json indices = Json::array();
    for (const TreeLevel& level : levels_of(trace, block, depths, turns)) indices.push_back(index_of(level));
    Json each = {{"place", result.place},
                 {"node", result.node},
                 {"value", result.value},
                 {"sentence", size_sentence(trace, depths) + (taken_in.empty() ? "" : ' ' + taken_in)},
                 {"levels", std::move(indices)}};
    for (const report::Failure& failure : traced.rejected) {
      const bool is_sum = failure.element.empty() && !failure.expected.empty() && results.size() == 1;
      if (failure.element != result.place && !is_sum) continue;
      const WrongWays ways = wrong_ways_of(trace, block, result.node);
      if (!is_sum) each["expected"] = failure.expected;
      put(each, "twice", ways.twice);
      put(each, "nobody", ways.nobody);
      put(each, "faults", sentences_of(trace, ways));
    }
    tree["results"].push_back(std::move(each));
  }
  for (const TreeLevel& level : levels) {
    Json each = {{"name", level.name}};
    put(each, "line", level.line);
    put(each, "reach", text_of(level.reach));
    tree["levels"].push_back(std::move(each));
  }
  return tree;
}

Json block_of(const report::TracedLaunch& traced, std::uint64_t number, const std::vector<std::size_t>& steps,
              const Rows& rows, const std::vector<Turn>& turns) {
  const Trace& trace = traced.trace;
  std::uint64_t busy = 0;
  for (const std::size_t i : steps) busy += static_cast<unsigned>(std::popcount(trace.steps[i].lanes));
  const std::uint64_t warps = (extent(traced.launch.report.block) + warp_size - 1) / warp_size;
  return {{"number", number},
          {"rows", rows.count},
          {"intervals", intervals_of(trace, steps, rows)},
          {"label", "Block " + std::to_string(number) + ": " + plural(steps.size(), "step") + " of " +
                        plural(warps, "warp") + ", " + plural(rows.first_row.size() - 1, "barrier") +
                        ". A filled cell is a working lane."},
          {"busy", plural(busy, "lane") + " at work in " + plural(steps.size(), "step") + " of this block."},
          {"tree", tree_of(traced, number, turns)}};
}

// --- Source lines -----------------------------------------------------------------------------------------

/// What a line cost, piece by piece, each with the class in which the page writes it.
Json costs_of(const simulator::Counters& c) {
  Json costs = Json::array();
  const auto add = [&](std::uint64_t count, const char* style, const std::string& text) {
    if (count != 0) costs.push_back({{"style", style}, {"text", text}});
  };
  add(1, "instructions", plural(c.warp_instructions, "instruction"));
  add(1, "", std::to_string(busy_percent(c)) + " % lanes busy");
  add(shared_wavefronts(c), "", plural(shared_wavefronts(c), "wavefront"));
  add(bank_conflicts(c), "conflict", "▨ " + plural(bank_conflicts(c), "bank conflict"));
  add(global_sectors(c), "", plural(global_sectors(c), "sector"));
  add(c.divergent_branches, "divergent",
      "◇ " + plural(c.divergent_branches, "divergent branch", "divergent branches"));
  add(c.block_barriers, "", plural(c.block_barriers, "barrier"));
  return costs;
}

/// The kernel's own lines of a file: those that ran, those of findings, and what stands around them.
std::set<std::uint32_t> lines_to_show(const report::TracedLaunch& traced, std::size_t source) {
  const simulator::TraceSource& file = traced.trace.sources[source];
  std::set<std::uint32_t> lines;
  const auto show_around = [&](std::uint32_t line) {
    for (std::uint32_t near = line > 3 ? line - 3 : 1; near <= line + 2 && near <= file.lines.size(); ++near)
      lines.insert(near);
  };
  for (const simulator::TraceInstruction& each : traced.trace.code)
    if (each.source == source && each.line > 0) show_around(each.line);
  for (const simulator::Finding& finding : traced.launch.report.findings)
    if (finding.file == file.file) show_around(finding.line);
  return lines;
}

Json line_of(const report::TracedLaunch& traced, const std::string& file, std::uint32_t number,
             std::uint64_t most) {
  const simulator::LaunchReport& report = traced.launch.report;
  Json line = {{"number", number}};
  for (const simulator::LineCounters& counted : report.lines) {
    if (counted.file != file || counted.line != number) continue;
    line["costs"] = costs_of(counted.counters);
    line["share"] = static_cast<double>(counted.counters.warp_instructions) / static_cast<double>(most);
  }
  for (std::size_t i = 0; i < report.findings.size(); ++i)
    if (report.findings[i].file == file && report.findings[i].line == number) line["findings"].push_back(i);
  return line;
}

/// The lines to show of each file, and the findings that stand at none of them.
std::pair<Json, Json> lines_of(const report::TracedLaunch& traced) {
  const simulator::LaunchReport& report = traced.launch.report;
  std::uint64_t most = 1;
  for (const simulator::LineCounters& line : report.lines)
    most = std::max(most, line.counters.warp_instructions);
  std::vector<bool> is_shown(report.findings.size());
  Json files = Json::array(), elsewhere = Json::array();
  for (std::size_t source = 0; source < traced.trace.sources.size(); ++source) {
    const std::string& file = traced.trace.sources[source].file;
    const std::set<std::uint32_t> numbers = lines_to_show(traced, source);
    Json lines = Json::array();
    for (const std::uint32_t number : numbers) lines.push_back(line_of(traced, file, number, most));
    files.push_back(std::move(lines));
    for (std::size_t i = 0; i < report.findings.size(); ++i)
      if (report.findings[i].file == file && numbers.contains(report.findings[i].line)) is_shown[i] = true;
  }
  for (std::size_t i = 0; i < is_shown.size(); ++i)
    if (!is_shown[i]) elsewhere.push_back(i);
  return {std::move(files), std::move(elsewhere)};
}

// --- Findings ---------------------------------------------------------------------------------------------

Json facts_of(const report::TracedLaunch& traced, const simulator::Finding& finding) {
  const Evidence evidence = evidence_of(traced, finding);
  Json facts = Json::object();
  if (evidence.step) facts["step"] = *evidence.step;
  put(facts, "sentence", evidence.sentence);
  put(facts, "last_order", evidence.last_order);
  if (evidence.sides)
    for (const RaceSide& side : {evidence.sides->first, evidence.sides->second})
      facts["sides"].push_back(
          {{"step", side.step}, {"thread", side.thread}, {"does", side.does}, {"where", side.where}});
  for (const LaneRow& row : evidence.rows)
    facts["rows"].push_back({{"warp", row.warp},
                             {"name", row.name},
                             {"lanes", row.lanes},
                             {"crossed_name", row.crossed_name},
                             {"crossed", row.crossed},
                             {"label", row.name + ": lanes " + listed(lanes_of(row.lanes)) +
                                           (row.crossed == 0 ? ""
                                                             : "; " + row.crossed_name + ": lanes " +
                                                                   listed(lanes_of(row.crossed)))}});
  return facts;
}

// --- The launch -------------------------------------------------------------------------------------------

std::string drawn_blocks(const simulator::TraceLimits& limits) {
  if (limits.first_block == 0) return "the first " + plural(limits.blocks, "block");
  return "blocks " + std::to_string(limits.first_block) + " to " +
         std::to_string(limits.first_block + limits.blocks - 1);
}

/// What is missing, in sentences.
std::vector<std::string> left_out_of(const report::TracedLaunch& traced, std::size_t longest_block) {
  const Trace& trace = traced.trace;
  std::vector<std::string> sentences;
  if (trace.blocks_left_out > 0)
    sentences.push_back("Drawn: " + drawn_blocks(trace.limits) + ". " +
                        plural(trace.blocks_left_out, "more block") + " ran as well and count in the costs.");
  if (trace.instructions_left_out > 0 && longest_block >= trace.limits.steps)
    sentences.push_back("The first " + std::to_string(trace.limits.steps) +
                        " steps of each block are drawn; later ones are not.");
  if (!trace.has_all_values) sentences.push_back("There were too many values to follow them all.");
  if (!traced.launch.report.completed)
    sentences.push_back("The launch ended early: this is what happened until then.");
  return sentences;
}

/// "warp 1, threads 32 to 63"; of warp 0, whose lanes bear the threads' numbers, "warp 0".
std::vector<std::string> warp_names(std::uint64_t threads) {
  std::vector<std::string> names = {"warp 0"};
  for (std::uint64_t first = warp_size; first < threads; first += warp_size)
    names.push_back("warp " + std::to_string(names.size()) + ", threads " + std::to_string(first) + " to " +
                    std::to_string(std::min(threads, first + warp_size) - 1));
  return names;
}

Json facts_of(const report::TracedLaunch& traced) {
  const Trace& trace = traced.trace;
  const std::vector<Turn> turns = turns_of(trace);
  std::map<std::uint64_t, std::vector<std::size_t>> steps_of_block;
  for (std::size_t i = 0; i < trace.steps.size(); ++i) steps_of_block[trace.steps[i].block].push_back(i);
  std::map<std::size_t, std::size_t> row_of;
  std::size_t longest_block = 0;
  Json blocks = Json::array(), findings = Json::array(), depths = Json::array();
  for (const auto& [block, steps] : steps_of_block) {
    const Rows rows = rows_of(trace, steps);
    row_of.insert(rows.row_of.begin(), rows.row_of.end());
    longest_block = std::max(longest_block, steps.size());
    blocks.push_back(block_of(traced, block, steps, rows, turns));
  }
  for (const simulator::Finding& finding : traced.launch.report.findings)
    findings.push_back(facts_of(traced, finding));
  std::vector<std::uint32_t> all_values(trace.values.size());
  for (std::uint32_t i = 0; i < all_values.size(); ++i) all_values[i] = i + 1;
  for (const auto& [node, depth] : depths_under(trace, all_values)) depths.push_back(depth);
  auto [lines, elsewhere] = lines_of(traced);
  return {{"title", title_of(traced.launch)},
          {"summary", "schedule " + trace.schedule + " · " +
                          plural(traced.launch.report.counters.warp_instructions, "warp instruction") +
                          " · " + plural(traced.launch.report.findings.size(), "finding")},
          {"left_out", left_out_of(traced, longest_block)},
          {"opens", usual_address(traced)},
          {"threads", extent(traced.launch.report.block)},
          {"warps", warp_names(extent(traced.launch.report.block))},
          {"lanes_in_words", lanes_in_words(trace)},
          {"steps", steps_of(trace, turns, row_of)},
          {"blocks", std::move(blocks)},
          {"depths", std::move(depths)},
          {"texts", texts_of_values(trace)},
          {"lines", std::move(lines)},
          {"findings", std::move(findings)},
          {"findings_elsewhere", std::move(elsewhere)}};
}

}  // namespace

std::string page_data(std::span<const NamedRun> runs) {
  Json data = Json::array();
  for (const NamedRun& run : runs) {
    Json facts = Json::array();
    for (const report::TracedLaunch& traced : run.traces.launches) facts.push_back(facts_of(traced));
    data.push_back(
        {{"name", run.name}, {"traces", report::value_of(run.traces)}, {"facts", std::move(facts)}});
  }
  return data.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace warpwise::print
