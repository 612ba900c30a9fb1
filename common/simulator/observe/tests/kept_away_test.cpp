/// \file What is told of lanes that do not come: the branch that kept them away, by its name and line; and of
/// a mask that names whoever happened to be there.

#include <fstream>

#include "../../gpu.hpp"
#include "common/testing/catch.hpp"
#include "common/testing/temporary_folder.hpp"

using namespace warpwise::simulator;
using warpwise::testing::ContainsSubstring;

namespace {

/// A kernel whose lines are those of `source`, written to a file, so that findings can quote them.
struct Source {
  warpwise::testing::TemporaryFolder folder;
  std::string path = (folder.path() / "exercise.cu").string();

  explicit Source(const std::vector<std::string>& lines) {
    std::ofstream file(path);
    for (const std::string& line : lines) file << line << '\n';
  }
  std::string kernel(const std::string& body) const {
    return ".version 7.0\n.target sm_75\n.address_size 64\n.file 1 \"" + path +
           "\"\n.file 2 \"given.cuh\"\n.visible .entry k(.param .u64 p)\n{\n  .reg .pred %p<4>;\n  .reg .b32 "
           "%r<9>;\n"
           "  .reg .b64 %rd<4>;\n  mov.u32 %r1, %tid.x;\n" +
           body + "\n  ret;\n}\n";
  }
  std::vector<Finding> findings(const std::string& body, std::uint32_t threads = 32) const {
    Gpu gpu;
    gpu.options().launch.threads = 1;
    gpu.options().launch.budget = 3'000'000;
    const std::uint64_t nothing = 0;
    const void* const arguments[] = {&nothing};
    return gpu.launch(*gpu.load(kernel(body), "kept_away"), {"k", {1}, {threads}, 0, arguments}).findings;
  }
  Finding finding(const std::string& body, std::uint32_t threads = 32) const {
    const auto all = findings(body, threads);
    REQUIRE(all.size() == 1);
    return all[0];
  }
};

const std::string ballot = "  vote.sync.ballot.b32 %r3, %p2, -1;\n";

}  // namespace

TEST_CASE("lanes that a condition keeps from a vote: the `if` and its line, and nothing of an earlier one") {
  const Source source(
      {"if (lane < 4) x = 1;", "if (lane < 16) {", "  any = __ballot_sync(whole_warp, x);", "}"});
  const Finding finding = source.finding(
      ".loc 1 1 1\n  setp.gt.u32 %p1, %r1, 3;\n  @%p1 bra JOIN;\n  mov.u32 %r2, 1;\nJOIN:\n"
      ".loc 1 2 1\n  setp.gt.u32 %p1, %r1, 15;\n  @%p1 bra END;\n.loc 1 3 3\n" +
      ballot + "END:\n  mov.u32 %r6, 1;");
  CHECK(finding.line == 3);
  CHECK(finding.other_line == 2);
  CHECK(finding.message == "the mask 0xffffffff names lanes 16 to 31, which never arrive");
  CHECK_THAT(finding.note, ContainsSubstring("the `if` in line 2 keeps them away; threads 0 to 15 wait"));
  CHECK_THAT(finding.help, ContainsSubstring("move the call out of the `if` in line 2"));
}

TEST_CASE("lanes that have returned or left a loop are told of that, by its line") {
  const Source returns({"if (lane >= 16) return;", "any = __ballot_sync(whole_warp, x);"});
  const Finding early =
      returns.finding(".loc 1 1 1\n  setp.gt.u32 %p1, %r1, 15;\n  @%p1 bra END;\n.loc 1 2 1\n" + ballot +
                      "END:\n  mov.u32 %r6, 1;");
  CHECK_THAT(early.note, ContainsSubstring("they took the `return` in line 1"));
  CHECK_THAT(early.help, ContainsSubstring("let no lane of the mask take the `return` in line 1"));

  const Source loops({"for (unsigned i = 0; i < lane % 4; ++i)", "  any = __ballot_sync(whole_warp, x);"});
  const Finding left = loops.finding(
      "  and.b32 %r2, %r1, 3;\n  add.u32 %r2, %r2, 1;\n  mov.u32 %r4, 0;\nAGAIN:\n.loc 1 2 3\n" + ballot +
      ".loc 1 1 1\n  add.u32 %r4, %r4, 1;\n  setp.lt.u32 %p1, %r4, %r2;\n  @%p1 bra AGAIN;\n"
      "  mov.u32 %r5, 1;");
  CHECK_THAT(left.note, ContainsSubstring("have left the loop in line 1"));
}

