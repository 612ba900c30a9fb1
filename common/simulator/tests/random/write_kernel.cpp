/// \file The statements of random kernels; their device functions, declarations and output.

#include "writer.hpp"

namespace warpwise::simulator::tests {
namespace {

constexpr std::string_view mix_begin =
    R"(__device__ __noinline__ u32 mix_SEED(u8 u8_0, u16 u16_0, u32 u32_0, u64 u64_0, s8 s8_0, s16 s16_0, s32 s32_0,
                                    s64 s64_0, f32 f32_0, f64 f64_0, u32 lane, const u32* local_words) {
  u8 u8_1 = u8(u32_0);
  u16 u16_1 = u16(u32_0 >> 5);
  u32 u32_1 = u32(s32_0) * 3;
  u64 u64_1 = u64(s64_0) ^ u32_0;
  s8 s8_1 = s8(u16_0);
  s16 s16_1 = s16(u8_0);
  s32 s32_1 = s32(u64_0);
  s64 s64_1 = s64(s32_0);
  f32 f32_1 = f32(s16_0);
  f64 f64_1 = f64(s32_0) * 0.5;
  const u16 local_shorts[8] = {u8_0, 7, u16_0, 5, 4, 3, u16(s8_0), 1};
  const f64 local_doubles[4] = {f64_0, 1.5, f64_1, -0.25};
)";

constexpr std::string_view mix_end = R"(  if ($?) u32_1 ^= $u32;
  for (u32 i = 0; i < (u32_0 & 3); ++i) u32_1 += $u32;
  return fold(fold(u32_1, bits_of(f32_1)), u64(s64_1) + u64(u8_1 + u16_1 + s8_1 + s16_1)) ^
         fold(u32(s32_1), bits_of(f64_1)) ^ u32(u64_1);
}
__device__ __noinline__ u32 recur_SEED(u32 x, u32 depth) {
  if (depth == 0) return x ^ 0x5bd1u;
  const u32 y = recur_SEED(x * 2654435761u + depth, depth - 1);
  const u32 z = recur_SEED(y ^ x, depth - 1);
  return z % 3 == 0 ? y + x : z - x;
}
)";

constexpr std::string_view kernel_begin = R"(extern "C" __global__ void random_SEED(const u32* in, u32* out) {
  __shared__ __align__(16) u64 shared_exchange[256];
  __shared__ u32 shared_totals[8];
  __shared__ u64 shared_wide[4];
  __shared__ f32 shared_sum;
  const u32 t = threadIdx.x, lane = t % 32, i = blockIdx.x * blockDim.x + t;
  u32* const mine = out + 10 * i;
  u32* const totals = out + 10 * gridDim.x * blockDim.x;
  if (t < 8) shared_totals[t] = in[t];
  if (t < 4) shared_wide[t] = in[t + 8] * 0x100000001ull;
  if (t == 0) shared_sum = 0;
)";

constexpr std::string_view existing_lanes = R"(  const u32 here = min(32u, blockDim.x - t / 32 * 32);
  const u32 existing = here == 32 ? 0xffffffffu : (1u << here) - 1;
)";

constexpr std::string_view local_arrays = R"(  u32 local_words[8];
  u16 local_shorts[8];
  f64 local_doubles[4];
  for (u32 k = 0; k < 8; ++k) {
    local_words[k] = in[(i + 5 * k) % 1024];
    local_shorts[k] = u16(local_words[k] >> 9);
  }
  for (u32 k = 0; k < 4; ++k) local_doubles[k] = f64(local_words[k]) - 1.0e6;
  __syncthreads();
)";

