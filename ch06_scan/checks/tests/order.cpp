/// \file Which kernels of the course keep the order of the elements, found by following each value through
/// the kernel. A kernel works with an operator that does not commute only if it always combines neighbouring
/// pieces of the input: [0, 4) with [4, 8), and never [0, 1) with [16, 17).

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ch01_naive/kernels.hpp"
#include "ch02_divergence/kernels.hpp"
#include "ch03_bank_conflicts/kernels.hpp"
#include "ch04_warp_unroll/kernels.hpp"
#include "ch05_shuffle/kernels.hpp"
#include "ch06_scan/checks/launches.hpp"
#include "common/harness/device/device.hpp"
#include "common/harness/device/simulated_device.hpp"
#include "common/testing/catch.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch06;
using warpwise::simulator::Trace;
using warpwise::simulator::TraceRecorder;

namespace {

constexpr unsigned n = 128, block = 64;

/// The elements from `first` up to, but not including, `end`.
struct Stretch {
  unsigned first = 0, end = 0;
};

/// The element that a value's name means: "in[5]" is 5.
unsigned element_of(const std::string& name) {
  unsigned index = 0;
  const std::size_t open = name.find('[');
  REQUIRE(open != name.npos);
  std::from_chars(name.data() + open + 1, name.data() + name.size(), index);
  return index;
}

/// Both together, if one begins where the other ends.
std::optional<Stretch> joined(Stretch a, Stretch b) {
  if (a.first > b.first) std::swap(a, b);
  if (a.end != b.first) return std::nullopt;
  return Stretch{a.first, b.end};
}

/// Follows results back to the elements that they were made of.
class Origins {
 public:
  explicit Origins(const Trace& trace) : trace_(trace), stretches_(trace.values.size() + 1) {}

  /// Whether everything stored in global memory was made by combining neighbouring pieces. Unused results of
  /// lanes, like those of the upper lanes of a shuffle, do not count.
  bool join_neighbours() {
    for (const auto& step : trace_.steps)
      for (const auto& access : step.accesses) {
        if (trace_.arrays[access.array].is_shared || access.kind == "load") continue;
        for (const std::uint32_t node : access.nodes) {
          if (node == 0) continue;
          ++results_;
          if (!stretch_of(node)) return false;
        }
      }
    return true;
  }
  unsigned results() const { return results_; }

 private:
  std::optional<Stretch> stretch_of(std::uint32_t node) {
    std::optional<std::optional<Stretch>>& known = stretches_[node];
    if (known) return *known;
    const auto& value = trace_.values[node - 1];
    std::optional<Stretch> all;
    if (value.from.empty()) {
      const unsigned element = element_of(value.name);
      all = Stretch{element, element + 1};
    } else {
      all = stretch_of(value.from.front());
      for (std::size_t k = 1; k < value.from.size() && all; ++k) {
        const auto next = stretch_of(value.from[k]);
        all = next ? joined(*all, *next) : std::nullopt;
      }
    }
    known = all;
    return all;
  }

  const Trace& trace_;
  std::vector<std::optional<std::optional<Stretch>>>
      stretches_;  ///< empty: not followed yet; empty in it: none
  unsigned results_ = 0;
};

/// Whether the kernel of the chapter's solution that `launch(device)` launches keeps the order.
template <class LaunchKernel>
bool keeps_order(const std::string& chapter, LaunchKernel launch) {
  SimulatedDevice device(std::string(WARPWISE_BINARY_DIR) + "/../" + chapter + "/solution.ptx");
  TraceRecorder recorder;
  device.options().recorder = &recorder;
  launch(device);
  device.options().recorder = nullptr;
  REQUIRE(recorder.launches().size() == 1);
  const Trace& trace = recorder.launches().front().trace;
  REQUIRE(trace.has_all_values);
  Origins origins(trace);
  const bool keeps = origins.join_neighbours();
  CHECK(origins.results() > 0);
  return keeps;
}

/// A reduction of floats: kernel(in, out, n), `grid` blocks of `threads`.
bool keeps_order(const std::string& chapter, const InOutKernel<float>& kernel, unsigned grid = n / block,
                 unsigned threads = block) {
  return keeps_order(chapter, [&](Device& device) {
    run_in_out(device, kernel, with_shared_floats({.grid = grid, .block = threads}), random_integers(n, 1),
               n);
  });
}
bool keeps_order_in_place(const std::string& chapter, const Kernel<void(float*)>& kernel) {
  return keeps_order(chapter, [&](Device& device) {
    device.launch(kernel, {.grid = 1, .block = n / 2}, device.upload("values", random_integers(n, 1)));
  });
}

}  // namespace

TEST_CASE("trees of adjacent pairs keep the order, whoever adds") {
  CHECK(keeps_order("ch01_naive", reduce_naive));
  CHECK(keeps_order_in_place("ch01_naive", sum_in_place));
  CHECK(keeps_order("ch02_divergence", reduce_contiguous));
}

TEST_CASE("falling strides, two elements per thread and the grid's stride do not") {
  CHECK_FALSE(keeps_order_in_place("ch02_divergence", sum_convergent));
  CHECK_FALSE(keeps_order_in_place("ch02_divergence", sum_convergent_mirrored));
  CHECK_FALSE(keeps_order("ch03_bank_conflicts", reduce_sequential));
  CHECK_FALSE(keeps_order("ch03_bank_conflicts", reduce_first_add, 1));
  CHECK_FALSE(keeps_order("ch03_bank_conflicts", reduce_grid_stride, 1));
}

TEST_CASE("nor do the trees of chapter 4, whose strides fall as well") {
  CHECK_FALSE(keeps_order("ch04_warp_unroll", warp_sum_step_condition, n / 32, 32));
  CHECK_FALSE(keeps_order("ch04_warp_unroll", warp_sum_one_condition, n / 32, 32));
  CHECK_FALSE(keeps_order("ch04_warp_unroll", reduce_unroll_last_warp, 1));
  CHECK_FALSE(keeps_order("ch04_warp_unroll", block_sum_by_warps, 1));
}

TEST_CASE("of chapter 5 the butterfly with rising distances does") {
  CHECK(keeps_order("ch05_shuffle", [](Device& device) {
    const auto in = device.upload("in", random_integers(n, 1));
    device.launch(butterfly_sum, {.grid = 1, .block = n}, in, device.poisoned<float>("out", n));
  }));
  CHECK_FALSE(keeps_order("ch05_shuffle", warp_reduce_sum));
  CHECK_FALSE(keeps_order("ch05_shuffle", reduce_shuffle, 1));
}

TEST_CASE("every scan does") {
  const auto in = whole_numbers<int>(n, n);
  for (const WarpScan& scan : {conditional, padded, by_predicate, by_lane_test}) {
    INFO(scan.kernel.name);
    CHECK(keeps_order("ch06_scan",
                      [&](Device& device) { scan_warps(device, scan, in, scan.shape(n, block)); }));
  }
  CHECK(keeps_order("ch06_scan", [&](Device& device) {
    scan_blocks(device, inclusive_int, in, thread_for_each(n, block));
  }));
}