TEST_CASE("where no branch keeps lanes away, none is blamed") {
  const Source source({"out = __shfl_sync(0x0000ffff, x, 3);"});
  const Finding outside = source.finding(".loc 1 1 1\n  shfl.sync.idx.b32 %r3|%p1, %r1, 3, 31, 65535;");
  CHECK(outside.message ==
        "threads 16 to 31 make the call, but the mask 0x0000ffff (lanes 0 to 15) does not name them");
  CHECK_THAT(outside.note + outside.help, !ContainsSubstring("branch") && !ContainsSubstring("`if`"));
  const Finding small = source.finding(".loc 1 1 1\n  shfl.sync.down.b32 %r3|%p1, %r1, 16, 31, -1;", 2);
  CHECK_THAT(small.note, ContainsSubstring("the block has only 2 threads"));
}

TEST_CASE("a barrier that part of the block does not reach names the branch, also across warps") {
  const Source source(
      {"if (threadIdx.x < 32)", "  __syncthreads();", "else while (flag == 0);", "__syncthreads();"});
  const Finding finding = source.finding(
      ".loc 1 1 1\n  setp.gt.u32 %p1, %r1, 31;\n  @%p1 bra ELSE;\n.loc 1 2 3\n  bar.sync 0;\n  bra "
      "END;\nELSE:\n"
      ".loc 1 4 1\n  bar.sync 1;\nEND:",
      64);
  CHECK(finding.line == 2);
  CHECK_THAT(finding.note, ContainsSubstring("the `if` in line 1 keeps thread 32 away"));
  CHECK_THAT(finding.help, ContainsSubstring("move the barrier out of the `if` in line 1"));
}

TEST_CASE("a helper's finding names the line that calls it") {
  const Source source({"unsigned any(bool x) {", "  return __ballot_sync(whole_warp, x);", "}", "",
                       "if (lane < 16)", "  out = any(x);"});
  const Finding finding = source.finding(
      ".loc 1 5 1\n  setp.gt.u32 %p1, %r1, 15;\n  @%p1 bra END;\n.loc 1 6 3\n"
      ".loc 1 2 3, function_name NAME, inlined_at 1 6 3\n" +
      ballot + "END:\n  mov.u32 %r6, 1;");
  CHECK(finding.line == 2);
  CHECK_THAT(finding.note, ContainsSubstring("the `if` in line 5") && ContainsSubstring("called in line 6"));
}

TEST_CASE("a mask from __activemask() is called that, also where all lanes happen to be there") {
  const Source source({"sum += __shfl_xor_sync(__activemask(), sum, 1);", "unsigned mask = __activemask();",
                       "int leader = __ffs(mask) - 1;"});
  const std::string shuffle = "  shfl.sync.bfly.b32 %r3|%p1, %r1, 1, 31, %r2;\n";
  const Finding chance = source.finding(".loc 1 1 1\n  activemask.b32 %r2;\n" + shuffle);
  CHECK(chance.kind == FindingKind::sync);
  CHECK(chance.message ==
        "which lanes exchange values here depends on which of them happen to arrive together");
  CHECK_THAT(chance.note, ContainsSubstring("the mask comes from __activemask() in this line") &&
                              ContainsSubstring("here 0xffffffff (lanes 0 to 31)"));
  CHECK_THAT(chance.help, ContainsSubstring("0xffffffff where the whole warp comes here"));

  // Taken twice: the leader is of the first, the mask is the second.
  const std::string leader =
      ".loc 1 2 1\n  activemask.b32 %r4;\n.loc 1 3 1\n  brev.b32 %r5, %r4;\n  clz.b32 %r5, %r5;\n";
  const Finding twice = source.finding(leader +
                                       ".loc 1 1 1\n  activemask.b32 %r2;\n"
                                       "  shfl.sync.idx.b32 %r3|%p1, %r1, %r5, 31, %r2;");
  CHECK_THAT(twice.help,
             ContainsSubstring("keep the mask of line 2 in a variable, and use it in this line as well"));

  // Once, for mask and leader alike: the lane that is read was there.
  CHECK(source.findings(leader + "  shfl.sync.idx.b32 %r3|%p1, %r1, %r5, 31, %r4;").empty());
}

