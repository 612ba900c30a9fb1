/// \file What chapter 6 asks of its kernels, third part: what is done with the sums of blocks, so that
/// scans of blocks become that of a whole array. They are scanned and added in launches of their own
/// (scan_sums, add_sums), or found by looking back (find_ahead). Contracts: kernels.hpp.

#include "ch06_scan/checks/states.hpp"
#include "common/harness/check/cases.hpp"
#include "common/harness/check/chapter.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch06;

namespace {

/// sums[i] is what sums[0] to sums[i - 1] were together before.
auto EqualsScanInPlace(const std::vector<int>& before) {
  return EqualsRunningSums(before, one_stretch(), ScanKind::exclusive, "sums");
}
/// out[i] is what it was before and ahead[b], for the elements of each block b.
Requirement<Buffer<int>> EqualsSumsAdded(std::vector<int> before, const std::vector<int>& ahead,
                                         unsigned block) {
  const auto require_added = [&ahead, block](const Buffer<int>& out, std::vector<int> values) {
    for (unsigned i = 0; i < values.size(); ++i) values[i] += ahead[i / block];
    const auto itself_and_ahead = [&](std::size_t i) -> std::vector<ElementRange> {
      return {{.begin = i, .end = i + 1, .array = "out"},
              {.begin = i / block, .end = i / block + 1, .array = "sums"}};
    };
    require(out, Holds(values)
                     .as(joined_by<operators::Sum, int>(), each_result(out, out.size(), itself_and_ahead))
                     .where(case_of(out.memory(), values.size(), 0)));
  };
  const auto fit = [&ahead, block](const std::vector<int>& values) {
    for (unsigned i = 0; i < values.size(); ++i) {
      const std::int64_t sum = std::int64_t{values[i]} + ahead[i / block];
      if (sum != static_cast<int>(sum)) return false;
    }
    return true;
  };
  return {"holds what was there before, and the sum ahead of its block",
          [=, before = std::move(before)](const Buffer<int>& out) {
            ask_with_other_values<int>(out.memory(), {before, "out", fit},
                                       [&](const auto& values) { require_added(out, values); });
          }};
}
/// ahead[t] is the sum of totals[0] to totals[t - 1].
auto EqualsSumsAhead(const std::vector<int>& totals) {
  return EqualsRunningSums(totals, one_stretch(), ScanKind::exclusive, "totals");
}

}  // namespace

// --- scan_sums --------------------------------------------------------------------------------------------

TEST_CASE("scan_sums: the scan of all, at awkward sizes", "[scan_sums][result]") {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(block_sizes());
  const unsigned count = GENERATE_COPY(awkward_sizes(block));
  const auto before = whole_numbers<int>(count, seed_of(count, block));
  const auto sums = scan_in_place(device, before, block).out;
  CHECK_THAT(sums, EqualsScanInPlace(before));
}

