#pragma once
/// \file What checks ask, as matchers of Catch2:
///
///     CHECK_THAT(out, EqualsSums(in, stretches_of(block)));
///     CHECK_THAT(launch, HasNoFindings());
///     CHECK_THAT(launch.count(&Counters::shuffles), AtMost(0, "shuffles", "they come in chapter 5"));
///
/// One that does not match says why in one sentence that a student can act on; the listener (listener.cpp) puts
/// in front of it the circumstances, and what INFO and CAPTURE have added to them.

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../../testing/catch.hpp"
#include "references.hpp"
#include "technique.hpp"

namespace warpwise::harness {

/// Why a matcher has not matched since the last call; the listener asks after each assertion that has failed.
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
  template <class Ask>
  Requirement(std::string description, Ask ask)
      : SentenceMatcher(std::move(description)), ask_(std::move(ask)) {}
  bool match(const T& subject) const {
    return holds([&] { ask_(subject); });
  }

 private:
  std::function<void(const T&)> ask_;
};

/// For what is no test case, such as a launch that is shown: throws CheckFailed where `matcher` does not
/// match.
template <class T>
void require(const T& subject, const auto& matcher) {
  if (!matcher.match(subject)) throw take_mismatch().value();
}

// --- What a kernel computes -------------------------------------------------------------------------------

/// Elements in stretches of `size`: stretch k begins at element k * size, and the last one may be shorter.
struct Stretches {
  std::size_t size;
};
constexpr Stretches stretches_of(std::size_t size) { return {size}; }
constexpr Stretches one_stretch() { return {~std::size_t{0}}; }

/// The sizes of the launch that `out` was written by, and of its n elements; the grid where it is another
/// than stretches of `stretch` elements need, one a block.
Case case_of(const DeviceMemory& memory, std::optional<std::size_t> n, std::size_t stretch);

/// Element k of an array is the reduction of stretch k of `in` by Operator, and its identity where the
/// stretch is empty. Exactly; `rounded()`: as near as floats in the worst order.
template <class Operator, class T>
class EqualsReductions : public SentenceMatcher {
 public:
  EqualsReductions(const std::vector<T>& in, Stretches stretches)
      : SentenceMatcher("is the reduction of each stretch"), in_(in), stretches_(stretches) {}

  /// Off by what a sum may be in which each element passes through at most `additions` additions
  /// (sum_error_bound); without a number, through as many as there are in its stretch.
  EqualsReductions rounded(std::optional<unsigned> additions = {}) const {
    EqualsReductions other = *this;
    other.is_rounded_ = true;
    other.additions_ = additions;
    return other;
  }
  /// The one result stands at `index`, and the other elements may be anything.
  EqualsReductions at(std::size_t index) const {
    EqualsReductions other = *this;
    other.index_ = index;
    return other;
  }

  bool match(const Buffer<T>& out) const {
    return holds([&] {
      const std::size_t stretch = stretches_.size;
      const Case where = case_of(out.memory(), in_.size(), stretch);
      if (index_) return expect_element(out, *index_, reduce<Operator>(in_), bound_of(in_), where);
      std::vector<ReferenceType<T>> expected;
      std::vector<double> bounds;
      for (std::size_t k = 0; k < out.size(); ++k) {
        const std::size_t begin = std::min(k * stretch, in_.size());
        const auto own = std::span(in_).subspan(begin, std::min(stretch, in_.size() - begin));
        expected.push_back(reduce<Operator>(own));
        if (is_rounded_) bounds.push_back(bound_of(own));
      }
      is_rounded_ ? expect_close(out, expected, bounds, where) : expect_equal(out, expected, where);
    });
  }

 private:
  double bound_of(std::span<const T> own) const {
    if constexpr (std::is_same_v<T, float>)
      if (is_rounded_)
        return sum_error_bound(
            own, additions_.value_or(static_cast<unsigned>(std::max(own.size(), std::size_t{1}) - 1)));
    return 0;
  }

  const std::vector<T>& in_;
  Stretches stretches_;
  bool is_rounded_ = false;
  std::optional<unsigned> additions_;
  std::optional<std::size_t> index_;
};
template <class T>
auto EqualsSums(const std::vector<T>& in, Stretches stretches) {
  return EqualsReductions<operators::Sum, T>(in, stretches);
}
template <class T>
auto EqualsMaxima(const std::vector<T>& in, Stretches stretches) {
  return EqualsReductions<operators::Max, T>(in, stretches);
}

