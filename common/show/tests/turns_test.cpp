#include "common/show/turns.hpp"

#include "common/show/steps.hpp"
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
  for (const show::Turn& turn : show::turns_of(trace)) text += show::text_of(turn) + ";";
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
  return show::reach_of(trace, step);
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
    text += show::text_of({time, 200}) + " ";
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
