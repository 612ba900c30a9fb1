// Instructions that are several accesses: cp.async, atomics of vectors; and those of 128 bits.
#include "fixture.hpp"

namespace warpwise::simulator::run {
namespace {

const char* const tile = ".shared .align 16 .b8 tile[1024];";

std::vector<AccessKind> kinds_of(const Recorder& recorder, ptx::Space space) {
  std::vector<AccessKind> result;
  for (const Access& access : recorder.accesses)
    if (access.space == space) result.push_back(access.kind);
  return result;
}

}  // namespace

TEST_CASE("cp.async copies 4, 8 and 16 bytes from global to shared memory") {
  for (const std::uint32_t bytes : {4u, 8u, 16u}) {
    for (const char* cache : {"ca", "cg"}) {
      if (cache == std::string("cg") && bytes != 16) continue;
      const std::string size = std::to_string(bytes);
      Machine m(
          kernel("mul.wide.u32 %rd4, %r1, " + size + "; add.s64 %rd4, %rd1, %rd4;\n" +
                     "mov.u32 %r2, tile; mad.lo.u32 %r2, %r1, " + size + ", %r2;\n" + "cp.async." + cache +
                     ".shared.global.L2::128B [%r2], [%rd4+512], " + size + ";\n" +
                     "cp.async.commit_group;\ncp.async.wait_group 0;\ncp.async.wait_all;\nbar.sync 0;\n" +
                     "mov.u32 %r3, tile; mad.lo.u32 %r3, %r1, 4, %r3;\n" +
                     "ld.shared.u32 %r4, [%r3]; st.global.u32 [%rd2], %r4; ret;",
                 tile));
      auto* words = reinterpret_cast<std::uint32_t*>(m.out->base);
      for (std::uint32_t i = 0; i < 128; ++i) words[128 + i] = 1000 + i;
      CAPTURE(bytes, cache);
      CHECK(m.run(1, 32).status == LaunchStatus::ok);
      for (std::uint32_t i = 0; i < 32; ++i) CHECK(m.word(i) == 1000 + i);
      CHECK(m.recorder.accesses[0].kind == AccessKind::load);
      CHECK(m.recorder.accesses[0].space == ptx::Space::global);
      CHECK(m.recorder.accesses[1].kind == AccessKind::store);
      CHECK(m.recorder.accesses[1].space == ptx::Space::shared);
      CHECK(m.recorder.accesses[1].bytes == bytes);
    }
  }
}

TEST_CASE("cp.async fills with zeros what src-size leaves out, and does not read it") {
  // Lane i reads i bytes (at most 16) of the last 16 bytes of `out`; lane 0 may even have no source at all.
  Machine m(kernel(R"(
    min.u32 %r2, %r1, 16;
    setp.eq.u32 %p1, %r1, 0;
    add.s64 %rd4, %rd1, 4080;
    selp.b64 %rd4, 0, %rd4, %p1;
    mov.u32 %r3, tile;
    mad.lo.u32 %r3, %r1, 16, %r3;
    cp.async.cg.shared.global [%r3], [%rd4], 16, %r2;
    cp.async.wait_all;
    mul.wide.u32 %rd5, %r1, 16;
    add.s64 %rd5, %rd1, %rd5;
    ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r3];
    st.global.v4.u32 [%rd5], {%r4, %r5, %r6, %r7};
    ret;)",
                   tile));
  auto* bytes = reinterpret_cast<std::uint8_t*>(m.out->base);
  for (std::uint32_t i = 0; i < 16; ++i) bytes[4080 + i] = static_cast<std::uint8_t>(1 + i);
  CHECK(m.run(1, 32).status == LaunchStatus::ok);
  CHECK(m.recorder.faults.empty());
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    for (std::uint32_t i = 0; i < 16; ++i) CHECK(bytes[16 * lane + i] == (i < lane ? i + 1 : 0));
}

TEST_CASE("cp.async with ignore-src, guards and bad addresses") {
  Machine m(kernel(R"(
    and.b32 %r2, %r1, 1;
    setp.eq.u32 %p1, %r2, 1;
    setp.lt.u32 %p2, %r1, 16;
    mov.u32 %r3, tile;
    mad.lo.u32 %r3, %r1, 4, %r3;
    st.shared.u32 [%r3], 77;
    @%p2 cp.async.ca.shared.global [%r3], [%rd2+512], 4, %p1;
    ld.shared.u32 %r4, [%r3];
    st.global.u32 [%rd2], %r4;
    cp.async.ca.shared.global [%r3+2], [%rd2], 4;
    cp.async.ca.shared.global [%r3], [%rd2+4096], 4;
    ret;)",
                   tile));
  auto* words = reinterpret_cast<std::uint32_t*>(m.out->base);
  for (std::uint32_t i = 0; i < 32; ++i) words[128 + i] = 1000 + i;
  CHECK(m.run(1, 32).status == LaunchStatus::memory_fault);
  for (std::uint32_t i = 0; i < 32; ++i) CHECK(m.word(i) == (i >= 16 ? 77 : i % 2 == 1 ? 0 : 1000 + i));
  CHECK(m.recorder.faults_of(FaultKind::misaligned) == 1);
  CHECK(m.recorder.faults_of(FaultKind::out_of_bounds) == 1);
}