/// The elements of an array together reduce to what `in` does, whoever took which of them. `what`: "the sum
/// of out[] is". Every one of them was written.
template <class Operator>
class ReducesTo : public SentenceMatcher {
 public:
  ReducesTo(std::span<const float> in, std::string what)
      : SentenceMatcher(what + " that of in"), what_(std::move(what)), in_(in) {}
  ReducesTo within(double bound) const {
    ReducesTo other = *this;
    other.bound_ = bound;
    return other;
  }
  bool match(const Buffer<float>& out) const {
    return holds([&] {
      const Case where = case_of(out.memory(), in_.size(), 0);
      expect_made_of(out, what_, reduce<Operator>(download_written(out, where)), reduce<Operator>(in_), where,
                     bound_);
    });
  }

 private:
  std::string what_;
  std::span<const float> in_;
  double bound_ = 0;
};
inline auto AddsUpTo(std::span<const float> in) {
  return ReducesTo<operators::Sum>(in, "the sum of out[] is");
}

/// The first elements of an array are `expected`, whose reference the check has computed.
template <class Expected>
class Holds : public SentenceMatcher {
 public:
  explicit Holds(std::vector<Expected> expected)
      : SentenceMatcher("holds what is expected"), expected_(std::move(expected)) {}
  /// |out[i] - expected[i]| <= bounds[i]
  Holds within(std::vector<double> bounds) const {
    Holds other = *this;
    other.bounds_ = std::move(bounds);
    return other;
  }
  template <class T>
  bool match(const Buffer<T>& out) const {
    return holds([&] {
      const LaunchShape* const shape = out.memory().latest_shape();
      const Case where = case_of(out.memory(), {}, shape != nullptr ? shape->block.x : 0);
      if constexpr (std::is_same_v<Expected, double>)
        if (!bounds_.empty() || expected_.empty()) return expect_close(out, expected_, bounds_, where);
      expect_equal(out, expected_, where);
    });
  }

 private:
  std::vector<Expected> expected_;
  std::vector<double> bounds_;
};

// --- What a launch spends ---------------------------------------------------------------------------------

/// A launch, who did what in it, and the array that it wrote.
template <class T>
struct Counted {
  LaunchAndWork run;
  Buffer<T> out;
};
/// What `run(device, arguments...)`, which gives a Written<T>, did.
template <class Run, class... Arguments>
auto counted(SimulatedDevice& device, Run run, const Arguments&... arguments) {
  std::optional<decltype(run(device, arguments...))> written;
  Work work = work_of(device, is_addition, [&] { written.emplace(run(device, arguments...)); });
  return Counted<typename decltype(written->out)::Element>{{std::move(written->launch), std::move(work)},
                                                           std::move(written->out)};
}

/// Of counts and of Measured numbers: "n = 256, block = 256: block barriers a block: 10, at most 9 (one after
/// the load and one a level)", and the lines that spend too much. `what` is for the reader alone; `why` says
/// where the limit comes from or what to do.
Requirement<Amount> AtMost(Limit limit, std::string what, std::string why = {});
Requirement<Amount> AtLeast(Limit limit, std::string what, std::string why = {});
Requirement<Amount> Exactly(Limit limit, std::string what, std::string why = {});

/// Of a value that the check has made of several launches: `sentence` says what is wrong.
template <class T>
Requirement<T> IsSame(T expected, std::string sentence) {
  return {"is " + text_of(expected), [=](const T& found) {
            if (!is_same(found, expected))
              fail(sentence + text_of(found) + ", expected " + text_of(expected));
          }};
}

/// No finding of any kind; else the first one's headline, "exercise.cu:14: race: ...".
Requirement<Launch> HasNoFindings();
/// A finding of this kind: for what a caller can do wrong.
Requirement<Launch> HasFinding(simulator::FindingKind kind);

