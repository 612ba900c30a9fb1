#include "technique.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <string>

#include "../../print/terminal.hpp"

namespace warpwise::harness {

namespace {
std::string per_block_text(const Launch& launch) {
  return " per block of " + std::to_string(launch.shape().block.x);
}
std::string of_block(const Launch& launch) { return " a block of " + std::to_string(launch.shape().block.x); }
std::string of_blocks(const Launch& launch) {
  return " of " + std::to_string(launch.shape().grid.volume()) + " blocks of " +
         std::to_string(launch.shape().block.x);
}

std::string sentence_of(const std::vector<simulator::Finding>& findings) {
  const std::string first = print::headline(findings.front());
  return findings.size() == 1 ? first : first + " (and " + std::to_string(findings.size() - 1) + " more)";
}

/// 32 neighbouring 4-byte elements are one request and 4 sectors.
void require_read_once(const Count& requests, const Count& sectors, unsigned n,
                       const std::string& why_sectors) {
  require(requests,
          AtMost(ceil_div(n, 32), "global load requests",
                 "each warp reads 32 neighbouring elements at once, and each element is read once"));
  require(sectors, AtMost(ceil_div(n, 8), "global load sectors", why_sectors));
}

// An instruction may add and join nothing, such as one that corrects a rounding, or join and be no addition
// of floats. So what is joined decides where too many or too few are counted.

bool joins_at_most(const LaunchAndWork& run, std::uint64_t Joins::*who, double limit) {
  const std::optional<Joins> joins = run.work.joins();
  return joins && static_cast<double>((*joins).*who) <= limit;
}

/// At least `least` values are joined, and no thread makes more joins than its own elements and a tree take.
bool joins_all(const LaunchAndWork& run, std::uint64_t values, std::uint64_t least) {
  const std::optional<Joins> joins = run.work.joins();
  const std::uint64_t block = run.launch.shape().block.volume();
  const std::uint64_t threads = run.launch.shape().grid.volume() * block;
  return joins && joins->by_all_threads >= least &&
         joins->by_busiest <= (values + threads - 1) / threads + 2 * std::bit_width(block);
}

/// What is read from the buffer `in`.
Work::Reads reads_of_in(const LaunchAndWork& run) {
  const auto found = run.work.reads.find("in");
  return found == run.work.reads.end() ? Work::Reads{} : found->second;
}

}  // namespace

Measured per_block(const Launch& launch, std::uint64_t amount) {
  return Measured(static_cast<double>(amount) / static_cast<double>(launch.shape().grid.volume()));
}

Requirement<Launch> HasNoFindings() {
  return {"has no findings", [](const Launch& launch) {
            const auto& findings = launch.findings();
            if (!findings.empty()) fail(sentence_of(findings), {.findings = findings});
          }};
}
Requirement<Launch> HasFinding(simulator::FindingKind kind) {
  return {"has the finding " + std::string(simulator::name_of(kind)), [=](const Launch& launch) {
            const auto& findings = launch.findings();
            if (std::ranges::any_of(findings, [&](const auto& one) { return one.kind == kind; })) return;
            fail("expected the finding " + std::string(simulator::name_of(kind)) + ", but there " +
                     (findings.empty() ? "is none" : "is only " + print::headline(findings.front())),
                 {.findings = findings});
          }};
}

Requirement<LaunchAndWork> ReadsEachElementOnce(unsigned n, const std::string& why_sectors) {
  return {"reads each element once", [=](const LaunchAndWork& run) {
            const auto [requests, sectors] = reads_of_in(run);
            require_read_once(run.launch.count(&Counters::global_load_requests).only(requests),
                              run.launch.count(&Counters::global_load_sectors).only(sectors), n, why_sectors);
          }};
}
Requirement<Launch> ReadsNothingTwice(unsigned n, const std::string& why_sectors) {
  return {"reads nothing twice", [=](const Launch& launch) {
            require_read_once(launch.count(&Counters::global_load_requests),
                              launch.count(&Counters::global_load_sectors), n, why_sectors);
          }};
}

Requirement<Launch> HasNoAtomics(const std::string& why) {
  return {"has no atomics", [=](const Launch& launch) {
            require(launch.count(atomic_requests), AtMost(0, "atomic requests", why));
          }};
}
Requirement<Launch> HasNoShuffles(const std::string& why) {
  return {"has no shuffles", [=](const Launch& launch) {
            require(launch.count(&Counters::shuffles), AtMost(0, "shuffles", why));
          }};
}
Requirement<Launch> UsesNoSharedMemory(const std::string& why) {
  return {"uses no shared memory", [=](const Launch& launch) {
            require(launch.count(shared_requests), AtMost(0, "shared memory requests", why));
          }};
}

Requirement<LaunchAndWork> IsTreeOver(unsigned values, unsigned own) {
  return {"is a tree", [=](const LaunchAndWork& run) {
            const std::string levels = "a tree over " + std::to_string(values) + " values has " +
                                       std::to_string(tree_levels(values)) + " levels, and a thread ";
            const std::string others = " in each: does this thread do other threads' work?";
            const auto by = [&](const Work::Thread& thread) {
              return " by thread " + std::to_string(thread.number) + " of block " +
                     std::to_string(thread.block) + " in" + of_block(run.launch);
            };
            const unsigned limit = own + 2 * tree_levels(values);
            if (run.work.busiest.count > limit && !joins_at_most(run, &Joins::by_busiest, limit))
              require(Measured(run.work.busiest.count), AtMost(limit, "additions" + by(run.work.busiest),
                                                               levels + "adds once or twice" + others));
            // Two values for each addition that it may make, its own elements, and a few more.
            require(Measured(run.work.busiest_reader.count),
                    AtMost(own + 4 * tree_levels(values) + 4,
                           "words of memory read" + by(run.work.busiest_reader),
                           levels + "reads a few words" + others));
            require(run, HasNoCollectives("votes and sums over a warp" + per_block_text(run.launch),
                                          "they add up one bit of 32 values at once, and so can add whole "
                                          "numbers bit by bit: in a tree, each addition makes one value out "
                                          "of two"));
          }};
}

Requirement<LaunchAndWork> HasNoCollectives(const std::string& what, const std::string& why) {
  return {"has no votes", [=](const LaunchAndWork& run) {
            constexpr Counter collectives{&Counters::votes, &Counters::matches, &Counters::warp_reductions};
            require(run.launch.count(collectives).only(run.work.collective), AtMost(0, what, why));
          }};
}

Requirement<LaunchAndWork> AddsAll(std::uint64_t values, std::uint64_t sums) {
  return {"adds all values", [=](const LaunchAndWork& run) {
            const std::uint64_t least = values - std::min(values, sums);
            if (run.work.by_all_threads < least && joins_all(run, values, least)) return;
            require(Measured(run.work.by_all_threads),
                    AtLeast(least, "additions by all threads" + of_blocks(run.launch),
                            "in a tree, each addition makes one value out of two: some are combined in "
                            "another way, or not at all"));
          }};
}

Requirement<LaunchAndWork> ExchangesInSharedMemory() {
  return {"exchanges values in shared memory", [](const LaunchAndWork& run) {
            require(run.launch.count(&Counters::global_load_requests),
                    AtMost(reads_of_in(run).requests, "global load requests other than those for in",
                           "threads exchange values through shared memory"));
          }};
}

Requirement<LaunchAndWork> IsWrittenBy(unsigned thread, const std::string& why) {
  return {"is written by one thread", [=](const LaunchAndWork& run) {
            const auto found = run.work.writers.find("out");
            if (found == run.work.writers.end()) return;  // the check of the result says so
            for (const std::uint32_t writer : {found->second.lowest, found->second.highest})
              require(Measured(writer),
                      Exactly(thread, "thread that writes to out in" + of_block(run.launch), why));
          }};
}

Requirement<LaunchAndWork> RestsIdleWarps(unsigned own) {
  return {"lets idle warps rest", [=](const LaunchAndWork& run) {
            const double warps = static_cast<double>(warps_of(run.launch.shape())) /
                                 static_cast<double>(run.launch.shape().grid.volume());
            const double limit = own * warps + 2 * (warps + 4);
            const Measured additions = per_block(run.launch, run.work.total(&WarpWork::additions));
            const double blocks = static_cast<double>(run.launch.shape().grid.volume());
            if (additions.value > limit && joins_at_most(run, &Joins::by_all_warps, limit * blocks)) return;
            require(additions,
                    AtMost(limit, "additions by the warps of" + of_block(run.launch),
                           "each level has half as many threads that add; if these are neighbours, whole "
                           "warps have nothing to add and can rest"));
          }};
}

namespace {
/// `share` of block or warp `who`, held against an even one.
void require_fair(const std::string& who, double share, double even) {
  if (share * 4 >= even && share <= 2 * even) return;
  const auto bytes = [](double count) { return text_of(std::round(count)); };
  fail(who + " loads " + bytes(share) + " bytes, where an even share is " + bytes(even) +
       ": share the work out");
}
}  // namespace

Requirement<Work> IsSharedOut(double bytes) {
  return {"is shared out to the warps", [=](const Work& work) {
            const double even = bytes / static_cast<double>(work.warps.size());
            for (const WarpWork& warp : work.warps)
              require_fair("warp " + std::to_string(warp.warp) + " of block " + std::to_string(warp.block),
                           static_cast<double>(warp.loaded_bytes), even);
          }};
}
Requirement<Work> IsSharedOutToBlocks(double bytes) {
  return {"is shared out to the blocks", [=](const Work& work) {
            std::map<std::uint64_t, double> by_block;
            for (const WarpWork& warp : work.warps)
              by_block[warp.block] += static_cast<double>(warp.loaded_bytes);
            for (const auto& [block, loaded] : by_block)
              require_fair("block " + std::to_string(block), loaded,
                           bytes / static_cast<double>(by_block.size()));
          }};
}

Requirement<Work> LanesWorkTogether(std::uint64_t limit, const std::string& why) {
  return {"has lanes that work together", [=](const Work& work) {
            require(Measured(work.most(&WarpWork::single_lane_instructions)),
                    AtMost(limit, "instructions that a warp leaves to one of its lanes", why));
          }};
}

}  // namespace warpwise::harness
