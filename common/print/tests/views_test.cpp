#include "common/print/recorded_run.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "common/print/drawing.hpp"
#include "common/print/facts.hpp"
#include "common/testing/catch.hpp"

using namespace warpwise;
using print::picture_of;
using testing::ContainsSubstring;

namespace {

/// Three steps of one line by warp 0: lanes load word lane, 2 * lane, 32 * lane of a shared array of 1024
/// words.
report::TracedLaunch strided_loads() {
  report::TracedLaunch traced;
  traced.launch.report.kernel = "strided<int>";
  traced.launch.report.block = {32, 1, 1};
  simulator::Trace& trace = traced.trace;
  trace.schedule = "converged";
  trace.sources = {{"ch09/solution.cu", {"first", "  sum += a[stride * lane] & mask;"}}};
  trace.code = {{"ld.shared.f32 %f1, [%r1];", 0, 2}};
  trace.arrays = {{"a", true, 0, 4096, 4}};
  for (const std::uint32_t stride : {1u, 2u, 32u}) {
    simulator::TraceStep& step = trace.steps.emplace_back();
    step.lanes = 0xffffffff;
    simulator::TraceAccess& access = step.accesses.emplace_back();
    access.kind = "load";
    access.lanes = step.lanes;
    for (std::uint32_t lane = 0; lane < 32; ++lane) access.offsets.push_back(4 * stride * lane);
    access.values.assign(32, "7");
    access.nodes.assign(32, 0);
    access.wavefronts = stride;
    access.bank_conflicts = stride - 1;
  }
  return traced;
}

print::Moment at(const std::string& place) {
  print::Moment moment;
  moment.place = place;
  return moment;
}

std::string banks(const print::Moment& moment) {
  return picture_of("banks", strided_loads(), moment, "./warpwise show");
}

}  // namespace

TEST_CASE("a picture opens at what costs most, and says what it cost") {
  const std::string picture = banks({});
  CHECK_THAT(
      picture,
      ContainsSubstring("load a: 32 lanes want 32 different words of bank 0: 32 wavefronts, 31 conflicts."));
  CHECK_THAT(picture, ContainsSubstring("sum += a[stride * lane] &amp; mask;"));
  CHECK_THAT(picture,
             ContainsSubstring("<title id=\"title\">strided&lt;int>: 1 block of 32 threads</title>"));
  CHECK_THAT(picture, ContainsSubstring("prefers-color-scheme: dark"));
}

TEST_CASE("a moment is a line, words of it, a number of times, a step") {
  print::Moment moment = at("2");
  moment.times = {2};
  CHECK_THAT(
      banks(moment),
      ContainsSubstring("2 lanes want 2 different words of bank 0, and as many of banks 2, 4, 6 … 30: 2 "
                        "wavefronts, 1 conflict."));
  moment = at("stride * lane");
  moment.steps = {1};
  CHECK_THAT(banks(moment),
             ContainsSubstring("no bank is asked for two different words at once: 1 wavefront."));
  const std::string all = banks(at("solution.cu:2"));
  for (const char* cost : {"1 wavefront.", "2 wavefronts", "32 wavefronts"})
    CHECK_THAT(all, ContainsSubstring(cost));
}

TEST_CASE("a moment that the run has not is refused with what there is") {
  CHECK_THROWS_WITH(banks(at("7")),
                    "No recorded step at line 7 has an access to shared memory; lines that do: 2.");
  CHECK_THROWS_WITH(banks(at("no such words")),
                    ContainsSubstring("no line of the kernel's files has 'no such words'"));
  print::Moment second = at("2");
  second.access = 2;
  CHECK_THROWS_WITH(banks(second), ContainsSubstring("has 1 such access; --access 2 is not one of them"));
  CHECK_THROWS_WITH(picture_of("shuffle", strided_loads(), {}, ""), ContainsSubstring("a shuffle"));
  CHECK_THROWS_WITH(picture_of("tree", strided_loads(), {}, ""), ContainsSubstring("stores nothing"));
  CHECK_THROWS_WITH(picture_of("finding", strided_loads(), {}, ""), "The run has no finding.");
  CHECK_THROWS_WITH(picture_of("beside", strided_loads(), {}, ""), ContainsSubstring("--beside"));
  CHECK_THROWS_WITH(picture_of("sideways", strided_loads(), {}, ""), "there is no view 'sideways'");
}

