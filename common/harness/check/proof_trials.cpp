#include "proof_trials.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../../print/terminal.hpp"
#include "../../simulator/program.hpp"
#include "../../simulator/terms.hpp"
#include "matchers.hpp"
#include "term_solving.hpp"

namespace warpwise::harness::detail {

namespace {

using Bits = std::uint64_t;

constexpr std::size_t places[] = {0, 31, 1, 32, 16, 63, 7, 33, 2, 62};  // of 64 neighbours
constexpr std::size_t most_constants = 5, most_exceptions = 2;

Bits mixed(Bits value) {
  value = (value ^ (value >> 31)) * 0x9E3779B97F4A7C15u;
  return value ^ (value >> 29);
}

/// Two elements of an array.
using ElementPair = std::pair<std::size_t, std::size_t>;

/// What other values of an array can be.
class Values {
 public:
  Values(ElementType type, std::size_t size, std::vector<Bits> constants, SolvedElements solved,
         std::vector<std::size_t> exceptions, std::vector<ElementPair> pairs, const Offer& offer)
      : type_(type),
        size_(size),
        constants_(std::move(constants)),
        solved_(std::move(solved)),
        exceptions_(std::move(exceptions)),
        pairs_(std::move(pairs)),
        offer_(offer),
        contents_(size * type.bytes),
        turn_(size / 2) {
    if (constants_.size() > most_constants) constants_.resize(most_constants);
    if (exceptions_.size() > most_exceptions) exceptions_.resize(most_exceptions);
  }

  void offer_all() {
    for (const Bits constant : constants_) around(constant);
    for (const auto& [index, value] : solved_.equal_to_constants)
      if (index < size_) one_among(index, value);
    if (!solved_.alike.empty())
      for (const std::size_t neighbours : {1, 2})
        give("with elements that the kernel's own arithmetic makes equal",
             [&](std::size_t i) { return solved_.alike[i / neighbours % solved_.alike.size()]; });
    fill("with zeros only", [](std::size_t) { return 0.0; });
    fill("with equal elements", [](std::size_t) { return 3.0; });
    fill("with 3 in the first half, then 0", [&](std::size_t i) { return i < size_ / 2 ? 3.0 : 0.0; });
    fill("with 0 in the first half, then 3", [&](std::size_t i) { return i < size_ / 2 ? 0.0 : 3.0; });
    one_in_32(bits_of(1), bits_of(0));
    fill("with ascending elements", [](std::size_t i) { return static_cast<double>(i % 1000); });
    fill("with descending elements", [](std::size_t i) { return static_cast<double>(1000 - i % 1000); });
    fill("with elements below 0", [](std::size_t i) { return -1.0 - static_cast<double>(i % 7); });
    if (type_.is_float)
      floats();
    else
      whole_numbers();
  }

