#include "proof_trials.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace warpwise::harness {

namespace {

using simulator::TermOperation;

constexpr std::size_t places[] = {0, 1, 2, 7, 16, 31, 32, 33, 62, 63};  // of 64 neighbours

/// The elements of the array in one trial, as bits, and what is said of them.
struct Trial {
  std::vector<std::uint64_t> values;
  std::string what;
};

double number_of(std::uint64_t bits, const JoinContract& contract) {
  if (!contract.is_float)
    return contract.bytes == 8  ? static_cast<double>(static_cast<std::int64_t>(bits))
           : contract.is_signed ? static_cast<double>(static_cast<std::int32_t>(bits))
                                : static_cast<double>(static_cast<std::uint32_t>(bits));
  return contract.bytes == 8 ? std::bit_cast<double>(bits)
                             : static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
}

std::uint64_t bits_of(double value, const JoinContract& contract) {
  if (!contract.is_float) return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  return contract.bytes == 8 ? std::bit_cast<std::uint64_t>(value)
                             : std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

class Trials {
 public:
  Trials(const JoinContract& contract, std::size_t size) : contract_(contract), size_(size) {}

  std::vector<Trial> all() {
    const auto fill = [&](std::string what, auto value_of) {
      Trial& trial = trials_.emplace_back();
      for (std::size_t i = 0; i < size_; ++i) trial.values.push_back(bits_of(value_of(i), contract_));
      trial.what = std::move(what);
    };
    fill("with zeros only", [](std::size_t) { return 0.0; });
    fill("with equal elements", [](std::size_t) { return 3.0; });
    fill("with ascending elements", [](std::size_t i) { return static_cast<double>(i % 1000); });
    fill("with descending elements", [](std::size_t i) { return static_cast<double>(1000 - i % 1000); });
    fill("with elements below 0", [](std::size_t i) { return -1.0 - static_cast<double>(i % 7); });
    if (contract_.is_float)
      add_floats();
    else
      add_integers();
    return std::move(trials_);
  }

 private:
  static double usual(std::size_t i) { return static_cast<double>(i * 7 % 13 + 1); }

  /// `value` at one place of every 64 neighbours, in every second 64 of them.
  void add_at_places(std::uint64_t value, const std::string& name) {
    for (const std::size_t place : places) {
      if (place >= size_) continue;
      Trial trial;
      for (std::size_t i = 0; i < size_; ++i)
        trial.values.push_back(i % 128 == place ? value : bits_of(usual(i), contract_));
      trial.what = "with in[" + std::to_string(place) + "] = " + name;
      trials_.push_back(std::move(trial));
    }
  }

  void add_floats() {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (contract_.has_nan) {
      add_at_places(bits_of(std::numeric_limits<double>::quiet_NaN(), contract_), "nan");
      if (contract_.bytes == 4) add_at_places(0x7fffffffu, "nan (0x7fffffff)");
      if (contract_.bytes == 4) add_at_places(0xffffffffu, "nan (0xffffffff)");
    }
    add_at_places(bits_of(infinity, contract_), "inf");
    add_at_places(bits_of(-infinity, contract_), "-inf");
    const bool is_ordered =
        contract_.operation == TermOperation::maximum || contract_.operation == TermOperation::minimum;
    if (contract_.operation != TermOperation::product) {
      Trial tiny{std::vector<std::uint64_t>(size_), "with denormals only"};
      for (std::size_t i = 0; i < size_; ++i) tiny.values[i] = i % 5 + 1;
      trials_.push_back(std::move(tiny));
    }
    if (!is_ordered) return;
    add_at_places(bits_of(3e38, contract_), "3e38");
    add_at_places(bits_of(-3e38, contract_), "-3e38");
  }

  void add_integers() {
    if (contract_.bytes != 4) return;
    for (const double large : {1.9e9, -1.9e9})
      for (const std::size_t place : {std::size_t{0}, size_ / 2, size_ - 1}) {
        Trial trial;
        for (std::size_t i = 0; i < size_; ++i)
          trial.values.push_back(bits_of(i == place ? large : usual(i), contract_));
        trial.what = "with in[" + std::to_string(place) + "] = " + text_of(static_cast<std::int64_t>(large));
        trials_.push_back(std::move(trial));
      }
  }

  const JoinContract& contract_;
  const std::size_t size_;
  std::vector<Trial> trials_;
};

/// What these come to, and how far off it may be.
struct Expected {
  double value = 0, bound = 0;
};

double joined(TermOperation operation, double a, double b) {
  switch (operation) {
    case TermOperation::product:
      return a * b;
    case TermOperation::maximum:
      return std::fmax(a, b);
    case TermOperation::minimum:
      return std::fmin(a, b);
    default:
      return a + b;
  }
}

double identity_of(TermOperation operation, const JoinContract& contract) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double largest = !contract.is_float ? (contract.is_signed ? 2147483647.0 : 4294967295.0) : infinity;
  switch (operation) {
    case TermOperation::product:
      return 1;
    case TermOperation::maximum:
      return !contract.is_float ? (contract.is_signed ? -2147483648.0 : 0.0) : -infinity;
    case TermOperation::minimum:
      return largest;
    default:
      return 0;
  }
}

Expected expected_of(const std::vector<double>& values, const JoinContract& contract) {
  Expected expected{identity_of(contract.operation, contract), 0};
  double magnitude = 0;
  for (const double value : values) {
    expected.value = joined(contract.operation, expected.value, value);
    magnitude += std::abs(value);
  }
  const bool is_float = contract.is_float && contract.bytes == 4;
  if (is_float && std::abs(expected.value) > static_cast<double>(std::numeric_limits<float>::max()))
    expected.value = std::copysign(std::numeric_limits<double>::infinity(), expected.value);
  if (!contract.is_float || !std::isfinite(expected.value)) return expected;
  const double unit = std::ldexp(static_cast<double>(values.size()), contract.bytes == 8 ? -50 : -23);
  if (contract.operation == TermOperation::sum) expected.bound = unit * magnitude;
  if (contract.operation == TermOperation::product) expected.bound = unit * std::abs(expected.value);
  return expected;
}

}  // namespace

