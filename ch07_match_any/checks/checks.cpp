/// \file What chapter 7 asks of match_any: result, technique, safety. Contracts: kernels.hpp. The kernels
/// with atomics: tickets.cpp, histograms.cpp. What each must give: launches.hpp; the keys and who takes part:
/// combinations.hpp.

#include <algorithm>
#include <iomanip>
#include <ostream>
#include <string>
#include <utility>

#include "ch07_match_any/checks/launches.hpp"
#include "ch07_match_any/kernels.hpp"
#include "common/harness/check/cases.hpp"
#include "common/harness/check/chapter.hpp"
#include "common/harness/check/matchers.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch07;

namespace {

/// A multiple of the 32 warps of a block of 1024, and more than the 10,000 that the course promises.
constexpr unsigned many_warps = 10'016;

/// Lanes that take no part have no key here: a kernel that loads one all the same has a finding, even if it
/// drops what it gets. Before the launch `peers` is 0.
Written<unsigned> launch_without_absent_keys(Device& device, const MatchKernel& kernel,
                                             const Combinations& all) {
  const auto keys = device.upload_where("keys_of_active_lanes", all.keys, [&](std::size_t i) {
    return all.takes_part(static_cast<unsigned>(i));
  });
  const auto active = device.upload("active", all.active);
  auto peers = device.zeroed<unsigned>("peers", all.keys.size());
  Launch launch = device.launch(kernel, shape_of(all, 64), keys, active, peers);
  return {std::move(launch), std::move(peers)};
}

/// `rounds`: how many the technique takes, over all warps. A round compares with one 64-bit key, which takes
/// two shuffles of 32 bits, and one vote says which lanes have it. Fewer of either are welcome: a lane can
/// note for itself whether the key is its own, without a vote.
void check_rounds(const Launch& launch, unsigned rounds, const std::string& why) {
  CHECK_THAT(launch.count(&Counters::matches),
             AtMost(0, "match instructions", "the exercise must do without it"));
  CHECK_THAT(launch.count(&Counters::votes), AtMost(rounds, "rounds (votes)", why));
  CHECK_THAT(launch.count(&Counters::shuffles), AtMost(2.0 * rounds, "rounds (shuffles of half a key)", why));
  CHECK_THAT(launch, UsesNoSharedMemory("the lanes tell each other their keys in registers"));
  CHECK_THAT(launch.count(&Counters::global_atomic_requests),
             AtMost(0, "global atomic requests", "the lanes tell each other their keys in registers"));
  // One for the key, and one for the word that says which lanes take part; lanes that don't may be ahead.
  CHECK_THAT(launch.count(&Counters::global_load_requests).per_warp(),
             AtMost(2, "global load requests per warp",
                    "a lane loads its own key once, and gets the others by shuffles"));
  Work work;
  work.program = &simulated().program();
  CHECK_THAT((LaunchAndWork{launch, work}), HasNoExchangesInCode(Exchanges::matches));
}

// --- All four: the same cases for each ---

void names_the_peers(const MatchKernel& kernel) {
  Device& device = GENERATE(devices());
  if (is_in_another_order()) return;  // these launches are too large: see the next case
  const auto [all, block] = GENERATE(table<Combinations, unsigned>({{random_combinations(12), 32},
                                                                    {random_combinations(96), 32},
                                                                    {random_combinations(96), 96},
                                                                    {random_combinations(96), 1024},
                                                                    {random_combinations(many_warps), 128},
                                                                    {single_bits(), 64}}));
  const auto peers = launch_match(device, kernel, all, block).out;
  CHECK_THAT(peers, NamesThePeers(all));
}

// This shows masks that are right only while the lanes run together.
void names_the_peers_in_any_order(const MatchKernel& kernel) {
  SimulatedDevice& device = GENERATE(every_order());
  const Combinations all = random_combinations(160);
  const auto peers = launch_match(device, kernel, all, 32).out;
  CHECK_THAT(peers, NamesThePeers(all));
}

void no_findings_without_absent_keys(const MatchKernel& kernel) {
  SimulatedDevice& device = simulated();
  const Combinations all = random_combinations(96);
  const auto [launch, peers] = launch_without_absent_keys(device, kernel, all);
  INFO("only the keys of active lanes");
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(peers, NamesThePeers(all, 0));
}

void matches_without_findings(const MatchKernel& kernel) {
  SimulatedDevice& device = simulated();
  const auto [all, block] =
      GENERATE(table<Combinations, unsigned>({{random_combinations(640), 64}, {full_warps(32, 7), 1024}}));
  const auto [launch, peers] = launch_match(device, kernel, all, block);
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(peers, NamesThePeers(all));
}

// Lanes that leave the kernel before the others exchange are not waited for. That they do is chance.
void orders_without_findings(const MatchKernel& kernel) {
  SimulatedDevice& device = GENERATE(every_order());
  const Combinations all = random_combinations(32);
  const auto [launch, peers] = launch_match(device, kernel, all, 32);
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(peers, NamesThePeers(all));
}

// The mask of an exchange is active[w], and nobody exchanges with the mask 0.
void exchanges_nothing_without_lanes(const MatchKernel& kernel) {
  SimulatedDevice& device = simulated();
  Combinations none = full_warps(32, 8);
  std::fill(none.active.begin(), none.active.end(), 0);
  const auto [launch, peers] = launch_match(device, kernel, none, 64);
  CHECK_THAT(launch.count({&Counters::shuffles, &Counters::votes, &Counters::matches}),
             AtMost(0, "exchanges where no lane takes part", "the mask of an exchange is active[w]"));
  CHECK_THAT(peers, NamesThePeers(none));
}

/// Notes the lanes that shuffle, vote or match although they take no part.
class AbsentLanes final : public warpwise::simulator::Observer {
 public:
  explicit AbsentLanes(const Combinations& all) : all_(all) {}
  void on_operands(const warpwise::simulator::WarpContext& warp,
                   const warpwise::simulator::Operands& operands) override {
    const warpwise::simulator::BlockContext& block = *warp.block;
    const auto absent = operands.together & ~all_.active[block.linear * block.warps + warp.warp];
    if (absent != 0 && !block.launch->program->text_of(operands.pc).spelled().starts_with("bar"))
      lanes += warpwise::simulator::lane_count(absent & operands.lanes);
  }
  unsigned lanes = 0;

