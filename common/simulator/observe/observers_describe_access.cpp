#include "observers.hpp"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

#include "../program.hpp"
#include "../ptx/function_text.hpp"
#include "program_facts.hpp"

namespace warpwise::simulator::observe {

namespace {

/// How to mend each defect, in one sentence.
namespace help {

constexpr const char* copy_under_way =
    "wait for the copy, with __pipeline_wait_prior(0), cooperative_groups::wait() or the like, and put "
    "__syncthreads() after that if other threads read the copy";
constexpr const char* unwritten_shared =
    "let each thread write its element before any thread reads one, with the identity where there is no "
    "input, or read only elements that are written";
constexpr const char* copied_storage =
    "take the storage by reference (auto&): this line copies it, and each thread works in a copy of its own";
constexpr const char* unwritten_global =
    "initialise the buffer before the launch (cudaMemset, cudaMemcpy), or write it before it is read";
constexpr const char* unwritten_local = "give the variable a value first";
constexpr const char* unset_variable =
    "give the variable a value where it is declared, or on every path that leads here";

}  // namespace help

/// What becomes of the value that `it` names.
std::string consequence_of(ValueUse use, const std::string& it) {
  static constexpr std::pair<const char*, const char*> around[] = {
      {"", " decides a branch"},
      {"an address is computed from ", ""},
      {"", " is stored"},
      {"an atomic uses ", ""},
      {"", " decides which threads exchange what"}};
  static_assert(std::size(around) == static_cast<std::size_t>(ValueUse::exchange) + 1);
  const auto& [before, after] = around[static_cast<std::size_t>(use)];
  return before + it + after;
}

}  // namespace

Description describe_clash(const Program& program, const Naming& naming, const Access& access,
                           std::uint32_t thread, const CopiesUnderWay::Clash& clash) {
  const bool is_own = clash.copy_thread == thread;
  Description description;
  description.pc = access.pc;
  description.other_pc = clash.copy_pc;
  description.threads = {thread, clash.copy_thread};
  description.message = "thread " + std::to_string(thread) +
                        (access.kind == AccessKind::load ? " reads " : " writes ") +
                        naming.of(access.space, clash.address) + " while " +
                        (is_own ? "its own" : "thread " + std::to_string(clash.copy_thread) + "'s") +
                        " asynchronous copy to it is under way";
  const SourcePlace line = place_of(program, clash.copy_pc);
  if (line.line != 0 && line != place_of(program, access.pc))
    description.message += " (line " + std::to_string(line.line) + ")";
  description.note =
      "such a copy is certain to be complete only when the thread that began it has waited for it";
  description.help = help::copy_under_way;
  return description;
}

Pc place_of_finding(const Program& program, const UndefinedUse& use) {
  return place_of(program, use.origin.pc).line != 0 ? use.origin.pc : use.pc;
}

std::string what_depends(const Program& program, const UndefinedUse& use) {
  const SourcePlace line = place_of(program, use.pc);
  return consequence_of(use.use, "it") + (line.line == 0 ? "" : " in line " + std::to_string(line.line));
}

Description describe_undefined(const Program& program, const Naming& naming, const WarpContext& warp,
                               const UndefinedUse& use) {
  const UndefinedOrigin& origin = use.origin;
  Description description;
  description.pc = place_of_finding(program, use);
  if (use.pc != description.pc) description.other_pc = use.pc;
  description.threads = {origin.thread};
  const std::string thread = "thread " + std::to_string(origin.thread);
  if (origin.is_register) {
    description.message = thread + " uses a variable here that it has never set";
    description.note = "its value is whatever the register held before";
    description.help = help::unset_variable;
  } else {
    description.message =
        thread + " reads " + naming.of(origin.space, origin.address) + ", which has never been written";
    description.note = "its value is whatever was there before";
    description.help = origin.space == ptx::Space::shared   ? help::unwritten_shared
                       : origin.space == ptx::Space::global ? help::unwritten_global
                                                            : help::unwritten_local;
    SourceTexts texts;
    const std::string text = texts.line(place_of(program, description.pc));
    const bool copies = text.find("TempStorage") != text.npos && text.find('&') == text.npos;
    if (copies && origin.space == ptx::Space::shared) description.help = help::copied_storage;
  }
  const SourcePlace line = place_of(program, use.pc);
  if (line.line == 0 || line == place_of(program, description.pc)) return description;
  // An origin is one instruction of a warp: the thread that it names first need not be one that uses a value.
  const std::uint32_t first = 32 * warp.warp;
  const bool is_of_the_same =
      origin.thread >= first && origin.thread - first < 32 && (use.lanes >> (origin.thread - first) & 1) != 0;
  const std::string in_line = " in line " + std::to_string(line.line);
  if (is_of_the_same)
    description.note += "; " + consequence_of(use.use, "it") + in_line;
  else
    description.note += "; " + consequence_of(use.use, "such a value") + in_line + " (thread " +
                        std::to_string(first + std::countr_zero(use.lanes)) + ")";
  return description;
}

}  // namespace warpwise::simulator::observe