TEST_CASE("a page opens at the moment's finding, memory or lanes") {
  report::TracedLaunch traced = strided_loads();
  CHECK(address_of(traced, at("2")) == "step=2&line=0:2&view=data");
  print::Moment first = at("2");
  first.times = {1};
  CHECK(address_of(traced, first) == "step=0&line=0:2&view=when");
  traced.launch.report.findings.emplace_back().file = "ch09/solution.cu";
  traced.launch.report.findings[0].line = 2;
  CHECK(address_of(traced, at("2")) == "step=0&view=findings");
  report::TraceFile traces;
  traces.launches = {strided_loads(), traced};
  CHECK(print::launch_with(traces, {}) == 1);  // the one with the finding
  CHECK(print::launch_with(traces, at("2")) == 1);
  CHECK(print::launch_with(traces, at("7")) == 0);
}

TEST_CASE("of a barrier that threads skip the picture shows who waits and who never comes") {
  report::TracedLaunch traced = strided_loads();
  simulator::TraceStep& step = traced.trace.steps[1];
  step.accesses.clear();
  step.lanes = 0x0000ffff;
  step.is_arrival = true;
  step.defect = "barrier";
  traced.trace.barriers = {{0, 0, 2, {0x0000ffff}}};
  simulator::Finding& finding = traced.launch.report.findings.emplace_back();
  finding.kind = simulator::FindingKind::barrier;
  finding.line = 2;
  finding.threads = {16, 17};
  const std::string picture = picture_of("finding", traced, {}, "");
  CHECK_THAT(picture, ContainsSubstring(">waits<") && ContainsSubstring(">never<"));
  CHECK_THAT(picture, !ContainsSubstring("beyond what was recorded"));
  std::size_t crosses = 0;
  for (std::size_t at = picture.find(">✕<"); at != picture.npos; at = picture.find(">✕<", at + 1)) ++crosses;
  CHECK(crosses == 16);
}

TEST_CASE("a finding lies beyond what was recorded only where something was left out") {
  report::TracedLaunch traced = strided_loads();
  simulator::Finding& finding = traced.launch.report.findings.emplace_back();
  finding.line = 2;
  const auto beyond = ContainsSubstring("It lies beyond what was recorded");
  CHECK_THAT(picture_of("finding", traced, {}, ""), !beyond);  // a race without threads: seen at its line
  finding.block = 1;
  finding.threads = {0, 0};
  CHECK_THAT(picture_of("finding", traced, {}, ""), !beyond);  // of two blocks
  finding.kind = simulator::FindingKind::out_of_bounds;
  CHECK_THAT(picture_of("finding", traced, {}, ""), !beyond && ContainsSubstring("No single step shows it."));
  traced.trace.blocks_left_out = 1;
  CHECK_THAT(picture_of("finding", traced, {}, ""), beyond);
}

namespace {

/// A line of words in a picture, as narrow as letters are anywhere.
struct Words {
  double left, right, y;
  std::string text;
};
std::string attribute(const std::string& tag, const std::string& name) {
  const std::size_t at = tag.find(" " + name + "=\"");
  if (at == tag.npos) return "";
  const std::size_t begin = at + name.size() + 3;
  return tag.substr(begin, tag.find('"', begin) - begin);
}
std::vector<Words> words_of(const std::string& picture) {
  std::vector<Words> found;
  for (std::size_t at = 0; (at = picture.find("<text ", at)) != picture.npos;) {
    const std::size_t inside = picture.find('>', at) + 1, end = picture.find('<', inside);
    const std::string tag = picture.substr(at, inside - at), text = picture.substr(inside, end - inside);
    at = end;
    if (picture.compare(end, 7, "</text>") != 0) continue;
    const std::string style = attribute(tag, "class"), anchor = attribute(tag, "text-anchor");
    const double letter = style == "code" ? 7.2 : style == "missing" || style == "title" ? 6.9 : 5.8;
    double width = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '&') i = text.find(';', i);
      if ((text[i] & 0xc0) != 0x80) width += letter;
    }
    const double x = std::stod(attribute(tag, "x"));
    const bool is_middle = style.starts_with("cell") || anchor == "middle";
    const double left = x - (is_middle ? width / 2 : anchor == "end" ? width : 0);
    found.push_back({left, left + width, std::stod(attribute(tag, "y")), text});
  }
  return found;
}

