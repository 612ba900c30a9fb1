#include "matchers.hpp"

#include <stdexcept>

namespace warpwise::harness {

Case case_of(const DeviceMemory& memory, std::optional<std::size_t> n, std::size_t stretch) {
  const LaunchShape* const shape = memory.latest_shape();
  if (shape == nullptr) return {};
  Case where{.n = shape->n, .block = shape->block.x};
  if (n && !where.n) where.n = static_cast<unsigned>(*n);
  const bool is_needed = where.n && stretch != 0 &&
                         std::max<std::size_t>(1, (*where.n + stretch - 1) / stretch) == shape->grid.x;
  if (!is_needed) where.grid = shape->grid.x;
  return where;
}

namespace detail {

std::string spelled(const Mismatch& mismatch) {
  std::string text = mismatch.array + "[" + std::to_string(mismatch.index) + "]";
  text += mismatch.actual ? " is " + *mismatch.actual : " was never written";
  text += ", expected " + mismatch.expected;
  if (!mismatch.start.empty()) text += ": it started at " + mismatch.start;
  if (mismatch.size > 1) {
    // Where all of them are unwritten, the first says so.
    const std::string unwritten = mismatch.unwritten == 0 || mismatch.unwritten == mismatch.count
                                      ? ""
                                      : ", " + std::to_string(mismatch.unwritten) + " never written";
    text += mismatch.count == 1 ? " (the only one of " + std::to_string(mismatch.size) + " that is wrong)"
                                : " (" + std::to_string(mismatch.count) + " of " +
                                      std::to_string(mismatch.size) + " are wrong" + unwritten + ")";
  }
  if (!mismatch.place.empty()) text += ", " + mismatch.place;
  return text;
}

Explanation explained(const Mismatch& mismatch, const Case& where) {
  Explanation explanation{.where = harness::spelled(where)};
  if (mismatch.count == 0) return explanation;
  explanation.element = mismatch.array + "[" + std::to_string(mismatch.index) + "]";
  explanation.found = mismatch.actual.value_or("");
  explanation.expected = mismatch.expected;
  return explanation;
}

void conclude(DeviceMemory& memory, const std::string& array, std::optional<std::size_t> wrong,
              const std::string& sentence, Explanation explanation, const JoinContract& contract,
              const JoinedResults& results) {
  const bool is_unwritten = wrong && explanation.found.empty();  // its term would be what lay there before
  const Judgement judgement = is_unwritten ? Judgement{} : judge(memory, array, contract, results, wrong);
  const bool is_refuted = judgement.kind == Judgement::Kind::refuted;
  if (!wrong && !is_refuted) {
    require_no_whim(memory);
    return note_right(explanation.where, judgement);
  }
  std::string text = wrong ? sentence : "right for these values, but not for all";
  if (is_refuted) text += ": " + judgement.sentence;
  explanation.lines = judgement.lines;
  explanation.names_writers = judgement.lines.empty();
  fail(text, std::move(explanation));
}

void fail_unwritten(const std::string& array, std::size_t index, const std::string& place,
                    const Case& where) {
  fail(array + "[" + std::to_string(index) + "] was never written" + (place.empty() ? "" : ", " + place),
       {.where = spelled(where)});
}

void fail_sizes(const std::string& array, std::size_t size, std::size_t expected) {
  // The check is wrong, not the kernel: must not count as a rejection.
  throw std::logic_error("the check expects " + std::to_string(expected) + " elements of `" + array +
                         "`, which has " + std::to_string(size));
}

}  // namespace detail

}  // namespace warpwise::harness
