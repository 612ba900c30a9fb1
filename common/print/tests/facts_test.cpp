#include "common/print/facts.hpp"

#include "common/print/recorded_run.hpp"
#include "common/testing/catch.hpp"

using namespace warpwise;
using simulator::Trace;
using simulator::TraceAccess;
using simulator::TraceShuffle;
using simulator::TraceStep;

namespace {

/// Line 5 is two parts of the program, a condition and what stands behind it.
Trace loop_of(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& parts_and_lanes) {
  Trace trace;
  trace.sources = {{"a.cu", {}}};
  trace.code = {{"setp", 0, 5}, {"ld", 0, 5}};
  for (const auto& [part, lanes] : parts_and_lanes) {
    TraceStep& step = trace.steps.emplace_back();
    step.first = step.last = part;
    step.lanes = lanes;
  }
  return trace;
}

std::string turns_text(const Trace& trace) {
  std::string text;
  for (const print::Turn& turn : print::turns_of(trace)) text += print::text_of(turn) + ";";
  return text;
}

TraceAccess load(std::uint32_t array, std::vector<std::int64_t> offsets) {
  TraceAccess access;
  access.kind = "load";
  access.array = array;
  access.lanes = (1u << offsets.size()) - 1;
  access.offsets = std::move(offsets);
  return access;
}

/// Array 0 is global, array 1 shared; the step is warp 1's.
std::string reach(std::vector<TraceAccess> accesses, std::vector<TraceShuffle> shuffles = {}) {
  Trace trace;
  trace.arrays = {{"in", false, 0, 4096, 4}, {"partial", true, 0, 4096, 4}};
  TraceStep step;
  step.warp = 1;
  step.accesses = std::move(accesses);
  step.shuffles = std::move(shuffles);
  return print::text_of(print::reach_of(trace, step));
}

TraceShuffle shuffle(std::uint32_t lanes, std::vector<std::uint32_t> from) {
  TraceShuffle each;
  each.lanes = lanes;
  each.from = std::move(from);
  return each;
}

}  // namespace

TEST_CASE("a time is that of the lanes, whatever else the line does") {
  // Rounds of a tree: fewer and fewer lanes come behind the condition.
  CHECK(turns_text(loop_of({{0, 0xf}, {1, 0xf}, {0, 0xf}, {1, 0x5}, {0, 0xf}, {1, 0x1}})) ==
        "1st;1st;2nd;2nd;3rd;3rd;");
  CHECK(turns_text(loop_of({{0, 0xf}, {1, 0xf}})) == ";;");
  // Two sides of a branch come by one after the other.
  CHECK(turns_text(loop_of({{0, 0x3}, {0, 0xc}, {0, 0x3}, {0, 0xc}})) == "1st;1st;2nd;2nd;");
  // Lanes that have come by differently often have no time in common.
  CHECK(turns_text(loop_of({{1, 0x1}, {1, 0x3}})) == "1st;;");
}

TEST_CASE("times are spelled as one says them") {
  std::string text;
  for (const std::uint32_t time : {1u, 2u, 3u, 4u, 11u, 12u, 13u, 21u, 22u, 111u})
    text += print::text_of({time, 200}) + " ";
  CHECK(text == "1st 2nd 3rd 4th 11th 12th 13th 21st 22nd 111th ");
}

TEST_CASE("a stride is what two reads lie apart") {
  CHECK(reach({load(1, {0, 32}), load(1, {16, 48})}) == "4 apart");
  CHECK(reach({load(1, {16, 48}), load(1, {0, 32})}) == "4 apart");
  CHECK(reach({load(1, {0, 32}), load(1, {16, 52})}).empty());
  CHECK(reach({load(1, {0, 32}), load(1, {16, 48}), load(1, {32, 64})}).empty());
  CHECK(reach({load(0, {0, 4}), load(1, {128, 132})}).empty());
}

TEST_CASE("one read is told by its thread's number, if two threads or more agree") {
  CHECK(reach({load(1, {4 * 36, 4 * 37})}) == "tid+4");
  CHECK(reach({load(1, {4 * 31, 4 * 32})}) == "tid-1");
  CHECK(reach({load(1, {4 * 32, 4 * 33})}).empty());
  CHECK(reach({load(1, {4 * 36})}).empty());
  CHECK(reach({load(0, {4 * 36, 4 * 37})}).empty());
}