constexpr std::string_view kernel_end = R"(  __syncthreads();
  mine[0] = fold(fold(u32_0, u32_1), shared_totals[t % 8]);
  mine[1] = fold(fold(u32(u64_0), u64_0), u64_1);
  mine[2] = fold(u32(s32_0), u32(s32_1));
  mine[3] = fold(fold(u32(s64_0), u64(s64_0)), u64(s64_1) ^ shared_wide[t % 4]);
  mine[4] = fold(bits_of(f32_0), bits_of(f32_1)) ^ bits_of(shared_sum);
  mine[5] = fold(fold(0u, bits_of(f64_0)), bits_of(f64_1));
  mine[6] = fold(fold(fold(u32(u8_0), u32(u8_1)), fold(u32(s8_0), u32(s8_1))),
                 fold(fold(u32(u16_0), u32(u16_1)), fold(u32(s16_0), u32(s16_1))));
  u32 rest = 0;
  for (u32 k = 0; k < 8; ++k) rest = fold(fold(rest, local_words[k]), u32(local_shorts[k]));
  for (u32 k = 0; k < 4; ++k) rest = fold(rest, bits_of(local_doubles[k]));
  mine[7] = rest;
}
)";

}  // namespace

void Writer::line(const Context& context, std::string_view text, std::uint32_t depth) {
  const std::string filled = random_text(random_, text, depth);
  text_ += std::string(2 * context.indent, ' ') + replace_all(filled, "MASK", context.mask) + "\n";
}

void Writer::functions() {
  text_ += mix_begin;
  Context context;
  for (std::uint32_t k = 0; k < 3; ++k) assign(context);
  text_ += random_text(random_, mix_end, 1);
}

/// Each variable starts with words of the input of its own: any bits, or a moderate number for the second.
void Writer::declare_variables() {
  std::uint32_t place = 0;
  const auto word = [&] { return "in[(i * 37 + " + std::to_string(place += 41) + ") % 1024]"; };
  for (std::uint32_t k = 0; k < variables_per_type; ++k) {
    for (const std::string_view type : value_types) {
      const std::string name(type), first = word(), second = word();
      std::string start;
      if (type == "f32")
        start = k == 0 ? "__uint_as_float(" + first + ")" : "f32(s32(" + first + ")) * 0.001f";
      else if (type == "f64" && k == 0)
        start = "__hiloint2double(s32(" + first + "), s32(" + second + "))";
      else if (type == "f64")
        start = "f64(s32(" + first + ")) * 0.001";
      else if (type == "u64" || type == "s64")
        start = name + "(u64(" + first + ") << 32 | " + second + ")";
      else
        start = name + "(" + first + ")";
      text_ += "  " + name + " " + name + "_" + std::to_string(k) + " = " + start + ";\n";
    }
  }
}

void Writer::prologue() {
  text_ += kernel_begin;
  if (shape_.block % 32 != 0) text_ += existing_lanes;
  declare_variables();
  text_ += local_arrays;
}

void Writer::epilogue() { text_ += kernel_end; }

std::string Writer::write() {
  functions();
  prologue();
  Context top;
  const bool is_whole = shape_.block % 32 == 0;
  top.mask = is_whole ? "0xffffffffu" : "existing";
  top.group = is_whole ? 32 : 0;
  top.is_block_uniform = true;
  statements(top, 8 + random_.below(10));
  epilogue();
  return replace_all(text_, "SEED", std::to_string(seed_));
}

std::string write_kernel(std::uint64_t seed) { return Writer(seed).write(); }

// ---- Statements that are not control flow

void Writer::assign(const Context& context) {
  const std::string type(random_type(random_));
  line(context, "@" + type + " = $" + type + ";", 1 + random_.below(3));
}

void Writer::local_array(const Context& context) {
  line(context, one_of({"local_words[$u32 & 7] = $u32;", "local_shorts[$u32 & 7] = $u16;",
                        "local_doubles[$u32 & 3] = $f64;"}));
}

void Writer::call(const Context& context) {
  line(
      context,
      one_of({"@u32 = mix_SEED($u8, $u16, $u32, $u64, $s8, $s16, $s32, $s64, $f32, $f64, lane, local_words);",
              // To the same depth in all lanes. Lanes that return from different depths need not meet
              // again on hardware: with such calls some kernels hung there or changed their results.
              "@u32 = recur_SEED($u32, $# & 3);"}),
      1);
}