TEST_CASE(
    "a __syncwarp() for whoever happens to be there is called that, unless the kernel knows who it is") {
  const Source source({"__syncwarp(__activemask());", "count = __popc(mask);"});
  const std::string wait = ".loc 1 1 1\n  activemask.b32 %r2;\n  bar.warp.sync %r2;\n";
  const Finding chance = source.finding(wait);
  CHECK(chance.kind == FindingKind::sync);
  CHECK(chance.message ==
        "which lanes wait for each other here depends on which of them happen to arrive together");
  CHECK_THAT(chance.help, ContainsSubstring("0xffffffff where the whole warp comes here"));
  CHECK(source.findings(wait + ".loc 1 2 1\n  popc.b32 %r3, %r2;").empty());
}

TEST_CASE("a loop that does not end is told by its condition, and the variable by its value") {
  const Source source({"for (unsigned stride = 32; stride > 0; stride = (stride + 1) / 2)",
                       "  __syncthreads();", "while (stride >= 0) stride /= 2;",
                       "for (unsigned i = 0; i < 4; ++i) x += i;"});
  const std::string round = "  add.u32 %r2, %r2, 1;\n  shr.u32 %r2, %r2, 1;\n",
                    test = ".loc 1 1 1\n  setp.gt.u32 %p1, %r2, 0;\n  @%p1 bra AGAIN;";
  // Nothing changes from round to round.
  const Finding proved = source.finding("  mov.u32 %r2, 1;\nAGAIN:\n" + round + test);
  CHECK(proved.kind == FindingKind::timeout);
  CHECK(proved.line == 1);
  CHECK(proved.message == "the kernel was stopped: this loop does not end: `stride > 0` never becomes false");
  CHECK_THAT(proved.note, ContainsSubstring("stride is 1 in every round"));
  // With a barrier, and a loop inside that does end: the budget ends it, and nothing is claimed of later
  // rounds.
  const Finding stopped = source.finding(
      "  mov.u32 %r2, 1;\nAGAIN:\n  mov.u32 %r5, 0;\nINNER:\n.loc 1 4 1\n  add.u32 %r5, %r5, 1;\n"
      "  setp.lt.u32 %p2, %r5, 4;\n  @%p2 bra INNER;\n.loc 1 2 3\n  bar.sync 0;\n" +
      round + test);
  CHECK(stopped.line == 1);
  CHECK(stopped.message ==
        "the kernel was stopped in this loop, which has not ended: `stride > 0` has not become false");
  CHECK_THAT(stopped.note, ContainsSubstring("stride is 1 when it is stopped"));
  // A condition that the compiler has found to be always true is no longer there.
  const Finding always =
      source.finding("AGAIN:\n.loc 1 3 1\n  bar.sync 0;\n  shr.u32 %r2, %r2, 1;\n  bra.uni AGAIN;");
  CHECK_THAT(always.message, ContainsSubstring("this loop does not end: `stride >= 0` is always true"));
}

