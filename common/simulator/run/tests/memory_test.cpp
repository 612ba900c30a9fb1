#include "fixture.hpp"

namespace warpwise::simulator::run {

TEST_CASE("every space is reached through its own and through generic addresses") {
  Machine m(kernel(R"(
    .local .align 8 .b8 depot[16];
    .reg .b64 %a<8>;
    mov.u64 %a0, depot;
    cvta.local.u64 %a1, %a0;
    st.local.u32 [%a0+4], %r1;
    ld.u32 %r2, [%a1+4];
    st.global.u32 [%rd2], %r2;
    mov.u64 %a2, tile;
    cvta.shared.u64 %a3, %a2;
    add.s64 %a3, %a3, %rd3;
    st.u32 [%a3], %r1;
    add.s64 %a2, %a2, %rd3;
    ld.shared.u32 %r3, [%a2];
    st.global.u32 [%rd2+128], %r3;
    ld.const.u32 %r4, [table+4];
    st.global.u32 [%rd2+256], %r4;
    mov.u64 %a4, counter;
    cvta.global.u64 %a5, %a4;
    atom.add.u32 %r5, [%a5], 1;
    ld.global.u32 %r6, [counter];
    st.global.u32 [%rd2+384], %r6;
    ret;)",
                   ".shared .align 4 .b8 tile[128];\n.const .align 4 .u32 table[2] = {5, 6};\n.global .u32 "
                   "counter = 10;"));
  CHECK(m.run(1, 32).status == LaunchStatus::ok);
  for (std::uint32_t i = 0; i < 32; ++i) {
    CHECK(m.word(i) == i);
    CHECK(m.word(32 + i) == i);
    CHECK(m.word(64 + i) == 6);
    CHECK(m.word(96 + i) == 42);
  }
  REQUIRE(m.program->find_variable("counter") != nullptr);
  CHECK(m.program->find_variable("counter")->bytes == 4);
}

TEST_CASE("vectors, bytes and sign extension") {
  Machine m(kernel(R"(
    mul.wide.u32 %rd4, %r1, 16;
    add.s64 %rd5, %rd1, %rd4;
    mov.u32 %r2, 0xfffffff0;
    st.global.v4.u32 [%rd5], {%r1, %r2, %r1, %r2};
    ld.global.s8 %r3, [%rd5+4];
    ld.global.u8 %r4, [%rd5+4];
    ld.global.s16 %rd6, [%rd5+4];
    ld.global.v2.u32 {%r5, %r6}, [%rd5+8];
    add.u32 %r5, %r5, %r4;
    st.global.v2.u32 [%rd5], {%r3, %r5};
    st.global.u64 [%rd5+8], %rd6;
    ret;)"));
  CHECK(m.run(1, 32).status == LaunchStatus::ok);
  CHECK(m.word(4 * 9) == 0xfffffff0u);
  CHECK(m.word(4 * 9 + 1) == 9 + 0xf0);
  CHECK(m.word(4 * 9 + 2) == 0xfffffff0u);
  CHECK(m.word(4 * 9 + 3) == 0xffffffffu);
}

TEST_CASE("bad accesses are faults: skipped, reported, and the rest goes on") {
  Machine m(kernel(R"(
    st.global.u32 [%rd2+64], 1;
    mov.u64 %rd4, 0;
    ld.global.u32 %r2, [%rd4];
    st.global.u32 [%rd1], %r2;
    ld.global.u32 %r3, [%rd1+2];
    st.shared.u32 [%rd3], %r1;
    ret;)"),
            32);
  CHECK(m.run(1, 32).status == LaunchStatus::memory_fault);
  REQUIRE(m.recorder.faults.size() == 4);
  CHECK(m.recorder.faults[0].kind == FaultKind::out_of_bounds);
  CHECK(m.recorder.faults[0].lanes == 0xffff0000u);
  CHECK(m.recorder.faults[0].address == m.out->base + 128);
  CHECK(m.recorder.faults[1].address == 0);
  CHECK(m.recorder.faults[2].kind == FaultKind::misaligned);
  CHECK(m.recorder.faults[3].space == ptx::Space::shared);
  CHECK(m.word(0) == 0xCDCDCDCDu);
  CHECK(m.word(31) == 1);
}

TEST_CASE("constant memory cannot be written, fresh shared memory is poison") {
  Machine m(kernel(R"(
    mov.u64 %rd4, table;
    st.global.u32 [%rd4], %r1;
    ld.shared.u32 %r2, [tile];
    st.global.u32 [%rd2], %r2;
    ret;)",
                   ".const .align 4 .u32 table[2] = {5, 6};\n.shared .align 4 .b8 tile[8];"));
  CHECK(m.run(1, 32).status == LaunchStatus::memory_fault);
  CHECK(m.recorder.faults_of(FaultKind::read_only) == 1);
  CHECK(m.word(0) == 0xCDCDCDCDu);
}