/// On words that no other thread touches: there the old value is determined too.
void Writer::own_atomic(const Context& context) {
  line(context, one_of({"@u32 = atomicExch(&mine[8], $u32);", "@u32 = atomicAdd(&mine[9], $u32);",
                        "@u32 = atomicXor(&mine[8], $u32);", "@u32 = atomicMax(&mine[9], $u32);",
                        "@u32 = atomicSub(&mine[8], $u32);", "@u32 = atomicInc(&mine[9], $u32);",
                        "@u32 = atomicDec(&mine[8], $u32);", "@u32 = atomicCAS(&mine[9], $u32, $u32);",
                        "@u64 = atomicExch(reinterpret_cast<u64*>(mine + 8), $u64);",
                        "@u64 = atomicCAS(reinterpret_cast<u64*>(mine + 8), $u64, $u64);"}));
}

void Writer::shared_total(const Context& context) {
  line(context,
       one_of({"atomicAdd(&shared_totals[0], $u32);", "atomicMin(&shared_totals[1], $u32);",
               "atomicMax(&shared_totals[2], $u32);", "atomicAnd(&shared_totals[3], $u32 | 0xffffu);",
               "atomicOr(&shared_totals[4], $u32 & 0xff00u);", "atomicXor(&shared_totals[5], $u32);",
               "atomicInc(&shared_totals[6], 1000u);",
               "atomicMin(reinterpret_cast<s32*>(&shared_totals[7]), $s32);",
               "atomicAdd(&shared_wide[0], $u64);", "atomicMax(&shared_wide[1], $u64);",
               "atomicMin(reinterpret_cast<s64*>(&shared_wide[2]), $s64);",
               "atomicXor(&shared_wide[3], $u64);",
               // Small whole numbers: their sum is exact, so that the order does not matter.
               "atomicAdd(&shared_sum, f32($u32 & 7));"}));
}

void Writer::global_total(const Context& context) {
  static constexpr const char* operations[] = {"Add", "Min", "Max", "And", "Or", "Xor"};
  const std::uint32_t k = random_.below(6);
  const std::string name = std::string("atomic") + operations[k];
  switch (random_.below(3)) {
    case 0:
      return line(context, name + "(&totals[" + std::to_string(k) + "], $u32);");
    case 1:
      return line(context, name + "(reinterpret_cast<s32*>(&totals[" + std::to_string(8 + k) + "]), $s32);");
    default:
      break;
  }
  line(context, name + "(reinterpret_cast<u64*>(totals + " + std::to_string(16 + 2 * k) + "), $u64);");
}

void Writer::vote(const Context& context) {
  line(context, one_of({"@u32 = __ballot_sync(MASK, $?);", "@u32 += __any_sync(MASK, $?) ? 17 : 4;",
                        "@s32 = s32(u32(s32_0) - (__all_sync(MASK, $?) ? 3 : 1));"}));
}

void Writer::match(const Context& context) {
  if (random_.chance(25)) {
    const std::string same = fresh("same");
    line(context, "int " + same + ";");
    line(context, "@u32 = __match_all_sync(MASK, $u32 & 1, &" + same + ");");
    return line(context, "@u32 += u32(" + same + ");");
  }
  line(context, one_of({"@u32 = __match_any_sync(MASK, $u32 & 3);", "@u32 = __match_any_sync(MASK, $u64);",
                        "@u32 ^= __match_any_sync(MASK, $u64 & 0x100000001ull);"}));
}

void Writer::reduce(const Context& context) {
  text_ += "#if __CUDA_ARCH__ >= 800\n";
  line(context, one_of({"@u32 = __reduce_add_sync(MASK, $u32);", "@u32 = __reduce_min_sync(MASK, $u32);",
                        "@u32 = __reduce_max_sync(MASK, $u32);", "@u32 = __reduce_and_sync(MASK, $u32);",
                        "@u32 = __reduce_or_sync(MASK, $u32);", "@u32 = __reduce_xor_sync(MASK, $u32);",
                        "@s32 = __reduce_add_sync(MASK, $s32);", "@s32 = __reduce_min_sync(MASK, $s32);",
                        "@s32 = __reduce_max_sync(MASK, $s32);"}));
  text_ += "#endif\n";
}

