#pragma once
/// \file Inputs of checks: position dependent, random but the same on every machine, never all equal.

#include <cstdint>
#include <vector>

namespace warpwise::harness {

/// Makes every random input of this process another one, and adds sizes to those that are tried, so that no
/// kernel can know them. 0, the default: the usual ones. Called once, before anything is checked.
void set_run_seed(std::uint64_t seed);
std::uint64_t run_seed();

/// A seed that depends on all of its arguments.
std::uint64_t seed_of(std::uint64_t a, std::uint64_t b = 0, std::uint64_t c = 0);

/// Sizes below `most` that the run_seed() draws, three of them; none without one.
std::vector<unsigned> drawn_sizes(std::uint64_t most);

/// Numbers of elements at which kernels break whose blocks take `stretch` of them: 1, 31, 32, 33, 1023, 1024,
/// 1025, one less, equal and one more than 1, 2 and 3 stretches, 2 1/2 stretches, and 5 1/2 stretches + 3,
/// ascending; with a run_seed() three more, drawn_sizes() of up to six stretches. Then 0: what fails for one
/// element too is easier to picture there.
std::vector<unsigned> awkward(unsigned stretch);

/// n whole numbers from `low` to `high`, stored as float. With the defaults no element is 0, so none can be
/// lost unseen, and every sum of up to 2^20 of them is exact in float (15 * 2^20 < 2^24), in any order.
std::vector<float> random_integers(unsigned n, std::uint64_t seed, int low = 1, int high = 15);

/// n denormal numbers, 2^-149 to 15 * 2^-149: their sums are as exact as those of random_integers.
std::vector<float> random_denormals(unsigned n, std::uint64_t seed);

/// Two numbers of which the second is more than half a unit in the last place of the first: their sum is no
/// float, and who rounds it to another than the nearest is off by more than one rounding.
std::vector<float> one_rounding();
/// n floats, uniform in [-1, 1), with full mantissas: additions round, see sum_error_bound.
std::vector<float> random_floats(unsigned n, std::uint64_t seed);

/// n 32-bit words.
std::vector<std::uint32_t> random_words(unsigned n, std::uint64_t seed);

}  // namespace warpwise::harness
