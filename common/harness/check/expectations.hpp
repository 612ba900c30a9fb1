#pragma once
/// \file What checks expect. Each expectation that fails throws CheckFailed, with one sentence that a student
/// can act on. What runs the check records it (check.hpp).

#include <cmath>
#include <concepts>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "../../report/report.hpp"
#include "../device/device_memory.hpp"
#include "../device/launch_result.hpp"

namespace warpwise::harness {

/// The circumstances of a check, for its sentence: `{.n = 33, .block = 32}` gives "n = 33, block = 32: ...".
struct Case {
  std::optional<unsigned> n = {};
  std::optional<unsigned> block = {};
  std::optional<unsigned> grid = {};
  std::string note = {};  ///< anything else, e.g. "level 2"
};
/// The sizes of a launch on n elements.
Case case_of(unsigned n, const LaunchShape& shape, std::string note = {});
/// "n = 33, block = 32"; empty where nothing is set.
std::string spelled(const Case& where);

/// What stands below the sentence of a failure.
struct Explanation {
  std::string where = {};  ///< "n = 33, block = 32"
  std::vector<simulator::Finding> findings = {};
  std::vector<report::LineShare> lines = {};  ///< that spend what there is too much of
  bool names_writers = false;  ///< an element is wrong: the lines of the latest launch that write results
};

/// Thrown by a failed expectation.
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
[[noreturn]] void fail(const std::string& sentence, Explanation explanation = {});

/// Numbers for sentences, with as few digits as tell them from other floats.
std::string text_of(double value);
std::string text_of(float value);
template <std::integral T>
std::string text_of(T value) {
  return std::to_string(value);
}

/// Equal, or neither of them a number.
template <std::floating_point T>
bool is_same(T one, T other) {
  return one == other || (std::isnan(one) && std::isnan(other));
}

namespace detail {
/// One mismatch, with everything as text, so that the wording is in one place.
struct Mismatch {
  std::string array;
  std::size_t index = 0, size = 0;
  std::size_t count = 0;              ///< elements that do not match
  std::size_t unwritten = 0;          ///< of them never written
  std::optional<std::string> actual;  ///< empty: never written
  std::string expected;
  std::string place;  ///< "" or "on NVIDIA H200"
};
/// "out[1] is 5, expected 9 (1 of 2 are wrong)"
std::string sentence_of(const Mismatch& mismatch);
[[noreturn]] void fail_at(const Mismatch& mismatch, const Case& where);
[[noreturn]] void fail_unwritten(const std::string& array, std::size_t index, const std::string& place,
                                 const Case& where);
[[noreturn]] void fail_sizes(const std::string& array, std::size_t size, std::size_t expected);

/// Compares elements [0, expected.size()) by `matches(actual, expected, index)`.
template <class T, class Expected, class Matches>
void expect_elements(const Buffer<T>& buffer, const std::vector<Expected>& expected, const Case& where,
                     Matches matches) {
  if (expected.size() > buffer.size()) fail_sizes(buffer.name(), buffer.size(), expected.size());
  const std::vector<T> actual = buffer.download();
  Mismatch first;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const bool is_written = !is_poison(&actual[i], sizeof(T)) || buffer.is_written(i);
    if (is_written && matches(actual[i], expected[i], i)) continue;
    if (!is_written) ++first.unwritten;
    if (first.count++ != 0) continue;
    first.index = i;
    if (is_written) first.actual = text_of(actual[i]);
    first.expected = text_of(expected[i]);
  }
  if (first.count == 0) return;
  first.array = buffer.name();
  first.size = expected.size();
  first.place = buffer.memory().place();
  fail_at(first, where);
}
}  // namespace detail

/// What the buffer holds; fails at the first element that was never written. One transfer, however many
/// elements.
template <class T>
std::vector<T> download_written(const Buffer<T>& buffer, const Case& where) {
  std::vector<T> values = buffer.download();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!is_poison(&values[i], sizeof(T)) || buffer.is_written(i)) continue;
    detail::fail_unwritten(buffer.name(), i, buffer.memory().place(), where);
  }
  return values;
}

/// The first expected.size() elements of `buffer` equal `expected` exactly; the rest is not looked at. An
/// element that was never written fails whatever is expected.
template <class T, class Expected>
void expect_equal(const Buffer<T>& buffer, const std::vector<Expected>& expected, const Case& where = {}) {
  detail::expect_elements(buffer, expected, where, [](T actual, Expected wanted, std::size_t) {
    if constexpr (std::floating_point<Expected>) {
      return is_same(static_cast<Expected>(actual), wanted);
    } else {
      return actual == static_cast<T>(wanted);
    }
  });
}
/// The same for a single element.
template <class T, class Expected>
requires std::is_arithmetic_v<Expected>
void expect_equal(const Buffer<T>& buffer, Expected expected, const Case& where = {}) {
  expect_equal(buffer, std::vector<Expected>{expected}, where);
}

/// |buffer[i] - expected[i]| <= bounds[i]; where bounds come from, see sum_error_bound.
template <class T>
void expect_close(const Buffer<T>& buffer, const std::vector<double>& expected,
                  const std::vector<double>& bounds, const Case& where = {}) {
  detail::expect_elements(buffer, expected, where, [&](T actual, double wanted, std::size_t i) {
    return std::abs(static_cast<double>(actual) - wanted) <= bounds.at(i);
  });
}
template <class T>
void expect_close(const Buffer<T>& buffer, double expected, double bound, const Case& where = {}) {
  expect_close(buffer, std::vector<double>{expected}, std::vector<double>{bound}, where);
}
/// |buffer[index] - expected| <= bound; the other elements are not looked at.
void expect_element(const Buffer<float>& buffer, std::size_t index, double expected, double bound,
                    const Case& where = {});
/// `found`, which was made of what is in `buffer`, is the same as `expected` or off by `bound` at most; else
/// "`what` 5, expected 9".
void expect_made_of(const Buffer<float>& buffer, const std::string& what, double found, double expected,
                    const Case& where, double bound = 0);

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
/// "n = 256, block = 256: block barriers a block: 10, at most 9 (one after the load and one a level)". `what`
/// is for the reader alone. `why` may be empty; it should say where the limit comes from or what to do.
void expect_at_most(std::string_view what, const Amount& actual, Limit limit, std::string_view why = {});
void expect_at_least(std::string_view what, const Amount& actual, Limit limit, std::string_view why = {});
void expect_equal_count(std::string_view what, const Amount& actual, Limit expected,
                        std::string_view why = {});
/// Anything else: fails with `sentence` unless `holds`.
void expect_that(bool holds, const std::string& sentence);
/// The same; the sentence starts with the circumstances.
void expect_that(bool holds, const Case& where, const std::string& sentence);

/// No finding of any kind. Fails with the first one's headline, "exercise.cu:14: race: ...".
void expect_no_findings(const Launch& launch);

// Where to look: lines of the source, the (at most three) that have most to do with it first.

/// The lines of its launch that spend most of `count`: with their shares in its unit, or in percent of all
/// that the launch has counted where `count` is not all of that.
std::vector<report::LineShare> lines_that_spend(const Count& count);
/// The lines of a launch that write to global memory, report::writes_results: where to begin to look for a
/// wrong result.
std::vector<report::LineShare> lines_that_write(const simulator::LaunchReport& launch);

}  // namespace warpwise::harness
