#pragma once
/// \file What a matcher is: it asks, and where the answer is no it says why in one sentence that a student
/// can act on. And limits on what a launch spends.

#include <cmath>
#include <concepts>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../report/report.hpp"
#include "../../simulator/program.hpp"
#include "../../testing/catch.hpp"
#include "../device/launch_result.hpp"

namespace warpwise::harness {

/// The circumstances of a check, for its sentence: `{.n = 33, .block = 32}` gives "n = 33, block = 32: ...".
struct Case {
  std::optional<unsigned> n = {};
  std::optional<unsigned> block = {};
  std::optional<unsigned> grid = {};
  std::string note = {};  ///< anything else, e.g. "level 2"
};
/// "n = 33, block = 32"; empty where nothing is set.
std::string spelled(const Case& where);

/// What stands below the sentence of a failure.
struct Explanation {
  std::string where = {};  ///< "n = 33, block = 32"
  std::vector<simulator::Finding> findings = {};
  std::vector<report::LineShare> lines = {};  ///< that spend what there is too much of
  bool names_writers = false;  ///< an element is wrong: the lines of the latest launch that write results
  std::string element = {}, found = {}, expected = {};  ///< of that element, as in report::Failure
};

/// Thrown where the answer is no.
class CheckFailed : public std::runtime_error {
 public:
  explicit CheckFailed(const std::string& sentence, Explanation explanation = {})
      : std::runtime_error(explanation.where.empty() ? sentence : explanation.where + ": " + sentence),
        sentence_(sentence),
        explanation_(std::move(explanation)) {}
  /// Without the circumstances, with which what() begins.
  const std::string& sentence() const { return sentence_; }
  const Explanation& explanation() const { return explanation_; }

 private:
  std::string sentence_;
  Explanation explanation_;
};
[[noreturn]] void fail(const std::string& sentence);
[[noreturn]] void fail(const std::string& sentence, Explanation explanation);

/// Numbers for sentences, with as few digits as tell them from other floats.
std::string text_of(double value);
std::string text_of(float value);
template <std::integral T>
std::string text_of(T value) {
  return std::to_string(value);
}

/// A mask of lanes: "0x02000001 (lanes 0 and 25)".
std::string mask_text(std::uint32_t mask);

/// Equal, or neither of them a number.
template <std::floating_point T>
bool is_same(T one, T other) {
  return one == other || (std::isnan(one) && std::isnan(other));
}

/// Why a matcher has not matched since the last call; the listener (running_case.cpp) asks after each
/// assertion that has failed.
std::optional<CheckFailed> take_mismatch();

/// A matcher whose mismatch is a sentence.
class SentenceMatcher : public testing::Matcher {
 public:
  std::string describe() const override { return text_; }

 protected:
  /// `description`: what it is that matches, "has no findings".
  explicit SentenceMatcher(std::string description) : text_(std::move(description)) {}
  /// Whether `ask()` throws no CheckFailed.
  bool holds(const std::function<void()>& ask) const;

 private:
  mutable std::string text_;  ///< after a mismatch its sentence
};

/// Any question about a T: `ask(subject)` throws CheckFailed (see fail()) where the answer is no.
template <class T>
class Requirement : public SentenceMatcher {
 public:
  Requirement(std::string description, std::function<void(const T&)> ask)
      : SentenceMatcher(std::move(description)), ask_(std::move(ask)) {}
  bool match(const T& subject) const {
    return holds([&] { ask_(subject); });
  }

 private:
  std::function<void(const T&)> ask_;
};

/// For what is no test case, such as a launch that is shown, and for a requirement that is made of others:
/// throws CheckFailed where `matcher` does not match.
template <class T>
void require(const T& subject, const auto& matcher) {
  if (!matcher.match(subject)) throw take_mismatch().value();
}

/// What no counter of a launch has: additions of one thread, a ratio, bytes.
/// `Measured(work.total(&WarpWork::loaded_bytes))`
struct Measured {
  double value;
  template <class Number>
  requires std::is_arithmetic_v<Number>
  explicit constexpr Measured(Number number) : value(static_cast<double>(number)) {}
};
/// What is held against a limit. Of a count a failure tells the size of the launch and the lines that spend
/// too much.
struct Amount {
  double value;
  std::optional<Count> count = {};
  Amount(Count counted) : value(counted.value()), count(std::move(counted)) {}  // NOLINT: implicit on purpose
  Amount(Measured measured) : value(measured.value) {}                          // NOLINT: likewise
};
/// Every number is one.
struct Limit {
  double value;
  template <class Number>
  requires std::is_arithmetic_v<Number>
  constexpr Limit(Number number) : value(static_cast<double>(number)) {}  // NOLINT: implicit on purpose
};
/// Of counts and of Measured numbers: "n = 256, block = 256: block barriers a block: 10, at most 9 (one after
/// the load and one a level)", and the lines that spend too much. `what` is for the reader alone; `why` says
/// where the limit comes from or what to do.
Requirement<Amount> AtMost(Limit limit, std::string_view what, std::string_view why = {});
Requirement<Amount> AtLeast(Limit limit, std::string_view what, std::string_view why = {});
Requirement<Amount> Exactly(Limit limit, std::string_view what, std::string_view why = {});

// Where to look: lines of the source, the (at most three) that have most to do with it first.

/// The lines of its launch that spend most of `count`: with their shares in its unit, or in percent of all
/// that the launch has counted where `count` is not all of that.
std::vector<report::LineShare> lines_that_spend(const Count& count);
/// The lines of a launch that write to global memory, report::writes_results: where to begin to look for a
/// wrong result.
std::vector<report::LineShare> lines_that_write(const simulator::LaunchReport& launch);
/// The lines of a kernel with `__activemask()`, report::takes_who_is_there.
std::vector<report::LineShare> lines_with_active_mask(const simulator::Program& program,
                                                      const std::string& kernel);

}  // namespace warpwise::harness
