/// \file Values that nobody has set: where they go, and what is reported of them.

#include "fixture.hpp"

using namespace warpwise::simulator;
using namespace warpwise::simulator::run;

namespace {

/// The uses that are reported; for one host thread.
struct Uses final : Observation, Observer {
  std::vector<UndefinedUse> seen;
  std::uint32_t faults = 0;

  void add_observers(ObserverList& of_thread) override { of_thread.add(*this); }
  void on_undefined_use(const WarpContext&, const UndefinedUse& use) override { seen.push_back(use); }
  void on_fault(const WarpContext&, const Fault&) override { ++faults; }
};

struct Followed : Machine {
  Uses uses;

  explicit Followed(const std::string& body, const std::string& before = "", std::uint32_t threads = 32)
      : Machine(kernel(body + "\nret;", before)) {
    out->mark_written(0, 512);  // the first 128 words; from out+512 on nothing is
    const void* arguments[] = {&out->base};
    const std::array<Observation*, 1> observations{&uses};
    launch(*program, memory, {"k", {1, 1, 1}, {threads, 1, 1}, 0, arguments}, options, observations);
  }
  /// "store ffffffff" for each use; "" for none.
  std::string text() const {
    static constexpr const char* names[] = {"branch", "address", "store", "atomic", "exchange"};
    std::string all;
    for (const UndefinedUse& use : uses.seen) {
      char lanes[16];
      std::snprintf(lanes, sizeof lanes, "%x", use.lanes);
      all += (all.empty() ? "" : ", ") + std::string(names[static_cast<std::size_t>(use.use)]) + " " + lanes;
    }
    return all;
  }
};

std::string uses_of(const std::string& body, const std::string& before = "") {
  return Followed(body, before).text();
}

/// %r5 has 8 undefined bits in every lane: its low byte. %r6 is undefined, %r7 is the thread's number.
const std::string undefined_byte = "and.b32 %r5, %r6, 255;\nmov.u32 %r7, %r1;\n";
/// Something depends on a bit of %r10 that `mask` has.
std::string decide(const std::string& mask) {
  return "and.b32 %r11, %r10, " + mask + ";\nsetp.gt.u32 %p1, %r11, 3;\n@%p1 bra END;\nEND:";
}
const std::string all_lanes_branch = "branch ffffffff";

}  // namespace

TEST_CASE("undefined: a register that nobody has set is reported where it is stored") {
  const Followed all("st.global.u32 [%rd2], %r5;");
  CHECK(all.text() == "store ffffffff");
  const UndefinedOrigin& origin = all.uses.seen.at(0).origin;
  CHECK(origin.is_register);
  CHECK(origin.thread == 0);
  CHECK(origin.pc == all.uses.seen.at(0).pc);
  CHECK(uses_of("mov.u32 %r5, 7;\nst.global.u32 [%rd2], %r5;").empty());
  CHECK(uses_of("setp.lt.u32 %p1, %r1, 8;\n@%p1 bra SET;\nbra GO;\nSET: mov.u32 %r5, 1;\n"
                "GO: st.global.u32 [%rd2], %r5;") == "store ffffff00");
  CHECK(uses_of("setp.lt.u32 %p1, %r1, 8;\n@%p1 mov.u32 %r5, 1;\nst.global.u32 [%rd2], %r5;") ==
        "store ffffff00");
}

TEST_CASE("undefined: registers hold no lucky zero") {
  Machine m(kernel("st.global.u32 [%rd2], %r5;\nret;"));
  m.run(1, 32, false);
  CHECK(m.word(0) == 0xCDCDCDCDu);
}

TEST_CASE("undefined: a register's origin is the first instruction that computes with it") {
  const Followed sum(
      "mov.u32 %r6, %r5;\nadd.u32 %r7, %r6, 1;\nadd.u32 %r7, %r7, 1;\nst.global.u32 [%rd2], %r7;");
  REQUIRE(sum.text() == "store ffffffff");
  const UndefinedUse& use = sum.uses.seen[0];
  CHECK(sum.program->text_of(use.origin.pc).opcode == "add");
  CHECK(use.origin.pc + 2 == use.pc);
}

