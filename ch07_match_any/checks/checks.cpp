/// \file The checks of chapter 7, first part: match_any, and what the chapter shows. Contracts: kernels.hpp.
/// The kernels with atomics are checked in atomics.cpp.

#include <iomanip>
#include <ostream>
#include <utility>

#include "ch07_match_any/checks/launches.hpp"
#include "ch07_match_any/kernels.hpp"
#include "common/harness/check/chapter.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch07;

namespace {

/// A multiple of the 32 warps of a block of 1024, and more than the 10,000 that the course promises.
constexpr unsigned combination_count = 10'016;

void check_match_results(const Check& check, const MatchKernel& kernel) {
  for (Device& device : check.devices()) {
    for (const unsigned block : {32u, 96u, 1024u}) run_match(device, kernel, random_combinations(96), block);
    run_match(device, kernel, random_combinations(combination_count), 128);
  }
}

/// Runs the lanes in several orders: this shows masks that are right only while the lanes stay together.
void check_match_schedules(Check& check, const MatchKernel& kernel) {
  const Combinations all = random_combinations(160);
  check.under_every_schedule(
      [&](Device& device, const std::string& schedule) { run_match(device, kernel, all, 32, schedule); });
}

/// Lanes that take no part have no key here: a kernel that loads one all the same reads an element that was
/// never written.
Launch run_match_without_absent_keys(Device& device, const MatchKernel& kernel, const Combinations& all) {
  const auto keys = device.poisoned<unsigned long long>("keys_of_active_lanes", all.keys.size());
  for (unsigned i = 0; i < all.keys.size(); ++i)
    if (all.takes_part(i)) device.write(keys.from(i).address(), &all.keys[i], sizeof all.keys[i]);
  const auto active = device.upload("active", all.active);
  const auto peers = device.zeroed<unsigned>("peers", all.keys.size());
  Launch launch = device.launch(kernel, shape_of(all, 64), keys, active, peers);
  expect_equal(peers, expected_peers(all, 0), {.block = 64, .note = "only the keys of active lanes"});
  return launch;
}

void check_match_safety(Check& check, const MatchKernel& kernel) {
  check.expect_safe(run_match, kernel, random_combinations(640), 64, "");
  check.expect_safe(run_match, kernel, full_warps(32, 7), 1024, "");
  check.expect_safe(run_match_without_absent_keys, kernel, random_combinations(96));
  // Lanes that leave the kernel before the others exchange are not waited for. That they do is chance.
  check.under_every_schedule([&](Device&, const std::string&) {
    check.expect_safe(run_match, kernel, random_combinations(32), 32, "");
  });
}

/// Two that the check of the result has, too, and one more.
std::vector<Combinations> counted_combinations() {
  return {random_combinations(96), random_combinations(160), random_combinations(640)};
}

/// `rounds`: how many the technique takes, over all warps. A round compares with one 64-bit key, which takes
/// two shuffles of 32 bits, and one vote says which lanes have it. Fewer of either are welcome: a lane can
/// note for itself whether the key is its own, without a vote.
void check_match_technique(SimulatedDevice& device, const MatchKernel& kernel, const Combinations& all,
                           unsigned rounds, const std::string& why) {
  const Launch launch = run_match(device, kernel, all, 32);
  expect_at_most("match instructions", launch.count(&Counters::matches), 0,
                 "the exercise must do without it");
  expect_at_most("rounds (votes)", launch.count(&Counters::votes), rounds, why);
  expect_at_most("rounds (shuffles of half a key)", launch.count(&Counters::shuffles), 2.0 * rounds, why);
  expect_no_shared_memory(launch, "the lanes tell each other their keys in registers");
  expect_at_most("global atomic requests", launch.count(&Counters::global_atomic_requests), 0,
                 "the lanes tell each other their keys in registers");
  // One for the key, and one for the word that says which lanes take part; lanes that don't may be ahead.
  expect_at_most("global load requests per warp", launch.count(&Counters::global_load_requests).per_warp(), 2,
                 "a lane loads its own key once, and gets the others by shuffles");
}

/// The checks of a kernel that does without the intrinsic.
std::vector<CheckOf> match_checks(const MatchKernel& kernel, Check::Body technique) {
  return {{Aspect::result, [=](Check& check) { check_match_results(check, kernel); }},
          {Aspect::result, [=](Check& check) { check_match_schedules(check, kernel); }, "whatever the order"},
          {Aspect::technique, std::move(technique)},
          {Aspect::safety, [=](Check& check) { check_match_safety(check, kernel); }}};
}

void check_intrinsic(Check& check) {
  check_match_results(check, match_any_intrinsic);
  check_match_schedules(check, match_any_intrinsic);
}
void check_intrinsic_technique(Check& check) {
  const Launch launch = run_match(check.simulated(), match_any_intrinsic, full_warps(64, 8), 32);
  expect_equal_count("match instructions", launch.count(&Counters::matches), warps_of(launch.shape()),
                     "one per warp");
}

void check_broadcast_technique(Check& check) {
  for (const Combinations& all : counted_combinations())
    check_match_technique(check.simulated(), match_any_by_broadcast, all, 32 * all.warps(),
                          "one round per lane: 32 per warp");
}
void check_skip_technique(Check& check) {
  for (const Combinations& all : counted_combinations())
    check_match_technique(check.simulated(), match_any_skip_inactive, all, all.lanes(),
                          "one round for each lane that takes part");
}
void check_leaders_technique(Check& check) {
  for (const Combinations& all : counted_combinations())
    check_match_technique(check.simulated(), match_any_by_leaders, all, distinct_keys(all.keys, all),
                          "one round for each distinct key");
  for (const unsigned distinct : {1u, 8u, 32u}) {
    const Combinations full = full_warps(32, distinct);
    check_match_technique(check.simulated(), match_any_by_leaders, full, distinct * full.warps(),
                          std::to_string(distinct) + " distinct keys per warp");
  }
}

template <const auto& kernel>
Launch shown_match(Device& device, unsigned n) {
  return run_match(device, kernel, full_warps(ceil_div(std::max(n, 1u), 256) * 8, 8), device.block_or(256));
}

/// Shows the rounds, from the counters of the launch; the kernels have 8 distinct keys in each warp.
void show_rounds(std::ostream& out, const Launch& launch) {
  const auto a_warp = [&](Counter counter) { return launch.count(counter).per_warp().value(); };
  out << std::fixed << std::setprecision(1)
      << "  per warp, with 8 distinct keys in 32 lanes: " << a_warp(&Counters::votes) << " votes, "
      << a_warp(&Counters::shuffles) << " shuffles, " << a_warp(&Counters::matches) << " match instructions, "
      << a_warp(&Counters::warp_instructions) << " warp instructions\n";
}

const RegisterKernels match_kernels({
    {.kernel = match_any_intrinsic,
     .technique = "the intrinsic",
     .task = "given: the lanes with the same key, by __match_any_sync",
     .run = shown_match<match_any_intrinsic>,
     .largest_n = 1u << 24,
     .bytes_per_element = 12,
     .is_exercise = false,
     .show = show_rounds,
     .checks = {{Aspect::result, check_intrinsic},
                {Aspect::technique, check_intrinsic_technique},
                {Aspect::safety, [](Check& check) { check_match_safety(check, match_any_intrinsic); }}}},
    {.kernel = match_any_by_broadcast,
     .technique = "32 rounds",
     .task = "find the lanes with the same key, lane by lane",
     .run = shown_match<match_any_by_broadcast>,
     .largest_n = 1u << 24,
     .bytes_per_element = 12,
     .show = show_rounds,
     .checks = match_checks(match_any_by_broadcast, check_broadcast_technique)},
    {.kernel = match_any_skip_inactive,
     .technique = "one round per active lane",
     .task = "the same, without rounds for inactive lanes",
     .run = shown_match<match_any_skip_inactive>,
     .largest_n = 1u << 24,
     .bytes_per_element = 12,
     .show = show_rounds,
     .checks = match_checks(match_any_skip_inactive, check_skip_technique)},
    {.kernel = match_any_by_leaders,
     .technique = "one round per distinct key",
     .task = "the same, one round for a whole group",
     .run = shown_match<match_any_by_leaders>,
     .largest_n = 1u << 24,
     .bytes_per_element = 12,
     .show = show_rounds,
     .checks = match_checks(match_any_by_leaders, check_leaders_technique)},
});
const RegisterChapter registered(this_chapter("Who else has my key?"));

}  // namespace