 private:
  const Combinations& all_;
};

void exchanges_among_lanes_that_take_part(const MatchKernel& kernel) {
  SimulatedDevice& device = simulated();
  const Combinations all = random_combinations(96);
  const Observed<AbsentLanes> observed(device, [&](std::uint32_t) { return AbsentLanes(all); });
  const auto [launch, peers] = launch_match(device, kernel, all, 64);
  unsigned lanes = 0;
  for (const AbsentLanes& of_thread : observed.observers()) lanes += of_thread.lanes;
  CHECK_THAT(Measured(lanes),
             AtMost(0, "lanes in exchanges that take no part", "the mask of an exchange is active[w]"));
  CHECK_THAT(peers, NamesThePeers(all));
}

void register_match_cases(const MatchKernel& kernel) {
  register_cases(
      kernel, kernel,
      {
          {"no exchange where no lane takes part", Aspect::technique, exchanges_nothing_without_lanes},
          {"exchanges among the lanes that take part", Aspect::technique,
           exchanges_among_lanes_that_take_part},
          {"the lanes with the same key", Aspect::result, names_the_peers},
          {"whatever the order", Aspect::result, names_the_peers_in_any_order},
          {"no findings, with only the keys of active lanes", Aspect::safety,
           no_findings_without_absent_keys},
          {"no findings", Aspect::safety, matches_without_findings},
          {"no findings in any order", Aspect::safety, orders_without_findings},
      });
}
[[maybe_unused]] const bool are_match_cases_registered =
    (register_match_cases(match_any_intrinsic), register_match_cases(match_any_by_broadcast),
     register_match_cases(match_any_skip_inactive), register_match_cases(match_any_by_leaders), true);

}  // namespace

// --- Technique: what each of them is about ---

