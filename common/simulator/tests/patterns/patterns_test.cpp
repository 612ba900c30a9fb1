/// \file The counting rules against access patterns that were measured after the rules were written:
/// fresh_patterns.csv, made by measure.sh.

#include "../../observe/tests/memory_patterns.hpp"
#include "../../observer.hpp"
#include "common/testing/catch.hpp"

using namespace warpwise::simulator;

namespace {

/// Whether the rules say of `pattern` what the hardware said.
bool agrees(const testing::MemoryPattern& pattern) {
  if (pattern.is_shared()) {
    const SharedCost measured{pattern.first, pattern.second};
    return shared_cost(pattern.kind(), pattern.bytes, pattern.lanes, pattern.address.data()) == measured;
  }
  return pattern.second == 1 && global_sectors(pattern.kind(), pattern.bytes, pattern.lanes,
                                               pattern.address.data()) == pattern.first;
}

}  // namespace

TEST_CASE("fresh patterns: at least 99 of 100 are counted as the hardware counted them") {
  const auto patterns = testing::read_memory_patterns(WARPWISE_SOURCE_DIR "/patterns/fresh_patterns.csv");
  REQUIRE(patterns.size() >= 200);
  std::size_t differing = 0;
  for (const testing::MemoryPattern& pattern : patterns) {
    if (agrees(pattern)) continue;
    ++differing;
    WARN(pattern.instruction << ", " << pattern.bytes << " bytes, " << pattern.title << ", lanes " << std::hex
                             << pattern.lanes << std::dec << ": measured " << pattern.first << " and "
                             << pattern.second);
  }
  CHECK(differing * 100 <= patterns.size());
}