// The techniques of technique.hpp, which says what each asks.
inline Requirement<Launch> HasNoAtomics() {
  return {"has no atomics", [](const Launch& launch) { expect_no_atomics(launch); }};
}
inline Requirement<Launch> HasNoAtomics(std::string why) {
  return {"has no atomics", [=](const Launch& launch) { expect_no_atomics(launch, why); }};
}
inline Requirement<Launch> HasNoShuffles() {
  return {"has no shuffles", [](const Launch& launch) { expect_no_shuffles(launch); }};
}
inline Requirement<Launch> HasNoShuffles(std::string why) {
  return {"has no shuffles", [=](const Launch& launch) { expect_no_shuffles(launch, why); }};
}
inline Requirement<Launch> UsesNoSharedMemory(std::string why) {
  return {"uses no shared memory", [=](const Launch& launch) { expect_no_shared_memory(launch, why); }};
}
/// n / 32 requests and n / 8 sectors, rounded up, or fewer.
inline Requirement<LaunchAndWork> ReadsEachElementOnce(unsigned n,
                                                       std::string why = "each element is read once") {
  return {"reads each element once",
          [=](const LaunchAndWork& run) { expect_each_element_is_read_once(run, n, why); }};
}
/// No thread adds more than `own` + 2 * log2(values) times, nor reads more words than such a tree needs.
inline Requirement<LaunchAndWork> IsTreeOver(unsigned values, unsigned own = 1) {
  return {"is a tree", [=](const LaunchAndWork& run) { expect_a_tree(run, values, own); }};
}
/// At least `values` - `sums` additions, by all threads together.
inline Requirement<LaunchAndWork> AddsAll(std::uint64_t values, std::uint64_t sums = 1) {
  return {"adds all values", [=](const LaunchAndWork& run) { expect_all_are_added(run, values, sums); }};
}
inline Requirement<LaunchAndWork> RestsIdleWarps(unsigned own = 1) {
  return {"lets idle warps rest", [=](const LaunchAndWork& run) { expect_idle_warps_rest(run, own); }};
}
inline Requirement<LaunchAndWork> ExchangesInSharedMemory() {
  return {"exchanges values in shared memory", expect_exchange_in_shared_memory};
}
inline Requirement<LaunchAndWork> HasNoCollectives(std::string what, std::string why) {
  return {"has no votes", [=](const LaunchAndWork& run) { expect_no_collectives(run, what, why); }};
}
inline Requirement<LaunchAndWork> IsWrittenBy(unsigned thread, std::string why) {
  return {"is written by one thread", [=](const LaunchAndWork& run) { expect_written_by(run, thread, why); }};
}
inline Requirement<Work> IsSharedOut(double bytes) {
  return {"is shared out to the warps", [=](const Work& work) { expect_shared_out(work, bytes); }};
}
inline Requirement<Work> IsSharedOutToBlocks(double bytes) {
  return {"is shared out to the blocks", [=](const Work& work) { expect_shared_out_to_blocks(work, bytes); }};
}
inline Requirement<Work> LanesWorkTogether(std::uint64_t limit, std::string why) {
  return {"has lanes that work together",
          [=](const Work& work) { expect_lanes_work_together(work, limit, why); }};
}

}  // namespace warpwise::harness

// How Catch2 shows what is matched: by name, not as a dump.
namespace Catch {
template <class T>
struct StringMaker<warpwise::harness::Buffer<T>> {
  static std::string convert(const warpwise::harness::Buffer<T>& buffer) { return buffer.name() + ":"; }
};
template <>
struct StringMaker<warpwise::harness::Launch> {
  static std::string convert(const warpwise::harness::Launch& launch) {
    return launch.kernel() + spelled(launch.shape()) + ":";
  }
};
template <>
struct StringMaker<warpwise::harness::LaunchAndWork> {
  static std::string convert(const warpwise::harness::LaunchAndWork& run) {
    return StringMaker<warpwise::harness::Launch>::convert(run.launch);
  }
};
template <>
struct StringMaker<warpwise::harness::Work> {
  static std::string convert(const warpwise::harness::Work&) { return "the work:"; }
};
template <>
struct StringMaker<warpwise::harness::Count> {
  static std::string convert(const warpwise::harness::Count& count) {
    return warpwise::harness::text_of(count.value()) + ":";
  }
};
}  // namespace Catch
