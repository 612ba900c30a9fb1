// What is told of a barrier or a `*.sync` that some lanes do not reach: who, why, and how to mend it.
#include <cstdio>

#include "findings.hpp"
#include "kept_away.hpp"

namespace warpwise::simulator::observe {

namespace {

/// "0x0000ffff (lanes 0 to 15)"
std::string lanes_of_mask(LaneMask lanes) {
  std::string text = lanes_name(0, lanes);
  return text.replace(0, 6, "lane");  // "thread 5", "threads 0 to 7": in a mask they are lanes
}
std::string hexadecimal(LaneMask mask) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", mask);
  return text;
}

void add(std::string& note, const std::string& part) {
  note += (note.empty() || part.empty() ? "" : "; ") + part;
}

bool is_one(LaneMask lanes) { return lane_count(lanes) == 1; }

/// "the `if` in line 28 keeps them away"
std::string effect_of(const BranchName& name, const std::string& whom, bool is_single) {
  switch (name.kind) {
    case BranchName::Kind::way_out:
      return whom + " took " + name.text;
    case BranchName::Kind::loop:
      return whom + (is_single ? " has left " : " have left ") + name.text;
    default:
      return name.text + " keeps " + (whom == "they" ? "them" : whom) + " away";
  }
}

/// Why the lanes of `missing` did not come.
struct Absence {
  std::optional<Pc> branch;
  BranchName name;
  std::string text;  ///< empty: not known
};

Absence absence_of(const Program& program, const BranchHistory& history, const WarpContext& warp, Pc pc,
                   LaneMask missing) {
  Absence absence;
  const std::uint32_t first = warp.warp * warp_size, left = warp.block->threads - first;
  const LaneMask born = left >= warp_size ? all_lanes : lane_bit(left) - 1;
  if ((missing & ~born) != 0 && (missing & born) == 0) {
    const std::uint32_t threads = warp.block->threads;
    absence.text = "the block has only " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
    return absence;
  }
  LaneMask alike = 0;
  for (const std::uint32_t lane : lanes_in(missing & born)) {
    const auto branch = history.branch_before(program, *warp.block, warp.warp, lane, pc);
    if (!absence.branch) absence.branch = branch;
    if (branch && branch == absence.branch) alike |= lane_bit(lane);
  }
  if (!absence.branch) return absence;
  absence.name = name_of_branch(program, *absence.branch, pc);
  const std::string whom = alike == missing ? (is_one(alike) ? "it" : "they") : lanes_of_mask(alike);
  absence.text = effect_of(absence.name, whom, is_one(alike));
  return absence;
}

std::string line_text(const Program& program, Pc pc, Pc seen_from) {
  const SourcePlace place = near_place_of(program, pc).place;
  if (place.line == 0) return "";
  return place == near_place_of(program, seen_from).place ? " in this line"
                                                          : " in line " + std::to_string(place.line);
}

std::string origin_text(const Program& program, const ActiveMask& mask, Pc pc, LaneMask lanes) {
  return "the mask comes from __activemask()" + line_text(program, mask.pc, pc) +
         ", which names the lanes that happen to be there at that moment, here " + hexadecimal(lanes) + " (" +
         lanes_of_mask(lanes) + "): others may be on their way, and nothing makes it wait for them";
}

std::string help_with_chance(const Program& program, const ActiveMask& mask, Pc pc) {
  if (mask.lane_from != 0 && !mask.is_kept) {
    const std::uint32_t line = near_place_of(program, mask.lane_from).place.line;
    return "lanes may part between two calls of __activemask(): keep the mask of line " +
           std::to_string(line) + " in a variable, and use it" + line_text(program, pc, pc) + " as well";
  }
  return "name the lanes that are to take part: 0xffffffff where the whole warp comes here, else a mask from "
         "__ballot_sync() in front of the branch that parts them";
}

/// `pc`: of the call. A shuffle among fewer lanes would read from those that do not come.
std::string help_with_mask(const Program& program, Pc pc, const Absence& absence, const std::string& call) {
  const std::string by_ballot =
      program.text_of(pc).what() == ptx::InstructionClass::shuffle
          ? ""
          : ", or name only those that come, with a mask from __ballot_sync() in front of ";
  if (!absence.branch)
    return "name exactly the lanes that make " + call + " together, with the same mask in all of them";
  switch (absence.name.kind) {
    case BranchName::Kind::way_out:
      return "let no lane of the mask take " + absence.name.text + " in front of " + call +
             (by_ballot.empty() ? "" : by_ballot + "it");
    case BranchName::Kind::loop:
      return "let all lanes of the mask stay in " + absence.name.text +
             " until the last one is done, or name only lanes that go round it equally often";
    default:
      return "move " + call + " out of " + absence.name.text + ", so that every lane of the mask reaches it" +
             (by_ballot.empty() ? "" : by_ballot + "that line");
  }
}

constexpr const char* same_barrier = "CUDA requires all threads of a block to reach the same __syncthreads()";

std::string help_with_barrier(const BranchName& name) {
  switch (name.kind) {
    case BranchName::Kind::way_out:
      return "let no thread of the block take " + name.text +
             " in front of the barrier: put what it skips under a condition, all but the barrier";
    case BranchName::Kind::loop:
      return "let all threads of the block go round " + name.text +
             " equally often, those that have no element left with the identity (0 for a sum), or move the "
             "barrier out of it";
    default:
      return "move the barrier out of " + name.text + ", so that every thread of the block reaches it";
  }
}

Words block_barrier(const Program& program, const BranchHistory& history, const WarpContext& warp,
                    const Fault& fault) {
  const std::string who = lanes_name(warp.warp, fault.lanes);
  std::uint32_t thread = 0;
  Words words;
  Pc pc = fault.pc;
  auto branch = history.branch_before(program, *warp.block, pc, thread);
  if (!branch && fault.all_have_arrived()) {
    // Those who wait here come to the other barrier no more: the branch is in front of that one.
    branch = history.branch_before(program, *warp.block, *fault.other_pc, thread);
    if (branch) words.pc = pc = *fault.other_pc, words.other_pc = fault.pc;
  }
  const BranchName name = branch ? name_of_branch(program, *branch, pc) : BranchName{};
  if (branch) words.note = effect_of(name, "thread " + std::to_string(thread), true);
  if (fault.all_have_arrived()) {
    words.message = who + (is_one(fault.lanes) ? " waits" : " wait") +
                    (words.pc ? " at another barrier while other threads of the block wait at this one"
                              : " at this barrier while other threads of the block wait at another one");
    add(words.note, same_barrier);
  } else {
    words.message = "only " + std::to_string(fault.arrived) + " of " + std::to_string(fault.expected) +
                    " threads " +
                    (fault.arrived == 1 ? "reaches this barrier, and it waits for ever"
                                        : "reach this barrier, and they wait for ever");
    add(words.note, fault.other_pc ? "the others wait elsewhere" : "the others have ended or wait elsewhere");
  }
  words.help = branch ? help_with_barrier(name) : "let all threads of the block reach the same barrier";
  return words;
}

Words sync_mask(const Program& program, const BranchHistory& history, const WarpContext& warp,
                const Fault& fault) {
  const std::string mask = "the mask " + hexadecimal(fault.mask);
  const auto chance = active_mask_of(program, fault.pc);
  Words words;
  if (const LaneMask outside = fault.lanes & ~fault.mask; outside != 0) {
    words.message = lanes_name(warp.warp, outside) + " make" + (is_one(outside) ? "s" : "") +
                    " the call, but " + mask + " (" + lanes_of_mask(fault.mask) + ") does not name " +
                    (is_one(outside) ? "it" : "them");
    words.help =
        "name every lane that makes the call, and no others: 0xffffffff where the whole warp makes it";
  } else {
    const Absence absence = absence_of(program, history, warp, fault.pc, fault.missing);
    words.message = mask + " names " + lanes_of_mask(fault.missing) + ", which never arrive" +
                    (is_one(fault.missing) ? "s" : "");
    words.note = absence.text;
    add(words.note, lanes_name(warp.warp, fault.lanes) + (is_one(fault.lanes) ? " waits" : " wait"));
    if (absence.text.empty()) {
      const bool have_exited = (fault.missing & ~warp.exited) == 0 && fault.missing != 0;
      add(words.note, have_exited ? "the others have ended" : "the others are elsewhere");
    }
    words.help = help_with_mask(program, fault.pc, absence, "the call");
    words.other_pc = absence.name.pc;
  }
  if (!chance) return words;
  add(words.note, origin_text(program, *chance, fault.pc, fault.mask));
  words.help = help_with_chance(program, *chance, fault.pc);
  words.other_pc = chance->pc;
  return words;
}

Words sync_source(const Program& program, const BranchHistory& history, const WarpContext& warp,
                  const Fault& fault) {
  const Absence absence = absence_of(program, history, warp, fault.pc, fault.missing);
  const auto chance = active_mask_of(program, fault.pc);
  Words words;
  words.message = lanes_name(warp.warp, fault.lanes) + " read" + (is_one(fault.lanes) ? "s" : "") +
                  " the value of " + (fault.missing != 0 ? lanes_of_mask(fault.missing) : "a lane") +
                  (lane_count(fault.missing) > 1 ? ", which take" : ", which takes") +
                  " no part in the shuffle";
  words.note = "the value is undefined";
  words.other_pc = absence.name.pc;
  if (chance) {
    add(words.note, origin_text(program, *chance, fault.pc, fault.mask));
    words.help = help_with_chance(program, *chance, fault.pc);
    words.other_pc = chance->is_kept || chance->lane_from == 0 ? chance->pc : chance->lane_from;
    return words;
  }
  add(words.note, absence.text);
  if (absence.branch && absence.name.kind == BranchName::Kind::condition)
    words.help = "move the shuffle out of " + absence.name.text +
                 ", or read only from lanes that come to it, even where the value is thrown away";
  else
    words.help = "read only from lanes that come to the shuffle, even where the value is thrown away";
  return words;
}

}  // namespace

