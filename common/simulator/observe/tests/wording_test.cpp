/// \file What findings say of who, where and what helps, where the first thing that comes to mind is wrong;
/// and what they call a place: the variable of the source and an index.

#include <cstring>

#include "../../gpu.hpp"
#include "common/testing/catch.hpp"

using namespace warpwise::simulator;
using warpwise::testing::ContainsSubstring;

namespace {

constexpr std::string_view head = R"(.version 7.0
.target sm_75
.address_size 64
.extern .shared .align 16 .b32 partial[];
.extern .shared .align 16 .b32 tile[];
.extern .shared .align 16 .b32 s[];
)";

std::shared_ptr<Program> load(Gpu& gpu, const std::string& functions) {
  return gpu.load(std::string(head) + functions, "wording");
}

/// The findings of kernel `k`, which gets `address`.
std::vector<Finding> launch(Gpu& gpu, const Program& program, std::uint64_t address, std::uint32_t blocks = 1,
                            std::uint32_t threads = 1, std::uint32_t shared_bytes = 4096) {
  gpu.options().launch.threads = 1;
  const void* const arguments[] = {&address};
  return gpu.launch(program, {"k", {blocks}, {threads}, shared_bytes, arguments}).findings;
}

/// The findings of kernel `k` of a module with these functions, which gets the address of 4 zeroed words.
std::vector<Finding> findings_of(const std::string& functions, std::uint32_t blocks, std::uint32_t threads) {
  Gpu gpu;
  Allocation& words = gpu.memory().allocate(16, "words", 4);
  std::memset(words.storage.get(), 0, 16);
  words.mark_written(0, 16);
  return launch(gpu, *load(gpu, functions), words.base, blocks, threads);
}

std::string kernel(const std::string& name, const std::string& body) {
  return ".visible .entry " + name +
         "(.param .u64 p)\n{\n  .reg .pred %p<4>;\n  .reg .b32 %r<9>;\n  .reg .b64 %rd<4>;\n"
         "  ld.param.u64 %rd1, [p];\n" +
         body + "\n  ret;\n}\n";
}

/// The only finding.
Finding finding_of(const std::string& functions, std::uint32_t blocks = 1, std::uint32_t threads = 1) {
  const auto findings = findings_of(functions, blocks, threads);
  REQUIRE(findings.size() == 1);
  return findings[0];
}

}  // namespace

TEST_CASE("dynamic shared memory has the name that the launched kernel gives it") {
  const std::string reads_partial = "  ld.shared.u32 %r1, [partial+8];\n  st.global.u32 [%rd1], %r1;",
                    reads_tile = "  ld.shared.u32 %r1, [tile];\n  st.global.u32 [%rd1], %r1;";
  const auto message = [](const std::string& functions) { return finding_of(functions).message; };
  CHECK(message(kernel("k", reads_partial) + kernel("other", reads_tile)) ==
        "thread 0 reads partial[2], which has never been written");
  CHECK(message(kernel("other", reads_partial) + kernel("k", reads_tile)) ==
        "thread 0 reads tile[0], which has never been written");
  // A kernel may leave the array to a function that it calls.
  const std::string device =
      ".func load(.reg .b64 %rd1)\n{\n  .reg .b32 %r<3>;\n" + reads_partial + "\n  ret;\n}\n";
  CHECK(message(device + kernel("k", "  call load, (%rd1);") + kernel("other", reads_tile)) ==
        "thread 0 reads partial[2], which has never been written");
}

TEST_CASE("an atomic whose scope is too small is called that") {
  const Finding finding = finding_of(kernel("k", "  red.global.cta.add.u32 [%rd1], 1;"), 2);
  CHECK(finding.message ==
        "thread 0 of block 1 updates atomically words[0], in a scope that is too small, while thread 0 of "
        "block 0 may still update it atomically");
  CHECK_THAT(finding.note, ContainsSubstring("block scope promises nothing to other blocks"));
  CHECK_THAT(finding.help, ContainsSubstring("atomicAdd() in place of atomicAdd_block()"));
  CHECK(findings_of(kernel("k", "  red.global.gpu.add.u32 [%rd1], 1;"), 2, 1).empty());
}

