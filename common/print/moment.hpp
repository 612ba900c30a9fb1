#pragma once
/// \file Which moment of a run is meant.

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "../report/trace.hpp"

namespace warpwise::print {

/// One sentence about a moment that the run has not, or a picture that cannot be drawn of it.
class NothingToDraw : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Empty members leave the choice to the picture.
struct Moment {
  std::string place;                 ///< "21", "solution.cu:21", "21,22", or words of the line
  std::vector<std::uint32_t> steps;  ///< as a page numbers them, from 1
  std::vector<std::uint32_t> times;  ///< of a warp's steps that fit, from 1
  std::uint32_t access = 0;          ///< of a step's accesses to the memory that is drawn, from 1
  std::optional<std::uint64_t> block;
  std::optional<std::uint32_t> warp;
  bool is_open() const { return place.empty() && steps.empty() && times.empty(); }
};

using Fits = std::function<bool(const simulator::TraceStep&)>;

/// Indices into Trace::steps, ascending: the steps of the moment that fit, of all warps of one block. Throws
/// NothingToDraw where there is none; `what` says what was looked for: "an access to shared memory".
std::vector<std::size_t> steps_of(const simulator::Trace& trace, const Moment& moment, const Fits& fits,
                                  const std::string& what);

/// The same of one warp: the moment's, or that of the first such step.
std::vector<std::size_t> steps_of_warp(const simulator::Trace& trace, const Moment& moment, const Fits& fits,
                                       const std::string& what);

/// Where a page opens to show the moment, as its address says it: at a finding of the line, else at the
/// memory of its dearest step, else at who works when. Throws NothingToDraw.
std::string address_of(const report::TracedLaunch& traced, const Moment& moment);

/// Where a page opens if nobody names a moment: at the first finding, else at who works when, where lanes
/// first meet in a bank, or else where they first part.
std::string usual_address(const report::TracedLaunch& traced);

}  // namespace warpwise::print
