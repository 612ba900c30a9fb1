#include <algorithm>

#include "decoder.hpp"

namespace warpwise::simulator::decode {

using ptx::Operand;

void FunctionDecoder::decode_block_barrier(const ptx::Instruction& text, Instruction& out) {
  allow_modifiers(text, {"sync", "arrive", "red", "popc", "and", "or", "cta", "warp", "aligned", "cluster",
                         "wait", "release", "relaxed", "acquire"});
  if (text.what() == ptx::InstructionClass::warp_barrier) {
    expect_operands(text, 1, 1);
    add_collective(Collective::Op::warp_barrier, out);
    membermask(text.operands[0], out);
    return;
  }
  BlockBarrier barrier;
  std::vector<Operand> operands = text.operands;
  if (text.has("cluster")) {
    // A cluster has one block: arrive is a release that waits for nobody, wait is the block's barrier.
    if (text.has("arrive")) return decode_nothing(text, out);
    operands.clear();
  }
  if (text.has("red"))
    barrier.op = text.has("popc")  ? BlockBarrier::Op::popc
                 : text.has("and") ? BlockBarrier::Op::all
                                   : BlockBarrier::Op::any;
  else if (text.has("arrive"))
    barrier.op = BlockBarrier::Op::arrive;
  std::size_t at = 0, end = operands.size();
  if (text.has("red")) {
    if (end < 3) throw std::invalid_argument("wrong number of operands");
    const bool is_count = barrier.op == BlockBarrier::Op::popc;
    out.rows[0] = row_of_operand(operands[at++], is_count ? Width::b32 : Width::pred, ptx::Type::u32);
    const Operand& predicate = operands[--end];
    barrier.is_negated = predicate.is_negated && predicate.kind == Operand::Kind::reg;
    out.rows[3] = row_of_operand(predicate, Width::pred, ptx::Type::pred);
  }
  const Operand zero = [] {
    Operand o;
    o.kind = Operand::Kind::immediate;
    return o;
  }();
  out.rows[1] = row_of_operand(at < end ? operands[at++] : zero, Width::b32, ptx::Type::u32);
  barrier.has_count = at < end;
  if (barrier.has_count) out.rows[2] = row_of_operand(operands[at++], Width::b32, ptx::Type::u32);
  barrier.is_fixed = std::none_of(operands.begin(), operands.begin() + static_cast<std::ptrdiff_t>(at),
                                  [](const Operand& each) { return each.kind == Operand::Kind::reg; });
  if (at != end || (barrier.op == BlockBarrier::Op::arrive && !barrier.has_count))
    throw std::invalid_argument("wrong number of operands");
  out.kind = Kind::barrier;
  out.detail = static_cast<std::uint32_t>(code_.barriers.size());
  code_.barriers.push_back(barrier);
}

Collective& FunctionDecoder::add_collective(Collective::Op op, Instruction& out) {
  out.kind = Kind::collective;
  out.detail = static_cast<std::uint32_t>(code_.collectives.size());
  out.rows[5] = frame_.immediate(all_lanes, Width::b32);
  Collective& collective = code_.collectives.emplace_back();
  collective.op = op;
  return collective;
}

void FunctionDecoder::membermask(const Operand& operand, Instruction& out) {
  out.rows[5] = row_of_operand(operand, Width::b32, ptx::Type::b32);
}

/// `d` or `d|p`: rows 0 and 1. A missing predicate goes to a row that nobody reads.
void FunctionDecoder::destination_pair(const Operand& operand, Width width, Instruction& out) {
  const bool is_pair = operand.kind == Operand::Kind::vector;
  if (is_pair && operand.elements.size() != 2) throw std::invalid_argument("d|p is expected");
  out.rows[0] = row_of_operand(is_pair ? operand.elements[0] : operand, width, ptx::Type::none);
  out.rows[1] = is_pair ? row_of_operand(operand.elements[1], Width::pred, ptx::Type::pred)
                        : frame_.scratch(Width::pred);
}

void FunctionDecoder::decode_shuffle(const ptx::Instruction& text, Instruction& out) {
  allow_modifiers(text, {"sync", "up", "down", "bfly", "idx"});
  const bool is_sync = text.has("sync");
  expect_operands(text, is_sync ? 5 : 4, is_sync ? 5 : 4);
  Collective& collective = add_collective(Collective::Op::shuffle, out);
  for (std::string_view name : {"up", "down", "bfly", "idx"})
    if (text.has(name)) collective.shuffle = *instructions::shuffle_mode_from(name);
  collective.has_mask = is_sync;
  destination_pair(text.operands[0], Width::b32, out);
  for (std::size_t i = 1; i < 4; ++i)
    out.rows[1 + i] = row_of_operand(text.operands[i], Width::b32, ptx::Type::b32);
  if (is_sync) membermask(text.operands[4], out);
}

void FunctionDecoder::decode_vote(const ptx::Instruction& text, Instruction& out) {
  allow_modifiers(text, {"sync", "all", "any", "uni", "ballot"});
  const bool is_sync = text.has("sync");
  expect_operands(text, is_sync ? 3 : 2, is_sync ? 3 : 2);
  Collective& collective = add_collective(Collective::Op::vote, out);
  bool is_known = false;
  for (std::string_view name : {"all", "any", "uni", "ballot"})
    if (text.has(name)) {
      collective.vote = *instructions::vote_mode_from(name);
      is_known = true;
    }
  if (!is_known) throw std::invalid_argument("a mode is expected");
  collective.has_mask = is_sync;
  collective.width = collective.vote == VoteMode::ballot ? Width::b32 : Width::pred;
  collective.is_negated = text.operands[1].is_negated && text.operands[1].kind == Operand::Kind::reg;
  out.rows[0] = row_of_operand(text.operands[0], collective.width, ptx::Type::none);
  out.rows[2] = row_of_operand(text.operands[1], Width::pred, ptx::Type::pred);
  if (is_sync) membermask(text.operands[2], out);
}

void FunctionDecoder::decode_match(const ptx::Instruction& text, Instruction& out) {
  allow_modifiers(text, {"sync", "any", "all"});
  expect_operands(text, 3, 3);
  Collective& collective =
      add_collective(text.has("all") ? Collective::Op::match_all : Collective::Op::match_any, out);
  collective.width = width_of(text.type());
  if (collective.width != Width::b32 && collective.width != Width::b64)
    throw std::invalid_argument("there is no such form");
  destination_pair(text.operands[0], Width::b32, out);
  out.rows[2] = row_of_operand(text.operands[1], collective.width, text.type());
  membermask(text.operands[2], out);
}

void FunctionDecoder::decode_redux(const ptx::Instruction& text, Instruction& out) {
  allow_modifiers(text, {"sync", "add", "min", "max", "and", "or", "xor", "abs", "NaN"});
  expect_operands(text, 3, 3);
  Collective& collective = add_collective(Collective::Op::redux, out);
  for (std::string_view name : {"add", "min", "max", "and", "or", "xor"})
    if (text.has(name))
      collective.redux = instructions::find_redux(name, text.type(), text.has("abs"), text.has("NaN"));
  if (collective.redux == nullptr) throw std::invalid_argument("there is no such form");
  out.rows[0] = row_of_operand(text.operands[0], Width::b32, text.type());
  out.rows[2] = row_of_operand(text.operands[1], Width::b32, text.type());
  membermask(text.operands[2], out);
}

void FunctionDecoder::decode_elect(const ptx::Instruction& text, Instruction& out) {
  allow_modifiers(text, {"sync"});
  expect_operands(text, 2, 2);
  add_collective(Collective::Op::elect, out);
  destination_pair(text.operands[0], Width::b32, out);
  membermask(text.operands[1], out);
}

void FunctionDecoder::decode_active_mask(const ptx::Instruction& text, Instruction& out) {
  expect_operands(text, 1, 1);
  out.kind = Kind::active_mask;
  out.rows[0] = row_of_operand(text.operands[0], Width::b32, ptx::Type::b32);
}

}  // namespace warpwise::simulator::decode