Words words_of_waiting(const Program& program, const BranchHistory& history, const WarpContext& warp,
                       const Fault& fault) {
  switch (fault.kind) {
    case FaultKind::block_barrier:
      return block_barrier(program, history, warp, fault);
    case FaultKind::sync_mask:
      return sync_mask(program, history, warp, fault);
    default:
      return sync_source(program, history, warp, fault);
  }
}

Words words_of_bypass(const Program& program, Pc branch, Pc pc, std::uint32_t warp, LaneMask lanes) {
  const BranchName name = name_of_branch(program, branch, pc);
  Words words;
  words.message = lanes_name(warp, lanes) + (is_one(lanes) ? " skips" : " skip") +
                  " this barrier while other threads of the block wait at it";
  words.note = effect_of(name, is_one(lanes) ? "it" : "they", is_one(lanes));
  add(words.note, same_barrier);
  words.help = help_with_barrier(name);
  words.other_pc = name.pc;
  return words;
}

Words words_of_chance(const Program& program, const ActiveMask& mask, LaneMask lanes, Pc pc) {
  Words words;
  const bool is_barrier = program.text_of(pc).what() == ptx::InstructionClass::warp_barrier;
  words.message =
      std::string(is_barrier ? "which lanes wait for each other" : "which lanes exchange values") +
      " here depends on which of them happen to arrive together";
  words.note = origin_text(program, mask, pc, lanes);
  words.help = help_with_chance(program, mask, pc);
  words.other_pc = mask.lane_from != 0 ? mask.lane_from : mask.pc;
  return words;
}

}  // namespace warpwise::simulator::observe
