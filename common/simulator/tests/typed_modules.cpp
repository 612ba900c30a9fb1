/// \file Writes modules that are typed at random, then loads and launches them with everything watched.
///
///     typed_modules FIRST COUNT    modules FIRST to FIRST + COUNT - 1
///     typed_modules --print SEED   the text of one
///
/// A module may be refused, and a launch may end in findings. Exit status 1: one threw something else, or so
/// few were accepted or refused that nothing was tried. What ends this program by a signal or a sanitizer's
/// report is a defect: the last line names the module.

#include <algorithm>
#include <cctype>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <random>
#include <span>
#include <string>
#include <string_view>

#include "common/simulator/gpu.hpp"

namespace {

using namespace warpwise::simulator;

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

/// One of the parts of a text that are separated by `/` stands for it: a choice.
using Choice = std::string_view;

constexpr Choice integers = "u16/s16/u32/s32/u64/s64", floats = "f16/f32/f64",
                 numbers = "u16/s16/u32/s32/u64/s64/f16/f32/f64/f16/f32/f64",
                 compared = "u16/s32/u32/u64/s64/f32/f64/f16/b32/b64", bits = "b16/b32/b64/pred",
                 types = "b8/u8/s8/b16/u16/s16/f16/bf16/f16x2/b32/u32/s32/f32/b64/u64/s64/f64/b128/pred";

/// Operands by the names that they have below.
constexpr std::pair<std::string_view, Choice> operands[] = {
    {"cond", "%p1/!%p2/%p0/1/0"},
    {"word", "%r1/%r2/%r3/%i1/7"},
    {"mask", "0xffffffff/%r5/-1/0xffff"},
    {"generic", "[%d1]/[%d1+4]/[%d3]/[%d2]/[data+16]/[tile+32]/[%r1]/[64]"},
    {"shared", "[tile]/[tile+16]/[more]/[%r4]"},
    {"local", "[depot]/[depot+16]"},
    {"const", "[fixed]/[fixed+4]"},
    {"param", "[out]/[by_value+8]/[by_value]"},
    {"global", "[%d1]/[%d3]/[data]/[%d1+32]"},
};
constexpr Choice anything =
    "%p1/!%p2/%h1/%e1/%r2/-%r2/%i1/%f1/%d4/%g1/%q1/_/5/-1/0x1FFFFFFFF/0f3F800000/0d3FF0000000000000/%laneid/"
    "%tid.y/%clock/%clock64/%globaltimer/%ntid.x/%ctaid.x/%gridid/%dynamic_smem_size/%lanemask_lt/%envreg1/"
    "WARP_SZ/tile/more/data/fixed/depot/out/by_value/by_register/end/[%d1]/[%r1]/[%p1]/[%q1]/[tile]/"
    "[depot+60]/[out]/{%r1, %r2}/{%d4, %d5}/{%p1, %p2}/{%h1, %h2, %h3, %h0}/%r2|%p2/%p1|%p2/%p1|%r1";

/// The registers that hold a `type`.
Choice registers_of(std::string_view type) {
  if (type == "pred") return "%p1/%p2/%p3";
  if (type == "f16" || type == "bf16") return "%h1/%e1/%e2";
  if (type == "f32") return "%f1/%f2/%f3";
  if (type == "f64") return "%g1/%g2";
  if (type == "b128") return "%q1/%q2";
  if (type.ends_with("64")) return "%d4/%d5";
  if (type.ends_with("16")) return "%h1/%h2/%h3";
  if (type.ends_with("8")) return "%h1/%r2";
  return "%r2/%r3/%i1/%i2";
}
/// What else may be read as one.
Choice values_of(std::string_view type) {
  if (type == "f32") return "0f40000000";
  if (type == "f64") return "0d4000000000000000";
  return type.ends_with("32") ? "%laneid/%tid.x/3/%clock" : "3/0";
}

/// An instruction of one of these types, or of none. In its text
///
///     @           is the type
///     $to, $of    are a register that holds it, and a source: such a register or another value
///     $b32        is a register that holds this type; so for all types
///     $word       is one of `operands`; $any is anything
///     $(a/b)      is an operand, a or b
///     <a/b>       is a or b, and no operand
struct Form {
  Choice types;
  std::string_view text;
};
constexpr Form moves[] = {
    {"", "mov.b64 $(%d4), {$word, $word}"},
    {"", "mov.b64 {$b32, $(_)}, $b64"},
    {"", "mov.b32 {$b16, $b16}, $word"},
    {"", "mov.b128 $b128, {$b64, $b64}"},
    {types, "mov.@ $to, $of"},
    {types, "mov.@ $to, $of"},
};
constexpr Form arithmetic[] = {
    {integers, "mad.lo.@ $to, $of, $of, $of"},
    {floats, "fma.rn.@ $to, $of, $of, $of"},
    {numbers, "<neg/abs/sqrt.rn/rcp.rn/ex2.approx/not/clz/popc>.@ $to, $of"},
    {numbers, "<mul.wide/mul.hi/mul24.lo/sad>.@ $to, $of, $of"},
    {numbers, "<add.cc/addc/sub.cc/subc.cc>.@ $to, $of, $of"},
    {numbers, "<div/rem/div.rn/div.full>.@ $to, $of, $of"},
    {numbers, "<add/sub/min/max/mul.lo/mul>.@ $to, $of, $of"},
};
constexpr Form comparisons[] = {
    {compared, "setp.lt.and.@ $(%p1|%p2), $of, $of, $cond"},
    {compared, "set.gt.<u32/f32/s32>.@ $u32, $of, $of"},
    {compared, "selp.@ $to, $of, $of, $cond"},
    {compared, "slct.@.s32 $to, $of, $of, $word"},
    {compared, "setp.<eq/ne/lt/geu/num>.@ $pred, $of, $of"},
};
constexpr Form single_bits[] = {
    {bits, "<shl/shr>.@ $to, $of, $word"},
    {"", "lop3.b32 $word, $word, $word, $word, $(0x96)"},
    {"", "prmt.b32 $b32, $word, $word, $word"},
    {"", "<bfe.u32/bfe.u64/bfind.u32/brev.b32> $b32, $word, $word, $word"},
    {"", "shf.l.wrap.b32 $b32, $word, $word, $word"},
    {bits, "<and/or/xor>.@ $to, $of, $of"},
};
constexpr Form barriers[] = {
    {"", "bar.red.popc.u32 $b32, $word, $cond"},
    {"", "<bar.red.and.pred/barrier.red.or.pred> $pred, $word, $cond"},
    {"", "bar.arrive $word, $(64)"},
    {"", "bar.warp.sync $mask"},
    {"", "barrier.sync $word, $(64)"},
    {"", "bar.sync $(0)"},
};
constexpr Form of_a_warp[] = {
    {"", "shfl.sync.<up/down/bfly/idx>.b32 $(%r2|%p2), $word, $word, $(31), $mask"},
    {"", "shfl.sync.idx.b32 $f32, $f32, $word, $word, $mask"},
    {"", "vote.sync.<all/any/uni>.pred $pred, $cond, $mask"},
    {"", "vote.sync.ballot.b32 $b32, $cond, $mask"},
    {"b32/b64/pred/b128/b16", "match.any.sync.@ $b32, $of, $mask"},
    {"b64", "match.all.sync.@ $(%r2|%p2), $of, $mask"},
    {"", "redux.sync.<add.u32/min.s32/xor.b32/add.f32/min.f32> $b32, $word, $mask"},
    {"", "elect.sync $(%r2|%p2), $mask"},
    {"", "activemask.b32 $b32"},
};
constexpr Form calls[] = {
    {"", "call ($b32), by_register, ($word, $b64)"},
    {"", "call.uni ($b32), by_memory, ($b64, $b128)"},
    {"", "call ($b32), vprintf, ($b64, $b64)"},
    {"", "call ($b64), malloc, ($b64)"},
    {"", "call free, ($(%d1/%d3/%d4/0))"},
    {"",
     "mov.u64 %d5, by_register;\n{ p: .callprototype (.reg .b32 _) _ (.reg .b32 _, .reg .b64 _);\n"
     "call ($b32), $(%d5), ($word, $b64), p; }"},
    {"", "call ($(%r2)), $(by_register), ($word)"},
};
constexpr Form jumps[] = {
    {"", "{ t: .branchtargets again, end;\nbrx.idx $word, t; }"},
    {"", "<bra/bra.uni> $(again/end)"},
};
constexpr Form copies[] = {
    {"", "cp.async.<commit_group/wait_all/wait_group 0>"},
    {"", "cp.async.<ca/cg>.shared.global $shared, $global, $(4/8/16)"},
    {"", "cp.async.<ca/cg>.shared.global $shared, $global, $(4/8/16), $(%r2/%p1/3)"},
};
constexpr Form places[] = {
    {"", "isspacep.<global/shared/local> $pred, $b64"},
    {"", "cvta.to.<global/shared/local>.u64 $b64, $b64"},
    {types, "mapa.@ $b64, $b64, $word"},
    {"", "<prefetch/discard>.global.L2 $global"},
};
constexpr Form others[] = {
    {"", "nanosleep.u32 $any"},
    {"", "membar.gl; mov.u32 %r2, $any"},
    {"", "fence.acq_rel.gpu; mov.b64 %d4, $any"},
    {"", "pmevent $any"},
    {"", "trap"},
    {"", "exit; mov.pred %p1, $any"},
    {"", "fence.sc.cta; abs.f32 %f1, $any"},
};
/// Some families twice, so that there are more of them.
constexpr std::span<const Form> families[] = {moves,       moves,    arithmetic, arithmetic, comparisons,
                                              single_bits, barriers, of_a_warp,  of_a_warp,  calls,
                                              jumps,       copies,   places,     others};

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
      if (below(6) == 0) text += one_of("@%p1 /@!%p0 /@!%p2 /@!%r1 /@!%h1 ");
      text += instruction() + ";\n";
    }
    return text + "again:\nret;\nend:\nret;\n}\n";
  }

 private:
  unsigned below(std::size_t limit) { return static_cast<unsigned>(random_() % limit); }
  std::string one_of(Choice choice) {
    const auto parts = static_cast<std::size_t>(std::count(choice.begin(), choice.end(), '/')) + 1;
    for (std::size_t skipped = below(parts); skipped > 0; --skipped)
      choice.remove_prefix(choice.find('/') + 1);
    return std::string(choice.substr(0, choice.find('/')));
  }

  std::string instruction() {
    const unsigned family = below(std::size(families) + 7);
    if (family < 3) return access(family == 0 ? "ldu" : "ld", true);
    if (family == 3) return access("st", false);
    if (family < 6) return atomic();
    if (family == 6) return convert();
    const std::span<const Form> forms = families[family - 7];
    const Form& form = forms[below(forms.size())];
    return filled(form.text, one_of(form.types));
  }

  /// `text` with everything chosen that is open in it.
  std::string filled(std::string_view text, const std::string& type) {
    std::string out;
    const auto take_until = [&](char end) {
      const std::string_view part = text.substr(0, text.find(end));
      text.remove_prefix(part.size() + 1);
      return part;
    };
    while (!text.empty()) {
      const char next = text.front();
      text.remove_prefix(1);
      if (next == '@') {
        out += type;
      } else if (next == '<') {
        out += one_of(take_until('>'));
      } else if (next != '$') {
        out += next;
      } else if (text.front() == '(') {
        text.remove_prefix(1);
        out += operand(take_until(')'));
      } else {
        const auto is_letter = [](char each) { return std::isalnum(static_cast<unsigned char>(each)) != 0; };
        const auto end = std::find_if_not(text.begin(), text.end(), is_letter);
        const std::string_view name = text.substr(0, static_cast<std::size_t>(end - text.begin()));
        text.remove_prefix(name.size());
        out += operand(choice_of(name, type));
      }
    }
    return out;
  }
  Choice choice_of(std::string_view name, const std::string& type) {
    if (name == "any") return anything;
    if (name == "to") return registers_of(type);
    if (name == "of") return below(5) != 0 ? registers_of(type) : values_of(type);
    for (const auto& [known, choice] : operands)
      if (known == name) return choice;
    return registers_of(name);
  }
  /// Each asks first whether it is the one that shall be odd.
  std::string operand(Choice right) {
    return one_of(is_odd_next_ && place_++ == odd_place_ ? anything : right);
  }

  std::string convert() {
    const std::string to = one_of(types);
    return filled("cvt.</rn./rzi./sat./rn.ftz.>" + to + ".@ $" + to + ", $of", one_of(types));
  }
  static std::string vector_of(const std::string& element, unsigned elements) {
    if (elements == 1) return element;
    std::string text = "{" + element;
    for (unsigned i = 1; i < elements; ++i) text += ", " + element;
    return text + "}";
  }
  std::string access(const std::string& opcode, bool is_load) {
    const std::string space = one_of("/global/shared/local/const/param/global");
    const unsigned elements = below(4) == 0 ? 2 : below(6) == 0 ? 4 : 1;
    const std::string data = vector_of("$to", elements), place = "$" + (space.empty() ? "generic" : space);
    return filled(opcode + "<//.volatile/.relaxed.gpu/.acquire.cta/.release.sys>" +
                      (space.empty() ? "" : "." + space) + "<//.cg/.ca/.nc>" +
                      (elements == 1 ? "" : ".v" + std::to_string(elements)) + ".@ " +
                      (is_load ? data + ", " + place : place + ", " + data),
                  one_of(types));
  }
  std::string atomic() {
    const std::string space = one_of("global/shared/"), place = "$" + (space.empty() ? "generic" : space);
    const std::string operation = one_of("add/min/max/and/or/xor/inc/dec/exch/cas");
    const bool has_result = below(3) != 0;
    const std::string data = vector_of("$to", below(8) == 0 ? 2 : 1);
    return filled((has_result ? "atom" : "red") + std::string("</.relaxed.gpu/.acq_rel.cta>") +
                      (space.empty() ? "" : "." + space) + "." + operation +
                      (data.starts_with('{') ? ".v2" : "") + ".@ " + (has_result ? data + ", " : "") + place +
                      ", " + data + (operation == "cas" ? ", $to" : ""),
                  one_of(types));
  }

  std::mt19937_64 random_;
  bool is_odd_next_ = false;
  unsigned odd_place_ = 0, place_ = 0;
};