TEST_CASE("undefined: reading, and what nobody uses, is no defect") {
  CHECK(uses_of("add.u32 %r5, %r6, 1;\nmul.lo.u32 %r5, %r5, 3;").empty());
  CHECK(uses_of("ld.global.u32 %r5, [%rd1+512];\nadd.u32 %r5, %r5, 1;").empty());
  CHECK(uses_of("add.u32 %r5, %r6, 1;\nmov.u32 %r5, 2;\nst.global.u32 [%rd2], %r5;").empty());
  CHECK(uses_of("xor.b32 %r5, %r6, %r6;\nst.global.u32 [%rd2], %r5;").empty());
  CHECK(uses_of("st.shared.u32 [s], %r5;", ".shared .align 4 .b8 s[64];").empty());
}

TEST_CASE("undefined: branches, addresses, atomics") {
  CHECK(uses_of("setp.eq.u32 %p1, %r5, 0;\n@%p1 bra END;\nEND:") == all_lanes_branch);
  CHECK(uses_of("setp.eq.u32 %p1, %r5, 0;\n@%p1 st.global.u32 [%rd2], %r1;") == all_lanes_branch);
  CHECK(uses_of("setp.eq.u32 %p1, %r5, 0;\n@%p1 exit;") == all_lanes_branch);
  CHECK(uses_of("red.global.add.u32 [%rd2], %r5;") == "atomic ffffffff");
  CHECK(uses_of("atom.global.cas.b32 %r7, [%rd2], 1, %r5;") == "atomic ffffffff");
  CHECK(uses_of("setp.eq.u32 %p1, %r5, 0;\nbar.red.popc.u32 %r6, 0, %p1;") == "exchange ffffffff");
  CHECK(uses_of("L: .branchtargets A, B;\nbrx.idx %r5, L;\nA: ret;\nB: ret;").starts_with("branch"));
  const Followed lost("add.s64 %rd4, %rd1, %rd5;\nld.global.u32 %r5, [%rd4];");
  CHECK(lost.text() == "address ffffffff");
  CHECK(lost.uses.faults == 0);  // one defect is said once
}

TEST_CASE("undefined: memory that nobody has written is reported where its value is used") {
  CHECK(uses_of("ld.global.u32 %r5, [%rd1+512];\nst.global.u32 [%rd2], %r5;") == "store ffffffff");
  CHECK(uses_of("red.global.add.u32 [%rd1+512], 1;") == "atomic ffffffff");
  CHECK(uses_of("atom.global.exch.b32 %r5, [%rd2+512], 1;").empty());
  CHECK(uses_of("atom.global.exch.b32 %r5, [%rd2+512], 1;\nst.global.u32 [%rd2], %r5;") == "store ffffffff");
  const Followed m(
      "ld.global.v2.u32 {%r5, %r6}, [%rd1+520];\nadd.u32 %r5, %r5, %r6;\nst.global.u32 [%rd2], %r5;");
  REQUIRE(m.text() == "store ffffffff");
  const UndefinedOrigin& origin = m.uses.seen[0].origin;
  CHECK_FALSE(origin.is_register);
  CHECK(origin.space == ptx::Space::global);
  CHECK(origin.address == m.out->base + 520);
}

