#include "kept_away.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "../ptx/function_text.hpp"

namespace warpwise::simulator::observe {

FunctionCode::FunctionCode(const Program& program, Pc pc)
    : function(program.function_of(pc)),
      entry(pc - static_cast<Pc>(&program.text_of(pc) - function.code.data())) {}

std::vector<Pc> FunctionCode::targets(Pc pc) const {
  std::vector<Pc> found;
  for (const std::uint32_t target : ptx::targets_of(function, (*this)[pc])) found.push_back(entry + target);
  return found;
}

std::vector<Pc> FunctionCode::successors(Pc pc) const {
  std::vector<Pc> found = targets(pc);
  if (ptx::goes_on((*this)[pc])) found.push_back(pc + 1);
  return found;
}

namespace {

/// Whether one of `from` leads to `pc` without passing `branch`, or where its sides have met again.
bool leads_to(const FunctionCode& code, std::vector<Pc> from, Pc pc, Pc branch, std::optional<Pc> meeting) {
  std::vector<bool> seen(code.function.code.size());
  for (const Pc end : {branch, meeting.value_or(branch)}) seen[end - code.entry] = true;
  while (!from.empty()) {
    const Pc at = from.back();
    from.pop_back();
    if (at == pc) return true;
    if (!code.has(at) || seen[at - code.entry]) continue;
    seen[at - code.entry] = true;
    for (const Pc to : code.successors(at)) from.push_back(to);
  }
  return false;
}

/// Calls of the function that `pc` is in, by their name.
std::vector<Pc> calls_of(const Program& program, Pc pc) {
  const ptx::Function& function = program.function_of(pc);
  std::vector<Pc> calls;
  for (Pc at = 0; at < program.size() && !function.is_kernel; ++at) {
    if (program.class_of(at) != ptx::InstructionClass::call) continue;
    const auto& operands = program.text_of(at).operands;
    if (std::any_of(operands.begin(), operands.end(), [&](const ptx::Operand& operand) {
          return operand.kind == ptx::Operand::Kind::function && operand.symbol == function.name;
        }))
      calls.push_back(at);
  }
  return calls;
}

}  // namespace

void BranchHistory::begin(const BlockContext& block) {
  std::vector<Warp>& warps = blocks_[block.slot];
  warps.resize(std::max<std::size_t>(warps.size(), block.warps));
  for (Warp& warp : warps) warp.context = nullptr, warp.count = 0;
}

void BranchHistory::note(const WarpContext& warp, Pc pc, LaneMask active, LaneMask taken) {
  Warp& here = blocks_[warp.block->slot][warp.warp];
  here.context = &warp;
  const Taken next{pc, active, taken};
  for (std::uint32_t back = 1; back <= std::min(here.count, 4u); ++back)
    if (here.latest[(here.count - back) % here.latest.size()] == next) return;
  here.latest[here.count++ % here.latest.size()] = next;
}

const BranchHistory::Sides& BranchHistory::sides_of(const FunctionCode& code, const Program& program,
                                                    Pc branch, Pc pc) const {
  const auto [known, is_new] = sides_.try_emplace({branch, pc});
  Sides& sides = known->second;
  if (!is_new) return sides;
  const std::optional<Pc> meeting = program.meeting_of(branch);
  const std::vector<Pc> target = code.targets(branch), next{branch + 1};
  sides.jumped = leads_to(code, target, pc, branch, meeting);
  sides.stayed = leads_to(code, next, pc, branch, meeting);
  sides.returns = leads_to(code, sides.jumped ? target : next, branch, branch, meeting);
  return sides;
}

std::optional<Pc> BranchHistory::branch_before(const Program& program, const Warp& warp, std::uint32_t lane,
                                               Pc pc, int calls) const {
  const FunctionCode code(program, pc);
  const auto size = static_cast<std::uint32_t>(warp.latest.size());
  std::optional<Pc> left;  // the end of a loop
  for (std::uint32_t back = 1; back <= std::min(warp.count, size); ++back) {
    const Taken& choice = warp.latest[(warp.count - back) % size];
    if ((choice.active >> lane & 1) == 0 || !code.has(choice.pc)) continue;
    if (choice.pc == left) break;  // its last round but one
    const Sides& sides = sides_of(code, program, choice.pc, pc);
    if (sides.jumped == sides.stayed) continue;
    const bool has_come = (choice.taken >> lane & 1) != 0 ? sides.jumped : sides.stayed;
    if (left && has_come) continue;
    if (has_come) return std::nullopt;
    if (left || !sides.returns) return choice.pc;
    left = choice.pc;
  }
  if (left || calls == 0) return left;
  for (const Pc call : calls_of(program, pc))
    if (const auto branch = branch_before(program, warp, lane, call, calls - 1)) return branch;
  return std::nullopt;
}

std::optional<Pc> BranchHistory::branch_before(const Program& program, const BlockContext& block,
                                               std::uint32_t warp, std::uint32_t lane, Pc pc) const {
  return branch_before(program, blocks_[block.slot][warp], lane, pc);
}

std::optional<Pc> BranchHistory::branch_before(const Program& program, const BlockContext& block, Pc pc,
                                               std::uint32_t& thread) const {
  for (std::uint32_t w = 0; w < block.warps; ++w) {
    const Warp& warp = blocks_[block.slot][w];
    for (const std::uint32_t lane : lanes_in(warp.context == nullptr ? 0 : ~warp.context->exited)) {
      const auto branch = branch_before(program, warp, lane, pc);
      if (!branch) continue;
      thread = w * warp_size + lane;
      return branch;
    }
  }
  return std::nullopt;
}

std::optional<Pc> BranchHistory::branch_to(const Program& program, const WarpContext& warp,
                                           std::uint32_t lane, Pc pc) const {
  const Warp& here = blocks_[warp.block->slot][warp.warp];
  const FunctionCode code(program, pc);
  for (std::uint32_t back = 1; back <= std::min<std::size_t>(here.count, here.latest.size()); ++back) {
    const Taken& choice = here.latest[(here.count - back) % here.latest.size()];
    if ((choice.active >> lane & 1) == 0 || !code.has(choice.pc)) continue;
    const Sides& sides = sides_of(code, program, choice.pc, pc);
    if (sides.jumped != sides.stayed)
      return ((choice.taken >> lane & 1) != 0) == sides.jumped ? std::optional(choice.pc) : std::nullopt;
  }
  return std::nullopt;
}

bool BranchHistory::leaves_by(const Program& program, const WarpContext& warp, std::uint32_t lane, Pc way,
                              Pc first, Pc last) const {
  const Warp& here = blocks_[warp.block->slot][warp.warp];
  const FunctionCode code(program, way);
  const std::vector<Pc> targets = code.targets(way);
  const bool jumps_out = targets.empty() || targets.front() < first || targets.front() > last;
  for (std::uint32_t i = 0; i < std::min<std::size_t>(here.count, here.latest.size()); ++i) {
    const Taken& choice = here.latest[i];
    if (choice.pc != way || (choice.active >> lane & 1) == 0) continue;
    if (((choice.taken >> lane & 1) != 0) == jumps_out) return true;
  }
  return false;
}

// ---- What a student calls it

std::vector<SourceHead> heads_around(const Program& program, Pc pc) {
  std::vector<SourceHead> heads;
  const auto& locations = program.module().locations;
  SourcePlace last;
  for (std::int32_t i = program.text_of(pc).location; i >= 0;
       i = locations[static_cast<std::size_t>(i)].inlined_at) {
    const SourcePlace& place = program.place_of_location(i);
    if (place.line == 0 || place == std::exchange(last, place)) continue;
    for (const Statements::Head& head :
         read_statements(program, {0, program.size()}, place.file).heads_around(place.line))
      heads.push_back({head, place.file});
  }
  return heads;
}

namespace {

/// Whether the condition of an `if` has a call of some __…_sync() in it.
bool exchanges_in_condition(std::string_view text) {
  int depth = 0;
  for (std::size_t i = text.find('('); i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0) return text.substr(0, i).find("_sync") != text.npos;
  }
  return false;
}

/// The line of the innermost `if` around `before` that has no branch of its own, where the one at `place` is
/// no head around it, but comes earlier; 0: none.
std::uint32_t merged_condition(const Program& program, const SourcePlace& place, Pc before) {
  const std::vector<SourceHead> heads = heads_around(program, before);
  if (std::any_of(heads.begin(), heads.end(), [&](const SourceHead& head) { return head.is_at(place); }))
    return 0;
  const FunctionCode code(program, before);
  for (const SourceHead& head : heads) {
    bool has_branch = head.is_loop || head.file != place.file || head.begin <= place.line;
    for (Pc at = code.entry; code.has(at) && !has_branch; ++at)
      has_branch = code[at].guard && ptx::jumps(code[at]) && head.is_at(near_place_of(program, at).place);
    if (!has_branch) return head.begin;
  }
  return 0;
}

bool starts_with_word(std::string_view text, std::string_view word) {
  return text.starts_with(word) && text.find_first_of(" (", word.size()) == word.size();
}

}  // namespace

