/// \file What chapter 6 requires of the two parts of its single launch: the rows of a warp, and looking back.
/// Contracts: kernels.hpp.

#include <numeric>

#include "ch06_scan/checks/launches.hpp"
#include "common/harness/check/chapter.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch06;

namespace {

/// find_ahead with the same scratch memory again and again, as a caller would use it.
class Ahead {
 public:
  Ahead(Device& device, unsigned most_tiles) : device_(device), scratch_(device, most_tiles) {}
  Launch run(unsigned tiles, const std::string& note = {}) {
    const auto totals = whole_numbers<int>(tiles, seed_of(tiles, ++launches_));
    const auto ahead = device_.poisoned<int>("ahead", tiles);
    const auto in = device_.upload("totals", totals);
    Launch launch =
        device_.launch(find_ahead, {.grid = tiles, .block = 32}, in, ahead, scratch_.states, scratch_.drawn);
    expect_equal(ahead, running_sums(totals, totals.size(), ScanKind::exclusive),
                 {.n = tiles, .grid = tiles, .note = note});
    return launch;
  }

 private:
  Device& device_;
  ScanScratch scratch_;
  unsigned launches_ = 0;
};

/// One warp that draws `tile`, as if others had published `words` for those ahead of it.
struct OneLook {
  static constexpr int total = 321;
  OneLook(SimulatedDevice& device, unsigned tile, std::vector<unsigned long long> words)
      : states(device.upload("states", with_own_word(std::move(words)))),
        ahead(device.zeroed<int>("ahead", tile + 1)),
        launch(run(device, tile)) {}

  static std::vector<unsigned long long> with_own_word(std::vector<unsigned long long> words) {
    words.push_back(0);  // nothing is known
    return words;
  }
  Launch run(Device& device, unsigned tile) const {
    const auto totals = device.upload("totals", std::vector<int>(tile + 1, total));
    const auto drawn = device.upload("drawn", std::vector<unsigned long long>{tile});
    return device.launch(find_ahead, {.grid = 1, .block = 32, .may_end_early = true}, totals, ahead, states,
                         drawn);
  }

  unsigned long long published() const { return states.download().back(); }

  /// The warp found `sum`, and has published the prefix that follows from it.
  void expect_found(int sum, const std::string& circumstances, const std::string& advice) const {
    if (!launch.completed())
      fail(circumstances + "the warp never ends (it must add up the totals, not wait for a prefix)",
           {.findings = launch.findings()});
    const int found = ahead.download().back();
    if (found != sum)
      fail(circumstances + "ahead is " + std::to_string(found) + ", expected " + std::to_string(sum) + " (" +
           advice + ")");
    if (published() != (2ull << 32 | static_cast<unsigned>(sum + total)))
      fail(circumstances + "the sum is right, but the tile's own prefix was not published");
  }

  Buffer<unsigned long long> states;
  Buffer<int> ahead;
  Launch launch;
};

const RegisterKernels part_kernels({
    {.kernel = scan_tile_rows,
     .technique = "128 elements per row",
     .task = "part 1 of one launch: each warp scans its rows",
     .run = run_scan_tile_rows,
     .bytes_per_element = 8},
    {.kernel = find_ahead,
     .technique = "looking back",
     .task = "part 2 of one launch: find the sum ahead of each tile",
     .run = run_find_ahead,
     .largest_n = 1u << 12,
     .bytes_per_element = 8},
});

}  // namespace

WARPWISE_CHECK(scan_tile_rows, result) {
  for (Device& device : check.devices()) {
    for (const unsigned n : {0u, 1u, 3u, 4u, 127u, 128u, 129u, stretch_elements - 1, stretch_elements + 1,
                             tile_elements, tile_elements + 5, 3 * tile_elements - 600})
      expect_row_scans(device, whole_numbers<int>(n, n));
    expect_row_scans(device, with_smallest_int(600, 200), "in[200] is the smallest int");
  }
}
WARPWISE_CHECK(scan_tile_rows, result, "in any order") {
  check.under_every_schedule([](Device& device, const std::string& schedule) {
    expect_row_scans(device, whole_numbers<int>(700, 1), schedule);
  });
}
WARPWISE_CHECK(scan_tile_rows, technique) {
  constexpr unsigned tiles = 4, n = tiles * tile_elements;
  const auto [launch, work] = launch_and_work(check.simulated(), run_scan_tile_rows, n);
  expect_at_most("global load sectors", launch.count(&Counters::global_load_sectors), n / 8.0,
                 "each element is read once");
  expect_at_most("global store sectors", launch.count(&Counters::global_store_sectors),
                 n / 8.0 + tiles * stretches_a_tile,
                 "each element is written once, and a total for each warp");
  expect_at_most("shuffles for 128 elements", launch.count(&Counters::shuffles) / (n / 128.0), 7,
                 "five for the scan of the lanes' sums, one to pass the row's sum on");
  expect_no_shared_memory(launch, "a warp doesn't depend on any other warp");
  expect_at_most("block barriers", launch.count(&Counters::block_barriers), 0,
                 "a warp doesn't depend on any other warp");
  expect_no_atomics(launch, "atomics give sums, but not in order");
  expect_shared_out(work, 4.0 * n);
}
WARPWISE_CHECK(scan_tile_rows, safety) {
  for (const unsigned n : {0u, 1u, 31u, 1025u, tile_elements - 1, tile_elements + 3})
    check.expect_safe(run_scan_tile_rows, n);
  check.under_every_schedule(
      [&](Device&, const std::string&) { check.expect_safe(run_scan_tile_rows, 700); });
}

