#pragma once
/// \file What checks ask of a launch and of who did what in it, as matchers; of the code, and of what no
/// counter has.

#include <bit>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "../../simulator/program.hpp"
#include "requirement.hpp"
#include "work.hpp"

namespace warpwise::harness {

/// No finding of any kind; else the first one's headline, "exercise.cu:14: race: ...".
Requirement<Launch> HasNoFindings();
/// A finding of this kind: for what a caller can do wrong.
Requirement<Launch> HasFinding(simulator::FindingKind kind);

/// Levels of a tree of pairs over `values` values, a power of two: each level halves them.
constexpr unsigned tree_levels(unsigned values) { return static_cast<unsigned>(std::countr_zero(values)); }

/// What no counter has: `amount` of a launch, for each of its blocks.
Measured per_block(const Launch& launch, std::uint64_t amount);

/// Divergent branches that guards such as `i < n` may add, in all blocks together, where not every thread has
/// equally many elements: a kernel may test more than once where the elements end.
inline constexpr unsigned branches_of_guards = 8;

/// What is read from the buffer `in`, and nothing else is from global memory. 32 neighbouring 4-byte elements
/// fill 4 sectors of 32 bytes, and a warp asks for them at once: n / 32 requests and n / 8 sectors, rounded
/// up, or fewer. Of the n elements, each by one lane; behind wider loads the last `by_themselves` may be
/// asked for by themselves.
Requirement<LaunchAndWork> ReadsEachElementOnce(unsigned n, unsigned by_themselves = 0,
                                                const std::string& why_sectors = "each element is read once");
/// No more is loaded from the buffer than n words, by all lanes together; or stored to it.
Requirement<LaunchAndWork> LoadsEachElementOnce(unsigned n, const std::string& array = "in");
Requirement<LaunchAndWork> StoresEachElementOnce(unsigned n, const std::string& array = "out");
/// The same of all that the launch reads from global memory.
Requirement<Launch> ReadsNothingTwice(unsigned n, const std::string& why_sectors);
Requirement<Launch> HasNoAtomics(
    const std::string& why = "atomics on one word add one value after another: that is no tree");
Requirement<Launch> HasNoShuffles(const std::string& why =
                                      "shuffles come in chapter 5: here the values meet in memory, with a "
                                      "barrier between write and read");
Requirement<Launch> UsesNoSharedMemory(const std::string& why);

/// No thread makes more joins than `limit` (joins.hpp). Where the launch cannot be followed, not much more
/// words than that many joins take may reach a thread.
Requirement<LaunchAndWork> JoinsFewValues(unsigned limit, const std::string& why);

/// A tree over `values` values of a block, and not one thread, or one warp, that joins what is the work of
/// others: no thread makes more joins than twice a level, beside those of its `own` elements. (A tree of
/// pairs joins once a level; one of four at a time, which is a tree as well, three times in two.) Nor is the
/// way from an element to the result any longer, which small launches show; and it
/// DoesTheSameForAllElements().
Requirement<LaunchAndWork> IsTreeOver(unsigned values, unsigned own = 1);
/// The same where the contract asks for pairs: from an element to the result there are at most three joins
/// for two levels, as many as a tree of fours has. `values` are those of trees one after another.
Requirement<LaunchAndWork> IsTreeOfPairs(std::vector<unsigned> values, unsigned own);

/// What the threads read, join and wait for is the same whatever the elements are, as small launches show: no
/// branch, address or exchange depends on one.
Requirement<LaunchAndWork> DoesTheSameForAllElements();

/// What threads hand to each other lies in shared memory: none joins what another has left in global memory.
Requirement<LaunchAndWork> ExchangesInSharedMemory();

/// Block b writes to no element of the buffer `out` but its own, from element b * `each` on.
Requirement<LaunchAndWork> WritesOwnResults(unsigned each = 1);

/// In every block, thread `thread` and no other writes to the buffer `out`. (A variant of chapter 1 asks for
/// it.)
Requirement<LaunchAndWork> IsWrittenBy(unsigned thread, const std::string& why);

/// The lanes of a warp that load together, to add, are neighbours.
Requirement<LaunchAndWork> NeighboursAdd();

/// Warps whose lanes have nothing to join rest. Level by level half as many threads join values; where they
/// are neighbours they fill block / 64, block / 128 ... 1 warps, and then five times one: together block / 32
/// + 4. Asks for twice that at most, beside the joins of a thread's `own` elements, and `more` by every warp.
/// A select in place of the branch keeps every warp at work.
Requirement<LaunchAndWork> RestsIdleWarps(unsigned own = 1, unsigned more = 0);

// Whether the work is shared out, or one warp, one block or one lane does it all.

/// Every warp of every block loads a share: at least a quarter of an even one, and at most twice as much.
/// `bytes` is what all of them together must load: an even share of it counts, so that what is loaded twice
/// does not make the others' look small. Nothing is asked of what it loads or when.
Requirement<Work> IsSharedOut(double bytes);
/// The same of whole blocks, for kernels in which not each warp of a block has to load.
Requirement<Work> IsSharedOutToBlocks(double bytes);

/// A load of a warp gets 32 neighbours, of 16 bytes at most; but for a warp of a block whose lanes make more
/// or fewer rounds, which the compiler may unroll. Asks blocks of several warps.
Requirement<Work> LoadsNeighbours();

/// No warp leaves more than `limit` instructions to one of its lanes, while the others wait.
Requirement<Work> LanesWorkTogether(std::uint64_t limit, const std::string& why);

/// A launch, who did what in it, and the array that it wrote.
template <class T>
struct Counted {
  LaunchAndWork run;
  Buffer<T> out;
};
/// What `run(device, arguments...)`, which gives a Written<T>, did.
template <class Run, class... Arguments>
auto counted(SimulatedDevice& device, Run run, const Arguments&... arguments) {
  std::optional<decltype(run(device, arguments...))> written;
  Work work = work_of(device, [&] { written.emplace(run(device, arguments...)); });
  return Counted<typename decltype(written->out)::Element>{{std::move(written->launch), std::move(work)},
                                                           std::move(written->out)};
}

// --- What the code says, without a launch -----------------------------------------------------------------

/// The .cu file that the module was compiled from, as its `.file` directives say; empty where they name none.
std::string source_of(const simulator::ptx::Module& module);

/// Whether `kernel` stores nothing at all, so that it has no result yet, skeleton or not.
bool writes_nothing(const simulator::Program& program, const std::string& kernel);

/// Bytes of the static shared variables that the code of `kernel` names. (The compiler places the arrays of
/// device functions outside of the kernels, so that the module alone does not tell whose they are.)
std::uint64_t shared_bytes_of(const simulator::Program& program, const std::string& kernel);

/// Branches of `kernel`, and of the functions that it calls, that lead to their own place or back: its loops,
/// as the compiler has left them.
unsigned backward_branches(const simulator::Program& program, const std::string& kernel);
/// Throws CheckFailed where there are any, and names their lines.
void require_no_backward_branches(const simulator::Program& program, const std::string& kernel,
                                  const std::string& why);

/// What `kernel`, or a function that it calls, has from where it should not come, as a sentence that names
/// the student's line: code of CUB or Thrust, which do what the exercise is about, or of a file solution.cu
/// that is not the module's own. Empty where nothing is borrowed. Cooperative groups count as CUDA's own.
std::string borrowed_by(const simulator::Program& program, const std::string& kernel);

enum class Exchanges : std::uint8_t { atomics, atomics_and_shuffles, matches, tries };  ///< to swap
/// The kernel's code has no such instructions, not even where the launches of the checks do not come.
Requirement<LaunchAndWork> HasNoExchangesInCode(Exchanges which = Exchanges::atomics_and_shuffles);

// --- What is no finding, and a contract may ask for all the same ------------------------------------------

// Masks of warp barriers that name who comes, and shared memory that is written before it is read, even where
// what is read is thrown away.

/// In the launches that `run()` makes on `device` every lane comes that the mask of a warp barrier names. One
/// that has left the kernel, or does so while the others wait, is not waited for; but whether it ends
/// before the others come, and not somewhere else in the kernel, the mask does not say. Sees masks that are
/// written as numbers, as all of __syncwarp() and __syncwarp(0xffff) are in PTX.
void require_masks_name_who_comes(SimulatedDevice& device, const std::function<void()>& run);

/// A slot of shared memory that is read though no thread of the block has written it.
struct UnwrittenSlot {
  unsigned line = 0;         ///< of the read; 0: unknown
  std::uint64_t block = 0;   ///< linear
  std::uint32_t thread = 0;  ///< in the block
  std::uint32_t word = 0;    ///< of the block's shared memory, 4 bytes each
};
/// In the launch that `run()` makes on `device`: the first that is found in the first block that has one.
std::optional<UnwrittenSlot> unwritten_slot(SimulatedDevice& device, const std::function<void()>& run);
/// Of such a slot: there is none; `why` the slots must be written: zeros that stand after the values, a gap
/// that is filled.
Requirement<std::optional<UnwrittenSlot>> IsNowhere(const std::string& why);

}  // namespace warpwise::harness