TEST_CASE("plain data behind a lock: the lock is not enough, and that is said") {
  const std::string update =
      "  ld.global.u32 %r3, [%rd1+4];\n  add.u32 %r3, %r3, 1;\n  st.global.u32 [%rd1+4], %r3;\n";
  const std::string release = "  atom.global.exch.b32 %r4, [%rd1], 0;";
  const auto locked = [&](const std::string& take) {
    return ".file 1 \"exercise.cu\"\n" + kernel("k", take + ".loc 1 4 1\n" + update + release);
  };
  for (const char* take : {"  mov.u32 %r1, 1;\nTAKE:\n  atom.global.cas.b32 %r2, [%rd1], 0, %r1;\n"
                           "  setp.ne.u32 %p1, %r2, 0;\n  @%p1 bra TAKE;\n",
                           "TAKE:\n  atom.global.exch.b32 %r2, [%rd1], 1;\n"
                           "  setp.ne.u32 %p1, %r2, 0;\n  @%p1 bra TAKE;\n"}) {
    const Finding finding = finding_of(locked(take), 2);
    CHECK_THAT(finding.note, ContainsSubstring("let one thread in at a time, but order no other accesses"));
    CHECK_THAT(finding.help, ContainsSubstring("__threadfence() after the loop that takes the lock"));
  }
  // An atomic that is no loop takes no lock, and neither does a loop that computes what it swaps in.
  for (const char* other : {"  atom.global.exch.b32 %r2, [%rd1], 1;\n",
                            "  mov.u32 %r2, 0;\nAGAIN:\n  mov.u32 %r1, %r2;\n  add.u32 %r5, %r1, 1;\n"
                            "  atom.global.cas.b32 %r2, [%rd1], %r1, %r5;\n"
                            "  setp.ne.u32 %p1, %r2, %r1;\n  @%p1 bra AGAIN;\n"}) {
    CHECK_THAT(finding_of(locked(other), 2).help, !ContainsSubstring("takes the lock"));
  }
}

TEST_CASE(
    "inside a warp the first advice is the barrier that every reader knows, or __syncwarp() where a kernel "
    "has none") {
  const std::string exchange =
      "  mov.u32 %r1, %tid.x;\n  shl.b32 %r2, %r1, 2;\n  mov.u32 %r3, partial;\n  add.u32 %r3, %r3, %r2;\n"
      ".loc 1 5 1\n  st.shared.u32 [%r3], %r1;\n.loc 1 6 1\n  xor.b32 %r4, %r2, 4;\n"
      "  mov.u32 %r5, partial;\n  add.u32 %r5, %r5, %r4;\n  ld.shared.u32 %r6, [%r5];";
  const auto found = [&](const std::string& end, std::uint32_t threads) {
    return finding_of(".file 1 \"exercise.cu\"\n" + kernel("k", exchange + end), 1, threads);
  };
  const std::string barrier = "\n.loc 1 8 1\n  bar.sync 0;";
  for (const Finding& finding : {found("", 64), found(barrier, 32)}) {
    CHECK_THAT(finding.help, ContainsSubstring("put __syncthreads() after line 5 (__syncwarp() is enough"));
    CHECK_THAT(finding.note, !ContainsSubstring("__syncwarp"));
  }
  // A block of one warp, and a kernel that waits for no block anywhere: its contract may not allow that.
  CHECK_THAT(found("", 32).help, ContainsSubstring("put __syncwarp() after line 5 (__syncthreads() where"));
}

TEST_CASE("a barrier is advised behind the line after which it would order the two, not where one stands") {
  const std::string start =
      "  mov.u32 %r1, %tid.x;\n  shl.b32 %r2, %r1, 2;\n  mov.u32 %r3, partial;\n  add.u32 %r3, %r3, %r2;\n"
      "  xor.b32 %r4, %r2, 128;\n  mov.u32 %r5, partial;\n  add.u32 %r5, %r5, %r4;\n  mov.u32 %r7, 0;\n";
  const std::string store = ".loc 1 5 1\n  st.shared.u32 [%r3], %r1;\n",
                    load = ".loc 1 7 1\n  ld.shared.u32 %r6, [%r5];\n",
                    barrier = ".loc 1 6 1\n  bar.sync 0;\n";
  const auto help = [&](const std::string& body) {
    return finding_of(".file 1 \"exercise.cu\"\n" + kernel("k", start + body), 1, 64).help;
  };
  const std::string again =
      ".loc 1 4 1\n  add.u32 %r7, %r7, 1;\n  setp.lt.u32 %p1, %r7, 3;\n  @%p1 bra AGAIN;\n";
  CHECK_THAT(help("AGAIN:\n" + store + barrier + load + again),
             ContainsSubstring("__syncthreads() after line 4"));
  CHECK_THAT(help(store + barrier + load + store + barrier + load),  // unrolled
             ContainsSubstring("__syncthreads() after line 4"));
  CHECK_THAT(help(store + "  bar.warp.sync -1;\n" + load), ContainsSubstring("__syncthreads() after line 6"));
}