TEST_CASE("what a skipped store leaves unwritten follows from it, and comes last") {
  const Source source({"value = s[t];", "if (value > 0) value = 1;", "s[t + 64] = value;"});
  const auto all = source.findings(
      "  .shared .align 4 .b32 s[4];\n  mov.u32 %r5, s;\n.loc 1 3 1\n  st.shared.u32 [%r5+256], %r1;\n"
      ".loc 1 1 1\n  ld.shared.u32 %r2, [%r5];\n.loc 1 2 1\n  setp.gt.u32 %p1, %r2, 0;\n  @%p1 bra END;\n"
      "  mov.u32 %r2, 1;\nEND:",
      1);
  REQUIRE(all.size() == 2);
  CHECK(all[0].kind == FindingKind::out_of_bounds);
  CHECK(all[0].line == 3);
  CHECK_FALSE(all[0].follows);
  CHECK(all[1].kind == FindingKind::uninitialised);
  CHECK(all[1].follows);
}

TEST_CASE("a finding in a header names the line that calls it") {
  const Source source({"", "out = given(s);"});
  const Finding finding = source.finding(
      "  .shared .align 4 .b32 s[4];\n  mov.u32 %r5, s;\n.loc 1 2 1\n"
      ".loc 2 7 3, function_name NAME, inlined_at 1 2 1\n  st.shared.u32 [%r5+256], %r1;",
      1);
  CHECK(finding.line == 7);
  CHECK_THAT(finding.note, ContainsSubstring("exercise.cu:2"));
}

TEST_CASE("threads that an `if` or a loop keeps from a barrier, and that then end: who has returned may") {
  const std::string past_15 = ".loc 1 2 3\n  setp.gt.u32 %p1, %r1, 15;\n  @%p1 bra END;\n",
                    wait = ".loc 1 3 3\n  bar.sync 0;\n";
  const Source conditions({"void k() {", "  if (t < 16) {", "    __syncthreads();", "  }", "}"});
  const Finding by_if = conditions.finding(past_15 + wait + "END:");
  CHECK(by_if.message == "threads 16 to 31 skip this barrier while other threads of the block wait at it");
  CHECK_THAT(by_if.note, ContainsSubstring("the `if` in line 2 keeps them away"));
  CHECK_THAT(by_if.help, ContainsSubstring("move the barrier out of the `if` in line 2"));
  const Source returns({"void k() {", "  if (t >= 16) return;", "  __syncthreads();", "}"});
  CHECK(returns.findings(past_15 + wait + "END:").empty());

  const Source loops({"void k() {", "  while (j < n) {", "    __syncthreads();", "    j += 16;", "  }", "}"});
  const Finding by_loop = loops.finding(
      "  mov.u32 %r2, %r1;\nROUND:\n" + wait +
      ".loc 1 4 5\n  add.u32 %r2, %r2, 16;\n.loc 1 2 3\n  setp.lt.u32 %p1, %r2, 40;\n  @%p1 bra ROUND;");
  CHECK_THAT(by_loop.message, ContainsSubstring("threads 24 to 31 skip"));
  CHECK_THAT(by_loop.help, ContainsSubstring("go round the loop in line 2 equally often"));

  const Source jumps({"void k() {", "  for (unsigned s = 16; s > 0; s /= 2) {", "    if (t >= s) continue;",
                      "    __syncthreads();", "  }", "}"});
  const Finding by_jump = jumps.finding(
      "  mov.u32 %r2, 16;\nROUND:\n.loc 1 3 5\n  setp.ge.u32 %p1, %r1, %r2;\n  @%p1 bra NEXT;\n.loc 1 4 5\n  "
      "bar.sync 0;\nNEXT:\n"
      ".loc 1 2 3\n  shr.u32 %r2, %r2, 1;\n  setp.ne.u32 %p2, %r2, 0;\n  @%p2 bra ROUND;");
  CHECK_THAT(by_jump.help, ContainsSubstring("take the `continue` in line 3"));
}