/// One line may have several statements.
std::size_t column_of(const Program& program, Pc pc) {
  const std::uint32_t line = place_of(program, pc).line;
  const auto& locations = program.module().locations;
  for (std::int32_t i = program.text_of(pc).location; i >= 0;) {
    const ptx::Location& here = locations[static_cast<std::size_t>(i)];
    if (here.line == line && here.column != 0) return here.column - 1;
    i = here.inlined_at;
  }
  return 0;
}

BranchName name_of_branch(const Program& program, Pc branch, Pc before) {
  const SourcePlace place = near_place_of(program, branch).place;
  const std::string line = place.line == 0 ? "" : " in line " + std::to_string(place.line);
  SourceTexts texts;
  const std::string whole = texts.line(place);
  std::string_view text = whole;
  text.remove_prefix(std::min(column_of(program, branch), text.size()));
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));

  const FunctionCode code(program, branch);
  const std::vector<Pc> targets = code.targets(branch);
  const bool goes_back = std::any_of(targets.begin(), targets.end(), [&](Pc to) { return to <= branch; });
  const auto named = [&](BranchName::Kind kind, const std::string& name) {
    return BranchName{kind, "the " + name + line, branch};
  };
  if (goes_back || starts_with_word(text, "for") || starts_with_word(text, "while"))
    return named(BranchName::Kind::loop, "loop");
  const auto has = [&](std::string_view part) { return text.find(part) != text.npos; };
  const char* const joint = has("&&") ? "`&&`" : "`||`";
  const bool has_joint = has("&&") || has("||");
  if (starts_with_word(text, "if") || text.starts_with("else if")) {
    for (const char* const way : {"return", "continue", "break"})
      if (has(way)) return named(BranchName::Kind::way_out, "`" + std::string(way) + "`");
    if (const std::uint32_t own = merged_condition(program, place, before); own != 0)
      return {BranchName::Kind::condition, "the `if` in line " + std::to_string(own), std::nullopt};
    const bool is_within = place == near_place_of(program, before).place && exchanges_in_condition(text);
    if (!(is_within && has_joint)) return named(BranchName::Kind::condition, "`if`");
  }
  if (const std::uint32_t own = merged_condition(program, place, before); own != 0)
    return {BranchName::Kind::condition, "the `if` in line " + std::to_string(own), std::nullopt};
  if (has_joint) return named(BranchName::Kind::condition, joint);
  if (has(" ? ")) return named(BranchName::Kind::condition, "`? :`");
  if (starts_with_word(text, "switch")) return named(BranchName::Kind::condition, "`switch`");
  return named(BranchName::Kind::condition, "branch");
}