void Writer::shuffle(const Context& context) {
  const std::string type(one_of({"u32", "s32", "u64", "s64", "f32", "f64"}));
  const std::string start = "@" + type + " = __shfl", values = "_sync(MASK, $" + type + ", ";
  if (context.group == 0) {
    // From a lane that is certainly here: one of the bits of the mask.
    const std::string source = fresh("source");
    line(context, "const u32 " + source + " = __fns(MASK, 0, s32(1 + ($u32) % __popc(MASK)));", 1);
    return line(context, start + values + source + ");");
  }
  std::uint32_t width = context.group;
  while (width > 2 && random_.chance(40)) width /= 2;
  const std::string distance = std::to_string(random_.below(width)),
                    tail = ", " + std::to_string(width) + ");";
  switch (random_.below(4)) {
    case 0:
      return line(context, start + values + "$s32" + tail);
    case 1:
      return line(context, start + "_up" + values + distance + tail);
    case 2:
      return line(context, start + "_down" + values + distance + tail);
    default:
      return line(context, start + "_xor" + values + distance + tail);
  }
}

void Writer::load(const Context& context) {
  if (random_.chance(30)) {
    const std::string four = fresh("four");
    line(context, "const uint4 " + four + " = reinterpret_cast<const uint4*>(in)[($u32) % 256];", 1);
    line(context, "@u32 = " + four + ".x ^ " + four + ".z;");
    return line(context, "@u64 += u64(" + four + ".y) * " + four + ".w;");
  }
  line(context,
       one_of({"@u32 = __ldg(&in[($u32) % 1024]);", "@u8 = reinterpret_cast<const u8*>(in)[($u32) % 4096];",
               "@s16 = reinterpret_cast<const s16*>(in)[($u32) % 2048];",
               "@s8 = reinterpret_cast<const s8*>(in)[($u32) % 4096];",
               "@u64 = reinterpret_cast<const u64*>(in)[($u32) % 512];"}),
       1);
}

void Writer::exchange(const Context& context) {
  const std::string type(random_type(random_));
  const std::string slots = "reinterpret_cast<" + type + "*>(shared_exchange)";
  const std::string step = std::to_string(1 + 2 * random_.below(16));
  line(context, slots + "[t] = $" + type + ";");
  line(context, "__syncthreads();");
  line(context, "@" + type + " = " + slots + "[(t * " + step + " + ($u32)) % blockDim.x];", 1);
  line(context, "__syncthreads();");
}

void Writer::exchange_vectors(const Context& context) {
  const std::string got = fresh("got");
  line(context, "reinterpret_cast<uint4*>(shared_exchange)[t] = make_uint4($u32, $u32, $u32, t);", 1);
  line(context, "__syncthreads();");
  line(
      context,
      "const uint2 " + got + " = reinterpret_cast<const uint2*>(shared_exchange)[($u32) % (2 * blockDim.x)];",
      1);
  line(context, "@u32 = " + got + ".x;");
  line(context, "@u32 += " + got + ".y;");
  line(context, "__syncthreads();");
}

void Writer::block_vote(const Context& context) {
  line(context,
       one_of({"@u32 += u32(__syncthreads_count($?));", "@u32 += __syncthreads_and($?) != 0 ? 5 : 2;",
               "@u32 += __syncthreads_or($?) != 0 ? 3 : 7;"}));
}

// Control flow of random kernels: each branch knows which lanes take it.

void Writer::statements(const Context& context, std::uint32_t count) {
  static constexpr Statement anywhere[] = {&Writer::assign,     &Writer::assign,       &Writer::assign,
                                           &Writer::assign,     &Writer::local_array,  &Writer::call,
                                           &Writer::own_atomic, &Writer::shared_total, &Writer::global_total,
                                           &Writer::vote,       &Writer::match,        &Writer::reduce,
                                           &Writer::shuffle,    &Writer::shuffle,      &Writer::load};
  static constexpr Statement control[] = {&Writer::branch, &Writer::branch,       &Writer::split_by_lane,
                                          &Writer::loop,   &Writer::counted_loop, &Writer::choose};
  static constexpr Statement block[] = {&Writer::exchange, &Writer::exchange_vectors, &Writer::block_vote};
  for (std::uint32_t k = 0; k < count; ++k) {
    if (context.is_block_uniform && random_.chance(20))
      (this->*block[random_.below(3)])(context);
    else if (context.depth < 3 && random_.chance(25))
      (this->*control[random_.below(6)])(context);
    else
      (this->*anywhere[random_.below(15)])(context);
  }
}

