/// \file What findings call a place: the variable of the source and an index.

#include "../../gpu.hpp"
#include "common/testing/catch.hpp"

using namespace warpwise::simulator;

namespace {

/// Runs `body` as one thread of a kernel without parameters, which has `s` (dynamic, 128 floats) and `table`
/// (constant, 16 words); the messages of what was found.
std::vector<std::string> messages_of(const std::string& body) {
  const std::string text = R"(.version 7.0
.target sm_75
.address_size 64
.extern .shared .align 16 .b8 s[];
.const .align 4 .b8 table[64] = {1};
.visible .entry k()
{
  .reg .pred %p;
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
)" + body + "\n  ret;\n}\n";
  Gpu gpu;
  gpu.options().launch.threads = 1;
  const auto program = gpu.load(text, "naming");
  LaunchRequest request;
  request.kernel = "k";
  request.grid = request.block = {1, 1, 1};
  request.dynamic_shared_bytes = 512;
  std::vector<std::string> messages;
  for (const Finding& finding : gpu.launch(*program, request).findings) messages.push_back(finding.message);
  return messages;
}

/// The message of the only finding; "" where there is none or several.
std::string message_of(const std::string& body) {
  const auto messages = messages_of(body);
  return messages.size() == 1 ? messages[0] : "";
}

/// What is read is reported only where something depends on it.
const std::string decide_by_r1 = "\n  setp.eq.u32 %p, %r1, 0;\n  @%p ret;";

}  // namespace

TEST_CASE("a variable whose name means a type to the demangler keeps its name") {
  CHECK(message_of("ld.shared.f32 %r1, [s+12];" + decide_by_r1) ==
        "thread 0 reads s[3], which nobody has written");
  CHECK(message_of("st.shared.u32 [s+512], 1;") ==
        "thread 0 writes s[128], but the block's shared memory has only 512 bytes");
}

TEST_CASE("an overrun of constant memory names the array and the index") {
  CHECK(message_of("mov.u64 %rd1, table;\n  ld.const.u32 %r1, [%rd1+64];") ==
        "thread 0 reads table[16], but table has 16 elements");
}

TEST_CASE("an overrun of one shared array names it, although the block has more shared memory") {
  const std::string arrays =
      "  .shared .align 4 .b8 a[128];\n  .shared .align 4 .b8 b[128];\n  .shared .align 4 .u32 one;\n";
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
  CHECK(message_of("  .shared .align 8 .b8 a[12];\n  st.shared.v2.u32 [a+8], {1, 2};") ==
        "thread 0 writes 8 bytes at a[1], beyond its end");
}

TEST_CASE("an array of one element goes by its name alone, one of none does not") {
  const std::string text = R"(.version 7.0
.target sm_75
.address_size 64
.visible .entry k(.param .u64 p)
{
  .reg .pred %p;
  .reg .b32 %r<2>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [p];
  cvta.to.global.u64 %rd2, %rd1;
  ld.global.u32 %r1, [%rd2];
  setp.eq.u32 %p, %r1, 0;
  @%p ret;
  ret;
}
)";
  const auto message_for = [&](std::uint64_t bytes) {
    Gpu gpu;
    const auto program = gpu.load(text, "naming");
    const std::uint64_t in = gpu.memory().allocate(bytes, "in", 4).base;
    const void* const arguments[] = {&in};
    LaunchRequest request;
    request.kernel = "k";
    request.grid = request.block = {1, 1, 1};
    request.arguments = arguments;
    const LaunchReport report = gpu.launch(*program, request);
    return report.findings.empty() ? "" : report.findings[0].message;
  };
  CHECK(message_for(4) == "thread 0 reads in, which nobody has written");
  CHECK(message_for(0) == "thread 0 reads in[0], but in has 0 elements");
}

TEST_CASE("memory that has been freed is called that, by the name that it had") {
  Gpu gpu;
  gpu.options().launch.threads = 1;
  const auto program = gpu.load(R"(.version 7.0
.target sm_75
.address_size 64
.visible .entry k(.param .u64 to)
{
  .reg .b64 %rd1;
  ld.param.u64 %rd1, [to];
  st.global.u32 [%rd1+8], 1;
  ret;
}
)",
                                "freed");
  const std::uint64_t to = gpu.memory().allocate(64, "sums", 4).base;
  LaunchRequest request;
  request.kernel = "k";
  const void* arguments[] = {&to};
  request.arguments = arguments;
  request.grid = request.block = {1, 1, 1};
  CHECK(gpu.launch(*program, request).findings.empty());
  REQUIRE(gpu.memory().release(to));
  CHECK(gpu.memory().find_released(to + 63) != nullptr);
  CHECK(gpu.memory().find_released(to + 64) == nullptr);
  const LaunchReport report = gpu.launch(*program, request);
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].kind == FindingKind::out_of_bounds);
  CHECK(report.findings[0].message == "thread 0 writes sums[2], which has been freed");
  CHECK(report.findings[0].note == "seen once, in block 0");  // nothing else lies near
}