TEST_CASE("what lies between the variables of shared memory belongs to nobody") {
  const std::string variables = ".shared .align 4 .b8 first[64];\n.shared .align 16 .b8 second[256];\n";
  // Each lane writes its element of an array, `bytes` further.
  const auto faults_of_lanes = [&](const std::string& name, int bytes) -> LaneMask {
    Machine m(kernel("mov.u64 %rd4, " + name + ";\nadd.s64 %rd4, %rd4, %rd3;\nst.shared.u32 [%rd4+" +
                         std::to_string(bytes) + "], %r1;\nret;",
                     variables));
    m.run(1, 32);
    LaneMask lanes = 0;
    for (const Fault& fault : m.recorder.faults) {
      CHECK(fault.kind == FaultKind::out_of_bounds);
      CHECK(fault.limit == 64 + 256);
      lanes |= fault.lanes;
    }
    return lanes;
  };
  CHECK(faults_of_lanes("second", 0) == 0);
  CHECK(faults_of_lanes("second", 128) == 0);
  CHECK(faults_of_lanes("second", 132) == 0x80000000u);
  CHECK(faults_of_lanes("second", -4) == 1);
  CHECK(faults_of_lanes("first", 0) == 0xffff0000u);
  CHECK(faults_of_lanes("first", 64) == all_lanes);
}

TEST_CASE("gaps change neither the banks of shared variables nor the memory that a kernel asks for") {
  Machine m(kernel(R"(
    mov.u64 %rd4, first;
    mov.u64 %rd5, second;
    mov.u64 %rd6, rest;
    mov.u32 %r2, %total_smem_size;
    st.global.v2.u64 [%rd1], {%rd4, %rd5};
    st.global.u64 [%rd1+16], %rd6;
    st.global.u32 [%rd1+24], %r2;
    ret;)",
                   ".shared .align 4 .b8 first[68];\n.shared .align 1024 .b8 second[36];\n"
                   ".extern .shared .align 16 .b8 rest[];\n"));
  CHECK(m.run(1, 1).status == LaunchStatus::ok);
  // Variables of the module end at a multiple of 16.
  CHECK(m.program->find_kernel("k")->static_shared_bytes == 1024 + 48);
  CHECK(m.word(6) == 1024 + 48);
  CHECK(m.word(0) == 0);
  CHECK(m.word(2) > 1024);
  CHECK(m.word(2) % 1024 == 0);
  CHECK(m.word(4) > m.word(2) + 36);
  CHECK(m.word(4) % 128 == (1024 + 48) % 128);
}

TEST_CASE("one instruction may reach several shared variables") {
  Machine m(kernel(R"(
    mov.u64 %rd4, first;
    mov.u64 %rd5, second;
    setp.lt.u32 %p1, %r1, 16;
    selp.b64 %rd6, %rd4, %rd5, %p1;
    add.s64 %rd6, %rd6, %rd3;
    st.shared.u32 [%rd6], %r1;
    ld.shared.u32 %r2, [%rd6];
    st.global.u32 [%rd2], %r2;
    ret;)",
                   ".shared .align 4 .b8 first[64];\n.shared .align 4 .b8 second[128];\n"));
  CHECK(m.run(1, 32).status == LaunchStatus::ok);
  CHECK(m.recorder.faults.empty());
  for (std::uint32_t i = 0; i < 32; ++i) CHECK(m.word(i) == i);
}

