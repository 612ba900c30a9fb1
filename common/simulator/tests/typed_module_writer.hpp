#pragma once
/// \file Writes modules that are typed at random: typed_modules.cpp.

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "common/simulator/gpu.hpp"

namespace {

using namespace warpwise::simulator;

using Words = std::initializer_list<const char*>;

constexpr std::string_view head = R"(.version 8.5
.target sm_90
.address_size 64
.global .align 16 .b8 data[256];
.const .align 4 .b32 fixed[4] = {1, 2, 3, 4};
.shared .align 16 .b8 tile[256];
.extern .shared .align 16 .b8 more[];
.extern .func (.param .b32 status) vprintf (.param .b64 format, .param .b64 values);
.extern .func (.param .b64 place) malloc (.param .b64 bytes);
.extern .func free (.param .b64 place);
.func (.reg .b32 %result) by_register (.reg .b32 %given, .reg .b64 %wide)
{
.reg .b32 %t;
cvt.u32.u64 %t, %wide;
add.u32 %result, %given, %t;
ret;
}
.func (.param .b32 result) by_memory (.param .b64 given, .param .align 8 .b8 structure[16])
{
.reg .b32 %t; .reg .b64 %u;
ld.param.b64 %u, [given];
ld.param.b32 %t, [structure+8];
st.param.b32 [result], %t;
ret;
}
.visible .entry k(.param .u64 out, .param .align 8 .b8 by_value[16])
{
.local .align 16 .b8 depot[64];
.reg .pred %p<4>; .reg .b16 %h<4>; .reg .f16 %e<3>; .reg .b32 %r<6>; .reg .s32 %i<3>; .reg .f32 %f<4>;
.reg .b64 %d<6>; .reg .f64 %g<3>; .reg .b128 %q<3>;
ld.param.u64 %d1, [out];
mov.u32 %r1, %tid.x;
mov.u64 %d2, tile;
mov.u64 %d3, data;
setp.lt.u32 %p1, %r1, 7;
)";

/// Writes modules in which every kind of operand stands in every kind of place, for the right type or for
/// another one. Whatever such a module says, it is refused with its line or runs to a report.
class Writer {
 public:
  explicit Writer(std::uint64_t seed) : random_(seed) {}

  /// A kernel `k(.u64 out)`, and the functions that it calls. Of its instructions two in three have the
  /// operands that the PTX manual asks for; of the others one operand is of any kind.
  std::string module() {
    std::string text(head);
    const unsigned count = 1 + below(4);
    for (unsigned i = 0; i < count; ++i) {
      is_odd_next_ = below(3) == 0;
      odd_place_ = below(4);
      place_ = 0;
      if (below(6) == 0) text += below(2) ? "@%p1 " : "@!" + one_of({"%p0", "%p2", "%r1", "%h1"}) + " ";
      text += instruction() + ";\n";
    }
    return text + "again:\nret;\nend:\nret;\n}\n";
  }

 private:
  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }
  std::string one_of(Words words) { return words.begin()[below(static_cast<unsigned>(words.size()))]; }

