#pragma once
/// \file Results as terms (simulator/terms.hpp): what a launch has computed, whatever the elements are.
///
/// A result that is right for these elements may be right by luck. Where no branch, address or exchange of
/// the launch depended on an element, its terms tell which elements went into each result, and how often: it
/// is *proved* for every value of that shape (n, grid, block), or refuted. Where something did depend on an
/// element, or on the order of threads, it is *tried*, as ever. What is proved of floats is that every
/// element counts once: rounding depends on the order.

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "../../simulator/terms.hpp"
#include "../device/device_memory.hpp"
#include "references.hpp"
#include "requirement.hpp"

namespace warpwise::harness {

/// What joins the elements of a result, and of which array they are.
struct JoinContract {
  simulator::TermOperation operation = simulator::TermOperation::other;
  unsigned bytes = 0;  ///< of an element
  bool is_float = false, is_signed = false;
  /// Of the elements: "in" where it is empty, or where there is none of that name that of the results.
  std::string array = {};
  bool has_nan = true;  ///< an element may be NaN
  /// What is joined is the product of an element and the one at the same place of this array.
  std::string factors = {};
};

/// Of an element type and an operator; `other`, of which nothing can be proved, for those that no instruction
/// stands for.
template <class Operator, class T>
JoinContract joined_by(std::string array = {}) {
  using simulator::TermOperation;
  JoinContract contract{.bytes = sizeof(T), .array = std::move(array)};
  if constexpr (std::is_arithmetic_v<T>) {
    contract.is_float = std::is_floating_point_v<T>;
    contract.is_signed = std::is_signed_v<T>;
    if constexpr (std::is_same_v<Operator, operators::Sum>) contract.operation = TermOperation::sum;
    if constexpr (std::is_same_v<Operator, operators::Product>) contract.operation = TermOperation::product;
    if constexpr (std::is_same_v<Operator, operators::Max>) contract.operation = TermOperation::maximum;
    if constexpr (std::is_same_v<Operator, operators::Min>) contract.operation = TermOperation::minimum;
    if constexpr (std::is_same_v<Operator, operators::BitAnd>)
      contract.operation = TermOperation::conjunction;
    if constexpr (std::is_same_v<Operator, operators::BitOr>) contract.operation = TermOperation::disjunction;
  }
  return contract;
}

/// Each result is one element, bit for bit: nothing joins, and nothing is an identity.
template <class T>
JoinContract copied_from(std::string array = {}) {
  JoinContract contract = joined_by<operators::Sum, T>(std::move(array));
  contract.operation = simulator::TermOperation::selection;
  return contract;
}

/// Elements begin, begin + step ... below end.
struct ElementRange {
  std::size_t begin = 0, end = 0, step = 1;
  std::string array = {};  ///< empty: that of the contract
};

/// The join of what lies at `results` is the join of `elements`.
struct JoinedResult {
  std::size_t index = 0;               ///< in the array; of several together, of the first
  std::vector<std::uint64_t> results;  ///< device addresses
  std::vector<ElementRange> elements;
};

/// Made only where terms are asked: most launches are not followed.
using JoinedResults = std::function<std::vector<JoinedResult>()>;
/// Of each of the first `count` elements of an array: `elements_of(i)` gives the ranges that out[i] is made
/// of. Both are asked later, and have to be there then.
template <class Out, class ElementsOf>
JoinedResults each_result(const Out& out, std::size_t count, ElementsOf elements_of) {
  return [&out, count, elements_of] {
    std::vector<JoinedResult> results;
    for (std::size_t i = 0; i < count; ++i)
      results.push_back({i, {out.address() + i * (out.bytes() / out.size())}, elements_of(i)});
    return results;
  };
}

struct Judgement {
  enum class Kind : std::uint8_t {
    unknown,  ///< the launch was not followed
    tried,    ///< terms decide nothing: `sentence` says why
    proved,
    refuted,  ///< `sentence` says which elements are missing, or count twice
  };
  Kind kind = Kind::unknown;
  std::string sentence = {};
  std::vector<report::LineShare> lines = {};  ///< of refuted: where it went wrong
};

/// Of the latest launch on `memory`. `array`: the name of the results. `wrong`: the index of the one that is
/// known to be wrong, which is told first, as "it".
Judgement judge(DeviceMemory& memory, const std::string& array, const JoinContract& contract,
                const JoinedResults& results, std::optional<std::size_t> wrong = {});

/// Fails where a clock, or where a block or a warp runs, decided what the latest launch on `memory` has done.
void require_no_whim(DeviceMemory& memory);

/// Where the results of the launches from now on are noted, while a test case of results runs; nullptr:
/// nowhere. Returns where until now.
report::Proofs* note_proofs_in(report::Proofs* proofs);
/// A launch whose results are right: `where` says which, "n = 33, block = 32".
void note_right(const std::string& where, const Judgement& judgement);
/// Whether there were any since the last call, and all of them were proved.
bool take_all_proved();

}  // namespace warpwise::harness