TEST_CASE("scan_sums: many sums, and the smallest int", "[scan_sums][result]") {
  Device& device = GENERATE(devices());
  auto before = whole_numbers<int>(140'001, 1);
  unsigned block = 256;
  SECTION("more than 16 bits count, in thousands of rounds") { block = 32; }
  SECTION("sums[0] is the smallest int") { before = with_smallest_int(600, 0); }
  SECTION("sums[40] is the smallest int") { before = with_smallest_int(600, 40); }
  SECTION("sums[599] is the smallest int") { before = with_smallest_int(600, 599); }
  const auto sums = scan_in_place(device, before, block).out;
  CHECK_THAT(sums, EqualsScanInPlace(before));
}

TEST_CASE("scan_sums: in any order", "[scan_sums][result]") {
  SimulatedDevice& device = GENERATE(every_order());
  const auto before = whole_numbers<int>(300, 1);
  const auto sums = scan_in_place(device, before, 128).out;
  CHECK_THAT(sums, EqualsScanInPlace(before));
}

TEST_CASE("scan_sums: rounds of a block", "[scan_sums][technique]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned count = GENERATE_COPY(4 * block, some_awkward_sizes(block));
  const auto before = whole_numbers<int>(count, count);
  const auto [run, sums] = counted(device, scan_in_place, before, block);
  const auto& [launch, work] = run;
  const unsigned rounds = std::max(1u, ceil_div(count, block));
  const double warps = block / 32.0;
  // Two as in scan_block, and one more because a round must not overwrite totals that are still being read.
  CHECK_THAT(launch.count(&Counters::block_barriers),
             AtMost(3 * rounds + 1, "block barriers in " + std::to_string(rounds) + " rounds",
                    "a round has two for the scan of a block and one before the next; one more in all"));
  CHECK_THAT(launch.count(&Counters::global_load_sectors),
             AtMost(ceil_div(count, 8), "global load sectors", "each sum is read once"));
  CHECK_THAT(launch.count(&Counters::global_store_sectors),
             AtMost(ceil_div(count, 8), "global store sectors", "each sum is written once"));
  CHECK_THAT(run, LoadsEachElementOnce(count, "sums"));
  CHECK_THAT(run, StoresEachElementOnce(count, "sums"));
  CHECK_THAT(launch.count(&Counters::shared_load_requests) / rounds,
             AtMost((warps + 3) * warps + 3, "shared load requests per round",
                    "a warp loads the total of each warp at most once, and 3 more words"));
  if (count == 4 * block) {
    CHECK_THAT(work, IsSharedOut(4.0 * count));
    // A round is blockDim.x elements, and a warp needs the sums of the warps ahead. So all warps but the last
    // must pass theirs on, in every round.
    CHECK_THAT(launch.count({&Counters::shared_store_requests, &Counters::shared_atomic_requests}) / rounds,
               AtLeast(warps - 1, "shared stores and atomics per round",
                       "a round takes blockDim.x elements, and each warp passes on the total of its 32"));
  }
  CHECK_THAT(sums, EqualsScanInPlace(before));
}

TEST_CASE("scan_sums: no findings, at awkward sizes", "[scan_sums][safety]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned count = GENERATE_COPY(awkward_sizes(block));
  const auto before = whole_numbers<int>(count, count);
  const auto [launch, sums] = scan_in_place(device, before, block);
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(sums, EqualsScanInPlace(before));
}

TEST_CASE("scan_sums: no findings in any order", "[scan_sums][safety]") {
  SimulatedDevice& device = GENERATE(every_order());
  const auto before = whole_numbers<int>(300, 300);
  const auto [launch, sums] = scan_in_place(device, before, 128);
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(sums, EqualsScanInPlace(before));
}

// --- add_sums ---------------------------------------------------------------------------------------------

TEST_CASE("add_sums: a sum for each block, at awkward sizes", "[add_sums][result]") {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(awkward_sizes(block));
  const auto before = whole_numbers<int>(n, seed_of(n, block));
  const auto ahead = whole_numbers<int>(std::max(1u, ceil_div(n, block)), n);
  const auto out = add_ahead(device, before, ahead, block).out;
  CHECK_THAT(out, EqualsSumsAdded(before, ahead, block));
}

TEST_CASE("add_sums: more blocks than n needs", "[add_sums][result]") {
  Device& device = GENERATE(devices());
  const unsigned more_blocks = GENERATE(1u, 300u);
  const auto before = whole_numbers<int>(100, 1), ahead = whole_numbers<int>(2 + more_blocks, 2);
  const auto out = add_ahead(device, before, ahead, 64).out;
  INFO("more blocks than n needs");
  CHECK_THAT(out, EqualsSumsAdded(before, ahead, 64));
}

TEST_CASE("add_sums: as the third of three launches", "[add_sums][result]") {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(32u, 256u, 1024u);
  for (unsigned n = 1; n <= 5000; n += device.is_simulated() || block != 256 ? 1 + n / 2 : 1) {
    const auto in = whole_numbers<int>(n, seed_of(n, block));
    const auto scanned = running_sums(in, block, ScanKind::inclusive);  // what the first launch leaves,
    const auto ahead = running_sums(stretch_sums(in, block), n, ScanKind::exclusive);  // and the second
    const auto out = add_ahead(device, scanned, ahead, block).out;
    INFO("as the third of three launches");
    REQUIRE_THAT(out, EqualsSumsAdded(scanned, ahead, block));
  }
}

TEST_CASE("add_sums: as the third of three launches on a large array", "[add_sums][result]") {
  Device& device = GENERATE(devices());
  if (is_in_another_order()) return;  // too large for more than once
  const unsigned n = device.is_simulated() ? 100'003 : (1u << 24) + 3, block = 1024;
  const auto in = whole_numbers<int>(n, seed_of(n, block));
  const auto scanned = running_sums(in, block, ScanKind::inclusive);
  const auto ahead = running_sums(stretch_sums(in, block), n, ScanKind::exclusive);
  const auto out = add_ahead(device, scanned, ahead, block).out;
  INFO("as the third of three launches");
  CHECK_THAT(out, EqualsSumsAdded(scanned, ahead, block));
}

TEST_CASE("add_sums: one sum for a warp", "[add_sums][technique]") {
  SimulatedDevice& device = simulated();
  const unsigned n = GENERATE(8192u, 8003u);
  constexpr unsigned block = 256;
  const auto before = whole_numbers<int>(n, n), ahead = whole_numbers<int>(ceil_div(n, block), block);
  const auto [run, out] = counted(device, add_ahead, before, ahead, block);
  // A warp reads its 32 elements, 4 sectors, and one sum.
  CHECK_THAT(run.launch.count(&Counters::global_load_sectors).per_warp(),
             AtMost(5, "global load sectors per warp", "32 neighbours and one sum"));
  CHECK_THAT(run.launch.count(&Counters::global_store_sectors).per_warp(),
             AtMost(4, "global store sectors per warp", "32 neighbours"));
  CHECK_THAT(run, LoadsEachElementOnce(n, "out"));
  CHECK_THAT(run, StoresEachElementOnce(n));
  CHECK_THAT(run, HasNoExchangesInCode(Exchanges::atomics));
  if (n % block == 0) CHECK_THAT(run.work, IsSharedOutToBlocks(4.0 * n));
  CHECK_THAT(out, EqualsSumsAdded(before, ahead, block));
}

TEST_CASE("add_sums: no findings, at awkward sizes", "[add_sums][safety]") {
  SimulatedDevice& device = simulated();
  const unsigned n = GENERATE(awkward_sizes(256));
  const auto before = whole_numbers<int>(n, n),
             ahead = whole_numbers<int>(std::max(1u, ceil_div(n, 256)), 256);
  const auto [launch, out] = add_ahead(device, before, ahead, 256);
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, EqualsSumsAdded(before, ahead, 256));
}

