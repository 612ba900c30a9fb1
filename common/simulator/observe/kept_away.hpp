#pragma once
/// \file Why lanes did not come to an instruction that waits for them: the branch that led them elsewhere,
/// and a mask that names only those that happened to be there.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../observer.hpp"
#include "../program.hpp"
#include "statements.hpp"

namespace warpwise::simulator::observe {

/// A function's instructions, and where the first of them stands in the program.
struct FunctionCode {
  FunctionCode(const Program& program, Pc pc);
  bool has(Pc pc) const { return pc >= entry && pc - entry < function.code.size(); }
  const ptx::Instruction& operator[](Pc pc) const { return function.code[pc - entry]; }
  std::vector<Pc> targets(Pc pc) const;     ///< of a jump
  std::vector<Pc> successors(Pc pc) const;  ///< all that may come next

  const ptx::Function& function;
  Pc entry;
};

/// The branches that the warps of the blocks in progress took last, as far as one host thread runs them.
class BranchHistory {
 public:
  explicit BranchHistory(std::uint32_t slots) : blocks_(slots) {}

  void begin(const BlockContext& block);
  void note(const WarpContext& warp, Pc pc, LaneMask active, LaneMask taken);
  /// The branch at which lane `lane` of a warp last chose the side that does not lead to `pc`; nothing where
  /// it chose the other one, or where no branch decides. That it left a loop in the end is told only if
  /// nothing kept it away in its last round.
  std::optional<Pc> branch_before(const Program& program, const BlockContext& block, std::uint32_t warp,
                                  std::uint32_t lane, Pc pc) const;
  /// The branch at which the lane last chose the side that leads to `pc`, where the other one does not.
  std::optional<Pc> branch_to(const Program& program, const WarpContext& warp, std::uint32_t lane,
                              Pc pc) const;
  /// The first one for the first thread of the block that is still there; its number in `thread`.
  std::optional<Pc> branch_before(const Program& program, const BlockContext& block, Pc pc,
                                  std::uint32_t& thread) const;
  /// Whether the lane has left [first, last] by the branch at `way`, as far as is remembered.
  bool leaves_by(const Program& program, const WarpContext& warp, std::uint32_t lane, Pc way, Pc first,
                 Pc last) const;

 private:
  struct Taken {
    Pc pc = 0;
    LaneMask active = 0, taken = 0;
    bool operator==(const Taken&) const = default;
  };
  /// A loop that polls takes the same few branches again and again: what repeats is kept once.
  struct Warp {
    const WarpContext* context = nullptr;  ///< the machine's own, as long as the block runs
    std::array<Taken, 64> latest;
    std::uint32_t count = 0;
  };
  /// Which sides of a branch lead to an instruction. Asked of every lane that a barrier does without, so it
  /// is worked out once.
  struct Sides {
    bool jumped = false, stayed = false;
    bool returns = false;  ///< the one that does leads to the branch again
  };
  const Sides& sides_of(const FunctionCode& code, const Program& program, Pc branch, Pc pc) const;
  /// `calls`: how many callers may be looked at.
  std::optional<Pc> branch_before(const Program& program, const Warp& warp, std::uint32_t lane, Pc pc,
                                  int calls = 3) const;

  std::vector<std::vector<Warp>> blocks_;  ///< by slot, then by warp
  mutable std::map<std::pair<Pc, Pc>, Sides> sides_;
};

/// What a student calls a branch, and where it is.
struct BranchName {
  enum class Kind : std::uint8_t { condition, way_out, loop };
  Kind kind = Kind::condition;
  std::string text;      ///< "the `if` in line 28"
  std::optional<Pc> pc;  ///< an instruction of that line
};
/// An `if`, an `else` or a loop in the source.
struct SourceHead : Statements::Head {
  std::string file;
  bool is_at(const SourcePlace& place) const {
    return place.file == file &&
           ((begin <= place.line && place.line <= open) || (is_loop && place.line == end));
  }
};
/// Those around the instruction at `pc`, and around the calls that it was inlined into, the innermost first.
std::vector<SourceHead> heads_around(const Program& program, Pc pc);
/// The column of the line of `pc` where its statement starts, from 0.
std::size_t column_of(const Program& program, Pc pc);
/// `before`: the instruction that it leads away from. Where the compiler has made one branch of an earlier
/// condition and of that of an `if` around this instruction, the `if` is named.
BranchName name_of_branch(const Program& program, Pc branch, Pc before);

/// The instructions `activemask` (`__activemask()`) from which an operand of the instruction at `pc` is
/// computed, ascending.
std::vector<Pc> active_masks_behind(const Program& program, Pc pc, const ptx::Operand& operand);

/// Where the mask of the `*.sync` at `pc` comes from `__activemask()`.
struct ActiveMask {
  Pc pc = 0;  ///< the `activemask`
  /// A shuffle's lane is computed from the same one: it reads from a lane that was there. Of a __syncwarp():
  /// something else is computed from it, so that the kernel knows who is there.
  bool is_kept = false;
  Pc lane_from = 0;  ///< else another one that its lane is computed from; 0: from none
};
std::optional<ActiveMask> active_mask_of(const Program& program, Pc pc);
bool is_active_mask(const ptx::Instruction& instruction);

// ---- kept_away_waiting_words.cpp, kept_away_loop_words.cpp

/// How to mend it, what happened, and what else there is to say.
struct Words {
  std::string help, message, note;
  std::optional<Pc> other_pc{};  ///< another line that has to do with it
  std::optional<Pc> pc{};        ///< where it is told, if not where the fault was met
};

/// Of a barrier or a `*.sync` that some lanes do not reach, and of a shuffle from such a lane.
Words words_of_waiting(const Program& program, const BranchHistory& history, const WarpContext& warp,
                       const Fault& fault);
/// Of a barrier that `lanes`, which have ended, went round at `branch` while others wait at it.
Words words_of_bypass(const Program& program, Pc branch, Pc pc, std::uint32_t warp, LaneMask lanes);
/// Of a kernel that is stopped because it does not end.
Words words_of_loop(const Program& program, const BranchHistory& history, const WarpContext& warp,
                    const Fault& fault);
/// Of a shuffle that reads from lanes, or a __syncwarp() that waits for lanes, of which `mask`, which comes
/// from
/// __activemask(), need not name any.
Words words_of_chance(const Program& program, const ActiveMask& mask, LaneMask lanes, Pc pc);

}  // namespace warpwise::simulator::observe
