#include "decoder.hpp"

#include <algorithm>

#include "../ptx/function_text.hpp"

namespace warpwise::simulator::decode {

namespace {

using ptx::Operand;

constexpr std::uint32_t none = ControlFlow::none;

struct BasicBlock {
  std::uint32_t first = 0, end = 0;  ///< instructions [first, end)
  std::vector<std::uint32_t> next;   ///< blocks; the exit is block number `blocks.size()`
};

std::vector<BasicBlock> split_into_blocks(const ptx::Function& function) {
  const auto size = static_cast<std::uint32_t>(function.code.size());
  std::vector<bool> is_leader(size + 1, false);
  is_leader[0] = true;
  for (std::uint32_t i = 0; i < size; ++i) {
    const ptx::Instruction& here = function.code[i];
    if (here.row->then == ptx::Then::next) continue;
    is_leader[i + 1] = true;
    for (std::uint32_t t : ptx::targets_of(function, here)) is_leader[std::min(t, size)] = true;
  }
  std::vector<BasicBlock> blocks;
  std::vector<std::uint32_t> block_at(size + 1, none);
  for (std::uint32_t i = 0; i < size; ++i) {
    if (is_leader[i]) blocks.push_back({i, i, {}});
    block_at[i] = static_cast<std::uint32_t>(blocks.size() - 1);
    blocks.back().end = i + 1;
  }
  const auto exit = static_cast<std::uint32_t>(blocks.size());
  block_at[size] = exit;
  for (BasicBlock& block : blocks) {
    const ptx::Instruction& last = function.code[block.end - 1];
    if (ptx::jumps(last))
      for (std::uint32_t t : ptx::targets_of(function, last))
        block.next.push_back(block_at[std::min(t, size)]);
    if (last.row->then == ptx::Then::end) block.next.push_back(exit);
    if (ptx::goes_on(last)) block.next.push_back(block_at[block.end]);
  }
  return blocks;
}

/// Immediate post-dominator of every block; the exit's is itself, `none` where the exit is out of reach.
std::vector<std::uint32_t> post_dominators(const std::vector<BasicBlock>& blocks) {
  const auto exit = static_cast<std::uint32_t>(blocks.size());
  std::vector<std::vector<std::uint32_t>> previous(blocks.size() + 1);
  for (std::uint32_t b = 0; b < exit; ++b)
    for (std::uint32_t n : blocks[b].next) previous[n].push_back(b);
  // Post-order of the reversed graph from the exit, without recursion.
  std::vector<std::uint32_t> order, number(exit + 1, none);
  std::vector<std::pair<std::uint32_t, std::size_t>> stack{{exit, 0}};
  std::vector<bool> seen(exit + 1, false);
  seen[exit] = true;
  while (!stack.empty()) {
    auto& [block, child] = stack.back();
    if (child < previous[block].size()) {
      const std::uint32_t p = previous[block][child++];
      if (!seen[p]) {
        seen[p] = true;
        stack.push_back({p, 0});
      }
    } else {
      number[block] = static_cast<std::uint32_t>(order.size());
      order.push_back(block);
      stack.pop_back();
    }
  }
  std::vector<std::uint32_t> dominator(exit + 1, none);
  dominator[exit] = exit;
  const auto common = [&](std::uint32_t a, std::uint32_t b) {
    while (a != b) {
      while (number[a] < number[b]) a = dominator[a];
      while (number[b] < number[a]) b = dominator[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (auto at = order.rbegin(); at != order.rend(); ++at) {
      if (*at == exit) continue;
      std::uint32_t found = none;
      for (std::uint32_t n : blocks[*at].next)
        if (dominator[n] != none) found = found == none ? n : common(n, found);
      if (found != dominator[*at]) {
        dominator[*at] = found;
        changed = true;
      }
    }
  }
  return dominator;
}

using Bits = std::vector<std::uint64_t>;

void step_backwards(const ptx::Instruction& instruction, Bits& live) {
  const auto set = [&](ptx::RegisterId r) { live[r / 64] |= std::uint64_t{1} << (r % 64); };
  const auto reset = [&](ptx::RegisterId r) { live[r / 64] &= ~(std::uint64_t{1} << (r % 64)); };
  if (instruction.has_destination() && !instruction.guard &&
      instruction.operands[0].kind != Operand::Kind::address)
    ptx::visit_registers(instruction.operands[0], reset);
  ptx::visit_reads(instruction, set);
}

std::vector<ptx::RegisterId> live_at_entry(const ptx::Function& function,
                                           const std::vector<BasicBlock>& blocks) {
  const std::size_t words = function.registers.size() / 64 + 1;
  std::vector<Bits> live(blocks.size() + 1, Bits(words, 0));
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t b = blocks.size(); b-- > 0;) {
      Bits now(words, 0);
      for (std::uint32_t n : blocks[b].next)
        for (std::size_t w = 0; w < words; ++w) now[w] |= live[n][w];
      for (std::uint32_t i = blocks[b].end; i-- > blocks[b].first;) step_backwards(function.code[i], now);
      if (now != live[b]) {
        live[b] = now;
        changed = true;
      }
    }
  }
  std::vector<ptx::RegisterId> result;
  for (ptx::RegisterId r = 0; r < function.registers.size(); ++r)
    if (live[0][r / 64] >> (r % 64) & 1) result.push_back(r);
  return result;
}

}  // namespace

ControlFlow ControlFlow::of(const ptx::Function& function) {
  ControlFlow flow;
  flow.reconvergence.assign(function.code.size(), none);
  flow.is_read.assign(function.registers.size(), false);
  for (const ptx::Instruction& instruction : function.code)
    ptx::visit_reads(instruction, [&](ptx::RegisterId r) { flow.is_read[r] = true; });
  if (function.code.empty()) return flow;
  const std::vector<BasicBlock> blocks = split_into_blocks(function);
  const std::vector<std::uint32_t> dominator = post_dominators(blocks);
  for (std::uint32_t b = 0; b < blocks.size(); ++b)
    if (ptx::jumps(function.code[blocks[b].end - 1]) && dominator[b] < blocks.size())
      flow.reconvergence[blocks[b].end - 1] = blocks[dominator[b]].first;
  flow.read_unwritten = live_at_entry(function, blocks);
  return flow;
}

}  // namespace warpwise::simulator::decode
