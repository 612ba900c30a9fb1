#include "technique.hpp"

#include <string>

#include "shapes.hpp"

namespace warpwise::harness {

namespace {
std::string of_block(const Launch& launch) { return " a block of " + std::to_string(launch.shape().block.x); }
}  // namespace

std::uint64_t exchanges(const Counters& counters) {
  return counters.block_barriers + counters.warp_barriers + counters.shuffles;
}
std::uint64_t atomic_requests(const Counters& counters) {
  return counters.shared_atomic_requests + counters.global_atomic_requests;
}
std::uint64_t shared_requests(const Counters& counters) {
  return counters.shared_load_requests + counters.shared_store_requests + counters.shared_atomic_requests;
}
std::uint64_t shared_load_and_store_wavefronts(const Counters& counters) {
  return counters.shared_load_wavefronts + counters.shared_store_wavefronts;
}
std::uint64_t shared_load_and_store_conflicts(const Counters& counters) {
  return counters.shared_load_bank_conflicts + counters.shared_store_bank_conflicts;
}

double per_block(const Launch& launch, std::uint64_t count) {
  return static_cast<double>(count) / static_cast<double>(launch.shape().grid.volume());
}
double per_warp(const Launch& launch, std::uint64_t count) {
  return static_cast<double>(count) / warps_of(launch.shape());
}

void expect_each_element_is_read_once(const Counters& counters, unsigned n, std::string_view why_sectors) {
  expect_at_most("global load requests", counters.global_load_requests, n / 32.0,
                 "each warp reads 32 neighbouring elements at once, and each element is read once");
  expect_at_most("global load sectors", counters.global_load_sectors, n / 8.0, why_sectors);
}

void expect_no_atomics(const Counters& counters, std::string_view why) {
  expect_at_most("atomic requests", atomic_requests(counters), 0, why);
}

void expect_no_shared_memory(const Counters& counters, std::string_view why) {
  expect_at_most("shared memory requests", shared_requests(counters), 0, why);
}

void expect_block_barriers_at_most(const Launch& launch, double limit_a_block, std::string_view why) {
  expect_at_most("block barriers" + of_block(launch), per_block(launch, launch.counters().block_barriers),
                 limit_a_block, why);
}

void expect_one_tree_a_block(const Launch& launch, unsigned n) {
  expect_block_barriers_at_most(launch, tree_levels(launch.shape().block.x) + 1,
                                "one after the load and one for each level");
  expect_each_element_is_read_once(launch.counters(), n);
  expect_no_atomics(launch.counters());
}

void expect_a_tree(const Launch& launch) {
  const unsigned levels = tree_levels(launch.shape().block.x);
  expect_at_least(
      "exchanges between the threads of" + of_block(launch), per_block(launch, exchanges(launch.counters())),
      levels, "a tree of pairs has " + std::to_string(levels) + " levels; does one thread add everything?");
}

}  // namespace warpwise::harness
