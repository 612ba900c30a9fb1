/// \file What chapter 6 requires of its kernels, third part: the whole array, in three launches and in one.
/// Contracts: kernels.hpp. bench/measure_scans.sh measures on a GPU how fast one launch is beside CUB's.

#include <numeric>

#include "ch06_scan/checks/launches.hpp"
#include "common/harness/check/chapter.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch06;

namespace {

/// The scan of everything: one stretch that never ends.
std::vector<int> scan_of_all(const std::vector<int>& values, ScanKind kind = ScanKind::inclusive) {
  return running_sums(values, values.size() + 1, kind);
}

/// As long as it lives, simulated launches run on `threads` threads of the host. With one thread, they run
/// block after block, and every run is the same.
OtherOptions on_host_threads(SimulatedDevice& device, unsigned threads) {
  return OtherOptions(device, [=](auto& options) { options.launch.threads = threads; });
}

/// Inputs on one device. Any number of their first elements can be scanned, with the same scratch memory each
/// time, as a caller would do. It uses two inputs in turn, so what a launch leaves behind is wrong for the
/// next.
class WholeScan {
 public:
  WholeScan(Device& device, unsigned size)
      : device_(device),
        inputs_{Input(device, size, 1), Input(device, size, 2)},
        scratch_(device, tiles_for(size)) {}

  Launch run(unsigned n, const std::string& note = {}) {
    const Input& input = inputs_[launches_++ % 2];
    const auto out = device_.poisoned<int>("out", n);
    Launch launch = scratch_.launch(device_, input.in, out, n);
    expect_equal(out, std::vector<int>(input.sums.begin(), input.sums.begin() + n), {.n = n, .note = note});
    return launch;
  }

 private:
  struct Input {
    Input(Device& device, unsigned size, unsigned seed)
        : values(whole_numbers<int>(size, seed_of(size, seed))),
          sums(scan_of_all(values)),
          in(device.upload("in", values)) {}
    std::vector<int> values, sums;
    Buffer<int> in;
  };
  Device& device_;
  Input inputs_[2];
  ScanScratch scratch_;
  unsigned launches_ = 0;
};

/// One block, as if other blocks had already drawn the tiles ahead of `tile` and published `words` for them.
class OneTile {
 public:
  OneTile(SimulatedDevice& device, unsigned tile, std::vector<unsigned long long> words,
          bool may_end_early = true)
      : begin_(tile * tile_elements),
        n_(begin_ + tile_elements),
        values_(whole_numbers<int>(n_, n_)),
        out_(device.poisoned<int>("out", n_)),
        states_(device.upload("states", with_own_word(std::move(words), tile))),
        launch_(run(device, tile, may_end_early)) {}

  const Launch& launch() const { return launch_; }
  unsigned long long published() const { return states_.download().back(); }
  int total() const { return std::accumulate(values_.begin() + begin_, values_.end(), 0); }

  /// The tile's scan, if `ahead` is the sum of all tiles ahead of it.
  void expect_scan(int ahead, const std::string& circumstances, const std::string& advice) const {
    const std::vector<int> result = out_.download();
    int expected = ahead;
    for (unsigned i = begin_; i < n_; ++i) {
      expected += values_[i];
      if (result[i] == expected) continue;
      fail(circumstances + "out[" + std::to_string(i) + "] is " + std::to_string(result[i]) + ", expected " +
           std::to_string(expected) + " (" + advice + ")");
    }
  }

 private:
  static std::vector<unsigned long long> with_own_word(std::vector<unsigned long long> words, unsigned tile) {
    words.resize(tile + 1);  // 0: nothing is known
    return words;
  }
  Launch run(Device& device, unsigned tile, bool may_end_early) const {
    const auto in = device.upload("in", values_);
    const auto drawn = device.upload("drawn", std::vector<unsigned long long>{tile});
    return device.launch(scan_device, {.grid = 1, .block = tile_threads, .may_end_early = may_end_early}, in,
                         out_, n_, states_, drawn);
  }

