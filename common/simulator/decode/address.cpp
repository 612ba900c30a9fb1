#include "decoder.hpp"

namespace warpwise::simulator::decode {

namespace {

template <class T>
void copy_row(std::byte* frame, const Row* rows, LaneMask active) {
  T* to = row_of<T>(frame, rows[0]);
  const T* from = row_of<T>(frame, rows[1]);
  for (std::uint32_t i = 0; i < warp_size; ++i) to[i] = active >> i & 1 ? from[i] : to[i];
}

/// For those that have one function for cells of 32 bits and one for 64.
void expect_word_or_two(Width width) {
  if (width != Width::b32 && width != Width::b64) throw std::invalid_argument("there is no such form");
}

}  // namespace

/// Whoever reads a clock is no longer lane-wise (PTX ISA 10.25 to 10.30).
void FunctionDecoder::decode_clock(const ptx::Instruction& text, Instruction& out) {
  const Width width = width_of_operand(text.operands[0], width_of(text.type()));
  expect_word_or_two(width);
  out.kind = Kind::clock;
  out.what = ptx::InstructionClass::other;
  out.rows[0] = row_of_operand(text.operands[0], width, text.type());
  out.detail = width == Width::b64 ? 2 : 1;
  out.offset = text.operands[1].symbol.ends_with("_hi") ? 32 : 0;
}

/// A cluster has one block here, so that every rank's shared memory is the block's own.
void FunctionDecoder::decode_map_address(const ptx::Instruction& text, Instruction& out) {
  expect_operands(text, 3, 3);
  const Width width = width_of(text.type());
  expect_word_or_two(width);
  out.kind = Kind::lane;
  out.rows[0] = row_of_operand(text.operands[0], width, text.type());
  out.rows[1] = row_of_operand(text.operands[1], width, text.type());
  flow_.rule = FlowRule::whole;
  flow_.results = 1;
  flow_.operands = 2;
  flow_.widths.fill(width);
  out.run = width == Width::b64 ? copy_row<std::uint64_t> : copy_row<std::uint32_t>;
}

}  // namespace warpwise::simulator::decode