/// Nothing is cut at the edge, and no words stand over others.
void check_words(const std::string& picture) {
  const std::vector<Words> words = words_of(picture);
  CHECK(words.size() > 3);
  for (std::size_t i = 0; i < words.size(); ++i) {
    INFO(words[i].text);
    CHECK((words[i].left >= 0 && words[i].right <= print::Drawing::width));
    for (std::size_t j = 0; j < i; ++j) {
      INFO(words[j].text);
      CHECK((std::abs(words[i].y - words[j].y) >= 9 || words[i].right <= words[j].left ||
             words[j].right <= words[i].left));
    }
  }
}

/// Each warp makes a step at line 2, and a second at line 1 or, every other warp, line 2.
report::TracedLaunch launch_of_warps(std::uint32_t warps) {
  report::TracedLaunch traced = strided_loads();
  traced.launch.report.block = {32 * warps, 1, 1};
  traced.trace.code.push_back({"add.u32 %r1, %r1, 1;", 0, 1});
  traced.trace.steps.clear();
  for (std::uint32_t warp = 0; warp < warps; ++warp)
    for (const std::uint32_t first : {0u, warp % 2}) {
      simulator::TraceStep& step = traced.trace.steps.emplace_back();
      step.warp = warp;
      step.lanes = 0x0000ffff;
      step.first = step.last = first;
      step.branches = {{0, 0xffffffff, 0x0000ffff}};
    }
  return traced;
}

}  // namespace

TEST_CASE("however many warps a block has, the numbers above their lanes stand apart") {
  for (const std::uint32_t warps : {1u, 2u, 4u, 5u, 6u, 8u, 16u, 32u}) {
    INFO(warps << " warps");
    const report::TracedLaunch traced = launch_of_warps(warps);
    const std::string alone = picture_of("lanes", traced, {}, "");
    const std::string beside = picture_of("beside", traced, {}, "", &traced);
    for (const std::string& picture : {alone, beside}) {
      check_words(picture);
      CHECK_THAT(picture, !ContainsSubstring("width=\"-") && !ContainsSubstring("width=\"0\""));  // lanes
    }
    const auto numbers = words_of(alone);
    const auto first = [](const Words& words) { return words.text == "0" || words.text == "warp 0"; };
    CHECK(std::count_if(numbers.begin(), numbers.end(), first) == 2);  // the warp and its first thread
  }
}

TEST_CASE("where all warps are at one line, and have no room for its number, it stands once at the left") {
  const std::string picture = picture_of("lanes", launch_of_warps(8), {}, "");
  std::vector<std::string> numbers;
  for (const Words& words : words_of(picture))
    if (words.right < 44 && words.y > 70 && !words.text.starts_with("◇")) numbers.push_back(words.text);
  CHECK(numbers == std::vector<std::string>{"2"});  // of the first row; in the second there are two lines
}

TEST_CASE("beside another run a line of code has half the picture, and rows begin at one height") {
  report::TracedLaunch traced = launch_of_warps(2);
  traced.trace.sources[0].lines[1] =
      "  if (tid < stride) partial[tid] = Operator::combine(partial[tid], more);";
  const std::string picture = picture_of("beside", traced, at("2"), "", &traced);
  check_words(picture);
  std::set<double> heights;
  for (const Words& words : words_of(picture))
    if (words.text == "line") heights.insert(words.y);
  CHECK(heights.size() == 1);
}

TEST_CASE("the headline of a finding is broken before the picture ends") {
  report::TracedLaunch traced = strided_loads();
  simulator::Finding& finding = traced.launch.report.findings.emplace_back();
  finding.kind = simulator::FindingKind::sync;
  finding.line = 2;
  finding.message =
      "threads 1, 4, 6, 9 and 7 more read the value of lanes 0, 5, 7, 8 and 7 more, which take no part in "
      "the "
      "shuffle, and whose values are not known";
  const std::string picture = picture_of("finding", traced, {}, "");
  check_words(picture);
  std::string headline;
  for (const Words& words : words_of(picture))
    if (words.y < 70 && words.left == 0 && words.y > 30) headline += words.text + ' ';
  CHECK_THAT(headline, ContainsSubstring("sync: " + finding.message));
}

