#pragma once
/// \file What a launch has counted, as expectations (expectations.hpp) want it: which counters, of which
/// launch, in which unit. So a failure knows whose lines spend too much.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "../../simulator/report.hpp"

namespace warpwise::harness {

using simulator::Counters;
using SharedReport = std::shared_ptr<const simulator::LaunchReport>;

/// A counter, or up to three that are added up: `&Counters::shuffles`,
/// `{&Counters::shuffles, &Counters::votes}`.
class Counter {
 public:
  using Member = std::uint64_t Counters::*;
  template <class... Members>
  constexpr Counter(Member first, Members... others) : members_{first, others...} {}  // NOLINT: implicit
  std::uint64_t in(const Counters& counters) const;

 private:
  std::array<Member, 3> members_;
};

inline constexpr Counter atomic_requests{&Counters::shared_atomic_requests,
                                         &Counters::global_atomic_requests};
inline constexpr Counter shared_requests{&Counters::shared_load_requests, &Counters::shared_store_requests,
                                         &Counters::shared_atomic_requests};
inline constexpr Counter shared_load_and_store_wavefronts{&Counters::shared_load_wavefronts,
                                                          &Counters::shared_store_wavefronts};
inline constexpr Counter shared_load_and_store_conflicts{&Counters::shared_load_bank_conflicts,
                                                         &Counters::shared_store_bank_conflicts};

/// `launch.count(&Counters::shuffles).per_warp()`
class Count {
 public:
  /// Of the whole launch. `n`: its elements, where that is known.
  Count(SharedReport launch, std::optional<unsigned> n, Counter counter);

  Count per_block() const;
  Count per_warp() const;
  Count operator/(double pieces) const;  ///< in another unit, such as a round
  /// Only `part` of them, as an observer has seen it who looks closer: at the requests for one buffer, at the
  /// busiest warp. Which line spends how much of it nobody knows, unless it is all.
  Count only(double part) const;
  Count operator-(double others) const;  ///< without those that the limit does not mean; not below 0

  double value() const { return value_; }
  const simulator::LaunchReport& launch() const { return *launch_; }
  std::optional<unsigned> n() const { return n_; }
  const Counter& counter() const { return counter_; }
  /// By how many blocks, warps or other pieces the launch's count is divided; empty where value() is not all
  /// of it.
  std::optional<double> pieces() const { return pieces_; }

 private:
  SharedReport launch_;
  std::optional<unsigned> n_;
  Counter counter_;
  double value_;
  std::optional<double> pieces_ = 1;
};

}  // namespace warpwise::harness
