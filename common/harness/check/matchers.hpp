#pragma once
/// \file What checks ask, as matchers of Catch2:
///
///     CHECK_THAT(out, EqualsSums(in, stretches_of(block)));
///     CHECK_THAT(launch, HasNoFindings());
///     CHECK_THAT(launch.count(&Counters::shuffles), AtMost(0, "shuffles", "they come in chapter 5"));
///
/// One that does not match says why in one sentence that a student can act on (requirement.hpp); the listener
/// (running_case.cpp) puts in front of it the circumstances, and what INFO and CAPTURE have added to them.
/// Here are the arrays that a kernel writes, and in technique.hpp what a launch did.

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../device/device_memory.hpp"
#include "proof.hpp"
#include "proof_trials.hpp"
#include "references.hpp"
#include "requirement.hpp"
#include "technique.hpp"

namespace warpwise::harness {

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

namespace detail {
/// One mismatch, with everything as text, so that the wording is in one place.
struct Mismatch {
  std::string array;
  std::size_t index = 0, size = 0;
  std::size_t count = 0;              ///< elements that do not match
  std::size_t unwritten = 0;          ///< of them never written
  std::optional<std::string> actual;  ///< empty: never written
  std::string expected;
  std::string start;  ///< of a counter that did not start at 0: at what
  std::string place;  ///< "" or "on NVIDIA H200"
};
std::string spelled(const Mismatch& mismatch);
Explanation explained(const Mismatch& mismatch, const Case& where);
/// After results were compared; `wrong` is the index of one that is wrong, as `sentence` says. Fails where
/// one is, or where the terms of one are: "out[1] is 5, expected 9 (1 of 2 are wrong): it misses in[3]".
void conclude(DeviceMemory& memory, const std::string& array, std::optional<std::size_t> wrong,
              const std::string& sentence, Explanation explanation, const JoinContract& contract,
              const JoinedResults& results);
[[noreturn]] void fail_unwritten(const std::string& array, std::size_t index, const std::string& place,
                                 const Case& where);
/// That the check expects more elements than there are.
[[noreturn]] void fail_sizes(const std::string& array, std::size_t size, std::size_t expected);
}  // namespace detail

/// What the buffer holds; fails at the first element that was never written. One transfer, however many
/// elements.
template <class T>
std::vector<T> download_written(const Buffer<T>& buffer, const Case& where) {
  std::vector<T> values = buffer.download();
  for (std::size_t i = 0; i < values.size(); ++i)
    if (is_poison(&values[i], sizeof(T)) && !buffer.is_written(i))
      detail::fail_unwritten(buffer.name(), i, buffer.memory().place(), where);
  return values;
}

/// The first elements of an array, or the ones at() a place, are `expected`, whose reference the check has
/// computed; the rest is not looked at. An element that was never written is wrong whatever is expected.
template <class Expected>
class Holds : public SentenceMatcher {
 public:
  explicit Holds(std::vector<Expected> expected)
      : SentenceMatcher("holds what is expected"), expected_(std::move(expected)) {}
  explicit Holds(Expected expected) : Holds(std::vector{expected}) {}

  /// |out[i] - expected[i]| <= bounds[i], where bounds come from sum_error_bound; without any, exactly.
  Holds within(std::vector<double> bounds) const {
    Holds other = *this;
    other.bounds_ = std::move(bounds);
    return other;
  }
  Holds at(std::size_t index) const {
    Holds other = *this;
    other.first_ = index;
    return other;
  }
  /// What the elements are, for every value.
  Holds as(JoinContract contract, JoinedResults results) const {
    Holds other = *this;
    other.contract_ = std::move(contract);
    other.results_ = std::move(results);
    return other;
  }
  /// The elements are masks of lanes, and told as such.
  Holds as_masks() const {
    Holds other = *this;
    other.are_masks_ = true;
    return other;
  }
  /// The circumstances, where the launch alone does not tell which.
  Holds where(Case circumstances) const {
    Holds other = *this;
    other.where_ = std::move(circumstances);
    return other;
  }