TEST_CASE(
    "threads that add to one element are told of atomics, threads that add a neighbour's of reading first") {
  const std::string start =
      "  mov.u32 %r1, %tid.x;\n  shl.b32 %r2, %r1, 2;\n  mov.u32 %r3, partial;\n"
      "  add.u32 %r3, %r3, %r2;\n  st.shared.u32 [%r3], %r1;\n  bar.sync 0;\n";
  const auto help = [&](const std::string& body) {
    return finding_of(".file 1 \"exercise.cu\"\n" + kernel("k", start + ".loc 1 5 1\n" + body), 1, 32).help;
  };
  const std::string neighbours =
      "  and.b32 %r4, %r2, 120;\n  mov.u32 %r5, partial;\n  add.u32 %r5, %r5, %r4;\n"
      "  ld.shared.u32 %r6, [%r5];\n  add.u32 %r6, %r6, %r1;\n";
  CHECK_THAT(help(neighbours + "  st.shared.u32 [%r5], %r6;"),
             ContainsSubstring("use atomicAdd() or the like"));
  const std::string reads_first = "let each thread read into a variable of its own, put __syncwarp()";
  CHECK_THAT(help(neighbours + "  st.shared.u32 [%r3], %r6;"), ContainsSubstring(reads_first));
  const std::string round = neighbours + "  st.shared.u32 [%r3], %r6;\n";
  CHECK_THAT(help("  mov.u32 %r7, 0;\nAGAIN:\n" + round +
                  "  add.u32 %r7, %r7, 1;\n  setp.lt.u32 %p1, %r7, 3;\n  @%p1 bra AGAIN;\n"),
             ContainsSubstring(reads_first));
}

TEST_CASE("a finding without a line takes its neighbour's, and says so") {
  const std::string file = ".file 1 \"exercise.cu\"\n";
  const auto body = [](const std::string& before, const std::string& behind) {
    return kernel("k", ".loc 1 7 1\n  mov.u32 %r1, 0;\n  mov.u32 %r2, 0;\n.loc 1 0 0\n" + before +
                           "  ld.shared.u32 %r1, [partial];\n  st.global.u32 [%rd1], %r1;\n" + behind +
                           ".loc 1 9 1\n  mov.u32 %r2, 0;");
  };
  const std::string without_line = "  mov.u32 %r3, 0;\n  mov.u32 %r3, 0;\n  mov.u32 %r3, 0;\n";
  const Finding before = finding_of(file + body("", without_line));
  CHECK(before.file == "exercise.cu");
  CHECK(before.line == 7);
  CHECK(before.message == "near this line: thread 0 reads partial[0], which has never been written");
  CHECK(finding_of(file + body(without_line, "")).line == 9);
  CHECK(finding_of(kernel("k", "  ld.shared.u32 %r1, [partial];\n  st.global.u32 [%rd1], %r1;")).line == 0);
}

TEST_CASE("blocks that write one element are told to take one each, who reads another's to end the kernel") {
  const std::string block = "  mov.u32 %r1, %ctaid.x;\n";
  const Finding two_writers = finding_of(kernel("k", block + "  st.global.u32 [%rd1], %r1;"), 2);
  CHECK_THAT(two_writers.message, ContainsSubstring("thread 0 of block 1 writes words[0] while"));
  CHECK_THAT(two_writers.help, ContainsSubstring("give each block an element of its own"));
  const std::string reads_behind =
      "  shl.b32 %r2, %r1, 2;\n  cvt.u64.u32 %rd2, %r2;\n  add.u64 %rd2, %rd1, %rd2;\n"
      "  st.global.u32 [%rd2], %r1;\n  ld.global.u32 %r3, [%rd1];\n"
      "  st.shared.u32 [partial], %r3;";
  CHECK_THAT(finding_of(kernel("k", block + reads_behind), 2).help,
             ContainsSubstring("end the kernel between"));
}

