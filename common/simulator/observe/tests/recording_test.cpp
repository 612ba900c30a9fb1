/// \file What a recorder writes down of small kernels: steps, values, what is left out.

#include <set>

#include "../../gpu.hpp"
#include "common/testing/catch.hpp"

using namespace warpwise::simulator;

namespace {

/// 64 threads: each adds its element and its neighbour's, by way of shared memory; then lane i of a warp and
/// lane i ^ 1 add up what they have, and each adds it to out[0].
const char* const kernel_text = R"(.visible .entry sums(.param .u64 in, .param .u64 out)
{
  .reg .b32 %r<8>;
  .reg .b64 %rd<6>;
  .shared .align 4 .b8 words[512];
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.u64 %rd3, %rd1, %rd3;
  ld.global.u32 %r2, [%rd3];
  mov.u32 %r3, words;
  shl.b32 %r4, %r1, 3;
  add.u32 %r3, %r3, %r4;
  st.shared.u32 [%r3], %r2;
  bar.sync 0;
  xor.b32 %r4, %r1, 1;
  shl.b32 %r4, %r4, 3;
  mov.u32 %r5, words;
  add.u32 %r5, %r5, %r4;
  ld.shared.u32 %r6, [%r5];
  add.u32 %r6, %r6, %r2;
  shfl.sync.bfly.b32 %r7, %r6, 2, 31, -1;
  add.u32 %r7, %r7, %r6;
  red.global.add.u32 [%rd2], %r7;
  ret;
}
)";

/// Each thread of a warp shuffles a value of 64 bits in two halves, as NVRTC 13.5 writes it.
const char* const halves_text = R"(.visible .entry halves(.param .u64 in, .param .u64 out)
{
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  .shared .align 8 .b8 words[256];
  ld.param.u64 %rd1, [in];
  mov.u32 %r1, %tid.x;
  and.b32 %r1, %r1, 31;
  mul.wide.u32 %rd2, %r1, 8;
  add.u64 %rd3, %rd1, %rd2;
  ld.global.u64 %rd4, [%rd3];
  shr.u64 %rd5, %rd4, 32;
  cvt.u32.u64 %r2, %rd4;
  cvt.u32.u64 %r3, %rd5;
  shfl.sync.bfly.b32 %r4, %r3, 1, 31, -1;
  shfl.sync.bfly.b32 %r5, %r2, 1, 31, -1;
  cvt.u64.u32 %rd6, %r4;
  cvt.u64.u32 %rd7, %r5;
  bfi.b64 %rd6, %rd6, %rd7, 32, 32;
  shl.b32 %r6, %r1, 3;
  mov.u32 %r7, words;
  add.u32 %r7, %r7, %r6;
  st.shared.u64 [%r7], %rd6;
  ret;
}
)";

/// Each thread goes round for ever, and changes nothing.
const char* const endless_text = R"(.visible .entry endless(.param .u64 in, .param .u64 out)
{
AGAIN:
  bra AGAIN;
}
)";

/// The odd threads skip the barrier, and add behind it.
const char* const around_text = R"(.visible .entry around(.param .u64 in, .param .u64 out)
{
  .reg .pred %p<2>;
  .reg .b32 %r<4>;
  .loc 1 4 0
  mov.u32 %r1, %tid.x;
  and.b32 %r2, %r1, 1;
  setp.ne.u32 %p1, %r2, 0;
  @%p1 bra BEHIND;
  .loc 1 5 0
  bar.sync 0;
BEHIND:
  .loc 1 6 0
  add.u32 %r3, %r1, 1;
  mul.lo.u32 %r3, %r3, %r3;
  ret;
}
.file 1 "around.cu"
)";

struct Recorded {
  Trace trace;
  LaunchReport report;
};

Recorded record(TraceLimits limits, std::uint32_t blocks = 2, const std::string& kernel = "sums",
                const char* text = kernel_text) {
  TraceRecorder recorder(limits);
  GpuOptions options;
  options.recorder = &recorder;
  Gpu gpu(options);
  const auto program =
      gpu.load(".version 7.0\n.target sm_75\n.address_size 64\n" + std::string(text), kernel);
  Allocation& in = gpu.memory().allocate(64 * 4, "in", 4);
  Allocation& out = gpu.memory().allocate(4, "out", 4);
  for (std::uint32_t i = 0; i < 64; ++i) reinterpret_cast<std::uint32_t*>(in.base)[i] = 1000 + i;
  *reinterpret_cast<std::uint32_t*>(out.base) = 0;
  in.mark_written(0, in.bytes);
  out.mark_written(0, out.bytes);
  const void* const arguments[] = {&in.base, &out.base};
  LaunchRequest request{kernel, {blocks, 1, 1}, {64, 1, 1}, 0, arguments};
  gpu.launch(*program, request);
  return {recorder.launches().at(0).trace, recorder.launches().at(0).report};
}