TEST_CASE("add_sums: no findings, in blocks of any size", "[add_sums][safety]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = 3 * block - 5;
  const auto before = whole_numbers<int>(n, n), ahead = whole_numbers<int>(3, block);
  const auto [launch, out] = add_ahead(device, before, ahead, block);
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, EqualsSumsAdded(before, ahead, block));
}

TEST_CASE("add_sums: no findings in any order", "[add_sums][safety]") {
  SimulatedDevice& device = GENERATE(every_order());
  const auto before = whole_numbers<int>(300, 300), ahead = whole_numbers<int>(3, 128);
  const auto [launch, out] = add_ahead(device, before, ahead, 128);
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, EqualsSumsAdded(before, ahead, 128));
}

// --- find_ahead -------------------------------------------------------------------------------------------

// With the same scratch memory again and again, as a caller would use it.
TEST_CASE("find_ahead: launched one after the other", "[find_ahead][result]") {
  Device& device = GENERATE(devices());
  const ScanScratch scratch(device, 200);
  unsigned launches = 0;
  for (const unsigned tiles : {1u, 2u, 3u, 31u, 32u, 33u, 34u, 64u, 65u, 66u, 200u, 1u, 200u}) {
    const auto totals = whole_numbers<int>(tiles, seed_of(tiles, launches + 1));
    const auto left = IsLeftForNext(launches++, scratch.states.download(), totals, {.n = tiles});
    const auto ahead = find_sums_ahead(device, totals, scratch).out;
    INFO("launched one after the other");
    REQUIRE_THAT(ahead, EqualsSumsAhead(totals));
    REQUIRE_THAT(scratch, left);
  }
}

