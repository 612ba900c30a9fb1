/// \file What chapter 6 asks at the largest n: of the grid some blocks run alone (any_size.hpp). scan_sums is
/// not among them, since its one block would have to walk over all of it.

#include <string>
#include <vector>

#include "ch06_scan/checks/states.hpp"
#include "common/harness/check/any_size.hpp"
#include "common/harness/check/cases.hpp"

namespace warpwise::ch06::largest {

using namespace harness;

namespace {

/// Of kernels whose blocks have a thread for each element.
Generator<unsigned> sizes() { return large_sizes({largest_n - 5}); }

/// The sum of any neighbours fits into an int.
template <class T>
std::function<T(std::size_t)> whole() {
  return numbers_by_index<T>(-999, 1000);
}

/// out[i] is the sum of in[32 * (i / 32)] to in[i].
void check_warps(const WarpScan& scan) {
  SimulatedDevice& device = simulated_at_any_size();
  const unsigned n = GENERATE(sizes()), block = GENERATE(256u, 32u);
  LaunchShape shape = scan.shape(n, block);
  shape.n = n;
  const SomeBlocks some(device, shape.grid.x, numbers_in_code());
  const LargeInput<int> in(device, "in", n, whole<int>());
  const auto out = device.reserved<int>("out", n);
  device.launch(scan.kernel, shape, in, out, n);
  CHECK_THAT(out, HoldsOfBlocks(some, n, block, [&](std::uint64_t b) {
               return running_sums(in.part(b * block, block), 32, ScanKind::inclusive);
             }));
}

template <class T>
void check_blocks(const BlockScan<T>& scan) {
  SimulatedDevice& device = simulated_at_any_size();
  const unsigned n = GENERATE(sizes()), block = GENERATE(256u, 32u);
  const unsigned grid = ceil_div(n, block);
  const SomeBlocks some(device, grid, numbers_in_code());
  const LargeInput<T> in(device, "in", n, whole<T>());
  const auto out = device.reserved<T>("out", n), sums = device.reserved<T>("sums", grid);
  device.launch(scan.kernel, {.grid = grid, .block = block, .n = n}, in, out, sums, n);
  CHECK_THAT(out, HoldsOfBlocks(some, n, block, [&](std::uint64_t b) {
               return running_sums(in.part(b * block, block), block, scan.kind);
             }));
  CHECK_THAT(sums, ReducesStretches<operators::Sum>(some, in, block));
}

/// As if the tiles ahead of `tile` had published their totals, 1000 each, and the 5120th before it, which is
/// slow, a prefix of 777: returns the sum ahead.
int publish(Buffer<unsigned long long>& states, unsigned tile) {
  constexpr unsigned back = 160 * 32;  // whole windows
  std::vector<unsigned long long> words(back, word_of_total(1000));
  words.front() = word_of_prefix(777);
  words.push_back(0);  // of its own nothing is known
  states.upload(words, tile - back);
  return 777 + (back - 1) * 1000;
}
/// Of a launch in which a block draws the ticket that it is given, one runs.
OtherOptions only_first(SimulatedDevice& device) {
  return OtherOptions(device, [](auto& options) { options.launch.only_blocks = {0}; });
}

}  // namespace

TEST_CASE("scan_warp: the largest n", "[scan_warp][result]") { check_warps(conditional); }
TEST_CASE("scan_warp_padded: the largest n", "[scan_warp_padded][result]") { check_warps(padded); }
TEST_CASE("scan_warp_shuffle_ptx: the largest n", "[scan_warp_shuffle_ptx][result]") {
  check_warps(by_predicate);
}
TEST_CASE("scan_warp_shuffle: the largest n", "[scan_warp_shuffle][result]") { check_warps(by_lane_test); }

TEST_CASE("scan_block_inclusive_int: the largest n", "[scan_block_inclusive_int][result]") {
  check_blocks(inclusive_int);
}
TEST_CASE("scan_block_exclusive_int: the largest n", "[scan_block_exclusive_int][result]") {
  check_blocks(exclusive_int);
}
TEST_CASE("scan_block_inclusive_float: the largest n", "[scan_block_inclusive_float][result]") {
  check_blocks(inclusive_float);
}
TEST_CASE("scan_block_exclusive_float: the largest n", "[scan_block_exclusive_float][result]") {
  check_blocks(exclusive_float);
}
TEST_CASE("scan_block_inclusive_double: the largest n", "[scan_block_inclusive_double][result]") {
  check_blocks(inclusive_double);
}
TEST_CASE("scan_block_exclusive_double: the largest n", "[scan_block_exclusive_double][result]") {
  check_blocks(exclusive_double);
}

TEST_CASE("add_sums: the largest n", "[add_sums][result]") {
  SimulatedDevice& device = simulated_at_any_size();
  const unsigned n = GENERATE(sizes()), block = GENERATE(256u, 32u);
  const unsigned grid = ceil_div(n, block);
  const SomeBlocks some(device, grid, numbers_in_code());
  const LargeInput<int> before(device, "before", n, whole<int>());  // what stands in `out`
  auto out = device.reserved<int>("out", n);
  for (const std::uint64_t b : some.numbers()) out.upload(before.part(b * block, block), b * block);
  const LargeInput<int> sums(device, "sums", grid, numbers_by_index<int>(-999, 1000, 2));
  device.launch(add_sums, {.grid = grid, .block = block, .n = n}, out, sums, n);
  CHECK_THAT(out, HoldsOfBlocks(some, n, block, [&](std::uint64_t b) {
               std::vector<int> added = before.part(b * block, block);
               for (int& one : added) one += sums[b];
               return added;
             }));
}

TEST_CASE("scan_tile_rows: the largest n", "[scan_tile_rows][result]") {
  SimulatedDevice& device = simulated_at_any_size();
  constexpr unsigned n = largest_n - 5, tiles = tiles_for(n);
  const SomeBlocks some(device, tiles, numbers_in_code());
  const LargeInput<int> in(device, "in", n, whole<int>());
  const auto out = device.reserved<int>("out", n);
  const auto totals = device.reserved<int>("totals", std::size_t{tiles} * stretches_a_tile);
  device.launch(scan_tile_rows, {.grid = tiles, .block = tile_threads, .n = n}, in, out, totals, n);
  CHECK_THAT(out, HoldsOfBlocks(some, n, tile_elements, [&](std::uint64_t tile) {
               return running_sums(in.part(tile * tile_elements, tile_elements), stretch_elements,
                                   ScanKind::inclusive);
             }));
  CHECK_THAT(totals, HoldsOfBlocks(some, n, stretches_a_tile, [&](std::uint64_t tile) {
               auto sums = stretch_sums(in.part(tile * tile_elements, tile_elements), stretch_elements);
               sums.resize(stretches_a_tile);
               return sums;
             }));
}

TEST_CASE("find_ahead: the largest grid", "[find_ahead][result]") {
  SimulatedDevice& device = simulated_at_any_size();
  constexpr unsigned tiles = largest_n / 32;
  const unsigned tile = GENERATE(65535u, 65536u, tiles / 2, tiles - 2, tiles - 1);
  const OtherOptions one = only_first(device);
  const LargeInput<int> totals(device, "totals", tiles, whole<int>());
  const auto ahead = device.reserved<int>("ahead", tiles);
  auto states = device.reserved<unsigned long long>("states", tiles);
  const auto drawn = device.upload("drawn", std::vector<unsigned long long>{tile});
  const int expected = publish(states, tile);
  device.launch(find_ahead, {.grid = tiles, .block = 32, .n = tiles}, totals, ahead, states, drawn);
  INFO("tile " << tile << ", totals from the tile just ahead back to a prefix");
  CHECK_THAT(ahead, Holds(expected).at(tile));
}

TEST_CASE("scan_device: the largest n", "[scan_device][result]") {
  SimulatedDevice& device = simulated_at_any_size();
  constexpr unsigned n = largest_n - 5, tiles = tiles_for(n);
  const unsigned tile = GENERATE_COPY(65535u, 65536u, tiles - 2, tiles - 1);
  const OtherOptions one = only_first(device);
  const LargeInput<int> in(device, "in", n, whole<int>());
  const auto out = device.reserved<int>("out", n);
  auto states = device.reserved<unsigned long long>("states", tiles);
  const auto drawn = device.upload("drawn", std::vector<unsigned long long>{tile});
  const int ahead = publish(states, tile);
  device.launch(scan_device, {.grid = tiles, .block = tile_threads, .n = n}, in, out, n, states, drawn);
  auto expected = running_sums(in.part(std::size_t{tile} * tile_elements, tile_elements), tile_elements,
                               ScanKind::inclusive);
  for (int& sum : expected) sum += ahead;
  INFO("tile " << tile << ", totals from the tile just ahead back to a prefix");
  CHECK_THAT(out, Holds(expected).at(std::size_t{tile} * tile_elements));
}

TEST_CASE("reduce_affine: the largest n", "[reduce_affine][result]") {
  SimulatedDevice& device = simulated_at_any_size();
  const unsigned n = GENERATE(sizes()), block = GENERATE(256u, 32u);
  const unsigned grid = ceil_div(n, block);
  const SomeBlocks some(device, grid, numbers_in_code());
  const LargeInput<Affine> in(device, "in", n, [](std::size_t i) {
    return Affine{static_cast<unsigned>(seed_of(run_seed(), i, 1)) | 1,
                  static_cast<unsigned>(seed_of(run_seed(), i, 2))};
  });
  const auto out = device.reserved<Affine>("out", grid);
  device.launch(reduce_affine, {.grid = grid, .block = block, .n = n}, in, out, n);
  for (const std::uint64_t b : some.numbers()) {
    Affine all{1, 0};
    for (const Affine& map : in.part(b * block, block))
      all = {map.scale * all.scale, map.scale * all.shift + map.shift};
    const Affine found = out.download(b, 1).front();
    const unsigned of_one = found.scale + found.shift, expected = all.scale + all.shift;
    CHECK_THAT(of_one, Requirement<unsigned>("is what the maps make of 1", [=](unsigned value) {
                 if (value != expected)
                   fail("out[" + std::to_string(b) + "] makes " + std::to_string(value) + " of 1, expected " +
                            std::to_string(expected),
                        {.where = spelled(Case{.n = n, .block = block})});
               }));
  }
}

}  // namespace warpwise::ch06::largest