// ---- __activemask()

bool is_active_mask(const ptx::Instruction& instruction) {
  return instruction.row->what == ptx::InstructionClass::vote && instruction.operands.size() == 1;
}

std::vector<Pc> active_masks_behind(const Program& program, Pc pc, const ptx::Operand& operand) {
  const FunctionCode code(program, pc);
  std::set<ptx::RegisterId> reached;
  ptx::visit_registers(operand, [&](ptx::RegisterId reg) { reached.insert(reg); });
  std::set<Pc> found;
  for (std::size_t before = ~std::size_t{0}; before != reached.size();) {
    before = reached.size();
    for (Pc at = code.entry; code.has(at); ++at) {
      const ptx::Instruction& each = code[at];
      if (!each.has_destination() || each.operands.empty()) continue;
      bool is_written = false;
      ptx::visit_registers(each.operands[0],
                           [&](ptx::RegisterId reg) { is_written |= reached.contains(reg); });
      if (!is_written) continue;
      if (is_active_mask(each)) found.insert(at);
      if (each.row->access != ptx::MemoryAccess::none) continue;  // what memory holds has another origin
      for (std::size_t i = 1; i < each.operands.size(); ++i)
        ptx::visit_registers(each.operands[i], [&](ptx::RegisterId reg) { reached.insert(reg); });
    }
  }
  return {found.begin(), found.end()};
}