void Writer::branch(const Context& context) {
  const std::string taken = fresh("taken"), mask = fresh("mask");
  line(context, "const bool " + taken + " = $?;");
  line(context, "const u32 " + mask + " = __ballot_sync(MASK, " + taken + ");");
  Context inside{mask, 0, false, context.depth + 1, context.indent + 1};
  line(context, "if (" + taken + ") {");
  statements(inside, 1 + random_.below(4));
  if (random_.chance(60)) {
    line(context, "} else {");
    inside.mask = "(" + context.mask + " & ~" + mask + ")";
    statements(inside, 1 + random_.below(4));
  }
  line(context, "}");
}

/// Whole groups of 4, 8 or 16 lanes go one way: there every shuffle within a group is allowed.
void Writer::split_by_lane(const Context& context) {
  if (context.group != 32) return branch(context);
  static constexpr const char* odd_groups[] = {"0xf0f0f0f0u", "0xff00ff00u", "0xffff0000u"};
  const std::uint32_t k = random_.below(3);
  const std::string odd = odd_groups[k];
  Context inside{odd, 4u << k, false, context.depth + 1, context.indent + 1};
  line(context, "if (lane & " + std::to_string(inside.group) + ") {");
  statements(inside, 1 + random_.below(4));
  line(context, "} else {");
  inside.mask = "(~" + odd + ")";
  statements(inside, 1 + random_.below(4));
  line(context, "}");
}

/// The number of turns is each lane's own; at the end of a turn those that go on tell each other.
void Writer::loop(const Context& context) {
  const std::string end = fresh("end"), mask = fresh("mask"), turn = fresh("turn");
  line(context, "const u32 " + end + " = $u32 & " + std::string(one_of({"3", "7"})) + ";");
  line(context, "u32 " + mask + " = __ballot_sync(MASK, " + end + " > 0);");
  // NVVM may unroll a loop of unknown length although it holds `*.sync` instructions: then lanes of one mask
  // stand at different copies of one of them, and what the hardware does depends on time.
  text_ += "#pragma unroll 1\n";
  line(context, "for (u32 " + turn + " = 0; " + turn + " < " + end + ";) {");
  const Context inside{mask, 0, false, context.depth + 1, context.indent + 1};
  statements(inside, 1 + random_.below(3));
  line(inside, "@u32 += " + turn + ";");
  line(inside, "++" + turn + ";");
  line(inside, mask + " = __ballot_sync(MASK, " + turn + " < " + end + ");");
  line(context, "}");
}

void Writer::counted_loop(const Context& context) {
  const std::string turn = fresh("turn"), turns = std::to_string(2 + random_.below(3));
  text_ += "#pragma unroll 1\n";
  line(context, "for (u32 " + turn + " = 0; " + turn + " < " + turns + "; ++" + turn + ") {");
  Context inside = context;
  inside.depth += 1;
  inside.indent += 1;
  statements(inside, 1 + random_.below(3));
  line(inside, "@u32 ^= " + turn + ";");
  line(context, "}");
}

void Writer::choose(const Context& context) {
  const std::string key = fresh("key"), mask = fresh("mask");
  line(context, "const u32 " + key + " = ($u32) % 6;");
  line(context, "const u32 " + mask + " = __match_any_sync(MASK, " + key + ");");
  line(context, "switch (" + key + ") {");
  const Context inside{mask, 0, false, context.depth + 1, context.indent + 2};
  Context label = context;
  label.indent += 1;
  for (std::uint32_t k = 0; k < 5; ++k) {
    line(label, "case " + std::to_string(k) + ": {");
    statements(inside, 1 + random_.below(2));
    line(label, "} break;");
  }
  line(label, "default: @u32 += 1;");
  line(context, "}");
}

}  // namespace warpwise::simulator::tests