TEST_CASE("undefined: logic knows which bits are sure") {
  CHECK(uses_of(undefined_byte + "mov.u32 %r10, %r5;\n" + decide("0xff00")).empty());
  CHECK(uses_of(undefined_byte + "mov.u32 %r10, %r5;\n" + decide("0x80")) == all_lanes_branch);
  CHECK(uses_of(undefined_byte + "or.b32 %r10, %r5, 255;\n" + decide("0xff")).empty());
  CHECK(uses_of(undefined_byte + "xor.b32 %r10, %r5, 255;\n" + decide("0xff")) == all_lanes_branch);
  CHECK(uses_of(undefined_byte + "not.b32 %r10, %r5;\n" + decide("0xff00")).empty());
  // 0xC8 is (a or c) and b: with b 0 nothing is left open.
  CHECK(uses_of(undefined_byte + "lop3.b32 %r10, %r5, 0, %r7, 0xC8;\n" + decide("0xff")).empty());
  CHECK(uses_of(undefined_byte + "lop3.b32 %r10, %r5, 255, %r7, 0xC8;\n" + decide("0xff")) ==
        all_lanes_branch);
  CHECK(
      uses_of(
          "setp.eq.u32 %p1, %r5, 0;\nsetp.lt.u32 %p2, %r1, 0;\nand.pred %p3, %p1, %p2;\n@%p3 bra END;\nEND:")
          .empty());
}

TEST_CASE("undefined: bits that move stay undefined where they arrive") {
  CHECK(uses_of(undefined_byte + "shl.b32 %r10, %r5, 8;\n" + decide("0xff")).empty());
  CHECK(uses_of(undefined_byte + "shl.b32 %r10, %r5, 8;\n" + decide("0xff00")) == all_lanes_branch);
  CHECK(uses_of(undefined_byte + "shl.b32 %r10, %r7, %r5;\n" + decide("0xff00")) == all_lanes_branch);
  CHECK(uses_of(undefined_byte + "prmt.b32 %r10, %r5, %r7, 0x4440;\n" + decide("0xff00")).empty());
  CHECK(uses_of(undefined_byte + "prmt.b32 %r10, %r5, %r7, 0x4404;\n" + decide("0xff00")) ==
        all_lanes_branch);
  CHECK(uses_of(undefined_byte + "bfe.u32 %r10, %r5, 8, 8;\n" + decide("0xff")).empty());
  CHECK(uses_of(undefined_byte + "bfi.b32 %r10, %r7, %r5, 0, 8;\n" + decide("0xff")).empty());
  CHECK(uses_of(undefined_byte + "cvt.s32.s8 %r10, %r5;\n" + decide("0xff00")) == all_lanes_branch);
  CHECK(uses_of(undefined_byte + "cvt.u32.u8 %r10, %r5;\n" + decide("0xff00")).empty());
  CHECK(uses_of(undefined_byte + "mov.b64 %rd5, {%r7, %r5};\nmov.b64 {%r10, %r12}, %rd5;\n" + decide("0xff"))
            .empty());
  CHECK(uses_of(undefined_byte + "mov.b64 %rd5, {%r7, %r5};\nmov.b64 {%r12, %r10}, %rd5;\n" +
                decide("0xff")) == all_lanes_branch);
}

TEST_CASE("undefined: sums are sure below the lowest open bit, and carries go on") {
  CHECK(uses_of(undefined_byte + "shl.b32 %r5, %r5, 8;\nadd.u32 %r10, %r5, %r7;\n" + decide("0xff")).empty());
  CHECK(uses_of(undefined_byte + "shl.b32 %r5, %r5, 8;\nadd.u32 %r10, %r5, %r7;\n" + decide("0xff0000")) ==
        all_lanes_branch);
  CHECK(uses_of(undefined_byte + "add.cc.u32 %r12, %r5, %r7;\naddc.u32 %r10, 0, 0;\n" + decide("0xff")) ==
        all_lanes_branch);
}

TEST_CASE("undefined: what is not chosen does not matter, nor what does not decide") {
  const std::string choose = "setp.lt.u32 %p2, %r1, 4;\n";
  CHECK(uses_of(choose + "selp.b32 %r5, %r6, %r1, %p2;\nst.global.u32 [%rd2], %r5;") == "store f");
  const std::string unset = "setp.eq.u32 %p2, %r6, 0;\n";
  CHECK(uses_of(unset + "selp.b32 %r5, 1, 1, %p2;\nst.global.u32 [%rd2], %r5;").empty());
  CHECK(uses_of(unset + "selp.b32 %r5, 1, 2, %p2;\nst.global.u32 [%rd2], %r5;") == "store ffffffff");
  CHECK(uses_of(undefined_byte + "or.b32 %r5, %r5, 256;\nsetp.eq.u32 %p1, %r5, 7;\n@%p1 bra END;\nEND:")
            .empty());
  CHECK(uses_of(unset + "@%p2 mov.u32 %r7, 1;\nst.global.u32 [%rd2], %r7;").starts_with("store"));
}