  unsigned begin_, n_;
  std::vector<int> values_;
  Buffer<int> out_;
  Buffer<unsigned long long> states_;
  Launch launch_;
};

/// add_sums as the third of three launches, on what the first two must have written.
void expect_third_launch(Device& device, unsigned n, unsigned block) {
  const auto values = whole_numbers<int>(n, seed_of(n, block));
  const auto ahead = scan_of_all(stretch_sums(values, block), ScanKind::exclusive);
  expect_sums_added(device, running_sums(values, block, ScanKind::inclusive), ahead, block,
                    "as the third of three launches");
}

const RegisterKernels device_scan_kernels({
    {.kernel = scan_sums,
     .technique = "one block walks",
     .task = "scan the sums of the blocks, with one block",
     .run = with_blocks<run_scan_sums, 1024>,
     .largest_n = 1u << 20,
     .bytes_per_element = 8},
    {.kernel = add_sums,
     .technique = "the sum ahead of the block",
     .task = "add to each element the sum of all blocks ahead",
     .run = with_blocks<run_add_sums>,
     .bytes_per_element = 8},
    {.kernel = scan_device,
     .technique = "one launch, looking back",
     .task = "scan the whole array in one launch (advanced)",
     .run = run_scan_device,
     .bytes_per_element = 8},
});

}  // namespace