TEST_CASE("a shuffle is told by where the values come from") {
  CHECK(reach({}, {shuffle(0xf, {2, 3, 2, 3})}) == "lane+2");
  CHECK(reach({}, {shuffle(0xf, {0, 0, 1, 2})}) == "lane-1");
  CHECK(reach({}, {shuffle(0xf, {1, 0, 3, 2})}) == "lane^1");
  CHECK(reach({}, {shuffle(0xf, {3, 3, 3, 3})}) == "lane 3");
  CHECK(reach({}, {shuffle(0xf, {0, 1, 2, 3})}).empty());
  CHECK(reach({}, {shuffle(0xf, {3, 2, 0, 1})}).empty());
}

TEST_CASE("a reach is also said as a clause") {
  using From = print::Reach::From;
  CHECK(print::clause_of({From::pair, 4}) == "reads two elements 4 apart");
  CHECK(print::clause_of({From::thread, -1}) == "reads shared memory at [thread - 1]");
  CHECK(print::clause_of({From::lane, 16}) == "takes the value of lane + 16");
  CHECK(print::clause_of({From::flip, 1}) == "takes the value of lane ^ 1");
  CHECK(print::clause_of({From::one, 0}) == "takes the value of lane 0");
  CHECK(print::clause_of({}).empty());
}

TEST_CASE("a result is every element that a lane stores, not the first of them alone") {
  Trace trace;
  trace.arrays = {{"out", false, 0, 64, 4}};
  trace.values = {{"in[0]", {}, 0, 0, 0}, {"add", {1, 1}, 0, 0, 0}, {"add", {2, 1}, 0, 0, 0}};
  TraceAccess& access = trace.steps.emplace_back().accesses.emplace_back();
  access.kind = "store";
  access.lanes = 1;
  access.elements = 2;
  access.offsets = {8};
  access.values = {"5", "6"};
  access.nodes = {2, 3};
  const std::vector<print::Result> results = print::results_of(trace, 0);
  REQUIRE(results.size() == 2);
  CHECK((results[0].place == "out[2]" && results[0].node == 2 && results[0].value == "5"));
  CHECK((results[1].place == "out[3]" && results[1].node == 3 && results[1].value == "6"));
  CHECK(print::largest_result(trace, results).place == "out[3]");
  CHECK(print::size_sentence(trace, print::depths_under(trace, {3})) ==
        "1 value read, 2 operations, depth 2.");
  CHECK(print::results_of(trace, 1).empty());
}

TEST_CASE("what a kernel reads again was on its way to a result, unless it is all that there is") {
  Trace trace;
  trace.arrays = {{"values", false, 0, 64, 4}};
  trace.values = {{"values[0]", {}, 0, 0, 0}, {"add", {1, 1}, 0, 0, 0}};
  const auto access = [&](const char* kind, std::int64_t offset, std::uint64_t block = 0) {
    TraceStep& step = trace.steps.emplace_back();
    step.block = block;
    step.accesses = {load(0, {offset})};
    step.accesses[0].kind = kind;
    step.accesses[0].values = {"2"};
    step.accesses[0].nodes = {2};
  };
  const auto places = [&] {
    std::string text;
    for (const print::Result& result : print::results_of(trace, 0)) text += result.place + ";";
    return text;
  };
  access("store", 0);
  access("store", 4);
  CHECK(places() == "values[0];values[1];");
  access("load", 4, 1);  // another block's word counts as well
  CHECK(places() == "values[0];");
  access("load", 0);
  CHECK(places() == "values[0];values[1];");
  access("store", 4);
  CHECK(places() == "values[1];");
}

TEST_CASE("a wrong result shows what counts twice, and what nobody takes in; the page opens there") {
  report::TracedLaunch traced;
  Trace& trace = traced.trace;
  trace.sources = {{"a.cu", {"x"}}};
  trace.code = {{"add", 0, 1}};
  trace.arrays = {{"out", false, 0, 8, 4}};
  // (in[0] + in[1]) + in[1]; thread 1 has added up in[2] and in[3], and has read in[4].
  trace.values = {{"in[0]", {}, 0, 0, 0},   {"in[1]", {}, 0, 0, 0}, {"add", {1, 2}, 0, 0, 0},
                  {"add", {3, 2}, 0, 0, 0}, {"in[2]", {}, 0, 1, 0}, {"in[3]", {}, 0, 1, 0},
                  {"add", {5, 6}, 0, 1, 0}, {"in[4]", {}, 0, 1, 0}};
  TraceStep& step = trace.steps.emplace_back();
  step.lanes = 1;
  TraceAccess& store = step.accesses.emplace_back(load(0, {4}));
  store.kind = "store";
  store.values = {"9"};
  store.nodes = {4};
  const print::WrongWays ways = print::wrong_ways_of(trace, 0, 4);
  CHECK(ways.twice == std::vector<std::uint32_t>{2});
  CHECK(ways.nobody == std::vector<std::uint32_t>{7, 8});
  CHECK(print::sentences_of(trace, ways) ==
        std::vector<std::string>{"in[1] counts twice.", "thread 1 has a value that goes into no result.",
                                 "in[4] is read, and goes into no result."});
  CHECK(print::texts_of_values(trace)[3] == "9");
  CHECK(print::usual_address(traced) == "step=0&view=tree&root=out[1]");
  step.branches = {{0, 3, 1}};
  CHECK(print::usual_address(traced) == "step=0&view=when");  // of a right one what it costs
  traced.rejected.emplace_back().element = "out[1]";
  CHECK(print::usual_address(traced) == "step=0&view=tree&root=out[1]");
}

