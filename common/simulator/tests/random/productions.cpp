// The grammar of the random kernels' expressions: for each type, the texts that make a value of it.
#include <map>

#include "writer.hpp"

namespace warpwise::simulator::tests {

namespace {

// clang-format off

/// For every integer type. Sums and products are taken unsigned: signed overflow has no value in C++.
constexpr std::string_view any_integer[] = {
    "T(W($T) + W($T))", "T(W($T) - W($T))", "T(W($T) * W($T))", "T(W($T) * W($T) + W($T))", "T($T & $T)",
    "T($T | $T)", "T($T ^ $T)", "T(~$T)", "T(W(0) - W($T))", "T(W($T) << ($u32 & (8 * sizeof(T) - 1)))",
    "T($T >> ($u32 & (8 * sizeof(T) - 1)))", "T($T / T(($T & 0x3f) | 1))", "T($T % T(($T & 0x3f) | 1))",
    "($T < $T ? $T : $T)", "($? ? $T : $T)", "T($?)", "T($u32)", "T($s64)", "T($s8)", "T($u16)"
};

/// For f32 and f64.
constexpr std::string_view any_float[] = {
    "($T + $T)", "($T - $T)", "($T * $T)", "($T / $T)", "(-$T)", "($? ? $T : $T)", "($T < $T ? $T : $T)"
};

using Table = std::map<std::string_view, std::vector<std::string_view>>;

const Table& special() {
  static const Table table = {
      {"u8", {"u8($u32 >> 24)", "u8(bits_of($f32) >> 16)"}},
      {"s8", {"s8($s32 >> 11)"}},
      {"s16", {"s16($s32 >> 7)"}},
      {"u16",
       {"bits_of(__float2half_rn($f32))", "bits_of(__float2half_rz($f32))", "bits_of(__float2half_ru($f32))",
        "bits_of(__float2half_rd($f32))", "bits_of(__float2bfloat16_rn($f32))",
        "bits_of(__float2bfloat16_rz($f32))", "bits_of(__double2half($f64))", "bits_of(__int2half_rn($s32))",
        "u16(__half2ushort_rz(__ushort_as_half($u16)))"}},
      {"u32",
       {"u32(__popc($u32))", "u32(__popcll($u64))", "u32(__clz($s32))", "u32(__clzll($s64))",
        "u32(__ffs($s32))", "u32(__ffsll($s64))", "__brev($u32)", "__byte_perm($u32, $u32, $u32)",
        "permute_forward($u32, $u32, $u32)", "permute_signs($u32, $u32, $u32)",
        "__funnelshift_l($u32, $u32, $u32)", "__funnelshift_r($u32, $u32, $u32)",
        "__funnelshift_lc($u32, $u32, $u32)", "__funnelshift_rc($u32, $u32, $u32)", "__umulhi($u32, $u32)",
        "__umul24($u32, $u32)", "__usad($u32, $u32, $u32)", "u32(__sad($s32, $s32, $u32))",
        "__uhadd($u32, $u32)", "__urhadd($u32, $u32)", "min($u32, $u32)", "max($u32, $u32)",
        "__dp4a($u32, $u32, $u32)", "__float2uint_rn($f32)", "__float2uint_rz($f32)",
        "__float2uint_ru($f32)", "__float2uint_rd($f32)", "__double2uint_rn($f64)", "__double2uint_rz($f64)",
        "__double2uint_ru($f64)", "__double2uint_rd($f64)", "bits_of($f32)",
        "extract($u32, $u32 & 63, $u32 & 63)", "insert($u32, $u32, $u32 & 63, $u32 & 63)",
        "highest_bit($u32)", "highest_bit_signed($s32)", "three_way<$#>($u32, $u32, $u32)",
        "constant_table[$u32 & 15]", "u32($u64 >> 32)", "local_words[$u32 & 7]",
        "u32(local_shorts[$u32 & 7])", "$#u"}},
      {"s32",
       {"__mulhi($s32, $s32)", "__mul24($s32, $s32)", "__hadd($s32, $s32)", "__rhadd($s32, $s32)",
        "min($s32, $s32)", "max($s32, $s32)", "abs($s32 >> 1)", "__dp4a($s32, $s32, $s32)",
        "add_saturated($s32, $s32)", "extract_signed($s32, $u32 & 63, $u32 & 63)", "__float2int_rn($f32)",
        "__float2int_rz($f32)", "__float2int_ru($f32)", "__float2int_rd($f32)", "__double2int_rn($f64)",
        "__double2int_rz($f64)", "__double2int_ru($f64)", "__double2int_rd($f64)", "s32($#) - 128",
        "__half2int_rz(__ushort_as_half($u16))", "s32(local_shorts[$u32 & 7])"}},
      {"u64",
       {"__umul64hi($u64, $u64)", "__brevll($u64)", "u64($u32) * u64($u32)", "min($u64, $u64)",
        "max($u64, $u64)", "__float2ull_rn($f32)", "__float2ull_rz($f32)", "__float2ull_ru($f32)",
        "__float2ull_rd($f32)", "__double2ull_rn($f64)", "__double2ull_rz($f64)", "__double2ull_ru($f64)",
        "__double2ull_rd($f64)", "bits_of($f64)", "extract_wide($u64, $u32 & 127, $u32 & 127)",
        "add_with_carry($u64, $u32)", "(u64($u32) << 32 | $u32)"}},
      {"s64",
       {"__mul64hi($s64, $s64)", "s64($s32) * s64($s32)", "min($s64, $s64)", "max($s64, $s64)",
        "__float2ll_rn($f32)", "__float2ll_rz($f32)", "__float2ll_ru($f32)", "__float2ll_rd($f32)",
        "__double2ll_rn($f64)", "__double2ll_rz($f64)", "__double2ll_ru($f64)", "__double2ll_rd($f64)"}},
      {"f32",
       {"fmaf($f32, $f32, $f32)", "__fmaf_rz($f32, $f32, $f32)", "__fmaf_ru($f32, $f32, $f32)",
        "__fmaf_rd($f32, $f32, $f32)", "__fadd_rz($f32, $f32)", "__fadd_ru($f32, $f32)",
        "__fadd_rd($f32, $f32)", "__fsub_rz($f32, $f32)", "__fmul_rz($f32, $f32)", "__fmul_ru($f32, $f32)",
        "__fmul_rd($f32, $f32)", "__fdiv_rn($f32, $f32)", "__fdiv_rz($f32, $f32)", "__fdiv_ru($f32, $f32)",
        "__fdiv_rd($f32, $f32)", "__frcp_rn($f32)", "__frcp_rz($f32)", "__frcp_ru($f32)", "__frcp_rd($f32)",
        "__fsqrt_rn($f32)", "__fsqrt_rz($f32)", "__fsqrt_ru($f32)", "__fsqrt_rd($f32)", "sqrtf(fabsf($f32))",
        "fminf($f32, $f32)", "fmaxf($f32, $f32)", "fabsf($f32)", "floorf($f32)", "ceilf($f32)",
        "truncf($f32)", "rintf($f32)", "roundf($f32)", "copysignf($f32, $f32)", "__saturatef($f32)",
        "__int2float_rn($s32)", "__int2float_rz($s32)", "__int2float_ru($s32)", "__int2float_rd($s32)",
        "__uint2float_rn($u32)", "__uint2float_rz($u32)", "__uint2float_ru($u32)", "__uint2float_rd($u32)",
        "__ll2float_rn($s64)", "__ll2float_rz($s64)", "__ll2float_ru($s64)", "__ll2float_rd($s64)",
        "__ull2float_rn($u64)", "__ull2float_rz($u64)", "__ull2float_ru($u64)", "__ull2float_rd($u64)",
        "__double2float_rn($f64)", "__double2float_rz($f64)", "__double2float_ru($f64)",
        "__double2float_rd($f64)", "__half2float(__ushort_as_half($u16))",
        "__bfloat162float(__ushort_as_bfloat16($u16))", "__uint_as_float($u32)", "(f32($#) * 0.0625f)",
        "1.0e-40f", "(-1.5f)", "3.0e10f"}},
      {"f64",
       {"fma($f64, $f64, $f64)", "__fma_rz($f64, $f64, $f64)", "__fma_ru($f64, $f64, $f64)",
        "__fma_rd($f64, $f64, $f64)", "__dadd_rz($f64, $f64)", "__dadd_ru($f64, $f64)",
        "__dadd_rd($f64, $f64)", "__dsub_ru($f64, $f64)", "__dmul_rz($f64, $f64)", "__dmul_ru($f64, $f64)",
        "__dmul_rd($f64, $f64)", "__ddiv_rz($f64, $f64)", "__ddiv_ru($f64, $f64)", "__ddiv_rd($f64, $f64)",
        "__drcp_rn($f64)", "__drcp_rz($f64)", "__dsqrt_rn($f64)", "__dsqrt_rz($f64)", "__dsqrt_ru($f64)",
        "sqrt(fabs($f64))", "fmin($f64, $f64)", "fmax($f64, $f64)", "fabs($f64)", "floor($f64)",
        "ceil($f64)", "trunc($f64)", "rint($f64)", "copysign($f64, $f64)", "f64($f32)",
        "__int2double_rn($s32)", "__uint2double_rn($u32)", "__ll2double_rn($s64)", "__ll2double_rz($s64)",
        "__ll2double_ru($s64)", "__ll2double_rd($s64)", "__ull2double_rn($u64)", "__ull2double_rz($u64)",
        "__ull2double_ru($u64)", "__ull2double_rd($u64)", "__longlong_as_double($s64)",
        "local_doubles[$u32 & 3]", "(f64($#) * 0.375)", "1.0e-310", "6.0e22"}},
  };
  return table;
}

// clang-format on

/// `T` alone has been replaced by the type asked for, `W` by the unsigned type in which it is computed. Every
/// text has a defined value for all operands; none is an approximate function.
std::vector<std::string> productions_of(std::string_view type) {
  std::vector<std::string> texts;
  const std::string_view wide = type == "u64" || type == "s64" ? "u64" : "u32";
  const auto add = [&](std::string_view text) {
    texts.push_back(replace_all(replace_all(std::string(text), "T", type), "W", wide));
  };
  if (is_float(type)) {
    for (const std::string_view text : any_float) add(text);
  } else {
    for (const std::string_view text : any_integer) add(text);
  }
  for (const std::string_view text : special().at(type)) texts.emplace_back(text);
  return texts;
}

/// In the same notation.
const std::vector<std::string_view>& conditions() {
  static const std::vector<std::string_view> texts = {
      "($u32 < $u32)",     "($s32 > $s32)",  "($u64 >= $u64)",       "($s64 <= $s64)",
      "($u8 == $u8)",      "($s8 < $s8)",    "($u16 != $u16)",       "($s16 >= $s16)",
      "($f32 < $f32)",     "($f32 >= $f32)", "($f32 == $f32)",       "(!($f32 < $f32))",
      "($f64 > $f64)",     "($f64 != $f64)", "(!($f64 >= $f64))",    "($u32 & 1)",
      "(($u32 & 3) == 0)", "(lane & 4)",     "(lane < ($u32 & 31))", "($? && $?)",
      "($? || $?)",        "(!$?)",
  };
  return texts;
}

std::string random_variable(Random& random, std::string_view type) {
  return std::string(type) + "_" + std::to_string(random.below(variables_per_type));
}

std::string random_expression(Random& random, std::string_view type, std::uint32_t depth) {
  if (depth == 0 || random.chance(10)) return random_variable(random, type);
  static std::map<std::string_view, std::vector<std::string>> productions;
  auto& texts = productions[type];
  if (texts.empty()) texts = productions_of(type);
  return random_text(random, texts[random.below(static_cast<std::uint32_t>(texts.size()))], depth - 1);
}

std::string random_condition(Random& random, std::uint32_t depth) {
  // The last three texts contain conditions: not where the expression is to end.
  const auto count = static_cast<std::uint32_t>(conditions().size()) - (depth == 0 ? 3 : 0);
  return random_text(random, conditions()[random.below(count)], depth == 0 ? 0 : depth - 1);
}

}  // namespace

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::string random_text(Random& random, std::string_view text, std::uint32_t depth) {
  std::string filled;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '$' && text[i] != '@') {
      filled += text[i];
      continue;
    }
    if (text[i + 1] == '#') {
      filled += std::to_string(random.below(256));
      i += 1;
    } else if (text[i + 1] == '?') {
      filled += random_condition(random, depth);
      i += 1;
    } else {
      const std::size_t length = text[i + 2] == '8' ? 2 : 3;  // u8, s8; all other types have three letters
      // The slice has to be one of value_types: the table of productions keeps the view as its key.
      std::string_view type;
      for (const std::string_view known : value_types) {
        if (known == text.substr(i + 1, length)) type = known;
      }
      filled += text[i] == '@' ? random_variable(random, type) : random_expression(random, type, depth);
      i += length;
    }
  }
  return filled;
}

}  // namespace warpwise::simulator::tests