TEST_CASE("numbers are listed as one would say them") {
  CHECK(print::listed({}) == "none");
  CHECK(print::listed({5}) == "5");
  CHECK(print::listed({5, 6}) == "5 and 6");
  CHECK(print::listed({5, 6, 7}) == "5 to 7");
  CHECK(print::listed({0, 2, 4, 6}) == "0, 2, 4 and 6");
  CHECK(print::listed({0, 2, 4, 6, 8}) == "0, 2, 4 … 8");
  CHECK(print::listed({1, 5, 6}) == "1, 5 and 6");
  CHECK(print::listed({1, 5, 6, 9, 11, 20, 30}) == "1, 5, 6, 9, 11 and 2 more");
}

TEST_CASE("what markup gives a meaning to, or does not know, is not written as it is") {
  CHECK(print::markup_of("a < b && c > d") == "a &lt; b &amp;&amp; c > d");
  CHECK(print::markup_of("a[b[i]]>0") == "a[b[i]]&gt;0");  // XML forbids "]]>" in content
  CHECK(print::markup_of("\ta\nb\x01\x1b[0m…") == "\ta\nb[0m…");
}

// --- Text -------------------------------------------------------------------------------------------------

namespace {

/// Two steps of a warp, the second behind a barrier: 8 lanes load every other word of partial, 2 meet in a
/// bank.
report::TracedLaunch launch_of_three_steps() {
  report::TracedLaunch traced;
  simulator::LaunchReport& report = traced.launch.report;
  report.kernel = "reduce";
  report.grid = {2, 1, 1};
  report.block = {64, 1, 1};
  simulator::LineCounters line{"a.cu", 2, {}};
  line.counters.warp_instructions = 10;
  line.counters.thread_instructions = 160;
  line.counters.shared_load_wavefronts = 2;
  line.counters.shared_load_bank_conflicts = 1;
  report.lines = {line};
  simulator::Trace& trace = traced.trace;
  trace.schedule = "converged";
  trace.sources = {
      {"a.cu", {"first", "  partial[tid] += partial[tid + stride] * a_name_that_leaves_the_line;"}}};
  trace.code = {{"ld.shared.f32 %f1, [%r1];", 0, 2}};
  trace.arrays = {{"partial", true, 4, 512, 4}};
  trace.steps.resize(3);
  trace.steps[0].lanes = 0xffffffff;
  trace.steps[1].warp = 1;
  trace.steps[2].interval = 1;
  trace.steps[2].lanes = 0x0f00000f;
  simulator::TraceAccess& access = trace.steps[2].accesses.emplace_back();
  access.kind = "load";
  access.lanes = 0x0f00000f;
  access.offsets = {0, 8, 16, 24, 128, 136, 144, 152};
  access.wavefronts = 2;
  access.bank_conflicts = 1;
  trace.instructions_left_out = 7;
  trace.blocks_left_out = 1;
  return traced;
}

}  // namespace

TEST_CASE("the text has costs, steps, banks and what was left out, in 80 columns") {
  std::ostringstream out;
  print::print_text(out, launch_of_three_steps());
  const std::string text = out.str();
  CHECK(text.find("reduce: grid of 2, blocks of 64 threads, schedule converged\n") == 0);
  CHECK(text.find("     10  50%       2      1      0     0     2  partial[tid] += partial[tid +...\n") !=
        text.npos);
  CHECK(text.find("   1     2   1st  ################################\n"
                  "------------ barrier 1\n"
                  "   3     2   2nd  ####....................####....  load partial 2\n"
                  "           banks  .2.2.2.2........................  words a bank: 2 wavefronts\n") !=
        text.npos);
  CHECK(text.find("Not recorded: 7 warp instructions of the launch, all of 1 block.") != text.npos);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    CHECK(line.size() <= 80);
  }
}