/// Of warp 0 of the first block.
const TraceStep& step_with(const Trace& trace, const std::string& text) {
  for (const TraceStep& step : trace.steps)
    for (std::uint32_t i = step.first; i <= step.last; ++i)
      if (step.warp == 0 && trace.code[i].text.starts_with(text)) return step;
  throw std::runtime_error("no step has " + text);
}

const TraceAccess& access_of(const TraceStep& step, const std::string& kind) {
  for (const TraceAccess& access : step.accesses)
    if (access.kind == kind) return access;
  throw std::runtime_error("the step has no " + kind);
}

}  // namespace

TEST_CASE("a recorder writes down each access: place, value, cost") {
  const Trace trace = record({}).trace;
  const TraceAccess load = access_of(step_with(trace, "ld.global"), "load");
  CHECK(trace.arrays[load.array].name == "in");
  CHECK(load.lanes == 0xffffffff);
  CHECK(load.offsets[5] == 20);
  CHECK(load.values[5] == "1005");
  CHECK(load.sectors == 4);
  const TraceAccess store = access_of(step_with(trace, "st.shared"), "store");
  CHECK(trace.arrays[store.array].name == "words");
  CHECK(trace.arrays[store.array].is_shared);
  CHECK(store.offsets[5] == 40);
  CHECK(store.wavefronts == 2);
  CHECK(store.bank_conflicts == 1);
  CHECK(step_with(trace, "bar.sync").is_arrival);
  REQUIRE(trace.barriers.size() == 2);
  CHECK(trace.barriers[0].lanes == std::vector<std::uint32_t>{0xffffffff, 0xffffffff});
  CHECK(step_with(trace, "ld.shared").interval == 1);
}

TEST_CASE("a recorder writes down whose value a shuffle gives, and what an atomic leaves") {
  const Trace trace = record({}, 1).trace;
  const TraceStep step = step_with(trace, "shfl");
  REQUIRE(step.shuffles.size() == 1);
  CHECK(step.met == 0xffffffff);
  CHECK(step.shuffles[0].from[5] == 7);
  CHECK(step.shuffles[0].values[5] == "2013");  // 1006 + 1007
  const TraceAccess atomic = access_of(step_with(trace, "red"), "reduction");
  CHECK(atomic.values[31] == atomic.values[0]);  // what was there before the instruction
  std::uint32_t sum = 0;                         // each element is added four times
  for (std::uint32_t i = 0; i < 32; ++i) sum += 4 * (1000 + i);
  CHECK(std::stoul(atomic.after[0]) - std::stoul(atomic.values[0]) == sum);
}

TEST_CASE("values are followed through shared memory, a shuffle and an atomic") {
  const Trace trace = record({}, 1).trace;
  const TraceShuffle shuffle = step_with(trace, "shfl").shuffles.at(0);
  const TraceValue& got = trace.values.at(shuffle.nodes[5] - 1);
  CHECK(got.name == "add");
  CHECK(got.thread == 7);
  REQUIRE(got.from.size() == 2);
  CHECK(trace.values[got.from[0] - 1].name == "in[6]");
  CHECK(trace.values[got.from[1] - 1].name == "in[7]");
  // The last of 64 atomic additions has all others under it, and out[0].
  const TraceValue& last = trace.values.back();
  CHECK(last.name == "atomic add");
  std::size_t additions = 0;
  for (const TraceValue& value : trace.values) additions += value.name == "atomic add";
  CHECK(additions == 64);
}

TEST_CASE("the two halves of a value, put together, are that value") {
  const Trace trace = record({}, 1, "halves", halves_text).trace;
  const TraceAccess load = access_of(step_with(trace, "ld.global"), "load");
  const TraceAccess store = access_of(step_with(trace, "st.shared"), "store");
  for (std::uint32_t lane = 0; lane < 32; ++lane) CHECK(store.nodes[lane] == load.nodes[lane ^ 1]);
  CHECK(store.values[5] == load.values[4]);
}