 private:
  Bits bits_of(double value) const {
    if (!type_.is_float) return static_cast<Bits>(static_cast<std::int64_t>(value));
    return type_.bytes == 8 ? std::bit_cast<Bits>(value)
                            : std::bit_cast<std::uint32_t>(static_cast<float>(value));
  }
  std::string text_of_bits(Bits bits) const {
    if (type_.is_float)
      return text_of(type_.bytes == 8
                         ? std::bit_cast<double>(bits)
                         : static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits))));
    if (!type_.is_signed) return text_of(type_.bytes == 8 ? bits : bits & 0xFFFFFFFFu);
    return type_.bytes == 8 ? text_of(static_cast<std::int64_t>(bits))
                            : text_of(static_cast<std::int32_t>(bits));
  }
  template <class BitsOf>
  bool give(const std::string& what, BitsOf bits_of_element) {
    const auto fill_with = [&]<class Word>(Word) {
      for (std::size_t i = 0; i < size_; ++i) {
        const auto word = static_cast<Word>(bits_of_element(i));
        std::memcpy(&contents_[i * sizeof(Word)], &word, sizeof(Word));
      }
    };
    type_.bytes == 8 ? fill_with(std::uint64_t{}) : fill_with(std::uint32_t{});
    return offer_(contents_, what);
  }
  template <class ValueOf>
  void fill(const std::string& what, ValueOf value_of) {
    give(what, [&](std::size_t i) { return bits_of(value_of(i)); });
  }
  /// In every second 64 elements, or where the contract does not allow that, once. The others have values of
  /// which the first is taken that it allows.
  void at(std::size_t place, Bits value, std::optional<Bits> next = {}) {
    if (place >= size_) place = size_ - 1;
    std::string what = "with in[" + std::to_string(place) + "] = " + text_of_bits(value);
    if (next) what += ", in[" + std::to_string(place + 1) + "] = " + text_of_bits(*next);
    for (const std::size_t period : {std::max<std::size_t>(128, place + 1), size_})
      for (const unsigned other : {7u, 0u}) {
        const auto bits_at = [&](std::size_t i) {
          const std::size_t in_period = i % period;
          if (in_period == place) return value;
          if (next && in_period == place + 1) return *next;
          return bits_of(static_cast<double>(i * other % 13 + 1));  // 1 to 13, or all 1
        };
        if (give(what, bits_at)) return;
      }
    give(what + ", the others 0", [&](std::size_t i) { return i == place ? value : bits_of(0); });
  }
  void at_places(Bits value) {
    at(places[turn_ % 10], value);
    at(places[(turn_ + 5) % 10], value);
    for (const std::size_t place : exceptions_) at(place, value);
    ++turn_;
  }

  /// One element is the constant, or next to it; the others are 0, so that sums of it are, too.
  void around(Bits constant) {
    const std::size_t place = places[turn_++ % 10] % size_;
    for (const int step : {1, 0, -1}) {
      Bits value = constant + static_cast<Bits>(static_cast<std::int64_t>(step));
      if (type_.is_float && constant == 0 && step < 0) value = bits_of(-0.0) + 1;
      one_among(place, value);
    }
  }
  void one_among(std::size_t place, Bits value) {
    const std::string what = "with in[" + std::to_string(place) + "] = " + text_of_bits(value);
    const auto with = [&](double other) {
      return give(what + ", the others " + text_of(other),
                  [&](std::size_t i) { return i == place ? value : bits_of(other); });
    };
    (void)(with(0) || with(1));
  }

  /// Of 32 neighbours one is `value`, in each 32 another; the others are equal.
  void one_in_32(Bits value, Bits other) {
    give("with one of 32 that is " + text_of_bits(value) + ", the others " + text_of_bits(other),
         [&](std::size_t i) { return i % 32 == (i / 32 * 7 + turn_) % 32 ? value : other; });
  }

  void floats() {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    at_places(bits_of(nan));
    if (type_.bytes == 4) {
      at_places(0x7fffffffu);
      at_places(0xffffffffu);
    }
    for (const double value : {infinity, -infinity, 3e38, -3e38, 0.0, -0.0}) at_places(bits_of(value));
    at_places(1);  // the smallest
    // Rounded to nearest, their sum is an infinity in any order; rounded up or down, it may be the largest.
    for (const auto& pair : pairs_)
      for (const double value : {3e38, -3e38})
        give("with in[" + std::to_string(pair.first) + "] and in[" + std::to_string(pair.second) +
                 "] = " + text_of(value) + ", the others 0",
             [&](std::size_t i) { return bits_of(i == pair.first || i == pair.second ? value : 0); });
    at(places[turn_ % 10], bits_of(infinity), bits_of(-infinity));
    at(places[turn_ % 10], bits_of(0), bits_of(infinity));
    one_in_32(bits_of(nan), bits_of(0));
    fill("with infinity in the first half, then -infinity",
         [&](std::size_t i) { return i < size_ / 2 ? infinity : -infinity; });
    fill("with infinity and -infinity by turns, 32 of each",
         [](std::size_t i) { return i / 32 % 2 == 0 ? infinity : -infinity; });
    fill("with 3e38 only", [](std::size_t) { return 3e38; });
    give("with denormals only", [](std::size_t i) { return i % 5 + 1; });
    mix({bits_of(0), bits_of(-0.0), bits_of(1), bits_of(-1), bits_of(infinity), bits_of(-infinity),
         bits_of(nan), 1, 2, bits_of(3e38)});
  }

  void whole_numbers() {
    const unsigned width = 8 * type_.bytes;
    const Bits highest = Bits{1} << (width - 1), all = ~Bits{0} >> (64 - width);
    for (const Bits value : {highest, highest - 1, all}) at_places(value);
    if (type_.bytes == 4) {
      at(size_ - 1, bits_of(1.9e9));
      at(size_ / 2 % 128, bits_of(-1.9e9));
      if (type_.is_signed)
        fill("with 1.5e9 and -1.5e9 by turns", [](std::size_t i) { return i % 2 == 0 ? 1.5e9 : -1.5e9; });
    }
    one_in_32(highest, 0);
    one_in_32(mixed(turn_), mixed(turn_ + 1));
    for (const Bits base : {Bits{0}, all, mixed(turn_ + 1)}) single_bits(base);
    for (const Bits constant : constants_) {
      single_bits(constant);
      give("with elements that are 1 where " + text_of_bits(constant) + " has a bit, else 0",
           [&](std::size_t i) { return constant >> i % 32 & 1; });
    }
    give("with elements of which only the last two of 32 are equal",
         [](std::size_t i) { return i % 32 == 31 ? i - 1 : i; });
    give("with elements of which only the first and the last of 32 are equal",
         [](std::size_t i) { return i % 32 == 31 ? i - 31 : i; });
    mix({0, 1, 2, 3, all, highest, highest - 1, highest + 1, all - 1});
  }
  /// Each second element is the same; the others differ from it in one bit, each in another.
  void single_bits(Bits base) {
    const unsigned width = 8 * type_.bytes;
    give("with elements that differ in one bit",
         [&](std::size_t i) { return i % 2 == 0 ? base : base ^ Bits { 1 } << (i / 2 + turn_) % width; });
  }
  /// Any of them, or of the constants and those next to them, beside any other; of 64 bits, each half.
  void mix(std::vector<Bits> values) {
    for (const Bits constant : constants_)
      values.insert(values.end(), {constant, constant + 1, constant - 1});
    const auto drawn = [&](Bits seed) { return values[(mixed(seed) >> 8) % values.size()]; };
    for (unsigned round = 0; round < 2; ++round)
      give("with limits and their neighbours", [&](std::size_t i) {
        const Bits seed = 3 * i + 1000003 * (round + turn_);
        if (type_.is_float || type_.bytes == 4 || round == 0) return drawn(seed);
        return drawn(seed) << 32 | (drawn(seed + 1) & 0xFFFFFFFFu);
      });
  }

  const ElementType type_;
  const std::size_t size_;
  std::vector<Bits> constants_;
  SolvedElements solved_;
  std::vector<std::size_t> exceptions_;  ///< elements that the kernel treats in another way than most
  std::vector<ElementPair> pairs_;       ///< whose sum is not rounded to nearest
  const Offer& offer_;
  std::vector<std::byte> contents_;  ///< of the array
  std::size_t turn_;                 ///< so that other launches have their values at other places
};