  template <class T>
  bool match(const Buffer<T>& out) const {
    return holds([&] {
      if (first_ + expected_.size() > out.size())
        detail::fail_sizes(out.name(), out.size(), first_ + expected_.size());
      const std::vector<T> actual = out.download(first_, expected_.size());
      detail::Mismatch wrong;
      for (std::size_t i = 0; i < expected_.size(); ++i) {
        const T& found = actual[i];
        const bool is_written = !is_poison(&found, sizeof(T)) || out.is_written(first_ + i);
        if (is_written && is_right(found, i)) continue;
        if (!is_written) ++wrong.unwritten;
        if (wrong.count++ != 0) continue;
        wrong.index = first_ + i;
        if (is_written) wrong.actual = spelled(found);
        wrong.expected = spelled(expected_[i]);
        if constexpr (std::is_integral_v<T>)
          if (const T start = out.start_of(first_ + i); start != 0) wrong.start = spelled(start);
      }
      wrong.array = out.name();
      wrong.size = expected_.size();
      wrong.place = out.memory().place();
      const LaunchShape* const shape = out.memory().latest_shape();
      const bool is_wrong = wrong.count != 0;
      detail::conclude(
          out.memory(), out.name(), is_wrong ? std::optional(wrong.index) : std::nullopt,
          is_wrong ? detail::spelled(wrong) : "",
          detail::explained(
              wrong, where_ ? *where_ : case_of(out.memory(), {}, shape != nullptr ? shape->block.x : 0)),
          contract_, results_);
    });
  }

 private:
  template <class T>
  std::string spelled(const T& value) const {
    if constexpr (std::is_integral_v<T>)
      if (are_masks_) return mask_text(static_cast<std::uint32_t>(value));
    return text_of(value);
  }
  template <class T>
  bool is_right(const T& found, std::size_t i) const {
    if constexpr (std::floating_point<Expected>) {
      const auto value = static_cast<Expected>(found);
      auto expected = static_cast<double>(expected_[i]);
      if constexpr (std::is_same_v<T, float>) expected = in_float(expected);
      return is_same(static_cast<double>(value), expected) ||
             (!bounds_.empty() && std::abs(value - expected_[i]) <= bounds_.at(i));
    } else {
      return found == static_cast<T>(expected_[i]);
    }
  }

