#pragma once
/// \file Kernels by which one block of n / 2 threads sums n values in place: those of chapters 1 and 2 (PMPP
/// 4th ed., figures 10.6 and 10.9).

#include <functional>
#include <span>

#include "../device/device.hpp"
#include "additions.hpp"
#include "references.hpp"

namespace warpwise::harness {

using SumInPlace = Kernel<void(float*)>;

/// Every n that such a kernel can be launched with.
inline constexpr unsigned every_in_place_size[] = {2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048};
/// The smallest of them that is n or more; for any n.
unsigned in_place_size_for(unsigned n);

enum class SumIsIn { first_element, last_element };
/// What such a kernel makes of its values: their sum, or a variant's other result of them.
using InPlaceResult = double (*)(std::span<const float> values);

struct InPlaceSum {
  SumInPlace kernel;
  SumIsIn side = SumIsIn::first_element;
  InPlaceResult result = sum;
};

/// On whole numbers, and the sum is right; on a real GPU, where the launch is repeated and timed, without a
/// look at it.
Launch run_in_place(Device& device, const InPlaceSum& sums, unsigned n);
/// What an exhibit runs.
template <const InPlaceSum& sums>
Launch exhibit_in_place(Device& device, unsigned n) {
  return run_in_place(device, sums, in_place_size_for(n));
}

/// The right sum for every size on all devices: exact for whole numbers, as near as a tree for floats.
void check_sum_in_place(const InPlaceSum& sums);
/// The right sum of what a cheap mistake would lose: zeros, both signs, large numbers, infinities, NaN.
void check_sum_in_place_of_any_values(const InPlaceSum& sums);
/// One block barrier a level, no atomics, nothing but global memory, and a tree, in every launch of
/// check_sum_in_place; `more` says what else. The sums are right, too.
void check_tree_in_place(const InPlaceSum& sums,
                         const std::function<void(const CountedLaunch& run, unsigned n)>& more = {});
/// No finding for any size, and the right sum.
void check_in_place_is_safe(const InPlaceSum& sums);

}  // namespace warpwise::harness