WARPWISE_CHECK(find_ahead, result) {
  for (Device& device : check.devices()) {
    Ahead ahead(device, 200);
    for (const unsigned tiles : {1u, 2u, 3u, 31u, 32u, 33u, 34u, 64u, 65u, 66u, 200u, 1u, 200u})
      ahead.run(tiles, "launched one after the other");
  }
}
WARPWISE_CHECK(find_ahead, result, "blocks one after the other") {
  const OtherOptions one_by_one(check.simulated(), [](auto& options) { options.launch.resident_blocks = 1; });
  Ahead(check.simulated(), 70).run(70);
}
WARPWISE_CHECK(find_ahead, result, "blocks side by side") {
  for (const unsigned threads : {1u, 2u, 3u, 8u}) {
    const OtherOptions scope(check.simulated(), [=](auto& options) { options.launch.threads = threads; });
    Ahead(check.simulated(), 70).run(70, std::to_string(threads) + " host threads");
  }
}
// What a warp finds depends on how fast the others are. Here no other runs, and their words are there
// already.
WARPWISE_CHECK(find_ahead, technique) {
  const Published all(20, 19);
  OneLook(check.simulated(), 20, all.words)
      .expect_found(all.sum, "tile 20, the prefix of tile 19: ", "a prefix is the whole sum");
}
WARPWISE_CHECK(find_ahead, technique, "one window") {
  const Published all(20, 7);
  OneLook(check.simulated(), 20, all.words)
      .expect_found(all.sum, "tile 20, totals from tile 19 back to 8, prefixes from 7 on: ",
                    "the totals and the nearest prefix, and nothing before that");
}
WARPWISE_CHECK(find_ahead, technique, "three windows") {
  const Published all(75, 5);
  OneLook(check.simulated(), 75, all.words)
      .expect_found(all.sum, "tile 75, totals from tile 74 back to 6, prefixes from 5 on: ",
                    "32 totals per window, and on until a window has a prefix");
}
WARPWISE_CHECK(find_ahead, technique, "no prefix wasted") {
  const OtherOptions scope(check.simulated(), [](auto& options) { options.launch.threads = 1; });
  constexpr unsigned tiles = 100;
  const Launch launch = run_find_ahead(check.simulated(), tiles);
  // One host thread: the prefix of the tile just ahead is there, and one poll is enough. 32 words of 8 bytes
  // are 8 sectors, or 9 if they are not aligned to a sector. One more sector is for the total.
  expect_at_most("global load sectors per tile", launch.count(&Counters::global_load_sectors) / tiles, 10,
                 "a warp that finds a prefix looks no further");
}
WARPWISE_CHECK(find_ahead, safety) {
  for (const unsigned threads : {1u, 2u, 8u}) {
    const OtherOptions scope(check.simulated(), [=](auto& options) { options.launch.threads = threads; });
    for (const unsigned tiles : {1u, 2u, 33u, 70u}) check.expect_safe(run_find_ahead, tiles);
  }
  check.under_every_schedule([&](Device&, const std::string& schedule) {
    check.expect_safe([&](Device& device) { return Ahead(device, 40).run(40, schedule); });
  });
}
// Other tiles use a tile's total while it is still looking back, so it must publish its total before it
// waits. Here it waits for ever, for a tile 0 that no block has drawn.
WARPWISE_CHECK(find_ahead, technique, "the total first") {
  const OneLook look(check.simulated(), 1, {0});
  const std::string waits = "tile 1, and nothing known about tile 0: ";
  if (look.launch.completed()) fail(waits + "the warp ends anyway (it must wait for the word of tile 0)");
  if (look.published() != (1ull << 32 | static_cast<unsigned>(OneLook::total)))
    fail(waits + "the warp waits, but has not published its total (other tiles could use it)");
}