namespace {

/// Whether anything but the masks of `*.sync` is computed from what the instructions at `masks` give.
bool is_used_otherwise(const Program& program, const std::vector<Pc>& masks) {
  const FunctionCode code(program, masks.front());
  std::set<ptx::RegisterId> copies;
  const auto add = [&](const ptx::Operand& operand) {
    ptx::visit_registers(operand, [&](ptx::RegisterId reg) { copies.insert(reg); });
  };
  for (const Pc mask : masks) add(code[mask].operands[0]);
  for (std::size_t before = 0; before != copies.size();) {
    before = copies.size();
    for (const ptx::Instruction& each : code.function.code) {
      bool reads = false;
      const auto note = [&](ptx::RegisterId reg) { reads |= copies.contains(reg); };
      const bool has_mask = each.has("sync") && each.what() != ptx::InstructionClass::block_barrier;
      if (has_mask)
        for (std::size_t i = 1; i + 1 < each.operands.size(); ++i)
          ptx::visit_registers(each.operands[i], note);
      else
        ptx::visit_reads(each, note);
      if (!reads) continue;
      if (has_mask || each.row->result != ptx::Result::copied || !each.has_destination()) return true;
      add(each.operands[0]);
    }
  }
  return false;
}

}  // namespace

std::optional<ActiveMask> active_mask_of(const Program& program, Pc pc) {
  const ptx::Instruction& instruction = program.text_of(pc);
  const bool has_mask = instruction.has("sync") && instruction.what() != ptx::InstructionClass::block_barrier;
  if (!has_mask || instruction.operands.empty()) return std::nullopt;
  const std::vector<Pc> masks = active_masks_behind(program, pc, instruction.operands.back());
  if (masks.empty()) return std::nullopt;
  ActiveMask found{masks.front()};
  if (instruction.what() == ptx::InstructionClass::warp_barrier)
    found.is_kept = is_used_otherwise(program, masks);
  if (instruction.what() != ptx::InstructionClass::shuffle || instruction.operands.size() < 5) return found;
  const std::vector<Pc> lanes = active_masks_behind(program, pc, instruction.operands[2]);
  for (const Pc lane : lanes) {
    found.is_kept |= std::find(masks.begin(), masks.end(), lane) != masks.end();
    found.lane_from = lane;
  }
  return found;
}

}  // namespace warpwise::simulator::observe