// ---- The names of places

namespace {

/// Runs `body` as one thread of a kernel with 512 bytes of dynamic shared memory: the messages of what was
/// found. `before` stands in front of the kernel.
std::vector<std::string> messages_of(const std::string& body, const std::string& before = "") {
  Gpu gpu;
  std::vector<std::string> messages;
  for (const Finding& finding : launch(gpu, *load(gpu, before + kernel("k", body)), 0, 1, 1, 512))
    messages.push_back(finding.message);
  return messages;
}

/// The message of the only finding; "" where there is none or several.
std::string message_of(const std::string& body, const std::string& before = "") {
  const auto messages = messages_of(body, before);
  return messages.size() == 1 ? messages[0] : "";
}

/// What is read is reported only where something depends on it.
const std::string decide_by_r1 = "\n  setp.eq.u32 %p1, %r1, 0;\n  @%p1 ret;";

}  // namespace

TEST_CASE("a variable whose name means a type to the demangler keeps its name") {
  CHECK(message_of("ld.shared.f32 %r1, [s+12];" + decide_by_r1) ==
        "thread 0 reads s[3], which has never been written");
  CHECK(message_of("st.shared.u32 [s+512], 1;") ==
        "thread 0 writes s[128], but the block's shared memory has only 512 bytes");
}

TEST_CASE("of an array of which the compiler keeps single elements, the name is told as the source has it") {
  CHECK(message_of("  .shared .align 4 .b8 _ZZ1kPKiE3sum_$_0[4];\n  ld.shared.u32 %r1, [_ZZ1kPKiE3sum_$_0];" +
                   decide_by_r1) == "thread 0 reads sum, which has never been written");
}

TEST_CASE("an overrun of constant memory names the array and the index") {
  CHECK(message_of("mov.u64 %rd1, table;\n  ld.const.u32 %r1, [%rd1+64];",
                   ".const .align 4 .u32 table[16] = {1};\n") ==
        "thread 0 reads table[16], but table has 16 elements");
}

TEST_CASE("an overrun of one shared array names it, although the block has more shared memory") {
  const std::string arrays =
      "  .shared .align 4 .u32 a[32];\n  .shared .align 4 .u32 b[32];\n  .shared .align 4 .u32 one;\n";
  CHECK(messages_of(arrays + "st.shared.u32 [a+124], 1;\n  st.shared.u32 [b], 1;\n  st.shared.u32 [one], 1;")
            .empty());
  CHECK(message_of(arrays + "st.shared.u32 [a+128], 1;") == "thread 0 writes a[32], but a has 32 elements");
  CHECK(message_of(arrays + "st.shared.u32 [b+-4], 1;") == "thread 0 writes b[-1], but b has 32 elements");
  CHECK(message_of(arrays + "mov.u64 %rd1, b;\n  ld.shared.u32 %r1, [%rd1+252];") ==
        "thread 0 reads b[63], but b has 32 elements");
  CHECK(message_of(arrays + "atom.shared.add.u32 %r1, [one+4], 1;") ==
        "thread 0 updates one[1], but one has 1 element");
  // Dynamic memory: only unwritten.
  CHECK(messages_of(arrays + "ld.shared.v2.u32 {%r1, %r2}, [s];" + decide_by_r1).size() == 1);
  CHECK(message_of(arrays + "st.shared.u32 [s+512], 1;") ==
        "thread 0 writes s[128], but the block's shared memory has only 784 bytes");
}

TEST_CASE("an access that leaves its shared array half-way says so") {
  CHECK(message_of("  .shared .align 8 .u32 a[3];\n  st.shared.v2.u32 [a+8], {1, 2};") ==
        "thread 0 writes 8 bytes at a[2], beyond its end");
}