  // Operands. Each asks first whether it is the one that shall be odd.
  std::string operand(std::string right) {
    return is_odd_next_ && place_++ == odd_place_ ? anything() : right;
  }
  std::string anything() {
    // clang-format off
    return one_of({
        "%p1", "!%p2", "%h1", "%e1", "%r2", "-%r2", "%i1", "%f1", "%d4", "%g1", "%q1", "_", "5", "-1",
        "0x1FFFFFFFF", "0f3F800000", "0d3FF0000000000000", "%laneid", "%tid.y", "%clock", "%clock64",
        "%globaltimer", "%ntid.x", "%ctaid.x", "%gridid", "%dynamic_smem_size", "%lanemask_lt", "%envreg1",
        "WARP_SZ", "tile", "more", "data", "fixed", "depot", "out", "by_value", "by_register", "end",
        "[%d1]", "[%r1]", "[%p1]", "[%q1]", "[tile]", "[depot+60]", "[out]", "{%r1, %r2}", "{%d4, %d5}",
        "{%p1, %p2}", "{%h1, %h2, %h3, %h0}", "%r2|%p2", "%p1|%p2", "%p1|%r1"});
    // clang-format on
  }
  std::string predicate() { return operand(one_of({"%p1", "%p2", "%p3"})); }
  std::string predicate_source() { return operand(one_of({"%p1", "!%p2", "%p0", "1", "0"})); }
  std::string word() { return operand(one_of({"%r1", "%r2", "%r3", "%i1", "7"})); }
  std::string mask() { return operand(one_of({"0xffffffff", "%r5", "-1", "0xffff"})); }
  std::string address() {
    return operand(one_of({"[%d1]", "[%d1+4]", "[%d3]", "[%d2]", "[data+16]", "[tile+32]", "[%r1]", "[64]"}));
  }
  std::string address_in(const std::string& space) {
    if (space == "shared") return operand(one_of({"[tile]", "[tile+16]", "[more]", "[%r4]"}));
    if (space == "local") return operand(one_of({"[depot]", "[depot+16]"}));
    if (space == "const") return operand(one_of({"[fixed]", "[fixed+4]"}));
    if (space == "param") return operand(one_of({"[out]", "[by_value+8]", "[by_value]"}));
    if (space == "global") return operand(one_of({"[%d1]", "[%d3]", "[data]", "[%d1+32]"}));
    return address();
  }
  /// A register that holds a `type`.
  std::string holder(const std::string& type) {
    if (type == "pred") return predicate();
    if (type == "f16" || type == "bf16") return operand(one_of({"%h1", "%e1", "%e2"}));
    if (type == "f32") return operand(one_of({"%f1", "%f2", "%f3"}));
    if (type == "f64") return operand(one_of({"%g1", "%g2"}));
    if (type == "b128") return operand(one_of({"%q1", "%q2"}));
    if (type.ends_with("64")) return operand(one_of({"%d4", "%d5"}));
    if (type.ends_with("16")) return operand(one_of({"%h1", "%h2", "%h3"}));
    if (type.ends_with("8")) return operand(one_of({"%h1", "%r2"}));
    return operand(one_of({"%r2", "%r3", "%i1", "%i2"}));
  }
  std::string source(const std::string& type) {
    if (below(5) != 0) return holder(type);
    if (type == "f32") return operand("0f40000000");
    if (type == "f64") return operand("0d4000000000000000");
    if (type.ends_with("32")) return operand(one_of({"%laneid", "%tid.x", "3", "%clock"}));
    return operand(one_of({"3", "0"}));
  }
  std::string any_type() {
    return one_of({"b8", "u8", "s8", "b16", "u16", "s16", "f16", "bf16", "f16x2", "b32", "u32", "s32", "f32",
                   "b64", "u64", "s64", "f64", "b128", "pred"});
  }
  std::string integer_type() { return one_of({"u16", "s16", "u32", "s32", "u64", "s64"}); }
  std::string bits_type() { return one_of({"b16", "b32", "b64", "pred"}); }
  std::string float_type() { return one_of({"f16", "f32", "f64"}); }

  std::string instruction() {
    using Maker = std::string (Writer::*)();
    static constexpr Maker makers[] = {
        &Writer::move, &Writer::move,    &Writer::load,  &Writer::load,  &Writer::store,   &Writer::atomic,
        &Writer::load, &Writer::atomic,  &Writer::arith, &Writer::arith, &Writer::compare, &Writer::convert,
        &Writer::bits, &Writer::barrier, &Writer::warp,  &Writer::warp,  &Writer::call,    &Writer::jump,
        &Writer::copy, &Writer::places,  &Writer::other};
    return (this->*makers[below(static_cast<unsigned>(std::size(makers)))])();
  }