TEST_CASE("find_ahead: blocks one after the other", "[find_ahead][result]") {
  SimulatedDevice& device = simulated();
  const OtherOptions one_by_one = one_after_the_other(device, 70, GENERATE(false, true));
  const auto totals = whole_numbers<int>(70, seed_of(70, 1));
  const auto ahead = find_sums_ahead(device, totals, ScanScratch(device, 70)).out;
  CHECK_THAT(ahead, EqualsSumsAhead(totals));
}

TEST_CASE("find_ahead: blocks side by side", "[find_ahead][result]") {
  SimulatedDevice& device = GENERATE(every_order());
  const auto totals = whole_numbers<int>(70, seed_of(70, 1));
  const auto ahead = find_sums_ahead(device, totals, ScanScratch(device, 70)).out;
  CHECK_THAT(ahead, EqualsSumsAhead(totals));
}

// What a warp finds depends on how fast the others are. Here no other runs, and their words are there
// already.
TEST_CASE("find_ahead: what others have published", "[find_ahead][technique]") {
  SimulatedDevice& device = simulated();
  const auto [tile, nearest, words, advice] = GENERATE(table<unsigned, unsigned, std::string, std::string>(
      {{20, 19, "tile 20, the prefix of tile 19", "a prefix is the whole sum"},
       {20, 7, "tile 20, totals from tile 19 back to 8, prefixes from 7 on",
        "the totals and the nearest prefix, and nothing before that"},
       {75, 5, "tile 75, totals from tile 74 back to 6, prefixes from 5 on",
        "32 totals per window, and on until a window has a prefix"},
       {200, 5, "tile 200, totals from tile 199 back to 6, prefixes from 5 on",
        "32 totals per window, and on until a window has a prefix"}}));
  const Published others(tile, nearest);
  const OneLook look(device, tile, others.words);
  INFO(words);
  REQUIRE_THAT(look.launch,
               Completes("the warp never ends (it must add up the totals, not wait for a prefix)"));
  const int ahead = look.ahead();
  REQUIRE_THAT(ahead, IsSumAhead(others.sum, advice));
  const auto published = look.published();
  CHECK_THAT(published, IsWord(word_of_prefix(others.sum + OneLook::total),
                               "the sum is right, but the tile's own prefix was not published"));
}

TEST_CASE("find_ahead: no prefix wasted", "[find_ahead][technique]") {
  SimulatedDevice& device = simulated();
  const OtherOptions scope = block_after_block(device);
  constexpr unsigned tiles = 100;
  const auto totals = whole_numbers<int>(tiles, tiles);
  const auto [launch, ahead] = find_sums_ahead(device, totals, ScanScratch(device, tiles));
  // Block after block: the prefix of the tile just ahead is there, and one poll is enough. 32 words of 8
  // bytes are 8 sectors, or 9 if they are not aligned to a sector. One more sector is for the total.
  CHECK_THAT(launch.count(&Counters::global_load_sectors) / tiles,
             AtMost(10, "global load sectors per tile", "a warp that finds a prefix looks no further"));
  CHECK_THAT(ahead, EqualsSumsAhead(totals));
}

TEST_CASE("find_ahead: no findings", "[find_ahead][safety]") {
  SimulatedDevice& device = simulated();
  const unsigned tiles = GENERATE(1u, 2u, 33u, 70u);
  const auto totals = whole_numbers<int>(tiles, tiles);
  const auto [launch, ahead] = find_sums_ahead(device, totals, ScanScratch(device, tiles));
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(ahead, EqualsSumsAhead(totals));
}

TEST_CASE("find_ahead: no findings in any order", "[find_ahead][safety]") {
  SimulatedDevice& device = GENERATE(every_order());
  const auto totals = whole_numbers<int>(40, seed_of(40, 1));
  const auto [launch, ahead] = find_sums_ahead(device, totals, ScanScratch(device, 40));
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(ahead, EqualsSumsAhead(totals));
}