TEST_CASE("undefined: lanes hand it to each other, and nobody need take it") {
  const std::string odd = "setp.lt.u32 %p1, %r1, 31;\n@%p1 bra SET;\nbra GO;\nSET: mov.u32 %r5, 1;\nGO:\n";
  const std::string shuffle = "shfl.sync.down.b32 %r6|%p2, %r5, 1, 31, -1;\n";
  CHECK(uses_of(odd + shuffle).empty());
  CHECK(uses_of(odd + shuffle + "st.global.u32 [%rd2], %r6;") == "store c0000000");
  CHECK(uses_of("shfl.sync.idx.b32 %r6, %r1, %r5, 31, -1;") == "exchange ffffffff");
  const std::string vote = odd + "setp.eq.u32 %p3, %r5, 1;\n";
  CHECK(uses_of(vote + "vote.sync.ballot.b32 %r10, %p3, -1;\n" + decide("0xff")).empty());
  CHECK(uses_of(vote + "vote.sync.ballot.b32 %r10, %p3, -1;\n" + decide("0x80000000")) == all_lanes_branch);
  CHECK(uses_of(vote + "vote.sync.any.pred %p4, %p3, -1;\n@%p4 bra END;\nEND:").empty());
  CHECK(uses_of(vote + "vote.sync.all.pred %p4, %p3, -1;\n@%p4 bra END;\nEND:") == all_lanes_branch);
  CHECK(uses_of(odd + "redux.sync.add.u32 %r10, %r5, -1;\n" + decide("0xff")) == all_lanes_branch);
  CHECK(uses_of(odd + "match.any.sync.b32 %r10, %r5, -1;\n" + decide("0x80000000")) == all_lanes_branch);
}

TEST_CASE("undefined: it goes through shared and local memory with its origin") {
  const Followed m(
      "mul.wide.u32 %rd4, %r1, 4;\nmov.u64 %rd5, s;\nadd.s64 %rd6, %rd5, %rd4;\n"
      "st.shared.u32 [%rd6], %r5;\nbar.sync 0;\nld.shared.u32 %r6, [s+8];\nst.global.u32 [%rd2], %r6;",
      ".shared .align 4 .b8 s[128];\n");
  REQUIRE(m.text() == "store ffffffff");
  CHECK(m.uses.seen[0].origin.is_register);
  CHECK(m.program->text_of(m.uses.seen[0].origin.pc).opcode == "st");
  const std::string array = ".local .align 4 .b8 own[16];\n";
  CHECK(uses_of(array + "mov.u64 %rd4, own;\nst.local.u32 [%rd4], %r5;\nld.local.u32 %r6, [%rd4];\n"
                        "st.global.u32 [%rd2], %r6;") == "store ffffffff");
  CHECK(uses_of(array + "mov.u64 %rd4, own;\nst.local.u32 [%rd4], 1;\nld.local.u32 %r6, [%rd4];\n"
                        "st.global.u32 [%rd2], %r6;")
            .empty());
  // Single bits of a word: what was sure when it was stored is sure when it is loaded.
  const std::string field = "st.shared.u32 [s], %r5;\nld.shared.u32 %r10, [s];\n";
  const std::string s = ".shared .align 4 .b8 s[128];\n";
  CHECK(uses_of("and.b32 %r5, %r6, 15;\n" + field + decide("0xf0"), s).empty());
  CHECK(uses_of("and.b32 %r5, %r6, 15;\n" + field + decide("0x8"), s) == all_lanes_branch);
}

TEST_CASE("undefined: a guard says of lanes that stay, too, that they do") {
  CHECK(uses_of("@%p1 ret;").starts_with(all_lanes_branch));
}

