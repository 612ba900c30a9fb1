/// \file What chapter 6 asks of its kernels, fourth part: the whole array in one launch, scan_device.
/// Contract: kernels.hpp. bench/measure_scans.sh measures on a GPU how fast one launch is beside CUB's.

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>

#include "ch06_scan/checks/states.hpp"
#include "common/harness/check/cases.hpp"
#include "common/harness/check/chapter.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch06;

namespace {

/// in[0] to in[i] together, for each i.
std::vector<int> scan_of_all(const std::vector<int>& in) {
  return running_sums(in, in.size() + 1, ScanKind::inclusive);
}
/// The scan of the first n elements.
Requirement<Buffer<int>> EqualsScanOfFirst(unsigned n, const std::vector<int>& in) {
  return {"holds the scan", [n, first = std::span(in).first(n)](const Buffer<int>& out) {
            ask_with_other_values<int>(
                out.memory(), {first, "in", add_up_exactly<int>},
                [&](const auto& values) { require(out, Holds(scan_of_all(values)).where({.n = n})); });
          }};
}

/// Scans the first elements of an array, any number of them, with the same scratch memory each time, as a
/// caller would do. There are two inputs in turn, so what a launch leaves behind is wrong for the next.
class ArrayScans {
 public:
  struct Result {
    Launch launch;
    Buffer<int> out;
    const std::vector<int>& in;  ///< all elements
  };
  ArrayScans(Device& device, unsigned size)
      : device_(device),
        inputs_{Input(device, size, 1), Input(device, size, 2)},
        scratch_(device, tiles_for(size)) {}

  Result first(unsigned n) {
    if (latest_) REQUIRE_THAT(scratch_, *latest_);
    const Input& input = inputs_[launches_++ % 2];
    auto out = device_.poisoned<int>("out", n);
    const std::vector<int> own(input.values.begin(), input.values.begin() + n);
    latest_.emplace(IsLeftForNext(static_cast<unsigned>(scratch_.drawn.download()[0] >> 32),
                                  scratch_.states.download(), n == 0 ? own : stretch_sums(own, tile_elements),
                                  {.n = n}));
    Launch launch = scratch_.launch(device_, input.in, out, n);
    return {std::move(launch), std::move(out), input.values};
  }

 private:
  struct Input {
    Input(Device& device, unsigned size, unsigned seed)
        : values(whole_numbers<int>(size, seed_of(size, seed))), in(device.upload("in", values)) {}
    std::vector<int> values;
    Buffer<int> in;
  };
  Device& device_;
  Input inputs_[2];
  ScanScratch scratch_;
  unsigned launches_ = 0;
  std::optional<Requirement<ScanScratch>> latest_;  ///< what the latest launch must have left
};

/// One block that draws `tile` in launch `number`, as if others had published `words` for those ahead of it.
struct OneTile {
  OneTile(SimulatedDevice& device, unsigned tile, std::vector<unsigned long long> words,
          bool may_end_early = true, unsigned long long number = 0, bool are_zeros = false)
      : begin(tile * tile_elements),
        in(are_zeros ? std::vector<int>(begin + tile_elements)
                     : whole_numbers<int>(begin + tile_elements, begin + tile_elements)),
        out(device.poisoned<int>("out", in.size())),
        states((words.resize(tile + 1), device.upload("states", words))),  // 0: nothing is known of its own
        launch(device.launch(scan_device, {.grid = 1, .block = tile_threads, .may_end_early = may_end_early},
                             device.upload("in", in), out, in.size(), states,
                             device.upload("drawn", std::vector<unsigned long long>{number << 32 | tile}))) {}

  unsigned long long published() const { return states.download().back(); }
  int total() const { return std::accumulate(in.begin() + begin, in.end(), 0); }

  unsigned begin;  ///< of the tile
  std::vector<int> in;
  Buffer<int> out;
  Buffer<unsigned long long> states;
  Launch launch;
};

/// The tile's scan, if `ahead` is the sum of all tiles ahead of it.
Requirement<OneTile> IsScannedFrom(int ahead, std::string advice) {
  return {"holds the scan of the tile", [=](const OneTile& tile) {
            const std::vector<int> result = tile.out.download();
            int expected = ahead;
            for (unsigned i = tile.begin; i < result.size(); ++i) {
              expected += tile.in[i];
              if (result[i] == expected) continue;
              fail("out[" + std::to_string(i) + "] is " + std::to_string(result[i]) + ", expected " +
                   std::to_string(expected) + " (" + advice + ")");
            }
          }};
}

}  // namespace