TEST_CASE("what else is made of one value twice, or of halves of two, is a value of its own") {
  std::string text = halves_text;
  const auto with = [&](const std::string& old, const std::string& other) {
    std::string changed = halves_text;
    changed.replace(changed.find(old), old.size(), other);
    const Trace trace = record({}, 1, "halves", changed.c_str()).trace;
    const std::uint32_t node = access_of(step_with(trace, "st.shared"), "store").nodes[5];
    return node == 0 ? "nothing" : trace.values.at(node - 1).name;
  };
  CHECK(with("%rd7, 32, 32;", "%rd7, 32, 32;") == "in[8]");
  CHECK(with("%rd7, 32, 32;", "%rd7, 16, 32;") == "bfi");
  CHECK(with("bfi.b64 %rd6, %rd6, %rd7, 32, 32;", "or.b64 %rd6, %rd6, %rd7;") == "or");
  CHECK(with("shfl.sync.bfly.b32 %r5, %r2, 1,", "shfl.sync.bfly.b32 %r5, %r2, 2,") == "bfi");
}

/// Threads of a warp store what `made` leaves in %r5, of the elements in %r2 and %r3 (32 further on): what
/// thread 5's is made of.
std::string made_by(const std::string& made) {
  const std::string text = R"(.func (.reg .b32 %back) twice(.reg .b32 %given)
{
  .reg .b32 %r<9>;
  add.u32 %r2, %given, %given;
  add.u32 %r3, %r2, %r2;
  mov.u32 %back, %r3;
  ret;
}
.visible .entry ways(.param .u64 in, .param .u64 out)
{
  .reg .pred %p<2>;
  .reg .b16 %h<2>;
  .reg .b32 %r<9>;
  .reg .b64 %rd<4>;
  .shared .align 8 .b8 words[512];
  ld.param.u64 %rd1, [in];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd2, %rd1, %rd2;
  setp.ge.u32 %p0, %r1, 32;
  @%p0 exit;
  ld.global.u32 %r2, [%rd2];
  ld.global.u32 %r3, [%rd2+128];
  mov.u32 %r6, words;
  shl.b32 %r7, %r1, 3;
  add.u32 %r6, %r6, %r7;
  mov.u32 %r5, %r2;
  )" + made + R"(
  st.shared.u32 [%r6+4], %r5;
  ret;
}
)";
  const Trace trace = record({}, 1, "ways", text.c_str()).trace;
  for (auto step = trace.steps.rbegin(); step != trace.steps.rend(); ++step)
    for (auto access = step->accesses.rbegin(); access != step->accesses.rend(); ++access) {
      if (access->nodes[5] == 0) return "nothing";
      const TraceValue& value = trace.values[access->nodes[5] - 1];
      std::string all = value.name;
      for (const std::uint32_t from : value.from) all += " " + trace.values[from - 1].name;
      return all.substr(0, all.find(" in[2]"));
    }
  return "no store";
}

TEST_CASE("a value is what the run made of it") {
  CHECK(made_by("") == "in[5]");
  CHECK(made_by("mad.lo.u32 %r5, %r2, %r3, 7;") == "mad in[5] in[37]");
  CHECK(made_by("mul.lo.u32 %r5, %r2, %r2;") == "mul in[5] in[5]");
  CHECK(made_by("setp.gt.u32 %p1, %r2, 5; selp.b32 %r5, %r3, %r2, %p1;") == "in[37]");
  CHECK(made_by("mov.b32 {%h0, %h1}, %r3; mov.b32 %r5, {%h1, %h0};") == "mov in[37] in[37]");
  CHECK(made_by("add.cc.u32 %r4, %r2, %r3; addc.u32 %r5, %r2, %r3;") == "addc in[5] in[37]");
  CHECK(made_by("redux.sync.add.s32 %r5, %r2, -1;") == "redux in[0] in[1]");
  CHECK(made_by("st.shared.u32 [%r6], %r3; atom.shared.inc.u32 %r5, [%r6], %r2;") == "in[37]");
  CHECK(made_by("st.shared.u32 [%r6], %r3; red.shared.inc.u32 [%r6], %r2; ld.shared.u32 %r5, [%r6];") ==
        "atomic inc in[37] in[5]");
  CHECK(made_by("st.shared.u32 [%r6], %r3; ld.volatile.shared.u32 %r5, [%r6];") == "in[37]");
}