  std::vector<Expected> expected_;
  std::vector<double> bounds_;
  std::size_t first_ = 0;
  bool are_masks_ = false;
  std::optional<Case> where_;
  JoinContract contract_;
  JoinedResults results_;
};

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
      ask_with_other_values<T>(out.memory(), {in_, index_ ? out.name() : "in", have_one_result<Operator, T>},
                               [&](const std::vector<T>& in) { require_reductions(out, in); });
    });
  }

 private:
  void require_reductions(const Buffer<T>& out, const std::vector<T>& in) const {
    const std::size_t stretch = stretches_.size;
    std::vector<ReferenceType<T>> expected;
    std::vector<double> bounds;
    const auto elements_of = [&](std::size_t k) -> ElementRange {
      if (index_) return {.end = in.size()};
      const std::size_t begin = std::min(k * stretch, in.size());
      return {.begin = begin, .end = std::min(begin + std::min(stretch, in.size()), in.size())};
    };
    for (std::size_t k = 0; k < (index_ ? 1 : out.size()); ++k) {
      const ElementRange range = elements_of(k);
      const std::span<const T> own = std::span(in).subspan(range.begin, range.end - range.begin);
      expected.push_back(reduce<Operator>(own));
      if (is_rounded_) bounds.push_back(bound_of(own));
    }
    const JoinedResults each =
        each_result(out, out.size(), [&](std::size_t k) { return std::vector{elements_of(k)}; });
    const JoinedResults results = [&] { return index_ ? std::vector{each().at(*index_)} : each(); };
    require(out, Holds(std::move(expected))
                     .within(std::move(bounds))
                     .at(index_.value_or(0))
                     .where(case_of(out.memory(), in.size(), stretch))
                     .as(joined_by<Operator, T>(), results));
  }
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
      : ReducesTo(
            {in}, [](const std::vector<float>& values) { return reduce<Operator>(values); },
            std::move(what)) {}
  /// To what `reference` makes of the elements of an input.
  ReducesTo(Input<float> in, std::function<double(const std::vector<float>&)> reference, std::string what)
      : SentenceMatcher(what), what_(std::move(what)), in_(std::move(in)), reference_(std::move(reference)) {
    if (!in_.admits) in_.admits = have_one_result<Operator, float>;
  }
  /// The same of another input, where the elements of the first stay what they are.
  ReducesTo and_with(Input<float> in, std::function<double(const std::vector<float>&)> reference) const {
    ReducesTo other = *this;
    other.second_ = std::pair(std::move(in), std::move(reference));
    return other;
  }
  ReducesTo within(double bound) const {
    ReducesTo other = *this;
    other.bound_ = bound;
    return other;
  }
  /// The circumstances, where the launch alone does not tell which.
  ReducesTo where(Case circumstances) const {
    ReducesTo other = *this;
    other.where_ = std::move(circumstances);
    return other;
  }
  /// No element is NaN.
  ReducesTo without_nan() const {
    ReducesTo other = *this;
    other.contract_.has_nan = false;
    other.in_.admits = [before = in_.admits](const std::vector<float>& values) {
      return std::none_of(values.begin(), values.end(), [](float value) { return std::isnan(value); }) &&
             before(values);
    };
    return other;
  }
  /// The elements of `array` and of `factors` are multiplied first, pair by pair.
  ReducesTo of_products(std::string array, std::string factors) const {
    ReducesTo other = *this;
    other.contract_.array = std::move(array);
    other.contract_.factors = std::move(factors);
    return other;
  }
  bool match(const Buffer<float>& out) const {
    return holds([&] {
      const auto ask_by = [&](const auto& reference) {
        return [&](const std::vector<float>& in) { require_reduction(out, in.size(), reference(in)); };
      };
      const std::vector<float> in(in_.values.begin(), in_.values.end());
      if (!is_undecided([&] { ask_by(reference_)(in); })) return;
      ask_again_with_other_values<float>(out.memory(), in_, ask_by(reference_));
      if (second_) ask_again_with_other_values<float>(out.memory(), second_->first, ask_by(second_->second));
    });
  }

 private:
  void require_reduction(const Buffer<float>& out, std::size_t n, double expected) const {
    const Case where = where_ ? *where_ : case_of(out.memory(), n, 0);
    const std::vector<float> held = download_written(out, where);
    const double found = reduce<Operator>(held);
    // A maximum passes over them, and out[] may be read one by one.
    const auto nan = std::find_if(held.begin(), held.end(), [](float value) { return std::isnan(value); });
    if (nan != held.end() && !std::isnan(expected))
      fail(out.name() + "[" + std::to_string(nan - held.begin()) + "] is nan", {.where = spelled(where)});
    const bool is_right = is_same(found, expected) || is_same(found, in_float(expected)) ||
                          std::abs(found - expected) <= bound_;
    const auto all_together = [&] {
      JoinedResult all;
      all.elements = {{.end = n}};
      for (std::size_t i = 0; i < out.size(); ++i) all.results.push_back(out.address() + i * sizeof(float));
      return std::vector{all};
    };
    const std::string place = out.memory().place();
    detail::conclude(out.memory(), out.name(), is_right ? std::nullopt : std::optional(std::size_t{0}),
                     what_ + ' ' + text_of(found) + ", expected " + text_of(expected) +
                         (place.empty() ? "" : ", " + place),
                     {.where = spelled(where), .found = text_of(found), .expected = text_of(expected)},
                     contract_, all_together);
  }

  std::string what_;
  Input<float> in_;
  std::function<double(const std::vector<float>&)> reference_;
  std::optional<std::pair<Input<float>, std::function<double(const std::vector<float>&)>>> second_;
  double bound_ = 0;
  std::optional<Case> where_;
  JoinContract contract_ = joined_by<Operator, float>();
};
inline auto AddsUpTo(std::span<const float> in) {
  return ReducesTo<operators::Sum>(in, "the sum of out[] is");
}

/// Of a value that the check has made of several launches: `sentence` says what is wrong.
template <class T>
Requirement<T> IsSame(T expected, std::string sentence) {
  return {"is " + text_of(expected), [=](const T& found) {
            if (!is_same(found, expected))
              fail(sentence + text_of(found) + ", expected " + text_of(expected));
          }};
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