/// Puts words of that allocation which `term` is made of behind `words`, until there are so many.
void add_words(const simulator::TermGraph& graph, simulator::Term term, std::uint32_t allocation,
               std::size_t most, std::vector<std::size_t>& words) {
  std::vector<simulator::Term> to_see{term};
  for (unsigned steps = 0; !to_see.empty() && words.size() < most && steps < 4096; ++steps) {
    const simulator::TermNode& node = graph.at(to_see.back());
    to_see.pop_back();
    if (node.kind == simulator::TermKind::element && node.bits >> 32 == allocation &&
        std::find(words.begin(), words.end(), node.bits & 0xFFFFFFFFu) == words.end())
      words.push_back(node.bits & 0xFFFFFFFFu);
    to_see.insert(to_see.end(), node.parts.begin(), node.parts.begin() + node.part_count);
  }
}

/// An element of each of the two sides of additions that do not round to nearest, for a few of them.
std::vector<ElementPair> rounded_otherwise(const simulator::TermRecorder& terms, std::uint32_t allocation,
                                           std::size_t size) {
  constexpr std::size_t most = 3;
  std::vector<ElementPair> pairs;
  std::vector<simulator::Pc> seen;
  const simulator::TermGraph& graph = terms.graph();
  const std::size_t first = terms.passed_offset(allocation) / sizeof(float);
  for (simulator::Term term = 2; term < graph.size() && pairs.size() < most; ++term) {
    const simulator::TermNode& node = graph.at(term);
    if (node.kind != simulator::TermKind::operation || !node.is_modified || node.part_count == 0 ||
        std::find(seen.begin(), seen.end(), node.pc) != seen.end())
      continue;
    std::vector<std::size_t> words;
    add_words(graph, node.parts[0], allocation, node.part_count == 1 ? 2 : 1, words);
    for (std::size_t i = 1; i < node.part_count; ++i) add_words(graph, node.parts[i], allocation, 2, words);
    if (words.size() < 2 || std::max(words[0], words[1]) - first >= size) continue;
    seen.push_back(node.pc);
    pairs.emplace_back(words[0] - first, words[1] - first);
  }
  return pairs;
}