TEST_CASE("elements are those that were declared, however wide the access is; of bytes it is the byte") {
  const std::string arrays = "  .shared .align 16 .f32 a[64];\n  .shared .align 16 .b8 b[256];\n";
  CHECK(message_of(arrays + "st.shared.v4.u32 [a+256], {1, 2, 3, 4};") ==
        "thread 0 writes a[64], but a has 64 elements");
  CHECK(message_of(arrays + "st.shared.v4.u32 [a+56], {1, 2, 3, 4};") ==
        "thread 0 writes 16 bytes at a[14], whose address is not a multiple of 16");
  CHECK(message_of(arrays + "st.shared.u64 [a+12], %rd1;") ==
        "thread 0 writes 8 bytes at a[3], whose address is not a multiple of 8");
  CHECK(message_of(arrays + "st.shared.u32 [b+256], 1;") ==
        "thread 0 writes byte 256 of b, but b has 256 bytes");
  CHECK(message_of(arrays + "st.shared.u32 [b+12], 1;\n  st.shared.u32 [b+18], 1;") ==
        "thread 0 writes 4 bytes at byte 18 of b, whose address is not a multiple of 4");
}

TEST_CASE("a buffer that has no type has that of the pointers to it, or bytes where they differ") {
  const auto message_for = [](const std::string& name, bool passes_middle) {
    Gpu gpu;
    const std::uint64_t buffer = gpu.memory().allocate(256).base;
    const std::uint64_t second = buffer + (passes_middle ? 66 : 64);
    const auto program =
        load(gpu, ".visible .entry " + name +
                      "(.param .u64 p, .param .u64 q)\n{\n  .reg .b64 %rd<2>;\n"
                      "  ld.param.u64 %rd1, [p];\n  st.global.u32 [%rd1+256], 1;\n  ret;\n}\n");
    const void* const arguments[] = {&buffer, &second};
    const auto findings = gpu.launch(*program, {name, {1}, {1}, 0, arguments}).findings;
    return findings.size() == 1 ? findings[0].message : "";
  };
  const std::string writes = "thread 0 writes ", of = " of an allocation of 256 bytes, but it has ";
  CHECK(message_for("_Z1kPfPKf", false) == writes + "element 64" + of + "64 elements");
  CHECK(message_for("_Z1kIdEvPT_PKS0_", false) == writes + "element 32" + of + "32 elements");
  for (const char* const name : {"k", "_Z1kPfPd", "_Z1kPfPv", "_Z1kPf6Struct"})
    CHECK(message_for(name, false) == writes + "byte 256" + of + "256 bytes");
  CHECK(message_for("_Z1kPfPKf", true) == writes + "byte 256" + of + "256 bytes");
}

TEST_CASE("an array of one element goes by its name alone, one of none does not") {
  const auto message_for = [](std::uint64_t bytes) {
    Gpu gpu;
    const std::uint64_t in = gpu.memory().allocate(bytes, "in", 4).base;
    const auto findings =
        launch(gpu, *load(gpu, kernel("k", "  ld.global.u32 %r1, [%rd1];" + decide_by_r1)), in);
    return findings.empty() ? "" : findings[0].message;
  };
  CHECK(message_for(4) == "thread 0 reads in, which has never been written");
  CHECK(message_for(0) == "thread 0 reads in[0], but in has 0 elements");
}

TEST_CASE("memory that has been freed is called that, by the name that it had") {
  Gpu gpu;
  const auto program = load(gpu, kernel("k", "  st.global.u32 [%rd1+8], 1;"));
  gpu.memory().allocate(64, "before", 4);
  const std::uint64_t to = gpu.memory().allocate(64, "sums", 4).base;
  gpu.memory().allocate(64, "behind", 4);
  CHECK(launch(gpu, *program, to).empty());
  REQUIRE(gpu.memory().release(to));
  CHECK(gpu.memory().find_released(to + 63) != nullptr);
  CHECK(gpu.memory().find_released(to + 64) == nullptr);
  const auto findings = launch(gpu, *program, to);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].kind == FindingKind::out_of_bounds);
  CHECK(findings[0].message == "thread 0 writes sums[2], which has been freed");
  CHECK(findings[0].note == "seen once, in block 0");  // and nothing of what lies near
}

TEST_CASE("an index that is a little too large meets no other array") {
  Gpu gpu;
  const auto program = load(gpu, kernel("k", "  st.global.u32 [%rd1+30000], 1;"));
  const std::uint64_t sums = gpu.memory().allocate(64, "sums", 4).base;
  const std::uint64_t maxima = gpu.memory().allocate(64, "maxima", 4).base;
  const auto findings = launch(gpu, *program, sums < maxima ? sums : maxima);
  REQUIRE(findings.size() == 1);
  const std::string name = sums < maxima ? "sums" : "maxima";
  CHECK(findings[0].message == "thread 0 writes " + name + "[7500], but " + name + " has 16 elements");
}