TEST_CASE("atomics of one word are counted one after the other, but ask for the sectors that are drawn") {
  Trace trace;
  trace.arrays = {{"bins", false, 0, 4096, 4}};
  TraceAccess access = load(0, {0, 0, 0, 64});
  access.kind = "reduction";
  access.sectors = 4;
  CHECK(
      print::cost_sentence(trace, access) ==
      "4 lanes ask for 2 sectors of 32 bytes; those with one word go one after the other, which counts as 4 "
      "sectors.");
  access.offsets = {0, 4, 8, 64};
  access.sectors = 2;
  CHECK(print::cost_sentence(trace, access) == "4 lanes ask for 2 sectors of 32 bytes.");
}

namespace {

constexpr std::uint32_t even = 0x55555555, all = 0xffffffff;

/// A block of 64 threads; line 1 is an `if`, line 2 the barrier in it, at which the even lanes of both warps
/// wait.
report::TracedLaunch barrier_in_branch() {
  report::TracedLaunch traced;
  traced.launch.report.block = {64, 1, 1};
  Trace& trace = traced.trace;
  trace.sources = {{"k.cu", {"if (x)", "__syncthreads();"}}};
  trace.code = {{"bra", 0, 1}, {"bar.sync 0;", 0, 2}};
  trace.arrays = {{"s", true, 0, 256, 4}};
  for (const std::uint32_t warp : {0u, 1u})
    for (const std::uint32_t part : {0u, 1u}) {
      TraceStep& step = trace.steps.emplace_back();
      step.warp = warp;
      step.first = step.last = part;
      step.lanes = part == 0 ? all : even;
      step.is_arrival = part == 1;
    }
  trace.steps[1].defect = "barrier";
  trace.barriers = {{0, 0, 4, {even, even}}};
  return traced;
}

simulator::Finding finding(simulator::FindingKind kind, std::uint32_t line,
                           std::vector<std::uint32_t> threads, std::uint64_t block = 0) {
  simulator::Finding finding;
  finding.kind = kind;
  finding.line = line;
  finding.threads = std::move(threads);
  finding.block = block;
  return finding;
}

using Kind = simulator::FindingKind;

}  // namespace

TEST_CASE("a barrier that threads skip is seen where the others wait, with all who wait and who never come") {
  const print::Evidence evidence =
      print::evidence_of(barrier_in_branch(), finding(Kind::barrier, 2, {33, 35}));
  CHECK(evidence.step == 1);
  CHECK(evidence.sentence ==
        "Step 2, at barrier 1 of block 0: threads 0, 2, 4 … 62 wait; threads 1, 3, 5 … 63 never come (✕).");
  REQUIRE(evidence.rows.size() == 2);  // the step's warp, and that of the finding's threads
  CHECK(evidence.rows[1].heading == "Block 0, warp 1");
  for (const print::LaneRow& row : evidence.rows) {
    CHECK(row.lanes == even);
    CHECK(row.crossed == ~even);
  }
}

TEST_CASE("of a barrier that never opens nobody is said to be absent; others may wait at another one") {
  report::TracedLaunch traced = barrier_in_branch();
  traced.trace.barriers[0].lanes = {all, even};
  CHECK(print::evidence_of(traced, finding(Kind::barrier, 2, {1})).sentence ==
        "Step 2, at barrier 1 of block 0: threads 0, 2, 4 … 62 wait; threads 1, 3, 5 … 31 wait at another; "
        "threads 33, 35, 37 … 63 never come (✕).");
  traced.trace.barriers.clear();
  const print::Evidence stuck = print::evidence_of(traced, finding(Kind::barrier, 2, {1}));
  CHECK(stuck.sentence ==
        "Step 2, at this barrier of block 0, which never opens: threads 0, 2, 4 … 62 wait.");
  CHECK(stuck.rows.at(0).crossed == 0);
}

