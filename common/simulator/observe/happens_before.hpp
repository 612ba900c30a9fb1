#pragma once
/// \file Who knows of whose accesses beyond what a barrier of the whole block makes known: the happens-before
/// relation of the PTX memory consistency model (PTX ISA 8.8 to 8.10), kept so that a program which needs
/// none of it pays nothing, and looked up only where two accesses conflict.
///
/// Time inside a block has two parts. An *epoch* ends when a barrier of the whole block opens: everything of
/// an earlier epoch is known to every thread of the block. Within an epoch each warp has a *time*, which
/// advances whenever one of its lanes fences or synchronises.

#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "../decode/instructions/lane_operations.hpp"

namespace warpwise::simulator::observe {

/// When and by whom something was done, as far as order is concerned.
struct Moment {
  std::uint64_t block = 0;
  std::uint32_t epoch = 0;
  std::uint32_t time = 0;
  std::uint32_t warp = 0;
  std::uint32_t lane = 0;

  std::uint32_t thread() const { return warp * warp_size + lane; }
  bool is_same_thread(const Moment& other) const {
    return block == other.block && warp == other.warp && lane == other.lane;
  }
};

struct Knowledge;
using KnowledgePointer = std::shared_ptr<const Knowledge>;

/// "All that thread did up to a fence may be seen by whoever sees what it wrote afterwards."
struct FenceMark {
  std::uint32_t epoch = 0;      ///< 0: no fence yet
  std::uint32_t time = 0;       ///< what the fencing lane did up to this time ...
  std::uint32_t warp_time = 0;  ///< ... and the rest of its warp up to this one (its last warp barrier)

  bool covers(const Moment& then, std::uint32_t warp, std::uint32_t lane) const;
};

/// One releasing write to a synchronisation variable.
struct Release {
  std::uint64_t block = 0;
  std::uint64_t position = 0;  ///< in the variable's log, from 1
  std::uint32_t warp = 0, lane = 0;
  FenceMark in_block;              ///< the last fence of any scope
  FenceMark everywhere;            ///< the last fence of gpu or system scope
  std::uint32_t fenced_epoch = 0;  ///< epochs below were closed by a fence and a barrier of the whole block
  KnowledgePointer knowledge;

  bool covers(const Moment& then, bool is_same_block) const;
};

/// A word through which threads synchronise: flag, ticket, lock. Its log of releases only grows.
class SyncVariable {
 public:
  void add(Release release);
  std::uint64_t position() const;
  /// True where a release at or before `position` covers `then`. What the releasing threads knew in their
  /// turn is appended to `next`.
  bool covers(const Moment& then, bool is_same_block, std::uint64_t position,
              std::vector<const Knowledge*>& next) const;
  /// Raises `below[block]` to what the releases at or before `position` say of that block: all its epochs
  /// below are over for everybody. What the releasing threads knew is appended to `next`.
  void note_epochs(std::uint64_t position, std::unordered_map<std::uint64_t, std::uint32_t>& below,
                   std::vector<const Knowledge*>& next) const;
  /// Gives up all releases and what they knew.
  void forget();

 private:
  void add_knowledge(std::uint64_t position, std::vector<const Knowledge*>& next) const;

  mutable std::mutex mutex_;
  std::uint64_t position_ = 0;
  std::unordered_map<std::uint64_t, std::vector<Release>> by_block_;
  std::vector<std::pair<std::uint64_t, KnowledgePointer>> knowledge_;  ///< position, what was known there
};
using SyncVariablePointer = std::shared_ptr<SyncVariable>;

/// The synchronisation variables of one space, made when they are first asked for. Thread-safe.
class SyncVariables {
 public:
  SyncVariables() = default;
  SyncVariables(const SyncVariables&) = delete;  ///< the destructor ends what its variables know
  SyncVariables& operator=(const SyncVariables&) = delete;
  /// Variables and knowledge hold each other, often in circles (a lock knows who held it before): so every
  /// variable forgets, also those that clear() has let go and somebody's knowledge still names.
  ~SyncVariables();

  SyncVariablePointer at(std::uint64_t address);
  /// The variable that somebody has asked for with at(), or nullptr.
  SyncVariablePointer find(std::uint64_t address);
  void clear();

 private:
  std::mutex mutex_;
  std::unordered_map<std::uint64_t, SyncVariablePointer> variables_;
  std::vector<std::weak_ptr<SyncVariable>> all_;
  std::size_t all_limit_ = 64;  ///< of all_: then those that are gone are taken out
};

/// What a thread knows beyond its own epoch. Immutable, shared by the threads that know the same.
struct Knowledge {
  /// Lanes that met at a barrier of part of the block, or of part of a warp.
  struct Meeting {
    Moment when;  ///< its lane is of no account
    LaneMask lanes = 0;
    std::uint32_t warp_time = 0;  ///< the whole warp up to this time
    bool covers(const Moment& then) const;
  };
  struct Acquired {
    SyncVariablePointer variable;
    std::uint64_t position = 0;
  };
  std::vector<Meeting> met;
  std::vector<Acquired> acquired;
  std::vector<KnowledgePointer> parents;
  bool is_everything = false;  ///< lost count: in doubt there is no race
};

/// True where `knowledge` (of a thread of `block`) reaches back to `then`. In a graph too large to search
/// through, in doubt, true.
bool reaches(const KnowledgePointer& knowledge, std::uint64_t block, const Moment& then);

/// What somebody knows of the epochs of *other* blocks, from one search. Where each block waits for the one
/// before (a chained scan, a selection in place), a search for each access would go through all of them.
class EpochsKnown {
 public:
  explicit EpochsKnown(const KnowledgePointer& knowledge);
  /// Of an access of another block than the one that knows. True only where reaches() is; what it does not
  /// know a search may still find.
  bool covers(const Moment& then) const;

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> below_;  ///< by block: all its epochs below
  bool is_everything_ = false;
};

/// Adds to `acquired` what `added` has beyond it: another variable, or a later position of one.
void add_acquired(std::vector<Knowledge::Acquired>& acquired, const std::vector<Knowledge::Acquired>& added);
/// True where add_acquired(acquired, others) would change nothing.
bool contains(const std::vector<Knowledge::Acquired>& acquired,
              const std::vector<Knowledge::Acquired>& others);

/// `knowledge` (may be null) with `position` of `variable` added.
KnowledgePointer with_acquired(const KnowledgePointer& knowledge,
                               const std::vector<Knowledge::Acquired>& added);

/// What several threads know together, when a barrier has made the meetings among them needless.
KnowledgePointer merged(const std::vector<KnowledgePointer>& all);

}  // namespace warpwise::simulator::observe
