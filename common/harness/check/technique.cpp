#include "technique.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <string>

#include "../../print/terminal.hpp"
#include "../../simulator/program.hpp"

namespace warpwise::harness {

namespace {
std::string of_block(const Launch& launch) { return " a block of " + std::to_string(launch.shape().block.x); }

std::string case_of(const Launch& launch) {
  const LaunchShape& shape = launch.shape();
  return spelled(Case{.n = shape.n, .block = shape.block.x, .grid = shape.grid.x});
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

/// Of small launches even those are followed in which no thread does much: by few values each, a chain of
/// threads may hand on one sum.
constexpr std::uint64_t most_threads_followed = 256;

bool is_followed(const Launch& launch) {
  return launch.shape().grid.volume() * launch.shape().block.volume() <= most_threads_followed;
}

Work::Reads reads_of(const std::string& array, const LaunchAndWork& run) {
  const auto found = run.work.reads.find(array);
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

Requirement<LaunchAndWork> ReadsEachElementOnce(unsigned n, unsigned by_themselves,
                                                const std::string& why_sectors) {
  return {"reads each element once", [=](const LaunchAndWork& run) {
            const Work::Reads reads = reads_of("in", run);
            require_read_once(run.launch.count(&Counters::global_load_requests).only(reads.requests),
                              run.launch.count(&Counters::global_load_sectors).only(reads.sectors),
                              n + by_themselves, why_sectors);
            require(run, LoadsEachElementOnce(n));
            for (const auto& [name, others] : run.work.reads)
              require(run.launch.count(&Counters::global_load_requests)
                          .only(static_cast<double>(name == "in" ? 0 : others.requests)),
                      AtMost(0, "global load requests for " + name,
                             "a block reads its elements from global memory, and nothing else"));
          }};
}
Requirement<LaunchAndWork> LoadsEachElementOnce(unsigned n, const std::string& array) {
  return {"loads each element once", [=](const LaunchAndWork& run) {
            const std::uint64_t loaded = reads_of(array, run).bytes / sizeof(float);
            if (loaded <= n) return;
            fail("the lanes of all blocks together load " + text_of(loaded) + " elements, of " + text_of(n) +
                     " (each is read once, by one lane; a lane that has none reads none)",
                 {.where = case_of(run.launch)});
          }};
}
Requirement<LaunchAndWork> StoresEachElementOnce(unsigned n, const std::string& array) {
  return {"stores each element once", [=](const LaunchAndWork& run) {
            const auto found = run.work.writers.find(array);
            if (found == run.work.writers.end() || found->second.bytes <= sizeof(float) * n) return;
            fail("all lanes together store " + text_of(found->second.bytes / sizeof(float)) +
                     " elements to " + array + ", which has " + text_of(n) + " (each is written once)",
                 {.where = case_of(run.launch)});
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

Requirement<LaunchAndWork> JoinsFewValues(unsigned limit, const std::string& why) {
  return {"has no thread that does others' work", [=](const LaunchAndWork& run) {
            // Who gets k values, and then the result, joins k - 1; or joins them once more.
            const bool is_suspect = run.work.reached.count > limit + 2;
            if (!is_suspect && !is_followed(run.launch)) return;
            const auto by = [&](const ThreadCount& thread) {
              return " thread " + std::to_string(thread.number) + " of block " +
                     std::to_string(thread.block) + " in" + of_block(run.launch);
            };
            const std::string question = why + ": does this thread do other threads' work?";
            if (const std::optional<Joins>& joins = run.work.joins())
              require(Measured(joins->busiest.count),
                      AtMost(limit, "joins by" + by(joins->busiest),
                             "a join makes one value of two, by whichever instruction; " + question));
            else if (is_suspect)
              require(Measured(run.work.reached.count),
                      AtMost(2 * limit + 4, "words that reach" + by(run.work.reached),
                             "a vote hands a thread something of 32; " + question));
          }};
}

Requirement<LaunchAndWork> IsTreeOver(unsigned values, unsigned own) {
  return {"is a tree", [=](const LaunchAndWork& run) {
            const unsigned levels = tree_levels(values), limit = own - 1 + 2 * levels;
            const std::string has =
                "a tree over " + std::to_string(values) + " values has " + std::to_string(levels) + " levels";
            require(run, JoinsFewValues(limit, has + ", and a thread joins once or twice in each"));
            if (!is_followed(run.launch)) return;
            if (const std::optional<Joins>& joins = run.work.joins())
              require(Measured(joins->levels),
                      AtMost(limit, "joins one after another in" + of_block(run.launch),
                             has + ": do the threads wait for one another in turn?"));
            require(run, DoesTheSameForAllElements());
          }};
}

Requirement<LaunchAndWork> IsTreeOfPairs(std::vector<unsigned> values, unsigned own) {
  return {"is a tree of pairs", [=](const LaunchAndWork& run) {
            if (!is_followed(run.launch)) return;
            unsigned limit = own - 1;
            for (const unsigned of_tree : values) limit += 3 * tree_levels(of_tree) / 2;
            if (const std::optional<Joins>& joins = run.work.joins())
              require(Measured(joins->levels),
                      AtMost(limit, "joins one after another in" + of_block(run.launch),
                             "a tree of pairs has one in each level, and one that joins four at a time three "
                             "in two: are the last values joined in turn?"));
          }};
}

Requirement<LaunchAndWork> DoesTheSameForAllElements() {
  return {"does the same for all elements", [](const LaunchAndWork& run) {
            if (!is_followed(run.launch)) return;
            const std::optional<Joins>& joins = run.work.joins();
            if (!joins || !joins->decided_by_element) return;
            const auto& place = simulator::place_of(*run.work.program, *joins->decided_by_element);
            fail("line " + std::to_string(place.line) +
                     " makes what the threads do next depend on what the elements are: they read, join and "
                     "wait for the same whatever the elements are",
                 {.where = case_of(run.launch)});
          }};
}

Requirement<LaunchAndWork> ExchangesInSharedMemory() {
  return {"exchanges values in shared memory", [](const LaunchAndWork& run) {
            std::uint64_t requests = 0;  // for arrays that the launch writes to
            for (const auto& [name, of_array] : run.work.reads)
              if (run.work.writers.contains(name)) requests += of_array.requests;
            if (requests == 0) return;
            const std::optional<Joins>& joins = run.work.joins();
            require(run.launch.count(&Counters::global_load_requests)
                        .only(static_cast<double>(joins ? joins->through_global : requests)),
                    AtMost(0,
                           joins ? "joins of what another thread has left in global memory"
                                 : "global load requests for an array that is written, too",
                           "threads exchange values through shared memory"));
          }};
}

Requirement<LaunchAndWork> WritesOwnResults(unsigned each) {
  return {"has blocks that write their own results", [=](const LaunchAndWork& run) {
            const auto found = run.work.writers.find("out");
            if (found == run.work.writers.end()) return;
            for (const auto& [block, range] : found->second.elements)
              for (const std::uint64_t element : {range.first, range.second})
                if (element / each != block)
                  fail("block " + std::to_string(block) + " writes to out[" + std::to_string(element) +
                           "], which is a result of block " + std::to_string(element / each) +
                           ": each block writes its own, and no other",
                       {.where = case_of(run.launch)});
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

Requirement<LaunchAndWork> NeighboursAdd() {
  return {"has neighbours that add", [](const LaunchAndWork& run) {
            if (!run.work.loads_apart) return;
            const auto [pc, lanes] = *run.work.loads_apart;
            const auto first = simulator::lowest_lane(lanes);
            const auto idle = first + static_cast<std::uint32_t>(std::countr_one(lanes >> first));
            const auto next = idle + simulator::lowest_lane(lanes >> idle);
            fail("lanes " + std::to_string(first) + " and " + std::to_string(next) +
                     " of a warp load at line " +
                     std::to_string(simulator::place_of(*run.work.program, pc).line) + ", and lane " +
                     std::to_string(idle) + " between them does not: the threads that add are neighbours",
                 {.where = case_of(run.launch)});
          }};
}

Requirement<LaunchAndWork> RestsIdleWarps(unsigned own, unsigned more) {
  return {
      "lets idle warps rest", [=](const LaunchAndWork& run) {
        const auto blocks = static_cast<double>(run.launch.shape().grid.volume());
        const double warps = static_cast<double>(warps_of(run.launch.shape())) / blocks;
        const double limit = more * warps + 2 * (warps + 4), with_own = own * warps + limit;
        std::uint64_t most = 0;  // joins: one fewer than words that reach a warp
        for (const WarpWork& warp : run.work.warps) most += std::max(warp.words, std::uint64_t{1}) - 1;
        // Equal values count as one join for all warps that make them, but each reads what it needs: for
        // each join two words, besides the elements.
        require(per_block(run.launch, most - std::min(most, 4 * reads_of("in", run).requests)),
                AtMost(2 * limit + 4, "words that reach the warps of" + of_block(run.launch),
                       "each level has half as many threads that join values; do warps make the same sums "
                       "as others?"));
        if (static_cast<double>(most) <= with_own * blocks && !is_followed(run.launch)) return;
        const auto& joins = run.work.joins();
        if (joins)
          most = std::accumulate(joins->of_others_by_warps.begin(), joins->of_others_by_warps.end(),
                                 std::uint64_t{0});
        require(per_block(run.launch, most),
                AtMost(joins ? limit : 2 * with_own, "joins by the warps of" + of_block(run.launch),
                       "each level has half as many threads that join values; if these are neighbours, whole "
                       "warps have nothing to join and can rest"));
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

Requirement<Work> LoadsNeighbours() {
  return {"loads neighbours", [](const Work& work) {
            const auto is_apart = [](const WarpWork& warp) { return warp.widest_load > 32 * 16; };
            const auto apart = std::ranges::count_if(work.warps, is_apart);
            const auto warps = static_cast<std::ptrdiff_t>(work.warps.size());
            if (work.warps.back().warp == 0 || 2 * apart <= warps) return;
            require(Measured(apart), AtMost(warps / 2, "warps with a load of more than 32 neighbours",
                                            "the 32 lanes of a warp read 32 neighbours at a time"));
          }};
}

Requirement<Work> LanesWorkTogether(std::uint64_t limit, const std::string& why) {
  return {"has lanes that work together", [=](const Work& work) {
            require(Measured(work.most(&WarpWork::single_lane_instructions)),
                    AtMost(limit, "instructions that a warp leaves to one of its lanes", why));
          }};
}

}  // namespace warpwise::harness
