#pragma once
/// \file What a chapter's test cases begin with: the devices that they launch on, and the sizes that they
/// try.
///
///     TEST_CASE("reduce_naive: each block's sum", "[reduce_naive][result]") {
///       Device& device = GENERATE(devices());
///       const unsigned block = GENERATE(block_sizes());
///       const unsigned n = GENERATE_COPY(awkward_sizes(block));
///
/// The tags name a kernel of the chapter and one of its aspects: result (also where none is named), technique
/// or safety. After a case's first failure the next device that it asks for ends it: a deadlock need not be
/// met at every size.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "../../report/report.hpp"
#include "../../testing/catch.hpp"
#include "../device/simulated_device.hpp"
#include "inputs.hpp"

namespace warpwise::harness {

template <class T>
using Generator = Catch::Generators::GeneratorWrapper<T>;

/// Where results are checked: the simulated GPU; the real one where there is one; and then the simulated one
/// again in every other order that the lanes of a warp may take. In these orders the sizes below are few, and
/// the case goes on to the next order at the first array or launch that is large, and after six launches, or
/// two where it is not the first of its kernel's result: what each case launches first is tried in all.
Generator<std::reference_wrapper<Device>> devices();
/// Where technique and safety are checked.
SimulatedDevice& simulated();
/// The same, for arrays far larger than this machine's memory (any_size.hpp). Where it has no addresses for
/// them, or keeps memory for every address, the case ends here and says nothing.
SimulatedDevice& simulated_at_any_size();
/// The simulated GPU in the order that most code meets (the schedule `converged`), in the one that lanes in
/// step had, and in `seeds` of the others that CUDA allows. A right kernel is right in all of them. Only
/// there do lanes part that no rule keeps together: a mask that asks who is here (__activemask()) is right
/// under `converged`. A failure tells which.
Generator<std::reference_wrapper<SimulatedDevice>> every_order(unsigned seeds = 8);
/// While it lives, launches of `blocks` blocks run them one after the other: the first one first, or the
/// last. CUDA promises neither.
OtherOptions one_after_the_other(SimulatedDevice& device, std::uint64_t blocks, bool is_last_first);
/// Whether devices() has given the simulated GPU in another order than the usual one. A case whose inputs
/// take long to make returns then.
bool is_in_another_order();

/// Threads a block: 32, 64, 128, 256, 512 and 1024; in another order 32 and 256.
Generator<unsigned> block_sizes();
/// Numbers of elements, for blocks that take `stretch` of them: awkward() (inputs.hpp), and those that the
/// kernel's code knows, up to 8192; in another order 3 stretches - 5 and half of one + 3.
Generator<unsigned> awkward_sizes(unsigned stretch);
/// `count` of them, drawn by the run_seed(): where counting at each of them would take long. Who does not
/// know the seed does not know where a kernel is counted. And those that the kernel's code knows.
Generator<unsigned> some_awkward_sizes(unsigned stretch, unsigned count = 2);

/// With a last stretch, or an only one, of few elements, for what is counted: three of eight, and up to 33 as
/// many as the kernel's code knows.
Generator<unsigned> sizes_with_short_rest(unsigned stretch);

/// Launches of blocks that divide n elements among them, at least 64 for each thread. Shares of whole 32s
/// leave many of them for the last block; those of whole rounds of 64 a thread, nearly half of n, or nothing.
Generator<LaunchShape> uneven_shares();

/// SimulatedDevice::numbers_in_code() of the kernel of the test case that runs; none where none does.
const std::vector<unsigned>& numbers_in_code();
/// `usual`, and behind them what the kernel's code compares with, and one more, as far as it may be.
Generator<unsigned> also_from_code(std::vector<unsigned> usual, const std::function<bool(unsigned)>& may_be);
/// The same, of numbers of threads: multiples of 32 up to 1024; or the powers of two alone.
Generator<unsigned> blocks_also_from_code(std::vector<unsigned> usual, bool are_powers_of_two = true);
/// The same, of numbers of elements for any_size.hpp, from 8192 on.
Generator<unsigned> large_sizes(std::vector<unsigned> usual);

/// A test case of this executable.
struct TestCase {
  std::string name;
  std::string kernel;  ///< or the one that its family is judged as
  report::Aspect aspect;
  bool is_first = false;  ///< of the result of the kernel (of each of its family) that the tag names
  /// "floats that round", of "reduce_naive: floats that round".
  std::string name_in_kernel() const;
};
/// All of them, as they are declared. Throws std::logic_error for one whose tags name no kernel of the
/// chapter.
const std::vector<TestCase>& test_cases();

}  // namespace warpwise::harness