TEST_CASE("what is not followed leaves no value behind") {
  CHECK(made_by("setp.gt.u32 %p1, %r2, 5; bar.red.popc.u32 %r5, 0, 32, %p1;") == "nothing");
  CHECK(made_by("vote.sync.ballot.b32 %r5, %p0, -1;") == "nothing");
  CHECK(made_by("mov.u64 %rd3, 16; ld.global.u32 %r5, [%rd3];") == "nothing");
  CHECK(
      made_by("st.shared.u32 [%r6], %r3; atom.shared.cas.b32 %r4, [%r6], 0, 1; ld.shared.u32 %r5, [%r6];") ==
      "nothing");
  CHECK(made_by("st.shared.u16 [%r6], %r3; ld.shared.u16 %r5, [%r6];") == "nothing");
  CHECK(made_by("call (%r5), twice, (%r2);") == "nothing");
  CHECK(made_by("call (%r4), twice, (%r2);") == "in[5]");  // the other function's %r2 is another
}

TEST_CASE("a defect stands at its step, under the name of its finding") {
  const Recorded endless = record({}, 1, "endless", endless_text);
  REQUIRE(endless.report.findings.size() == 1);
  CHECK(endless.report.findings[0].kind == FindingKind::timeout);
  std::set<std::string> defects;
  for (const TraceStep& step : endless.trace.steps)
    if (!step.defect.empty()) defects.insert(step.defect);
  CHECK(defects == std::set<std::string>{std::string(name_of(FindingKind::timeout))});
}

TEST_CASE("a barrier that threads skip is a defect of the step that waits there") {
  const Recorded around = record({}, 1, "around", around_text);
  REQUIRE(around.report.findings.size() == 1);
  REQUIRE(around.report.findings[0].kind == FindingKind::barrier);
  const std::uint32_t thread = around.report.findings[0].threads.at(0);
  CHECK(thread % 2 == 1);
  std::vector<std::size_t> marked;
  for (std::size_t i = 0; i < around.trace.steps.size(); ++i)
    if (!around.trace.steps[i].defect.empty()) marked.push_back(i);
  REQUIRE(marked.size() == 1);
  const TraceStep& step = around.trace.steps[marked[0]];
  CHECK(step.defect == name_of(FindingKind::barrier));
  CHECK(step.lanes == 0x55555555);
  CHECK(around.trace.code[step.first].line == around.report.findings[0].line);
  const TraceBarrier* const opening = opening_behind(around.trace, marked[0]);
  REQUIRE(opening != nullptr);
  CHECK(opening->lanes == std::vector<std::uint32_t>{0x55555555, 0x55555555});
  CHECK(opening_behind(around.trace, 0) == nullptr);  // it arrives at none
}

TEST_CASE("what a trace leaves out is counted") {
  const Recorded all = record({}, 3);
  CHECK(all.trace.blocks_left_out == 0);
  CHECK(all.trace.instructions_left_out == 0);
  const Recorded one = record({.blocks = 1}, 3);
  CHECK(one.trace.blocks_left_out == 2);
  CHECK(one.trace.instructions_left_out == 2 * all.report.counters.warp_instructions / 3);
  CHECK(one.report.counters == all.report.counters);
  const Recorded short_one = record({.blocks = 3, .steps = 2}, 3);
  CHECK(short_one.trace.steps.size() == 6);
  CHECK(short_one.trace.instructions_left_out > 0);
  const Recorded poor = record({.values = 10}, 1);
  CHECK(poor.trace.values.size() == 10);
  CHECK_FALSE(poor.trace.has_all_values);
}

TEST_CASE("a recorder takes so many launches, and counts the rest") {
  TraceRecorder recorder({}, 2);
  GpuOptions options;
  options.recorder = &recorder;
  Gpu gpu(options);
  const auto program =
      gpu.load(".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k() { ret; }", "k");
  const LaunchRequest request{"k", {1, 1, 1}, {1, 1, 1}, 0, {}};
  for (int i = 0; i < 5; ++i) gpu.launch(*program, request);
  CHECK(recorder.launches().size() == 2);
  CHECK(recorder.launches_left_out() == 3);
}
