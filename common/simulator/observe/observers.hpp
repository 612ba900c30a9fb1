#pragma once
/// \file What makes a launch's report: the parts that observers.def lists, each in its .cpp with an observer
/// for each host thread; and the sentences that they share.

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>

#include "../launch_report.hpp"
#include "../observer.hpp"
#include "../program.hpp"
#include "findings.hpp"
#include "race_trial.hpp"
#include "races.hpp"

namespace warpwise::simulator::observe {

/// The launch that parts are made for. All of it outlives them.
struct Watched {
  const LaunchContext& launch;
  std::uint32_t slots;  ///< bounds BlockContext::slot
  const Naming& naming;
  std::uint64_t race_memory;  ///< GpuOptions::race_memory
};

/// Makes one part of a launch's report: counters, or findings.
class ReportPart {
 public:
  virtual ~ReportPart() = default;
  /// Once for each host thread, before any of them starts: adds an observer, which the part owns. `log`:
  /// where those of this thread write what they find; it outlives the part.
  virtual void add_observer(ObserverList& of_thread, FindingLog& log) = 0;
  /// After the last block: what the host threads saw together.
  virtual void end(LaunchReport&, FindingLog&) {}
};

/// A part that is an observer for each host thread: each is made from what they have in common and from its
/// thread's log, and what they have in common from the launch.
template <class Common, class Own>
class ObserverPart : public ReportPart {
 public:
  explicit ObserverPart(const Watched& watched) : common(watched) {}
  void add_observer(ObserverList& of_thread, FindingLog& log) final {
    of_thread.add(threads.emplace_back(common, log));
  }

  Common common;
  std::deque<Own> threads;
};

// Null where the launch has nothing that the part would see.
#define WARPWISE_OBSERVER(name, least) std::unique_ptr<ReportPart> name(const Watched& watched);
#include "observers.def"
#undef WARPWISE_OBSERVER

// ---- observers_describe_race.cpp: a race in words

/// The same race in the same words whichever side came second: `second` becomes the reader, or else the one
/// that is not atomic, or else the access further down in the code. So a missing barrier is one finding, not
/// two, and between blocks the finding does not depend on which host thread was faster.
Race seen_from_one_side(const Program& program, Race race);

/// The finding is about the second side. `passed`: the instruction at which the lanes exchanged what was read
/// before one of them wrote.
Description describe_race(const Program& program, const Naming& naming, const Race& race, ptx::Space space,
                          std::optional<Pc> passed = std::nullopt);

/// How to mend it. `order`: what a second run showed of it; null: there was none, and no barrier is advised.
std::string help_for_race(const Program& program, const Naming& naming, const RaceSeen& seen,
                          const RaceOrder* order);

/// What helps where all threads wait, one of them at `pc`: who waits for a grid needs no lock.
const char* help_for_waiting(const Program& program, Pc pc, const char* otherwise);

/// The note on a race between blocks, where one of the two fences is there: that it is not enough.
std::string note_on_fences(std::string note, const RaceOrder& order);

// ---- observers_describe_access.cpp: what else is wrong with an access

/// `thread` touches what a cp.async may be writing.
Description describe_clash(const Program& program, const Naming& naming, const Access& access,
                           std::uint32_t thread, const CopiesUnderWay::Clash& clash);

/// The instruction at whose source line the finding is reported: where the value comes from, or else where it
/// is used.
Pc place_of_finding(const Program& program, const UndefinedUse& use);
/// "it decides a branch in line 7".
std::string what_depends(const Program& program, const UndefinedUse& use);
/// Something depends on a value that nobody has set.
Description describe_undefined(const Program& program, const Naming& naming, const WarpContext& warp,
                               const UndefinedUse& use);

// ---- Faults and barriers

/// As what a fault that the machine runs into is reported.
FindingKind kind_of(FaultKind kind);

/// How to mend a barrier that part of a block does not reach.
inline constexpr const char* move_barrier_out =
    "move the barrier out of the if or the loop, so that every thread of the block reaches it";

}  // namespace warpwise::simulator::observe