WARPWISE_CHECK(scan_sums, result) {
  for (Device& device : check.devices()) {
    for (const auto [count, block] : check.sizes())
      expect_exclusive_scan(device, whole_numbers<int>(count, seed_of(count, block)), block);
    expect_exclusive_scan(device, whole_numbers<int>(70'001, 1), 256);
    for (const unsigned place : {0u, 40u, 599u})
      expect_exclusive_scan(device, with_smallest_int(600, place), 256,
                            "sums[" + std::to_string(place) + "] is the smallest int");
  }
}
WARPWISE_CHECK(scan_sums, result, "in any order") {
  check.under_every_schedule([](Device& device, const std::string& schedule) {
    expect_exclusive_scan(device, whole_numbers<int>(300, 1), 128, schedule);
  });
}
WARPWISE_CHECK(scan_sums, technique) {
  const auto count_sums = [&](unsigned count, unsigned block) {
    const unsigned rounds = std::max(1u, ceil_div(count, block));
    const auto [launch, work] = launch_and_work(check.simulated(), run_scan_sums, count, block);
    const double warps = block / 32.0;
    // Two as in scan_block, and one more because a round must not overwrite totals that are still being read.
    expect_at_most("block barriers in " + std::to_string(rounds) + " rounds",
                   launch.count(&Counters::block_barriers), 3 * rounds + 1,
                   "a round has two for the scan of a block and one before the next; one more in all");
    expect_at_most("global load sectors", launch.count(&Counters::global_load_sectors), ceil_div(count, 8),
                   "each sum is read once");
    expect_at_most("global store sectors", launch.count(&Counters::global_store_sectors), ceil_div(count, 8),
                   "each sum is written once");
    expect_at_most("shared load requests per round", launch.count(&Counters::shared_load_requests) / rounds,
                   (warps + 3) * warps + 3,
                   "a warp loads the total of each warp at most once, and 3 more words");
    if (count != 4 * block) return;
    expect_shared_out(work, 4.0 * count);
    // A round is blockDim.x elements, and a warp needs the sums of the warps ahead. So all warps but the last
    // must pass theirs on, in every round.
    expect_at_least(
        "shared stores and atomics per round",
        launch.count({&Counters::shared_store_requests, &Counters::shared_atomic_requests}) / rounds,
        block / 32.0 - 1, "a round takes blockDim.x elements, and each warp passes on the total of its 32");
  };
  for (const unsigned block : check.block_sizes()) {
    count_sums(4 * block, block);
    for (const unsigned count : check.some_awkward_sizes(block)) count_sums(count, block);
  }
}
WARPWISE_CHECK(scan_sums, safety) {
  for (const auto [count, block] : check.sizes()) check.expect_safe(run_scan_sums, count, block);
  check.under_every_schedule(
      [&](Device&, const std::string&) { check.expect_safe(run_scan_sums, 300, 128); });
}

WARPWISE_CHECK(add_sums, result) {
  for (Device& device : check.devices()) {
    for (const auto [n, block] : check.sizes())
      expect_sums_added(device, whole_numbers<int>(n, seed_of(n, block)),
                        whole_numbers<int>(std::max(1u, ceil_div(n, block)), n), block);
    for (const unsigned more_blocks : {1u, 300u})
      expect_sums_added(device, whole_numbers<int>(100, 1), whole_numbers<int>(2 + more_blocks, 2), 64,
                        "more blocks than n needs");
  }
}
WARPWISE_CHECK(add_sums, result, "the third launch") {
  for (Device& device : check.devices()) {
    for (const unsigned block : {32u, 256u, 1024u})
      for (unsigned n = 1; n <= 5000; n += device.is_simulated() || block != 256 ? 1 + n / 2 : 1)
        expect_third_launch(device, n, block);
    expect_third_launch(device, device.is_simulated() ? 100003 : (1u << 24) + 3, 1024);
  }
}
WARPWISE_CHECK(add_sums, technique) {
  const auto [launch, work] = launch_and_work(check.simulated(), run_add_sums, 8192, 256);
  // A warp reads its 32 elements, 4 sectors, and one sum.
  expect_at_most("global load sectors per warp", launch.count(&Counters::global_load_sectors).per_warp(), 5,
                 "32 neighbours and one sum");
  expect_at_most("global store sectors per warp", launch.count(&Counters::global_store_sectors).per_warp(), 4,
                 "32 neighbours");
  expect_no_atomics(launch, "no two threads have the same element");
  expect_shared_out_to_blocks(work, 4.0 * 8192);
}
WARPWISE_CHECK(add_sums, safety) {
  for (const unsigned n : check.awkward_sizes(256)) check.expect_safe(run_add_sums, n, 256);
  for (const unsigned block : check.block_sizes()) check.expect_safe(run_add_sums, 3 * block - 5, block);
  check.under_every_schedule([&](Device&, const std::string&) { check.expect_safe(run_add_sums, 300, 128); });
}

WARPWISE_CHECK(scan_device, result) {
  for (Device& device : check.devices()) {
    WholeScan scan(device, 5000);
    for (unsigned n = 0; n <= 5000; n += device.is_simulated() && n > 40 ? 97 : 1) scan.run(n);
  }
}
WARPWISE_CHECK(scan_device, result, "tiles") {
  for (Device& device : check.devices()) {
    WholeScan scan(device, 40 * tile_elements);
    for (const unsigned tiles : {1u, 2u, 33u, 39u})
      for (const int more : {-1, 0, 5}) scan.run(tiles * tile_elements + more);
    // Tiles that end in the first element of a warp, or in the middle of its rows.
    constexpr unsigned of_warp = tile_elements / (tile_threads / 32);
    for (const unsigned tiles : {0u, 1u, 33u})
      for (const unsigned rest : {4 * of_warp + 1, 5 * of_warp + 600, 7 * of_warp + 1})
        scan.run(tiles * tile_elements + rest);
  }
}
// The next launch needs no preparation, and must not take a word of an earlier launch for its own.
WARPWISE_CHECK(scan_device, result, "launched again") {
  for (Device& device : check.devices()) {
    const KeptModuleMemory kept(device);
    WholeScan scan(device, 5 * tile_elements);
    for (const unsigned n : {3 * tile_elements + 1, 0u, 5 * tile_elements, 1u, 5 * tile_elements})
      scan.run(n, "launched again");
    for (unsigned launch = 0; launch < 300; ++launch)
      scan.run(launch % 50 == 0 ? 2 * tile_elements : launch % 70, "launched 300 times");
  }
}
WARPWISE_CHECK(scan_device, result, "2^19 + 3") {
  if (check.is_in_another_order()) return;  // too large for more than once
  for (Device& device : check.devices()) {
    const unsigned n = device.is_simulated() ? (1u << 19) + 3 : (1u << 24) + 3;
    WholeScan(device, n).run(n);
  }
}
// CUDA doesn't promise that two blocks run at the same time, so a block may only wait for blocks that have
// drawn before it.
WARPWISE_CHECK(scan_device, result, "blocks one after the other") {
  const OtherOptions one_by_one(check.simulated(), [](auto& options) { options.launch.resident_blocks = 1; });
  WholeScan(check.simulated(), 5 * tile_elements).run(5 * tile_elements);
}
// Blocks that wait for each other. With one thread of the host, a block ends before the next one starts; with
// several threads, they meet in every order.
WARPWISE_CHECK(scan_device, result, "blocks side by side") {
  for (const unsigned threads : {1u, 2u, 3u, 8u}) {
    const OtherOptions scope = on_host_threads(check.simulated(), threads);
    WholeScan scan(check.simulated(), 40 * tile_elements + 7);
    scan.run(40 * tile_elements + 7, std::to_string(threads) + " host threads");
  }
}
// A launch must not take what an earlier one has left for its own. Whether it finds such a word depends on
// the order of the blocks, but not whether it numbers its own words. This is the launch after 7 others.
WARPWISE_CHECK(scan_device, result, "the number of the launch") {
  Device& device = check.simulated();
  const unsigned n = 100;
  const auto in = device.upload("in", whole_numbers<int>(n, n));
  const auto out = device.poisoned<int>("out", n);
  const auto states = device.zeroed<unsigned long long>("states", 1);
  const auto drawn = device.upload("drawn", std::vector<unsigned long long>{7ull << 32});
  device.launch(scan_device, {.grid = 1, .block = tile_threads}, in, out, n, states, drawn);
  const unsigned long long status = states.download()[0] >> 32;
  if (status != 2 * 7 + 2)  // lookback.hpp, word_of
    fail("the number of the launch: the status of tile 0 is " + std::to_string(status) +
         " at the end of launch 7, expected 16, its prefix");
  expect_equal(drawn, std::vector<unsigned long long>{8ull << 32}, {.n = n, .note = "drawn, after launch 7"});
}
// No order in which blocks start is guaranteed. So if a launch of one block finds that 1 ticket is drawn
// already, it must take tile 1, and use the word that seems to come from tile 0.
WARPWISE_CHECK(scan_device, technique, "the ticket") {
  constexpr unsigned long long prefix_of_1000 = 2ull << 32 | 1000;  // of launch 0: lookback.hpp, word_of
  const OneTile tile(check.simulated(), 1, {prefix_of_1000}, false);
  tile.expect_scan(1000, "one block, and ticket 0 is drawn already: ",
                   "the tile must come from the ticket, and its prefix from the states");
}
// How far a block looks back depends on how fast the others are; here no other block runs. One block draws
// tile 75 and finds totals back to tile 6: two windows of 32 tiles without a prefix, and a third one with
// prefixes.
WARPWISE_CHECK(scan_device, technique, "looking back") {
  const Published all(75, 5);  // the nearest prefix; those before it must not count again
  const OneTile last(check.simulated(), 75, all.words);
  const std::string found = "tile 75, totals from tile 74 back to 6, prefixes from 5 on: ";
  if (!last.launch().completed())
    fail(found + "the block never ends (it must add up the totals, not wait for the prefix just ahead)",
         {.findings = last.launch().findings()});
  last.expect_scan(all.sum, found, "32 totals per window, and on until a window has a prefix");
}
// With one host thread, a block finds the prefix of the tile just ahead, and polls once.
WARPWISE_CHECK(scan_device, technique) {
  const OtherOptions scope = on_host_threads(check.simulated(), 1);
  constexpr unsigned tiles = (1u << 20) / tile_elements;  // 102: most of them have more than one window ahead
  constexpr unsigned n = tiles * tile_elements;
  const Launch launch = run_scan_device(check.simulated(), n);
  // A sector holds 8 elements. A window of 32 states of 8 bytes is 8 sectors, or 9 if it is not aligned to
  // one.
  expect_at_most("global load sectors per tile, not counting its elements",
                 launch.count(&Counters::global_load_sectors) / tiles - tile_elements / 8.0, 9,
                 "each element is read once, and a block that finds a prefix looks no further");
  // Two words of state.
  expect_at_most("global store sectors per tile, not counting its elements",
                 launch.count(&Counters::global_store_sectors) / tiles - tile_elements / 8.0, 4,
                 "each element is written once");
  expect_at_most("block barriers per tile", launch.count(&Counters::block_barriers) / tiles, 6,
                 "the ticket, the totals of the warps, the result of looking back");
}
WARPWISE_CHECK(scan_device, safety) {
  for (const unsigned threads : {1u, 2u, 8u}) {
    const OtherOptions scope = on_host_threads(check.simulated(), threads);
    for (const unsigned n :
         {0u, 1u, 31u, 1025u, tile_elements - 1, tile_elements + 3, 40 * tile_elements + 2})
      check.expect_safe(run_scan_device, n);
  }
  check.under_every_schedule([&](Device& device, const std::string& schedule) {
    WholeScan scan(device, 2 * tile_elements + 9);
    check.expect_safe([&](Device&) { return scan.run(2 * tile_elements + 9, schedule); });
  });
}
// Other tiles use the total of a tile while its own block is still looking back. So a block must publish its
// total before it waits. Here it waits for ever, for a tile 0 that no block has drawn. (This check comes
// last, because a kernel that counts while it waits runs out of budget here, and gets less from then on.)
WARPWISE_CHECK(scan_device, technique, "the total first") {
  const OneTile tile(check.simulated(), 1, {});
  const std::string waits = "tile 1, and nothing known about tile 0: ";
  if (tile.launch().completed()) fail(waits + "the block ends anyway (it must wait for the word of tile 0)");
  if (tile.published() != (1ull << 32 | static_cast<unsigned>(tile.total())))
    fail(waits + "the block waits, but has not published its total (other tiles could use it)");
}
