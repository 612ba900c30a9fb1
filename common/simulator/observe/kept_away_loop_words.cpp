// What is told of a kernel that is stopped because it does not end: the loop, its condition, and what that
// compares.
#include <algorithm>
#include <cctype>

#include "findings.hpp"
#include "kept_away.hpp"

namespace warpwise::simulator::observe {

namespace {

using ptx::Instruction;

/// Instructions [first, last] of a function: the last one jumps back to the first.
struct Loop {
  Pc first = 0, last = 0;
  bool has(Pc pc) const { return first <= pc && pc <= last; }
};

/// The loops around `pc`, the innermost first.
std::vector<Loop> loops_around(const FunctionCode& code, Pc pc) {
  std::vector<Loop> loops;
  for (Pc at = pc; code.has(at); ++at)
    for (const Pc to : code.targets(at))
      if (to <= pc) loops.push_back({to, at});
  std::stable_sort(loops.begin(), loops.end(),
                   [](const Loop& a, const Loop& b) { return a.last - a.first < b.last - b.first; });
  return loops;
}

std::vector<Pc> ways_out_of(const FunctionCode& code, const Loop& loop) {
  std::vector<Pc> ways;
  for (Pc at = loop.first; at <= loop.last; ++at) {
    const std::vector<Pc> next = code.successors(at);
    if (!next.empty() && code[at].guard &&
        std::any_of(next.begin(), next.end(), [&](Pc to) { return !loop.has(to); }))
      ways.push_back(at);
  }
  return ways;
}

/// What stands between the parentheses of `for` or `while`; of the former, between the semicolons.
std::string condition_in(const std::string& line, std::size_t column) {
  std::size_t start = line.find_first_not_of(" \t", column);
  if (start == line.npos) return {};
  if (line.compare(start, 3, "for") != 0 && line.compare(start, 5, "while") != 0)
    start = line.find("while", start);
  if (start == line.npos) return {};
  const bool is_for = line.compare(start, 3, "for") == 0;
  const std::size_t open = line.find('(', start);
  int depth = 0, part = 0;
  std::string text;
  for (std::size_t i = open; i < line.size(); ++i) {
    depth += line[i] == '(' ? 1 : line[i] == ')' ? -1 : 0;
    if (depth == 0) break;
    if (depth == 1 && line[i] == ';')
      ++part;
    else if (i != open && part == (is_for ? 1 : 0))
      text += line[i];
  }
  const std::size_t begin = text.find_first_not_of(' ');
  return depth != 0 || begin == text.npos ? "" : text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

/// "stride is 1", where the condition compares a variable, and the comparison that decides the branch is that
/// one: with the same number on its other side.
std::string value_text(const FunctionCode& code, Pc branch, const std::string& condition,
                       const Fault& fault) {
  std::size_t end = 0;
  while (end < condition.size() &&
         (std::isalnum(static_cast<unsigned char>(condition[end])) || condition[end] == '_'))
    ++end;
  const std::string name = condition.substr(0, end), rest = condition.substr(end);
  const std::size_t digits = rest.find_first_of("0123456789");
  const bool is_plain = !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
                        rest.find_first_not_of(" <>=!") == digits && digits != rest.npos &&
                        rest.find_first_not_of("0123456789u", digits) == rest.npos;
  if (!is_plain || !fault.compared) return {};
  for (Pc at = branch; at-- > code.entry;) {
    const Instruction& each = code[at];
    if (each.row->result != ptx::Result::compared || each.operands.size() != 3) continue;
    if (each.operands[0].reg != code[branch].guard->reg) continue;
    const ptx::Type type = each.type();
    const bool is_signed = type == ptx::Type::s32;
    if (!is_signed && type != ptx::Type::u32 && type != ptx::Type::b32) return {};
    if (fault.compared(at, 1) != std::stoull(rest.substr(digits))) return {};
    const auto value = static_cast<std::uint32_t>(fault.compared(at, 0));
    return name + " is " +
           (is_signed ? std::to_string(static_cast<std::int32_t>(value)) : std::to_string(value));
  }
  return {};
}

}  // namespace

Words words_of_loop(const Program& program, const BranchHistory& history, const WarpContext& warp,
                    const Fault& fault) {
  const FunctionCode code(program, fault.pc);
  const std::uint32_t lane = lowest_lane(fault.lanes);
  Words words;
  words.help = "see to it that each round of the loop comes nearer to its end";
  words.message = fault.kind == FaultKind::endless ? "the kernel was stopped: it loops for ever"
                                                   : "the kernel was stopped: " + fault.text;
  for (const Loop& loop : loops_around(code, fault.pc)) {
    const std::vector<Pc> ways = ways_out_of(code, loop);
    // A loop inside the one that does not end is left again and again.
    if (std::any_of(ways.begin(), ways.end(), [&](Pc way) {
          return history.leaves_by(program, warp, lane, way, loop.first, loop.last);
        }))
      continue;
    SourceTexts texts;
    const auto condition_at = [&](Pc pc) {
      return condition_in(texts.line(near_place_of(program, pc).place), column_of(program, pc));
    };
    words.pc = ways.empty() ? loop.last : ways.back();
    for (const Pc way : ways)
      if (!condition_at(way).empty()) words.pc = way;  // the others are a break or a return
    const std::string condition = condition_at(*words.pc);
    const bool is_sure = ways.empty() || fault.kind == FaultKind::endless;
    words.message = is_sure ? "the kernel was stopped: this loop does not end"
                            : "the kernel was stopped in this loop, which has not ended";
    if (!condition.empty())
      words.message += (ways.empty() ? ": `" + condition + "` is always true"
                        : is_sure    ? ": `" + condition + "` never becomes false"
                                     : ": `" + condition + "` has not become false");
    if (ways.empty() && condition.ends_with(">= 0")) words.note = "a number without a sign is never below 0";
    if (!ways.empty()) words.note = value_text(code, *words.pc, condition, fault);
    if (!words.note.empty() && !ways.empty())
      words.note += is_sure ? " in every round" : " when it is stopped";
    if (words.note.empty()) words.note = fault.text;
    break;
  }
  return words;
}

}  // namespace warpwise::simulator::observe