volatile std::sig_atomic_t current = 0;  ///< seeds are small

extern "C" void say_which(int signal) {
  std::cerr << "\nmodule " << current << " ended this by signal " << signal << std::endl;
  std::_Exit(1);
}

struct Tally {
  unsigned refused = 0, ended = 0, found = 0;
};

/// Runs the module, or counts it as refused.
void try_module(std::uint64_t seed, Tally& tally) {
  GpuOptions options;
  options.launch.threads = 1;
  options.launch.budget = 20'000;
  options.launch.print = [](std::string_view) {};
  Gpu gpu(options);
  try {
    const auto program = gpu.load(Writer(seed).module(), "typed.ptx");
    const std::uint64_t out = gpu.memory().allocate(4096, "out", 4).base;
    const std::uint64_t by_value[2] = {out, 0x0123456789abcdef};
    const void* arguments[] = {&out, by_value};
    const LaunchReport report = gpu.launch(*program, {"k", {2}, {64}, 128, arguments});
    ++(report.findings.empty() ? tally.ended : tally.found);
  } catch (const ptx::Error&) {
    ++tally.refused;
  } catch (const LaunchError&) {
    ++tally.refused;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: typed_modules FIRST COUNT | --print SEED\n";
    return 2;
  }
  if (std::strcmp(argv[1], "--print") == 0) {
    std::cout << Writer(std::stoull(argv[2])).module();
    return 0;
  }
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTERM}) std::signal(signal, say_which);
  const std::uint64_t first = std::stoull(argv[1]), count = std::stoull(argv[2]);
  Tally tally;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    current = static_cast<std::sig_atomic_t>(seed);
    try {
      try_module(seed, tally);
    } catch (const std::exception& error) {
      std::cerr << "module " << seed << " threw: " << error.what() << '\n';
      return 1;
    }
  }
  std::cout << count << " modules: " << tally.refused << " refused, " << tally.ended
            << " ended without a finding, " << tally.found << " with\n";
  const bool is_mixed = tally.refused >= count / 10 && tally.ended + tally.found >= count / 10;
  if (!is_mixed) std::cerr << "nearly all of them are refused, or nearly none\n";
  return is_mixed ? 0 : 1;
}
