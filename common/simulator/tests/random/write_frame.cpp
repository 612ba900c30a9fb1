/// \file A random kernel's device functions, declarations and output.

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

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

}  // namespace

void Writer::line(const Context& context, std::string_view text, std::uint32_t depth) {
  std::string filled = random_text(random_, text, depth);
  replace_all(filled, "MASK", context.mask);
  text_ += std::string(2 * context.indent, ' ') + filled + "\n";
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
  replace_all(text_, "SEED", std::to_string(seed_));
  return text_;
}

std::string write_kernel(std::uint64_t seed) { return Writer(seed).write(); }

}  // namespace warpwise::simulator::tests