/// Whole numbers that the code compares with where the launch may not have come by. Small ones are sizes,
/// lanes and limits of loops, nearly always.
void add_from_code(const simulator::LaunchContext& launch, std::vector<Bits>& constants) {
  for (simulator::Pc pc = launch.reach.begin; pc < launch.reach.end; ++pc) {
    const simulator::ptx::Instruction& text = launch.program->text_of(pc);
    if (text.row->result != simulator::ptx::Result::compared) continue;
    for (const simulator::ptx::Operand& operand : text.operands)
      if (operand.kind == simulator::ptx::Operand::Kind::immediate && !operand.is_float &&
          operand.bits >> 20 != 0 &&
          std::find(constants.begin(), constants.end(), operand.bits) == constants.end())
        constants.push_back(operand.bits);
  }
}

}  // namespace

void offer_other_values(DeviceMemory& memory, const std::string& array, ElementType type, std::size_t size,
                        const Offer& offer) {
  const simulator::TermRecorder* const terms = memory.terms_of_latest_launch(false);
  if (terms == nullptr || size == 0) return;
  require_no_whim(memory);
  if (!memory.can_launch_again()) return;
  const std::uint32_t number = terms->allocation_named(array);
  if (number == 0) return;
  std::vector<std::size_t> exceptions;
  for (const std::uint32_t word : terms->exceptions_in(number))
    if (const std::size_t at = (4 * std::size_t{word} - terms->passed_offset(number)) / type.bytes; at < size)
      exceptions.push_back(at);
  const bool is_float = type.is_float && type.bytes == 4;
  SolvedElements solved;
  if (!type.is_float) solved = solved_elements(*terms, number, type.bytes);
  std::vector<Bits> constants = terms->compared_with(number);
  if (!type.is_float) add_from_code(terms->launch(), constants);
  Values(type, size, std::move(constants), std::move(solved), std::move(exceptions),
         is_float ? rounded_otherwise(*terms, number, size) : std::vector<ElementPair>(), offer)
      .offer_all();
}

void launch_with(DeviceMemory& memory, const std::string& array, std::span<const std::byte> contents,
                 const std::string& what, const std::function<void()>& ask) {
  std::optional<CheckFailed> wrong;
  report::Proofs* const noted = note_proofs_in(nullptr);
  memory.launch_again(array, contents, [&](const simulator::LaunchReport& report) {
    try {
      if (!report.findings.empty())
        fail(print::headline(report.findings.front()),
             {.where = spelled(case_of(memory, {}, 0)), .findings = report.findings});
      ask();
    } catch (const CheckFailed& failed) {
      wrong = failed;
    }
  });
  note_proofs_in(noted);
  if (!wrong) return;
  Explanation explanation = wrong->explanation();
  explanation.names_writers = false;
  std::string with = what;
  if (array != "in")
    for (std::size_t at = 0; (at = with.find("in[", at)) != std::string::npos; at += array.size())
      with.replace(at, 2, array);
  fail("right for these values, but not for all: " + with + ": " + wrong->sentence(), std::move(explanation));
}

}  // namespace warpwise::harness::detail