TEST_CASE("of two barriers at which a block waits, the one that a condition keeps threads from is told of") {
  const Source source(
      {"void k() {", "  if (t % 2 == 0) {", "    __syncthreads();", "  }", "  __syncthreads();", "}"});
  const Finding finding = source.finding(
      "  and.b32 %r2, %r1, 1;\n.loc 1 2 3\n  setp.ne.u32 %p1, %r2, 0;\n  @%p1 bra JOIN;\n.loc 1 3 5\n  "
      "bar.sync 0;\nJOIN:\n"
      ".loc 1 5 3\n  bar.sync 0;");
  CHECK(finding.line == 3);
  CHECK(finding.other_line == 5);
  CHECK_THAT(finding.help, ContainsSubstring("move the barrier out of the `if` in line 2"));
}

TEST_CASE("where the compiler made one branch of two conditions, the `if` around the call is named") {
  const Source source({"void k() {", "  int v = t < 11 ? a : b;", "  if (t < 11) {",
                       "    v = __shfl_down_sync(0x7ff, v, 8);", "  }", "}"});
  const Finding finding = source.finding(
      ".loc 1 2 3\n  setp.gt.u32 %p1, %r1, 10;\n  @%p1 bra END;\n.loc 1 4 5\n"
      "  shfl.sync.down.b32 %r3|%p2, %r1, 8, 31, 2047;\nEND:");
  CHECK_THAT(finding.note, ContainsSubstring("the `if` in line 3 keeps them away"));
  CHECK(finding.other_line == 0);
}

TEST_CASE("an access out of bounds names the condition that let the thread through, or the access alone") {
  const Source source(
      {"void k() {", "  if (t <= 16) {", "    s[t] = 0;", "    x = __shfl_sync(mask, x, 0);", "  }", "}"});
  const std::string store =
      ".shared .align 4 .b8 s[64];\n.loc 1 2 3\n  setp.gt.u32 %p1, %r1, 16;\n  @%p1 bra END;\n.loc 1 3 5\n  "
      "shl.b32 %r2, %r1, 2;\n"
      "  mov.u32 %r3, s;\n  add.u32 %r3, %r3, %r2;\n  st.shared.u32 [%r3], %r1;\n";
  const Finding guarded = source.finding(store + "END:");
  CHECK_THAT(guarded.note, ContainsSubstring("the `if` in line 2 lets it through"));
  CHECK_THAT(guarded.help, ContainsSubstring("correct the condition of the `if` in line 2"));
  const Finding exchanged =
      source.finding(store + ".loc 1 4 5\n  shfl.sync.idx.b32 %r4|%p2, %r1, 0, 31, 131071;\nEND:");
  CHECK_THAT(exchanged.help,
             ContainsSubstring("guard the access alone") && ContainsSubstring("in line 4 needs those"));
}

TEST_CASE("what the compiler puts behind a later branch is not of another call of the function") {
  const Source source({"void k() {", "  for (unsigned c = 0; c < 2; ++c) {", "    s[c][lane] = in[c];", "  }",
                       "  sum += s[lane][0];", "  if (first < n) out[0] = sum;", "}"});
  const Finding finding = source.finding(
      ".shared .align 4 .b8 s[256];\n  mov.u32 %r3, s;\n  shl.b32 %r2, %r1, 2;\n  add.u32 %r3, %r3, "
      "%r2;\n.loc 1 3 5\n"
      "  st.shared.u32 [%r3], %r1;\n  st.shared.u32 [%r3+128], %r1;\n.loc 1 6 3\n  setp.gt.u32 %p1, %r1, "
      "40;\n  @%p1 bra END;\n"
      ".loc 1 5 3\n  xor.b32 %r2, %r2, 4;\n  mov.u32 %r4, s;\n  add.u32 %r4, %r4, %r2;\n  ld.shared.u32 %r5, "
      "[%r4];\nEND:");
  CHECK_THAT(finding.help, ContainsSubstring("after line 4") && !ContainsSubstring("different calls"));
}