TEST_CASE("a src-size above the cp-size is a fault") {
  Machine m(kernel("mov.u32 %r2, tile; cp.async.ca.shared.global [%r2], [%rd1], 4, 5; ret;", tile));
  CHECK(m.run(1, 32).status == LaunchStatus::trapped);
  CHECK(m.recorder.faults_of(FaultKind::trap) == 1);
}

TEST_CASE("128 bits are loaded, stored, exchanged and compared as one") {
  Machine m(kernel(R"(
    .reg .b128 %q<6>;
    mov.b64 %rd4, 5;
    mov.b64 %rd5, 6;
    mov.b128 %q1, {%rd4, %rd5};
    st.global.b128 [%rd1+16], %q1;
    ld.global.b128 %q2, [%rd1];
    atom.global.exch.b128 %q3, [%rd1+16], %q2;
    atom.global.cas.b128 %q4, [%rd1+32], %q2, %q3;
    atom.cas.b128 %q5, [%rd1+48], %q2, %q3;
    st.global.b128 [%rd1+64], %q3;
    st.global.b128 [%rd1+80], %q4;
    st.global.b128 [%rd1+96], %q5;
    ret;)"));
  auto* words = reinterpret_cast<std::uint64_t*>(m.out->base);
  words[0] = words[4] = words[6] = 1;
  words[1] = words[5] = 2;
  words[7] = 3;  // differs from (1, 2) in its high half alone
  CHECK(m.run(1, 1).status == LaunchStatus::ok);
  const std::uint64_t expected[] = {1, 2, 1, 2, 5, 6, 1, 3, 5, 6, 1, 2, 1, 3};
  for (std::size_t i = 0; i < 14; ++i) CHECK(words[i] == expected[i]);
}

TEST_CASE("128-bit exchanges between host threads lose nothing") {
  // A counter in both halves: a torn update would let them differ.
  Machine m(kernel(R"(
    .reg .b128 %q<4>;
    .reg .pred %same;
    ld.global.v2.u64 {%rd4, %rd5}, [%rd1];
  AGAIN:
    mov.b128 %q1, {%rd4, %rd5};
    add.u64 %rd6, %rd4, 1;
    add.u64 %rd7, %rd5, 1;
    mov.b128 %q2, {%rd6, %rd7};
    atom.global.cas.b128 %q3, [%rd1], %q1, %q2;
    mov.b128 {%rd8, %rd9}, %q3;
    setp.eq.u64 %p1, %rd8, %rd4;
    setp.eq.and.u64 %same, %rd9, %rd5, %p1;
    mov.u64 %rd4, %rd8;
    mov.u64 %rd5, %rd9;
    @!%same bra AGAIN;
    ret;)"));
  m.options.threads = 2;
  CHECK(m.run(16, 64, false).status == LaunchStatus::ok);
  const auto* words = reinterpret_cast<const std::uint64_t*>(m.out->base);
  CHECK(words[0] == 16 * 64);
  CHECK(words[1] == 16 * 64);
}

TEST_CASE("atomics of vectors change each element, and must be aligned to the whole") {
  Machine m(kernel(R"(
    .reg .f32 %old<4>;
    cvt.rn.f32.u32 %f1, %r1;
    red.global.add.v4.f32 [%rd1], {%f1, %f1, 0f3F800000, 0f40000000};
    bar.sync 0;
    atom.global.add.v2.f32 {%old0, %old1}, [%rd1+8], {0f3F800000, 0f3F800000};
    st.global.f32 [%rd2+128], %old0;
    red.global.add.v2.f32 [%rd1+4], {%f1, %f1};
    ret;)"));
  CHECK(m.run(1, 32).status == LaunchStatus::memory_fault);
  const auto* sums = reinterpret_cast<const float*>(m.out->base);
  CHECK(sums[0] == 496);
  CHECK(sums[1] == 496);
  CHECK(sums[2] == 64);
  CHECK(sums[3] == 96);
  for (std::uint32_t i = 0; i < 32; ++i) CHECK(sums[32 + i] == 32 + static_cast<float>(i));
  CHECK(m.recorder.faults_of(FaultKind::misaligned) == 1);
  CHECK(kinds_of(m.recorder, ptx::Space::global).front() == AccessKind::reduction);
}

TEST_CASE("atom.add.f32 takes subnormals as zero in global memory, and keeps them in shared memory") {
  Machine m(kernel(R"(
    st.shared.u32 [tile], 3;
    st.global.u32 [%rd1], 3;
    mov.b32 %f1, 0x00000005;
    red.global.add.f32 [%rd1], %f1;
    red.shared.add.f32 [tile], %f1;
    ld.shared.u32 %r2, [tile];
    st.global.u32 [%rd1+4], %r2;
    ret;)",
                   tile));
  CHECK(m.run(1, 1).status == LaunchStatus::ok);
  CHECK(m.word(0) == 0);
  CHECK(m.word(1) == 8);
}

}  // namespace warpwise::simulator::run