TEST_CASE("atomics between host threads lose nothing") {
  Machine m(kernel(R"(
    red.global.add.u32 [%rd1], 1;
    atom.global.max.s32 %r2, [%rd1+4], %r1;
    cvt.rn.f32.u32 %f1, %r1;
    red.global.add.f32 [%rd1+8], %f1;
    ret;)"));
  m.options.threads = 2;
  CHECK(m.run(64, 128, false).status == LaunchStatus::ok);
  CHECK(m.word(0) == 64 * 128);
  CHECK(m.word(1) == 127);
  float sum;
  const std::uint32_t bits = m.word(2);
  std::memcpy(&sum, &bits, 4);
  CHECK(sum == 64.0f * 127 * 64);
}

TEST_CASE("what one block stores as a vector, another loads as a vector: all of it or nothing") {
  const std::string two = "v2.u32", four = "v4.u32";
  for (const std::string& type : {two, four}) {
    const std::string counter = type == two ? "{%r2, %r2}" : "{%r2, %r2, %r2, %r2}";
    const std::string found = type == two ? "{%r3, %r4}" : "{%r3, %r5, %r6, %r4}";
    Machine m(kernel(R"(
      .reg .pred %q<2>;
      mov.u32 %r10, %ctaid.x;
      mul.wide.u32 %rd4, %r1, 16;
      add.s64 %rd5, %rd1, %rd4;
      mov.u32 %r2, 0;
      mov.u32 %r11, 0;
    NEXT:
      add.u32 %r2, %r2, 1;
      setp.ne.u32 %p1, %r10, 0;
      @%p1 bra LOAD;
      st.relaxed.gpu.global.)" +
                     type + " [%rd5], " + counter + R"(;
      bra.uni TURN;
    LOAD:
      ld.relaxed.gpu.global.)" +
                     type + " " + found + R"(, [%rd5];
      setp.ne.u32 %p2, %r3, %r4;
      @%p2 add.u32 %r11, %r11, 1;
    TURN:
      setp.lt.u32 %p3, %r2, 100000;
      @%p3 bra NEXT;
      setp.eq.u32 %q1, %r10, 0;
      @%q1 ret;
      st.global.u32 [%rd2+2048], %r11;
      ret;)"));
    m.options.threads = 2;
    CAPTURE(type);
    REQUIRE(m.run(2, 32, false).status == LaunchStatus::ok);
    std::uint32_t torn = 0;
    for (std::size_t lane = 0; lane < 32; ++lane) torn += m.word(512 + lane);
    CHECK(torn == 0);
  }
}

TEST_CASE("printf formats each lane's values") {
  Machine m(kernel(R"(
    .local .align 8 .b8 depot[32];
    .reg .b64 %a<4>; .reg .f64 %d<2>;
    mov.u64 %a0, depot;
    cvta.local.u64 %a1, %a0;
    cvt.rn.f64.u32 %d1, %r1;
    st.local.u32 [%a0], %r1;
    st.local.f64 [%a0+8], %d1;
    mov.u64 %a2, text;
    st.local.u64 [%a0+16], %a2;
    { .param .b64 p0; .param .b64 p1; .param .b32 r;
      mov.u64 %a3, format;
      st.param.b64 [p0], %a3;
      st.param.b64 [p1], %a1;
      call.uni (r), vprintf, (p0, p1);
      ld.param.b32 %r2, [r]; }
    st.global.u32 [%rd2], %r2;
    ret;)",
                   R"(
    .extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);
    .global .align 1 .b8 format[13] = {37, 50, 100, 32, 37, 46, 49, 102, 32, 37, 115, 10, 0};
    .global .align 1 .b8 text[3] = {104, 105, 0};)"));
  CHECK(m.run(1, 2).status == LaunchStatus::ok);
  CHECK(m.printed == " 0 0.0 hi\n 1 1.0 hi\n");
  CHECK(m.word(0) == 3);
}

}  // namespace warpwise::simulator::run