TEST_CASE("scan_device: the scan of all", "[scan_device][result]") {
  Device& device = GENERATE(devices());
  ArrayScans scans(device, 5000);
  for (unsigned n = 0; n <= 5000; n += device.is_simulated() && n > 40 ? 97 : 1) {
    const auto [launch, out, in] = scans.first(n);
    REQUIRE_THAT(out, EqualsScanOfFirst(n, in));
  }
}

TEST_CASE("scan_device: around tiles", "[scan_device][result]") {
  Device& device = GENERATE(devices());
  ArrayScans scans(device, 40 * tile_elements);
  std::vector<unsigned> sizes;
  for (const unsigned tiles : {1u, 2u, 33u, 39u})
    for (const int more : {-1, 0, 5}) sizes.push_back(tiles * tile_elements + more);
  // Tiles that end in the first element of a warp, or in the middle of its rows.
  for (const unsigned tiles : {0u, 1u, 33u})
    for (const unsigned rest :
         {4 * stretch_elements + 1, 5 * stretch_elements + 600, 7 * stretch_elements + 1})
      sizes.push_back(tiles * tile_elements + rest);
  for (const unsigned n : sizes) {
    const auto [launch, out, in] = scans.first(n);
    REQUIRE_THAT(out, EqualsScanOfFirst(n, in));
  }
}

// The next launch needs no preparation, and must not take a word of an earlier launch for its own.
TEST_CASE("scan_device: launched again", "[scan_device][result]") {
  Device& device = GENERATE(devices());
  const KeptModuleMemory kept(device);
  ArrayScans scans(device, 5 * tile_elements);
  std::vector<unsigned> sizes{3 * tile_elements + 1, 0u, 5 * tile_elements, 1u, 5 * tile_elements};
  for (unsigned i = 0; i < 300; ++i) sizes.push_back(i % 50 == 0 ? 2 * tile_elements : i % 70);
  for (unsigned i = 0; i < sizes.size(); ++i) {
    const auto [launch, out, in] = scans.first(sizes[i]);
    INFO("launched " << (i < 5 ? "again" : "300 times"));
    REQUIRE_THAT(out, EqualsScanOfFirst(sizes[i], in));
  }
}

TEST_CASE("scan_device: sums up to the largest int", "[scan_device][result]") {
  Device& device = GENERATE(devices());
  if (is_in_another_order()) return;  // too large for more than once
  auto in = std::vector<int>(2 * tile_elements + 5, 1);
  in[7] = std::numeric_limits<int>::max() - static_cast<int>(in.size());
  const auto out = scan_array(device, in).out;
  INFO("in[7] is near the largest int");
  CHECK_THAT(out, EqualsScanOfFirst(static_cast<unsigned>(in.size()), in));
}

TEST_CASE("scan_device: a large array", "[scan_device][result]") {
  Device& device = GENERATE(devices());
  if (is_in_another_order()) return;  // too large for more than once
  const unsigned n = device.is_simulated() ? (1u << 19) + 3 : (1u << 24) + 3;
  ArrayScans scans(device, n);
  const auto [launch, out, in] = scans.first(n);
  CHECK_THAT(out, EqualsScanOfFirst(n, in));
}

// CUDA doesn't promise that two blocks run at the same time, so a block may only wait for blocks that have
// drawn before it.
TEST_CASE("scan_device: blocks one after the other", "[scan_device][result]") {
  SimulatedDevice& device = simulated();
  const OtherOptions one_by_one = one_after_the_other(device, 5, GENERATE(false, true));
  constexpr unsigned n = 5 * tile_elements;
  ArrayScans scans(device, n);
  const auto [launch, out, in] = scans.first(n);
  CHECK_THAT(out, EqualsScanOfFirst(n, in));
}