std::optional<std::string> wrong_for_other_values(DeviceMemory& memory, const simulator::TermRecorder& terms,
                                                  const std::string& results_name,
                                                  const JoinContract& contract,
                                                  const std::vector<JoinedResult>& results) {
  const bool is_one_operator =
      contract.operation == TermOperation::sum || contract.operation == TermOperation::product ||
      contract.operation == TermOperation::maximum || contract.operation == TermOperation::minimum;
  if (!is_one_operator || !contract.factors.empty()) return {};
  std::string array = contract.array.empty() ? "in" : contract.array;
  if (terms.allocation_named(array) == 0) array = results_name;
  const std::uint32_t number = terms.allocation_named(array);
  if (number == 0) return {};
  const std::size_t first = terms.passed_offset(number) / contract.bytes;
  std::size_t size = 0;
  std::vector<std::uint64_t> addresses;
  for (const JoinedResult& result : results) {
    addresses.insert(addresses.end(), result.results.begin(), result.results.end());
    for (const ElementRange& range : result.elements) {
      if (!range.array.empty()) return {};
      size = std::max(size, first + range.end);
    }
  }
  if (size == 0) return {};
  for (const Trial& trial : Trials(contract, size).all()) {
    std::vector<std::byte> contents(size * contract.bytes);
    for (std::size_t i = 0; i < size; ++i)
      std::memcpy(contents.data() + i * contract.bytes, &trial.values[i], contract.bytes);
    const auto found = memory.results_with(array, contents, addresses, contract.bytes);
    if (!found) return {};
    std::size_t next = 0;
    for (const JoinedResult& result : results) {
      std::vector<double> own;
      for (const ElementRange& range : result.elements)
        for (std::size_t i = range.begin; i < range.end; i += range.step)
          own.push_back(number_of(trial.values[first + i], contract));
      const Expected expected = expected_of(own, contract);
      double actual = identity_of(contract.operation, contract);
      for (std::size_t i = 0; i < result.results.size(); ++i)
        actual = joined(contract.operation, actual, number_of((*found)[next++], contract));
      if (is_same(actual, expected.value) || std::abs(actual - expected.value) <= expected.bound) continue;
      const bool has_name = result.results.size() == 1;
      return trial.what + ": " +
             (has_name ? results_name + "[" + std::to_string(result.index) + "] is "
                       : "the results together are ") +
             text_of(actual) + ", expected " + text_of(expected.value);
    }
  }
  return {};
}

}  // namespace warpwise::harness
