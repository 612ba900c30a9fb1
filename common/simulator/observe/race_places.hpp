#pragma once
/// \file The places in the source where a barrier could stand, and how often each thread passes them.

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "../observer.hpp"
#include "../program.hpp"
#include "statements.hpp"

namespace warpwise::simulator::observe {

/// Of one launch. Places are numbered as they are added. What can be counted are steps from one instruction
/// to the next of those that stay where the source has them: accesses, branches, barriers, exchanges.
class BarrierPlaces {
 public:
  /// `reach`: what the launch may execute; instructions that access `space` are looked at.
  BarrierPlaces(const Program& program, PcRange reach, ptx::Space space);

  struct Place {
    int file = 0;
    CodePosition at;
    int region = 0;
    bool is_round = false;  ///< the beginning of a loop's body or of a function, at which nothing need be put
  };
  /// Those that might order what the instructions at `first` and `second` do.
  std::vector<std::uint32_t> around(Pc first, Pc second);
  const Place& place(std::uint32_t index) const { return places_[index]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(places_.size()); }
  const std::string& path_of(const Place& place) const { return files_.at(place.file).path; }
  const Statements& statements_of(const Place& place) const { return files_.at(place.file).statements; }
  /// Whether the block of a place has the line of the instruction, or of a call that it was inlined into.
  bool is_in(Pc pc, const Place& place, const CodeBlock& block) const;
  /// The line behind which something comes after the instruction at `pc` wherever its thread goes on: the end
  /// of its statement or of its loop; in front of the body that it lets a thread into.
  std::uint32_t line_behind(Pc pc);
  /// The statements of the file of an instruction; null where it has no line.
  const Statements* statements_at(Pc pc) const;

  static constexpr Pc nowhere = ~Pc{0};
  /// The function of the source that a step at `pc` is in, a small number; -1: of no account.
  int region_of(Pc pc) const { return anchors_[reach_.index_of(pc)].region; }
  std::uint32_t regions() const { return static_cast<std::uint32_t>(regions_.size()); }
  /// The places that a thread passes between two steps in a region; `nowhere`: before the first, behind the
  /// last. `has_jumped`: the first was a branch, and the thread took it.
  const std::vector<std::uint32_t>& passed(int region, Pc from, bool has_jumped, Pc to);
  /// Whether a thread whose last step was at `last` may have left by a `return` there.
  bool may_return_at(int region, Pc last) const;

 private:
  struct File {
    std::string path;
    Statements statements;
  };
  struct Anchor {
    int region = -1;
    std::uint32_t line = 0;  ///< where its statement begins
    std::int32_t call = -1;  ///< the location that its function was inlined at
    bool is_here = false;    ///< it is such an instruction
    bool writes = false, is_access = false, is_branch = false;
  };
  struct Region {
    int file = 0, function = -1;
    std::vector<std::uint32_t> places;
  };

  int file_of(const SourcePlace& place);
  void add_places(Pc pc, bool is_first, std::vector<std::uint32_t>& found);
  void add(int file, CodePosition at, bool is_round, std::vector<std::uint32_t>& found);
  bool is_new_round(const Statements& in, Pc from, bool has_jumped, Pc to) const;
  std::vector<std::uint32_t> passed_now(const Region& region, Pc from, bool has_jumped, Pc to) const;
  const Anchor& anchor(Pc pc) const { return anchors_[reach_.index_of(pc)]; }

  const Program& program_;
  const PcRange reach_;
  std::map<int, File> files_;
  std::vector<Place> places_;
  std::vector<Region> regions_;
  std::vector<Anchor> anchors_;  ///< by place in the reach
  std::mutex mutex_;             ///< guards passed_: each host thread asks
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> passed_;
};

}  // namespace warpwise::simulator::observe