  std::string move() {
    switch (below(6)) {
      case 0:
        return "mov.b64 " + operand("%d4") + ", {" + word() + ", " + word() + "}";
      case 1:
        return "mov.b64 {" + holder("b32") + ", " + operand("_") + "}, " + holder("b64");
      case 2:
        return "mov.b32 {" + holder("b16") + ", " + holder("b16") + "}, " + word();
      case 3:
        return "mov.b128 " + holder("b128") + ", {" + holder("b64") + ", " + holder("b64") + "}";
      default: {
        const std::string type = any_type();
        return "mov." + type + " " + holder(type) + ", " + source(type);
      }
    }
  }
  std::string vector_of(const std::string& type, unsigned elements) {
    if (elements == 1) return holder(type);
    std::string text = "{" + holder(type);
    for (unsigned i = 1; i < elements; ++i) text += ", " + holder(type);
    return text + "}";
  }
  std::string access(const std::string& opcode, bool is_load) {
    const std::string space = one_of({"", "global", "shared", "local", "const", "param", "global"});
    const std::string type = any_type();
    const unsigned elements = below(4) == 0 ? 2 : below(6) == 0 ? 4 : 1;
    std::string text = opcode + one_of({"", "", ".volatile", ".relaxed.gpu", ".acquire.cta", ".release.sys"});
    if (!space.empty()) text += "." + space;
    text += one_of({"", "", ".cg", ".ca", ".nc"});
    if (elements != 1) text += elements == 2 ? ".v2" : ".v4";
    text += "." + type + " ";
    const std::string data = vector_of(type, elements), place = address_in(space);
    return text + (is_load ? data + ", " + place : place + ", " + data);
  }
  std::string load() { return access(one_of({"ld", "ld", "ldu"}), true); }
  std::string store() { return access("st", false); }
  std::string atomic() {
    const std::string space = one_of({"global", "shared", ""}), type = any_type();
    const std::string operation =
        one_of({"add", "min", "max", "and", "or", "xor", "inc", "dec", "exch", "cas"});
    const bool has_result = below(3) != 0;
    const unsigned elements = below(8) == 0 ? 2 : 1;
    std::string text = (has_result ? "atom" : "red") + one_of({"", ".relaxed.gpu", ".acq_rel.cta"}) +
                       (space.empty() ? "" : "." + space) + "." + operation + (elements == 2 ? ".v2." : ".") +
                       type + " ";
    if (has_result) text += vector_of(type, elements) + ", ";
    text += address_in(space) + ", " + vector_of(type, elements);
    return operation == "cas" ? text + ", " + holder(type) : text;
  }
  std::string arith() {
    const bool is_integer = below(2) == 0;
    const std::string type = is_integer ? integer_type() : float_type();
    const std::string three = ", " + source(type) + ", " + source(type);
    switch (below(6)) {
      case 0:
        return (is_integer ? "mad.lo." : "fma.rn.") + type + " " + holder(type) + three + ", " + source(type);
      case 1:
        return one_of({"neg.", "abs.", "sqrt.rn.", "rcp.rn.", "ex2.approx.", "not.", "clz.", "popc."}) +
               type + " " + holder(type) + ", " + source(type);
      case 2:
        return one_of({"mul.wide.", "mul.hi.", "mul24.lo.", "sad."}) + type + " " + holder(type) + three;
      case 3:
        return one_of({"add.cc.", "addc.", "sub.cc.", "subc.cc."}) + type + " " + holder(type) + three;
      case 4:
        return one_of({"div.", "rem.", "div.rn.", "div.full."}) + type + " " + holder(type) + three;
      default:
        return one_of({"add.", "sub.", "min.", "max.", "mul.lo.", "mul."}) + type + " " + holder(type) +
               three;
    }
  }
  std::string compare() {
    const std::string type = one_of({"u16", "s32", "u32", "u64", "s64", "f32", "f64", "f16", "b32", "b64"});
    const std::string two = source(type) + ", " + source(type);
    switch (below(5)) {
      case 0:
        return "setp.lt.and." + type + " " + operand("%p1|%p2") + ", " + two + ", " + predicate_source();
      case 1:
        return "set.gt." + one_of({"u32.", "f32.", "s32."}) + type + " " + holder("u32") + ", " + two;
      case 2:
        return "selp." + type + " " + holder(type) + ", " + two + ", " + predicate_source();
      case 3:
        return "slct." + type + ".s32 " + holder(type) + ", " + two + ", " + word();
      default:
        return "setp." + one_of({"eq.", "ne.", "lt.", "geu.", "num."}) + type + " " + predicate() + ", " +
               two;
    }
  }
  std::string convert() {
    const std::string to = any_type(), from = any_type();
    return "cvt." + one_of({"", "rn.", "rzi.", "sat.", "rn.ftz."}) + to + "." + from + " " + holder(to) +
           ", " + source(from);
  }
  std::string bits() {
    const std::string type = bits_type();
    switch (below(6)) {
      case 0:
        return one_of({"shl.", "shr."}) + type + " " + holder(type) + ", " + source(type) + ", " + word();
      case 1:
        return "lop3.b32 " + word() + ", " + word() + ", " + word() + ", " + word() + ", " + operand("0x96");
      case 2:
        return "prmt.b32 " + holder("b32") + ", " + word() + ", " + word() + ", " + word();
      case 3:
        return one_of({"bfe.u32 ", "bfe.u64 ", "bfind.u32 ", "brev.b32 "}) + holder("b32") + ", " + word() +
               ", " + word() + ", " + word();
      case 4:
        return "shf.l.wrap.b32 " + holder("b32") + ", " + word() + ", " + word() + ", " + word();
      default:
        return one_of({"and.", "or.", "xor."}) + type + " " + holder(type) + ", " + source(type) + ", " +
               source(type);
    }
  }
  std::string barrier() {
    switch (below(6)) {
      case 0:
        return "bar.red.popc.u32 " + holder("b32") + ", " + word() + ", " + predicate_source();
      case 1:
        return one_of({"bar.red.and.pred ", "barrier.red.or.pred "}) + predicate() + ", " + word() + ", " +
               predicate_source();
      case 2:
        return "bar.arrive " + word() + ", " + operand("64");
      case 3:
        return "bar.warp.sync " + mask();
      case 4:
        return "barrier.sync " + word() + ", " + operand("64");
      default:
        return "bar.sync " + operand("0");
    }
  }
  std::string warp() {
    switch (below(9)) {
      case 0:
        return "shfl.sync." + one_of({"up", "down", "bfly", "idx"}) + ".b32 " + operand("%r2|%p2") + ", " +
               word() + ", " + word() + ", " + operand("31") + ", " + mask();
      case 1:
        return "shfl.sync.idx.b32 " + holder("f32") + ", " + holder("f32") + ", " + word() + ", " + word() +
               ", " + mask();
      case 2:
        return "vote.sync." + one_of({"all.pred ", "any.pred ", "uni.pred "}) + predicate() + ", " +
               predicate_source() + ", " + mask();
      case 3:
        return "vote.sync.ballot.b32 " + holder("b32") + ", " + predicate_source() + ", " + mask();
      case 4: {
        const std::string type = one_of({"b32", "b64", "pred", "b128", "b16"});
        return "match.any.sync." + type + " " + holder("b32") + ", " + source(type) + ", " + mask();
      }
      case 5:
        return "match.all.sync.b64 " + operand("%r2|%p2") + ", " + source("b64") + ", " + mask();
      case 6:
        return "redux.sync." + one_of({"add.u32 ", "min.s32 ", "xor.b32 ", "add.f32 ", "min.f32 "}) +
               holder("b32") + ", " + word() + ", " + mask();
      case 7:
        return "elect.sync " + operand("%r2|%p2") + ", " + mask();
      default:
        return "activemask.b32 " + holder("b32");
    }
  }
  std::string call() {
    switch (below(7)) {
      case 0:
        return "call (" + holder("b32") + "), by_register, (" + word() + ", " + holder("b64") + ")";
      case 1:
        return "call.uni (" + holder("b32") + "), by_memory, (" + holder("b64") + ", " + holder("b128") + ")";
      case 2:
        return "call (" + holder("b32") + "), vprintf, (" + holder("b64") + ", " + holder("b64") + ")";
      case 3:
        return "call (" + holder("b64") + "), malloc, (" + holder("b64") + ")";
      case 4:
        return "call free, (" + operand(one_of({"%d1", "%d3", "%d4", "0"})) + ")";
      case 5: {
        const std::string target = operand("%d5");
        return "mov.u64 %d5, by_register;\n{ p: .callprototype (.reg .b32 _) _ (.reg .b32 _, .reg .b64 "
               "_);\ncall (" +
               holder("b32") + "), " + target + ", (" + word() + ", " + holder("b64") + "), p; }";
      }
      default:
        return "call (" + operand("%r2") + "), " + operand("by_register") + ", (" + word() + ")";
    }
  }
  std::string jump() {
    if (below(3) == 0) return "{ t: .branchtargets again, end;\nbrx.idx " + word() + ", t; }";
    return one_of({"bra ", "bra.uni "}) + operand(one_of({"again", "end"}));
  }
  std::string copy() {
    if (below(3) == 0) return "cp.async." + one_of({"commit_group", "wait_all", "wait_group 0"});
    return "cp.async." + one_of({"ca", "cg"}) + ".shared.global " + address_in("shared") + ", " +
           address_in("global") + ", " + operand(one_of({"4", "8", "16"})) +
           (below(2) ? "" : ", " + operand(one_of({"%r2", "%p1", "3"})));
  }
  std::string places() {
    switch (below(4)) {
      case 0:
        return "isspacep." + one_of({"global ", "shared ", "local "}) + predicate() + ", " + holder("b64");
      case 1:
        return "cvta.to." + one_of({"global", "shared", "local"}) + ".u64 " + holder("b64") + ", " +
               holder("b64");
      case 2:
        return "mapa." + any_type() + " " + holder("b64") + ", " + holder("b64") + ", " + word();
      default:
        return one_of({"prefetch.global.L2 ", "discard.global.L2 "}) + address_in("global");
    }
  }
  std::string other() {
    return one_of({"nanosleep.u32 ", "membar.gl; mov.u32 %r2, ", "fence.acq_rel.gpu; mov.b64 %d4, ",
                   "pmevent ", "trap; //", "exit; mov.pred %p1, ", "fence.sc.cta; abs.f32 %f1, "}) +
           anything();
  }

  std::mt19937_64 random_;
  bool is_odd_next_ = false;
  unsigned odd_place_ = 0, place_ = 0;
};

}  // namespace
