#pragma once
/// \file Who reads which element: whether the work is shared out, or one warp or one block does it all.

#include <set>
#include <string>
#include <vector>

#include "device.hpp"
#include "expectations.hpp"

namespace warpwise::harness {

/// A warp of a launch.
struct Reader {
  std::uint64_t block = 0;
  std::uint32_t warp = 0;  ///< in the block
  auto operator<=>(const Reader&) const = default;
};

/// The warps that read elements 0, step, 2 * step ... of `values`. Counters do not tell warps apart, findings
/// do: each of these elements is left unwritten in a launch of its own, and the finding names its reader.
/// `run(in)` launches, on the simulated GPU.
template <class T, class Run>
std::set<Reader> readers_of(const std::vector<T>& values, unsigned step, Run run) {
  std::set<Reader> readers;
  for (std::size_t hole = 0; hole < values.size(); hole += step) {
    const auto in = simulated_device().poisoned<T>("in", values.size());
    const std::size_t behind = hole + 1;
    in.memory().write(in.address(), values.data(), hole * sizeof(T));
    in.memory().write(in.from(behind).address(), values.data() + behind,
                      (values.size() - behind) * sizeof(T));
    const Launch launch = run(in);
    for (const simulator::Finding& finding : launch.findings())
      if (finding.kind == simulator::FindingKind::uninitialised)
        readers.insert({finding.block, finding.threads.front() / 32});
  }
  return readers;
}

/// Every warp of a launch of this shape reads some of these elements.
template <class T, class Run>
void expect_every_warp_reads(const LaunchShape& shape, const std::vector<T>& values, unsigned step, Run run) {
  const std::set<Reader> readers = readers_of(values, step, run);
  for (unsigned block = 0; block < shape.grid.x; ++block)
    for (unsigned warp = 0; warp < shape.block.x / 32; ++warp)
      expect_that(readers.contains({block, warp}),
                  spelled(case_of(static_cast<unsigned>(values.size()), shape)) + ": warp " +
                      std::to_string(warp) + " of block " + std::to_string(block) +
                      " reads no element, though there are enough for all: share the work out");
}

}  // namespace warpwise::harness