TEST_CASE("undefined: it is an argument like any other, and a result") {
  const std::string function =
      ".func (.param .b32 r) f(.param .b32 a, .param .b32 b)\n{\n.reg .b32 %q<4>;\n"
      "ld.param.b32 %q1, [a];\nld.param.b32 %q2, [b];\nadd.u32 %q3, %q2, 1;\nst.param.b32 [r], "
      "%q1;\nret;\n}\n";
  const auto call = [](const std::string& a, const std::string& b) {
    return "{\n.param .b32 x;\n.param .b32 y;\n.param .b32 z;\nst.param.b32 [x], " + a +
           ";\nst.param.b32 [y], " + b +
           ";\ncall (z), f, (x, y);\nld.param.b32 %r8, [z];\n}\nst.global.u32 [%rd2], %r8;";
  };
  CHECK(uses_of(call("%r1", "%r5"), function).empty());
  CHECK(uses_of(call("%r5", "%r1"), function) == "store ffffffff");
  const std::string unset_inside =
      ".func (.param .b32 r) f(.param .b32 a, .param .b32 b)\n{\n.reg .b32 %q<4>;\nst.param.b32 [r], "
      "%q1;\nret;\n}\n";
  CHECK(uses_of(call("%r1", "%r1"), unset_inside) == "store ffffffff");
}

TEST_CASE("undefined: padding may be copied, and not be computed with") {
  const std::string s = ".shared .align 8 .b8 s[64];\n";
  const std::string bytes = "ld.shared.v4.u8 {%h1, %h2, %h3, %h4}, [s];\n";
  CHECK(uses_of(bytes + "st.global.v4.u8 [%rd2], {%h1, %h2, %h3, %h4};", s).empty());
  CHECK(uses_of(bytes + "setp.eq.u16 %p1, %h1, 0;\n@%p1 bra END;\nEND:", s) == all_lanes_branch);
  CHECK(uses_of(bytes + "add.u16 %h1, %h1, 1;\nst.global.u8 [%rd2], %h1;", s) == "store ffffffff");
  const std::string beside = "st.shared.u8 [s], 1;\n";
  CHECK(uses_of(beside + "ld.shared.u32 %r5, [s];\nst.global.u32 [%rd2], %r5;", s).empty());
  CHECK(uses_of(beside + "ld.shared.u32 %r5, [s];\nadd.u32 %r5, %r5, 1;\nst.global.u32 [%rd2], %r5;", s) ==
        "store ffffffff");
  // Of 64 bits, by the lanes whose addresses are multiples of 8.
  const std::string reported = "store 55555555";
  // A product with a power of two moves bits.
  const auto product = [&](const std::string& factor) {
    return beside + "ld.shared.u32 %r5, [s];\nmul.wide.u32 %rd5, %r5, " + factor +
           ";\nst.global.u64 [%rd2], %rd5;";
  };
  CHECK(uses_of(product("65536"), s).empty());
  CHECK(uses_of(product("3"), s) == reported);
  // A word that is made of a register that was set and one that nobody set, as a structure with padding is.
  const auto pair = [](const std::string& low, const std::string& then) {
    return "mov.b64 %rd5, {" + low + ", %r6};\n" + then + "st.global.u64 [%rd2], %rd5;";
  };
  CHECK(uses_of(pair("%r1", "")).empty());
  CHECK(uses_of(pair("%r5", "")) == reported);
  CHECK(uses_of(pair("%r1", "add.u64 %rd5, %rd5, 1;\n")) == reported);
  CHECK(uses_of("shl.b32 %r6, %r6, 1;\n" + pair("%r1", "")) == reported);
  // What was copied is as undefined as before.
  CHECK(uses_of(bytes + "st.global.v4.u8 [%rd2], {%h1, %h2, %h3, %h4};\nld.global.u32 %r10, [%rd2];\n" +
                    decide("0xff"),
                s) == all_lanes_branch);
}