TEST_CASE(
    "a finding is seen at the step of its thread; a race without sides at its line, in whichever block") {
  report::TracedLaunch traced = barrier_in_branch();
  const auto step = [&](const simulator::Finding& each) { return print::evidence_of(traced, each).step; };
  CHECK(step(finding(Kind::sync, 1, {40})) == 2);
  CHECK(step(finding(Kind::race, 1, {})) == 0);
  CHECK(step(finding(Kind::race, 1, {0, 0}, 1)) == 0);
  CHECK_FALSE(step(finding(Kind::out_of_bounds, 1, {0}, 1)));
  CHECK(print::evidence_of(traced, finding(Kind::out_of_bounds, 1, {0}, 1)).sentence ==
        "No single step shows it.");
  traced.trace.instructions_left_out = 5;
  CHECK_FALSE(step(finding(Kind::race, 1, {0, 0}, 1)));
  CHECK(print::usual_address(traced) == "step=0&view=when");
  traced.launch.report.findings = {finding(Kind::sync, 1, {40})};
  CHECK(print::usual_address(traced) == "step=2&view=findings");
}

TEST_CASE("the sides of a race are two accesses to one word, one of them no load, as near as can be") {
  report::TracedLaunch traced = barrier_in_branch();
  Trace& trace = traced.trace;
  const auto access = [&](std::size_t step, const char* kind, std::vector<std::int64_t> offsets,
                          std::uint32_t interval) {
    trace.steps[step].interval = interval;
    trace.steps[step].lanes = 1;
    TraceAccess& made = trace.steps[step].accesses.emplace_back();
    made.kind = kind;
    made.lanes = 1;
    made.elements = 2;
    made.offsets = std::move(offsets);
    made.values = {"3", "4"};
  };
  access(0, "store", {8}, 0);
  access(2, "load", {12}, 2);
  trace.steps[0].first = trace.steps[2].first = 0;
  const print::Evidence evidence = print::evidence_of(traced, finding(Kind::race, 1, {32, 0}));
  REQUIRE(evidence.sides);
  CHECK(evidence.step == 2);
  CHECK(evidence.sides->first.thread == 0);
  CHECK(evidence.sides->first.does == "writes s[2]");
  CHECK(evidence.sides->first.where == "line 1, value 3 4");
  CHECK(evidence.sides->second.does == "reads s[3]");
  CHECK(evidence.last_order == "the start of the block");
  trace.steps[0].accesses[0].kind = "load";
  CHECK_FALSE(print::evidence_of(traced, finding(Kind::race, 1, {32, 0})).sides);
}

TEST_CASE(
    "the last order of a race is the last barrier that both threads passed, of the block or of the warp") {
  Trace trace;
  trace.sources = {{"k.cu", {}}};
  trace.code = {{"ld", 0, 1}, {"bar.warp.sync 3;", 0, 2}, {"shfl.sync.idx.b32 %r1, %r2;", 0, 3}};
  trace.arrays = {{"s", true, 0, 256, 4}};
  for (const std::uint32_t part : {1u, 1u, 1u, 2u, 0u, 0u}) {
    TraceStep& step = trace.steps.emplace_back();
    step.first = step.last = part;
    step.lanes = step.met = part == 0 ? 0 : 3;
  }
  trace.steps[2].met = 2;  // one of the two alone
  for (const std::size_t side : {4u, 5u}) {
    trace.steps[side].lanes = 1u << (side - 4);
    trace.steps[side].accesses = {load(0, {0})};
    trace.steps[side].accesses[0].lanes = trace.steps[side].lanes;
    trace.steps[side].accesses[0].kind = "store";
  }
  const auto last_order = [&] {
    report::TracedLaunch traced;
    traced.trace = trace;
    return print::evidence_of(traced, finding(Kind::race, 1, {0, 1})).last_order;
  };
  CHECK(last_order() == "the __syncwarp() in line 2, 2nd");
  trace.barriers = {{0, 0, 1, {3}}, {1, 0, 3, {3}}, {0, 0, 3, {1}}};  // another block's, and one thread's
  CHECK(last_order() == "the __syncwarp() in line 2, 2nd");
  for (TraceStep& step : trace.steps) step.interval = 1;
  trace.barriers = {{0, 0, 3, {3}}};
  CHECK(last_order() == "barrier 1");
  trace.barriers.push_back({0, 5, 4, {3}});
  CHECK(last_order() == "named barrier 5");
}