// Blocks that wait for each other: under `split` they run side by side.
TEST_CASE("scan_device: blocks side by side", "[scan_device][result]") {
  SimulatedDevice& device = GENERATE(every_order(2));
  constexpr unsigned n = 40 * tile_elements + 7;
  ArrayScans scans(device, n);
  const auto [launch, out, in] = scans.first(n);
  CHECK_THAT(out, EqualsScanOfFirst(n, in));
}

// A launch must not take what an earlier one has left for its own. Whether it finds such a word depends on
// the order of the blocks, but not whether it numbers its own words. This is the launch after 7 others.
TEST_CASE("scan_device: the number of the launch", "[scan_device][result]") {
  Device& device = GENERATE(devices());
  constexpr unsigned n = 100;
  const auto in = device.upload("in", whole_numbers<int>(n, n));
  const auto out = device.poisoned<int>("out", n);
  const auto states = device.zeroed<unsigned long long>("states", 1);
  const auto drawn = device.upload("drawn", std::vector<unsigned long long>{7ull << 32});
  device.launch(scan_device, {.grid = 1, .block = tile_threads}, in, out, n, states, drawn);
  const unsigned long long status = states.download()[0] >> 32;
  REQUIRE_THAT(status, IsWord(2 * 7 + 2,  // lookback.hpp, word_of
                              "the number of the launch: the status of tile 0 is " + std::to_string(status) +
                                  " at the end of launch 7, expected 16, its prefix"));
  INFO("n = 100, drawn, after launch 7");
  CHECK_THAT(drawn, Holds(std::vector<unsigned long long>{8ull << 32}));
}

// --- Technique and safety ---------------------------------------------------------------------------------

// No order in which blocks start is guaranteed. So if a launch of one block finds that 1 ticket is drawn
// already, it must take tile 1, and use the word that seems to come from tile 0.
TEST_CASE("scan_device: the ticket", "[scan_device][technique]") {
  const OneTile tile(simulated(), 1, {word_of_prefix(1000)}, false);
  INFO("one block, and ticket 0 is drawn already");
  CHECK_THAT(tile, IsScannedFrom(1000, "the tile must come from the ticket, and its prefix from the states"));
}

// How far a block looks back depends on how fast the others are; here no other block runs. One block draws
// tile 75 and finds totals back to tile 6: two windows of 32 tiles without a prefix, and a third one with
// prefixes.
TEST_CASE("scan_device: looking back", "[scan_device][technique]") {
  const unsigned number = GENERATE(75u, 140u);
  const Published others(number, 5);  // the nearest prefix; those before it must not count again
  const OneTile tile(simulated(), number, others.words);
  INFO("tile " << number << ", totals from tile " << number - 1 << " back to 6, prefixes from 5 on");
  REQUIRE_THAT(
      tile.launch,
      Completes("the block never ends (it must add up the totals, not wait for the prefix just ahead)"));
  CHECK_THAT(tile.launch.count(&Counters::block_barriers),
             AtMost(6, "block barriers of the tile", "none for a poll or a window"));
  CHECK_THAT(tile, IsScannedFrom(others.sum, "32 totals per window, and on until a window has a prefix"));
}

// Block after block, a block finds the prefix of the tile just ahead, and polls once.
TEST_CASE("scan_device: each element read and written once", "[scan_device][technique]") {
  SimulatedDevice& device = simulated();
  const OtherOptions scope = block_after_block(device);
  constexpr unsigned tiles = (1u << 20) / tile_elements;  // 102: most of them have more than one window ahead
  constexpr unsigned n = tiles * tile_elements;
  const auto in = whole_numbers<int>(n, n);
  const auto [launch, out] = scan_array(device, in);
  // A sector holds 8 elements. A window of 32 states of 8 bytes is 8 sectors, or 9 if it is not aligned to
  // one.
  CHECK_THAT(launch.count(&Counters::global_load_sectors) / tiles - tile_elements / 8.0,
             AtMost(9, "global load sectors per tile, not counting its elements",
                    "each element is read once, and a block that finds a prefix looks no further"));
  // Two words of state.
  CHECK_THAT(
      launch.count(&Counters::global_store_sectors) / tiles - tile_elements / 8.0,
      AtMost(4, "global store sectors per tile, not counting its elements", "each element is written once"));
  CHECK_THAT(launch.count(&Counters::block_barriers) / tiles,
             AtMost(6, "block barriers per tile",
                    "the ticket, the totals of the warps, the result of looking back"));
  CHECK_THAT(out, EqualsScanOfFirst(n, in));
}