TEST_CASE("match_any_intrinsic: one match instruction", "[match_any_intrinsic][technique]") {
  SimulatedDevice& device = simulated();
  const Combinations all = full_warps(64, 8);
  const auto [launch, peers] = launch_match(device, match_any_intrinsic, all, 32);
  CHECK_THAT(launch.count(&Counters::matches),
             Exactly(warps_of(launch.shape()), "match instructions", "one per warp"));
  CHECK_THAT(peers, NamesThePeers(all));
}

// Two of the result, and one more.
TEST_CASE("match_any_by_broadcast: a round for each lane", "[match_any_by_broadcast][technique]") {
  SimulatedDevice& device = simulated();
  const Combinations all = random_combinations(GENERATE(96u, 160u, 640u));
  const auto [launch, peers] = launch_match(device, match_any_by_broadcast, all, 32);
  check_rounds(launch, 32 * all.warps(), "one round per lane: 32 per warp");
  CHECK_THAT(peers, NamesThePeers(all));
}

// Two of the result, and one more.
TEST_CASE("match_any_skip_inactive: a round for each lane that takes part",
          "[match_any_skip_inactive][technique]") {
  SimulatedDevice& device = simulated();
  const Combinations all = random_combinations(GENERATE(96u, 160u, 640u));
  const auto [launch, peers] = launch_match(device, match_any_skip_inactive, all, 32);
  check_rounds(launch, all.lanes(), "one round for each lane that takes part");
  CHECK_THAT(peers, NamesThePeers(all));
}

// Two of the result, and one more.
TEST_CASE("match_any_by_leaders: a round for each distinct key", "[match_any_by_leaders][technique]") {
  SimulatedDevice& device = simulated();
  const Combinations all = random_combinations(GENERATE(96u, 160u, 640u));
  const auto [launch, peers] = launch_match(device, match_any_by_leaders, all, 32);
  check_rounds(launch, distinct_keys(all.keys, all), "one round for each distinct key");
  CHECK_THAT(peers, NamesThePeers(all));
}

TEST_CASE("match_any_by_leaders: a round for each distinct key of full warps",
          "[match_any_by_leaders][technique]") {
  SimulatedDevice& device = simulated();
  const unsigned distinct = GENERATE(1u, 8u, 32u);
  const Combinations all = full_warps(32, distinct);
  const auto [launch, peers] = launch_match(device, match_any_by_leaders, all, 32);
  check_rounds(launch, distinct * all.warps(), std::to_string(distinct) + " distinct keys per warp");
  CHECK_THAT(peers, NamesThePeers(all));
}

// --- What the chapter shows of its kernels ---

namespace {

/// The launches that are counted, drawn and, on a GPU, timed.
template <const auto& kernel>
Launch show_match(Device& device, unsigned n) {
  const Combinations all = full_warps(ceil_div(std::max(n, 1u), 256) * 8, 8);
  auto [launch, peers] = launch_match(device, kernel, all, device.block_or(256));
  if (!launch.is_timed()) require(peers, NamesThePeers(all));
  return std::move(launch);
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
     .run = show_match<match_any_intrinsic>,
     .largest_n = 1u << 24,
     .bytes_per_element = 12,
     .is_exercise = false,
     .show = show_rounds},
    {.kernel = match_any_by_broadcast,
     .technique = "32 rounds",
     .task = "find the lanes with the same key, lane by lane",
     .run = show_match<match_any_by_broadcast>,
     .largest_n = 1u << 24,
     .bytes_per_element = 12,
     .show = show_rounds},
    {.kernel = match_any_skip_inactive,
     .technique = "one round per active lane",
     .task = "the same, without rounds for inactive lanes",
     .run = show_match<match_any_skip_inactive>,
     .largest_n = 1u << 24,
     .bytes_per_element = 12,
     .show = show_rounds},
    {.kernel = match_any_by_leaders,
     .technique = "one round per distinct key",
     .task = "the same, one round for a whole group",
     .run = show_match<match_any_by_leaders>,
     .largest_n = 1u << 24,
     .bytes_per_element = 12,
     .show = show_rounds},
});
const RegisterChapter registered(this_chapter("Who else has my key?"));

}  // namespace
