#include "technique.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

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

/// 32 neighbouring 4-byte elements are one request and 4 sectors.
void expect_read_once(const Count& requests, const Count& sectors, unsigned n, std::string_view why_sectors) {
  expect_at_most("global load requests", requests, ceil_div(n, 32),
                 "each warp reads 32 neighbouring elements at once, and each element is read once");
  expect_at_most("global load sectors", sectors, ceil_div(n, 8), why_sectors);
}
}  // namespace

Measured per_block(const Launch& launch, std::uint64_t amount) {
  return Measured(static_cast<double>(amount) / static_cast<double>(launch.shape().grid.volume()));
}

void expect_each_element_is_read_once(const Launch& launch, unsigned n, std::string_view why_sectors) {
  expect_read_once(launch.count(&Counters::global_load_requests),
                   launch.count(&Counters::global_load_sectors), n, why_sectors);
}
void expect_each_element_is_read_once(const LaunchAndWork& run, unsigned n, std::string_view why_sectors) {
  const auto found = run.work.reads.find("in");
  if (found == run.work.reads.end()) return;
  const auto& [requests, sectors] = found->second;
  expect_read_once(run.launch.count(&Counters::global_load_requests).only(requests),
                   run.launch.count(&Counters::global_load_sectors).only(sectors), n, why_sectors);
}

void expect_no_atomics(const Launch& launch, std::string_view why) {
  expect_at_most("atomic requests", launch.count(atomic_requests), 0, why);
}

void expect_no_shared_memory(const Launch& launch, std::string_view why) {
  expect_at_most("shared memory requests", launch.count(shared_requests), 0, why);
}

void expect_no_shuffles(const Launch& launch, std::string_view why) {
  expect_at_most("shuffles", launch.count(&Counters::shuffles), 0, why);
}

void expect_block_barriers_at_most(const Launch& launch, double limit_a_block, std::string_view why) {
  expect_at_most("block barriers" + per_block_text(launch),
                 launch.count(&Counters::block_barriers).per_block(), limit_a_block, why);
}

void expect_a_tree(const LaunchAndWork& run, unsigned values, unsigned own) {
  const Work::Thread& busiest = run.work.busiest;
  const std::string levels = std::to_string(tree_levels(values));
  expect_at_most(
      "additions by thread " + std::to_string(busiest.number) + " of block " + std::to_string(busiest.block) +
          " in" + of_block(run.launch),
      Measured(busiest.count), own + 2 * tree_levels(values),
      "a tree over " + std::to_string(values) + " values has " + levels +
          " levels, and a thread adds once or twice in each: does this thread do other threads' work?");
  // Two values for each addition that it may make, its own elements, and a few more.
  const Work::Thread& reader = run.work.busiest_reader;
  expect_at_most(
      "words of memory read by thread " + std::to_string(reader.number) + " of block " +
          std::to_string(reader.block) + " in" + of_block(run.launch),
      Measured(reader.count), own + 4 * tree_levels(values) + 4,
      "a tree over " + std::to_string(values) + " values has " + levels +
          " levels, and a thread reads a few words in each: does this thread do other threads' work?");
  expect_no_collectives(
      run, "votes and sums over a warp" + per_block_text(run.launch),
      "they add up one bit of 32 values at once, and so can add whole numbers bit by bit: in a tree, each "
      "addition makes one value out of two");
}

void expect_no_collectives(const LaunchAndWork& run, std::string_view what, std::string_view why) {
  constexpr Counter collectives{&Counters::votes, &Counters::matches, &Counters::warp_reductions};
  expect_at_most(what, run.launch.count(collectives).only(run.work.collective), 0, why);
}

void expect_all_are_added(const LaunchAndWork& run, std::uint64_t values, std::uint64_t sums) {
  expect_at_least(
      "additions by all threads" + of_blocks(run.launch), Measured(run.work.by_all_threads),
      values - std::min(values, sums),
      "in a tree, each addition makes one value out of two; counted are additions and comparisons of "
      "floats, and maxima and minima: some values are combined in another way, or not at all");
}

void expect_exchange_in_shared_memory(const LaunchAndWork& run) {
  const auto found = run.work.reads.find("in");
  const std::uint64_t own = found == run.work.reads.end() ? 0 : found->second.requests;
  expect_at_most("global load requests other than those for in",
                 run.launch.count(&Counters::global_load_requests), own,
                 "threads exchange values through shared memory");
}

void expect_written_by(const LaunchAndWork& run, unsigned thread, std::string_view why) {
  const auto found = run.work.writers.find("out");
  if (found == run.work.writers.end()) return;  // the check of the result says so
  for (const std::uint32_t writer : {found->second.lowest, found->second.highest})
    expect_equal_count("thread that writes to out in" + of_block(run.launch), Measured(writer), thread, why);
}

void expect_idle_warps_rest(const LaunchAndWork& run, unsigned own) {
  const double warps = static_cast<double>(warps_of(run.launch.shape())) /
                       static_cast<double>(run.launch.shape().grid.volume());
  expect_at_most("additions by the warps of" + of_block(run.launch),
                 per_block(run.launch, run.work.total(&WarpWork::additions)), own * warps + 2 * (warps + 4),
                 "each level has half as many threads that add; if these are neighbours, whole warps have "
                 "nothing to add and can rest");
}

void expect_one_tree_a_block(const LaunchAndWork& run, unsigned n) {
  expect_no_shuffles(run.launch);
  expect_no_atomics(run.launch);
  expect_block_barriers_at_most(run.launch, tree_levels(run.launch.shape().block.x) + 1,
                                "one after the load and one for each level");
  expect_each_element_is_read_once(run, n);
  expect_a_tree(run, run.launch.shape().block.x);
}

namespace {
/// `share` of block or warp `who`, held against an even one.
void expect_fair(const std::string& who, double share, double even) {
  if (share * 4 >= even && share <= 2 * even) return;
  const auto bytes = [](double count) { return text_of(std::round(count)); };
  fail(who + " loads " + bytes(share) + " bytes, where an even share is " + bytes(even) +
       ": share the work out");
}
}  // namespace

void expect_shared_out(const Work& work, double bytes) {
  const double even = bytes / static_cast<double>(work.warps.size());
  for (const WarpWork& warp : work.warps)
    expect_fair("warp " + std::to_string(warp.warp) + " of block " + std::to_string(warp.block),
                static_cast<double>(warp.loaded_bytes), even);
}

void expect_shared_out_to_blocks(const Work& work, double bytes) {
  std::map<std::uint64_t, double> by_block;
  for (const WarpWork& warp : work.warps) by_block[warp.block] += static_cast<double>(warp.loaded_bytes);
  for (const auto& [block, loaded] : by_block)
    expect_fair("block " + std::to_string(block), loaded, bytes / static_cast<double>(by_block.size()));
}

void expect_lanes_work_together(const Work& work, std::uint64_t limit, std::string_view why) {
  expect_at_most("instructions that a warp leaves to one of its lanes",
                 Measured(work.most(&WarpWork::single_lane_instructions)), limit, why);
}

}  // namespace warpwise::harness
