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

void fail_at(const Mismatch& mismatch, const Case& where) {
  std::string text = mismatch.array + "[" + std::to_string(mismatch.index) + "]";
  text += mismatch.actual ? " is " + *mismatch.actual : " was never written";
  text += ", expected " + mismatch.expected;
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
  fail(text, {.where = spelled(where),
              .names_writers = true,
              .element = mismatch.array + "[" + std::to_string(mismatch.index) + "]",
              .found = mismatch.actual.value_or(""),
              .expected = mismatch.expected});
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