TEST_CASE("undefined: of a widened load only the bytes that are used are read") {
  const auto load = [](const std::string& mask, const std::string& address) {
    return ".pragma \"used_bytes_mask " + mask + "\";\nld.global.v4.u32 {%r5, %r6, %r7, %r8}, [" + address +
           "];\n";
  };
  CHECK(uses_of(load("0xff", "%rd1+504") + "st.global.v2.u32 [%rd1], {%r5, %r6};").empty());
  CHECK(uses_of(load("4095", "%rd1+496") + "st.global.u32 [%rd1], %r7;").empty());
  CHECK(uses_of(load("0xff", "%rd1+496") + "setp.eq.u32 %p1, %r7, 0;\n@%p1 bra END;\nEND:") ==
        all_lanes_branch);
  // 1024 words: the last two of the four lie behind the end.
  const Followed end(load("255", "%rd1+4080") + load("255", "%rd1+4088") + "st.global.u32 [%rd1], %r5;");
  CHECK(end.uses.faults == 1);  // 4088 is no multiple of 16
  const std::string last = "add.s64 %rd5, %rd1, 4096;\n";
  CHECK(Followed(last + load("255", "%rd5")).uses.faults == 1);
  // A mask belongs to the next instruction alone.
  CHECK(uses_of(load("0xff", "%rd1+496") + "ld.global.u32 %r5, [%rd1+512];\nst.global.u32 [%rd1], %r5;") ==
        "store ffffffff");
}

TEST_CASE("undefined: a widened load that ends behind its allocation gives what lies in it") {
  // An older compiler does not say so: but nobody reads %r6 and %r8.
  const std::string mask = GENERATE(as<std::string>{}, ".pragma \"used_bytes_mask 3855\";\n", "");
  Machine m(kernel(mask + "ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%rd1+16];\n"
                          "st.global.v2.u32 [%rd1], {%r5, %r7};\nret;"),
            7);
  for (std::uint32_t i = 0; i < 7; ++i) reinterpret_cast<std::uint32_t*>(m.out->base)[i] = i + 10;
  m.run(1, 1);
  CHECK(m.recorder.faults.empty());
  CHECK(m.word(0) == 14);
  CHECK(m.word(1) == 16);
}

TEST_CASE("undefined: a volatile load reads all that it names") {
  Machine m(kernel("ld.volatile.global.v4.u32 {%r5, %r6, %r7, %r8}, [%rd1+16];\n"
                   "st.global.v2.u32 [%rd1], {%r5, %r7};\nret;"),
            7);
  m.run(1, 1);
  CHECK(m.recorder.faults.size() == 1);
}

TEST_CASE("undefined: an asynchronous copy takes it along") {
  const std::string s = ".shared .align 16 .b8 s[512];\n";
  const auto copy = [](const std::string& from, const std::string& size) {
    return "mov.u64 %rd5, s;\ncp.async.ca.shared.global [%rd5], [" + from + "], 16" + size +
           ";\ncp.async.wait_all;\nld.shared.u32 %r10, [s+4];\n" + decide("0xff");
  };
  CHECK(uses_of(copy("%rd1", ""), s).empty());
  CHECK(uses_of(copy("%rd1+512", ""), s) == all_lanes_branch);
  CHECK(uses_of(copy("%rd1+512", ", 4"), s).empty());  // the rest is zeros
  CHECK(uses_of(copy("%rd1+512", ", 8"), s) == all_lanes_branch);
}

TEST_CASE("undefined: every block starts with unset registers") {
  const std::string body =
      "mov.u32 %r6, %ctaid.x;\nsetp.eq.u32 %p1, %r6, 1;\n@%p1 bra GO;\nmov.u32 %r5, 1;\n"
      "GO: st.global.u32 [%rd2], %r5;\nret;";
  Machine m(kernel(body));
  Uses uses;
  const void* arguments[] = {&m.out->base};
  const std::array<Observation*, 1> observations{&uses};
  launch(*m.program, m.memory, {"k", {3, 1, 1}, {64, 1, 1}, 0, arguments}, m.options, observations);
  CHECK(uses.seen.size() == 2);  // the two warps of block 1
}