TEST_CASE("scan_device: each element of an incomplete tile once", "[scan_device][technique]") {
  constexpr unsigned n = 2 * tile_elements - 701;
  const auto in = whole_numbers<int>(n, n);
  const auto [run, out] = counted(simulated(), scan_array, in);
  CHECK_THAT(run, LoadsEachElementOnce(n));
  CHECK_THAT(run, StoresEachElementOnce(n));
  CHECK_THAT(out, EqualsScanOfFirst(n, in));
}

TEST_CASE("scan_device: no findings", "[scan_device][safety]") {
  SimulatedDevice& device = simulated();
  const unsigned n =
      GENERATE(0u, 1u, 31u, 1025u, tile_elements - 1, tile_elements + 3, 40 * tile_elements + 2);
  const auto in = whole_numbers<int>(n, n);
  const auto [launch, out] = scan_array(device, in);
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, EqualsScanOfFirst(n, in));
}

TEST_CASE("scan_device: no findings in any order", "[scan_device][safety]") {
  SimulatedDevice& device = GENERATE(every_order());
  constexpr unsigned n = 2 * tile_elements + 9;
  ArrayScans scans(device, n);
  const auto [launch, out, in] = scans.first(n);
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, EqualsScanOfFirst(n, in));
}

// Other tiles use the total of a tile while its own block is still looking back. So a block must publish its
// total before it waits. Here it waits for ever, for a tile 0 that no block has drawn. (This case comes last,
// because a kernel that counts while it waits runs out of budget here, and gets less from then on.)
TEST_CASE("scan_device: the total first", "[scan_device][technique]") {
  const auto [is_next_known, are_zeros] =
      GENERATE(table<bool, bool>({{false, false}, {true, false}, {false, true}}));
  const OneTile tile = is_next_known ? OneTile(simulated(), 2, {0, word_of_total(7)})
                                     : OneTile(simulated(), 1, {}, true, 0, are_zeros);
  INFO((is_next_known ? "tile 2, the total of tile 1"
        : are_zeros   ? "tile 1, of zeros"
                      : "tile 1")
       << ", and nothing known about tile 0");
  REQUIRE_THAT(tile.launch, NeverEnds("the block ends anyway (it must wait for the word of tile 0)"));
  const auto published = tile.published();
  CHECK_THAT(published,
             IsWord(word_of_total(tile.total()),
                    "the block waits, but has not published its total (other tiles could use it)"));
}

// What an earlier launch has left is nothing, however many launches ago it was.
TEST_CASE("scan_device: words of an earlier launch", "[scan_device][technique]") {
  const auto [number, earlier] = GENERATE(launches_and_earlier_ones());
  {
    const OneTile tile(simulated(), 1, {word_of_prefix(5, number)}, true, number);
    INFO("launch " << number << ", tile 1, and the prefix of tile 0");
    REQUIRE_THAT(tile.launch, Completes("the block never ends"));
    CHECK_THAT(tile, IsScannedFrom(5, "that prefix, and the sums of its own elements"));
  }
  for (const auto word : {word_of_total(5, earlier), word_of_prefix(5, earlier)}) {
    const OneTile tile(simulated(), 1, {word}, true, number);
    INFO("launch " << number << ", tile 1, and a word of tile 0 from launch " << earlier);
    CHECK_THAT(tile.launch, NeverEnds("the block takes it (it must wait for one of this launch)"));
  }
}

// --- What the chapter shows of this kernel ----------------------------------------------------------------

namespace {

/// The launch that is counted, drawn and, on a GPU, timed.
Launch show_scan_device(Device& device, unsigned n) {
  const auto in = whole_numbers<int>(n, n);
  auto [launch, out] = scan_array(device, in);
  if (!launch.is_timed()) require(out, EqualsScanOfFirst(n, in));
  return std::move(launch);
}

const RegisterKernels device_scan_kernel({
    {.kernel = scan_device,
     .technique = "one launch, looking back",
     .task = "scan the whole array in one launch (advanced)",
     .run = show_scan_device,
     .bytes_per_element = 8},
});

}  // namespace