// Other tiles use a tile's total while it is still looking back, so it must publish its total before it
// waits. Here it waits for ever, for a tile 0 that no block has drawn.
TEST_CASE("find_ahead: the total first", "[find_ahead][technique]") {
  const bool is_next_known = GENERATE(false, true);
  const int total = GENERATE(OneLook::total + 0, 0);
  const OneLook look = is_next_known ? OneLook(simulated(), 2, {0, word_of_total(7)}, 0, total)
                                     : OneLook(simulated(), 1, {0}, 0, total);
  INFO((is_next_known ? "tile 2, the total of tile 1" : "tile 1") << ", and nothing known about tile 0");
  CHECK_THAT(look.launch, NeverEnds("the warp ends anyway (it must wait for the word of tile 0)"));
  const auto published = look.published();
  CHECK_THAT(published, IsWord(word_of_total(total),
                               "the warp waits, but has not published its total (other tiles could use it)"));
}

// What an earlier launch has left is nothing, however many launches ago it was.
TEST_CASE("find_ahead: words of an earlier launch", "[find_ahead][technique]") {
  const auto [number, earlier] = GENERATE(launches_and_earlier_ones());
  {
    const OneLook look(simulated(), 2, {word_of_prefix(5, number), word_of_total(7, number)}, number);
    INFO("launch " << number << ", tile 2, the prefix of tile 0 and the total of tile 1");
    REQUIRE_THAT(look.launch, Completes("the warp never ends"));
    const int ahead = look.ahead();
    CHECK_THAT(ahead, IsSumAhead(12, "the two together"));
  }
  for (const auto word : {word_of_total(5, earlier), word_of_prefix(5, earlier)}) {
    const OneLook look(simulated(), 1, {word}, number);
    INFO("launch " << number << ", tile 1, and a word of tile 0 from launch " << earlier);
    CHECK_THAT(look.launch, NeverEnds("the warp takes it (it must wait for one of this launch)"));
  }
}

// --- What the chapter shows of these kernels --------------------------------------------------------------

namespace {

/// The launches that are counted, drawn and, on a GPU, timed.
Launch show_scan_sums(Device& device, unsigned count) {
  const auto before = whole_numbers<int>(count, count);
  auto [launch, sums] = scan_in_place(device, before, 1024);
  if (!launch.is_timed()) require(sums, EqualsScanInPlace(before));
  return std::move(launch);
}
Launch show_add_sums(Device& device, unsigned n) {
  const unsigned block = device.block_or(256);
  const auto before = whole_numbers<int>(n, n);
  const auto ahead = whole_numbers<int>(std::max(1u, ceil_div(n, block)), block);
  auto [launch, out] = add_ahead(device, before, ahead, block);
  if (!launch.is_timed()) require(out, EqualsSumsAdded(before, ahead, block));
  return std::move(launch);
}
/// The sum ahead of each of `tiles` tiles.
Launch show_find_ahead(Device& device, unsigned tiles) {
  const auto totals = whole_numbers<int>(tiles, tiles);
  auto [launch, ahead] = find_sums_ahead(device, totals, ScanScratch(device, tiles));
  if (!launch.is_timed()) require(ahead, EqualsSumsAhead(totals));
  return std::move(launch);
}

const RegisterKernels sums_kernels({
    {.kernel = scan_sums,
     .technique = "one block walks",
     .task = "scan the sums of the blocks, with one block",
     .run = show_scan_sums,
     .largest_n = 1u << 20,
     .bytes_per_element = 8},
    {.kernel = add_sums,
     .technique = "the sum ahead of the block",
     .task = "add to each element the sum of all blocks ahead",
     .run = show_add_sums,
     .bytes_per_element = 8},
    {.kernel = find_ahead,
     .technique = "looking back",
     .task = "part 2 of one launch: find the sum ahead of each tile",
     .run = show_find_ahead,
     .largest_n = 1u << 12,
     .bytes_per_element = 8},
});

}  // namespace
