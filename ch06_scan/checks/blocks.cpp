/// \file What chapter 6 asks of its kernels, second part: the six scans of blocks. Contracts:
/// kernels.hpp.

#include <optional>
#include <type_traits>
#include <vector>

#include "ch06_scan/checks/launches.hpp"
#include "common/harness/check/cases.hpp"
#include "common/harness/check/chapter.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch06;

namespace {

/// out[i] is the sum of the elements of its block up to in[i], or to in[i - 1]; sums[b] that of block b.
template <class T>
auto EqualsBlockScans(const std::vector<T>& in, unsigned block, ScanKind kind) {
  return EqualsScans(in, stretches_of(block), kind);
}

// --- What is asked of all six scans: each function is a test case of each, see register_block_cases() ----

template <class T>
void blocks_at_awkward_sizes(const BlockScan<T>& scan) {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(awkward_sizes(block));
  const auto in = whole_numbers<T>(n, seed_of(n, block));
  const auto scanned = scan_blocks(device, scan, in, thread_for_each(n, block));
  CHECK_THAT(scanned, EqualsBlockScans(in, block, scan.kind));
}

template <class T>
void large_and_empty_blocks(const BlockScan<T>& scan) {
  Device& device = GENERATE(devices());
  const auto [n, block, empty] =
      GENERATE(table<unsigned, unsigned, unsigned>({{70'001, 1024, 0}, {33, 64, 1}, {100, 64, 100}}));
  const auto in = whole_numbers<T>(n, n);
  LaunchShape shape = thread_for_each(n, block);
  shape.grid.x += empty;
  const auto scanned = scan_blocks(device, scan, in, shape);
  INFO((empty == 0 ? "more elements than 16 bits count" : "more blocks than n needs"));
  CHECK_THAT(scanned, EqualsBlockScans(in, block, scan.kind));
}

template <class T>
void blocks_without_sums(const BlockScan<T>& scan) {
  Device& device = GENERATE(devices());
  const auto [n, block] = GENERATE(table<unsigned, unsigned>({{1000, 256}, {100, 64}, {0, 64}}));
  const auto in = whole_numbers<T>(n, 1);
  const auto out = scan_blocks_alone(device, scan, in, block).out;
  INFO("sums == nullptr");
  CHECK_THAT(out, EqualsRunningSums(in, stretches_of(block), scan.kind));
}

// On four full blocks, and on launches of the result's cases that the seed draws.
template <class T>
void blocks_by_warps(const BlockScan<T>& scan) {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(4 * block, some_awkward_sizes(block));
  const auto in = whole_numbers<T>(n, seed_of(n, block));
  std::optional<Scanned<T>> scanned;
  const Work work =
      work_of(device, [&] { scanned.emplace(scan_blocks(device, scan, in, thread_for_each(n, block))); });
  const Launch& launch = scanned->launch;

  constexpr unsigned words = sizeof(T) / 4;  // a shuffle moves 32 bits
  const double warps = block / 32.0;
  const std::string per_block = " per block of " + std::to_string(block);
  // Totals are passed on twice: one barrier before they are scanned, one after.
  CHECK_THAT(
      launch.count(&Counters::block_barriers).per_block(),
      AtMost(2, "block barriers" + per_block, "one before the totals of the warps are scanned, one after"));
  // 5 per scan, and one to pass the sum to the next lane if the element itself is left out. The warp that
  // scans the totals makes as many again. If all warps do, they may get two of the totals from the lane that
  // has them: 5 + 1 + 5 + 2, and one to spare.
  CHECK_THAT(launch.count(&Counters::shuffles).per_block(),
             AtMost(14 * words * warps, "shuffles of 32 bits" + per_block,
                    "5 per scan and one to the next lane; each warp scans its elements and at most the "
                    "totals"));
  // With two barriers, one warp loads the totals and stores them scanned, and each warp loads what it needs
  // of these, at most 3 words: the total ahead of it and the sum of the block, and one of them twice if the
  // compiler does not keep it. With one barrier, each warp loads all totals, all at once or one by one.
  CHECK_THAT(launch.count(&Counters::shared_load_requests).per_block(),
             AtMost((warps + 3) * warps + 3, "shared load requests" + per_block,
                    "a warp loads the total of each warp of its block at most once, and 3 more words"));
  CHECK_THAT(launch.count(&Counters::shared_store_requests).per_block(),
             AtMost(2 * warps + 2, "shared store requests" + per_block,
                    "each warp's total is stored once, and once more when it is scanned"));
  CHECK_THAT(
      Measured(shared_bytes_of(device.program(), launch.kernel())),
      AtMost(sizeof(T) * (32 + 32 + 2), "bytes of shared memory",
             "only the totals of at most 32 warps go through it, and once more when they are scanned"));
  CHECK_THAT(launch.count(&Counters::global_load_sectors).per_block(),
             AtMost(4 * words * warps, "global load sectors" + per_block, "each element is read once"));
  CHECK_THAT(launch.count(atomic_requests).per_block(),
             AtMost(0, "atomic requests" + per_block, "atomics give sums, but not in order"));
  if (n == 4 * block) CHECK_THAT(work, IsSharedOut(4.0 * words * n));
  CHECK_THAT(*scanned, EqualsBlockScans(in, block, scan.kind));
}

template <class T>
void blocks_without_findings(const BlockScan<T>& scan) {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(0u, 1u, 33u, block - 1, 2 * block + 1, 5 * block + block / 2 + 3);
  const auto in = whole_numbers<T>(n, n);
  const auto scanned = scan_blocks(device, scan, in, thread_for_each(n, block));
  CHECK_THAT(scanned.launch, HasNoFindings());
  CHECK_THAT(scanned, EqualsBlockScans(in, block, scan.kind));
}

template <class T>
void orders_without_findings(const BlockScan<T>& scan) {
  SimulatedDevice& device = GENERATE(every_order());
  const auto in = whole_numbers<T>(300, 1);
  const auto scanned = scan_blocks(device, scan, in, thread_for_each(300, 128));
  CHECK_THAT(scanned.launch, HasNoFindings());
  CHECK_THAT(scanned, EqualsBlockScans(in, 128, scan.kind));
}

// --- What is asked of ints, of floats and of doubles ------------------------------------------------------

void blocks_with_smallest_int(const BlockScan<int>& scan) {
  Device& device = GENERATE(devices());
  const unsigned place = GENERATE(0u, 40u, 255u);
  const auto in = with_smallest_int(600, place);
  const auto scanned = scan_blocks(device, scan, in, thread_for_each(600, 256));
  INFO("in[" << place << "] is the smallest int");
  CHECK_THAT(scanned, EqualsBlockScans(in, 256, scan.kind));
}

// From an infinity or NaN on, all sums are infinite or NaN, until the next block; those before it are not.
// From a second infinity on, of the other sign, they are NaN.
template <class T>
void blocks_with_infinity_or_nan(const BlockScan<T>& scan) {
  Device& device = GENERATE(devices());
  const unsigned place = GENERATE(0u, 31u, 77u, 255u);
  const T special = GENERATE(std::numeric_limits<T>::infinity(), -std::numeric_limits<T>::infinity(),
                             std::numeric_limits<T>::quiet_NaN());
  auto in = whole_numbers<T>(600, 2);
  in[place] = special, in[place + 60] = -special;
  const auto scanned = scan_blocks(device, scan, in, thread_for_each(600, 256));
  INFO("in[" << place << "] is " << text_of(static_cast<float>(special)));
  CHECK_THAT(scanned, EqualsBlockScans(in, 256, scan.kind));
}

/// Within a warp an element goes through at most 5 additions of a tree, or 31 in a row; then through those of
/// the totals, and the last one that adds the two: 31 + 31 + 1 at worst, log2(1024) + 1 at best.
constexpr unsigned most_additions = 63;

void blocks_of_floats(const BlockScan<float>& scan) {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = 3 * block - 1;
  auto in = random_floats(n, seed_of(n, block));
  // In each block one element is larger than all others. An exclusive sum that is made by subtracting it from
  // the inclusive one loses what came before it.
  in[block / 2] = 0x1p24f, in[block + block / 2] = 0x1p20f, in[2 * block + block / 2] = 0x1p13f;
  const auto out = scan_blocks_alone(device, scan, in, block).out;
  INFO("real floats");
  CHECK_THAT(out, Holds(running_sums(in, block, scan.kind))
                      .within(running_sum_error_bounds(in, block, scan.kind, most_additions)));
}

// The same in double. The fractions alone add up exactly (see below). So the reference is their sum plus the
// large element: one addition that rounds.
void blocks_of_doubles(const BlockScan<double>& scan) {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = 3 * block - 1, place = block / 2;
  constexpr float large = 0x1p53f;  // next to it a double holds no fractions
  auto floats = random_floats(n, seed_of(n, block));
  floats[place] = 0;
  std::vector<double> in(floats.begin(), floats.end());
  std::vector<double> expected = running_sums(in, block, scan.kind);
  in[place] = floats[place] = large;
  for (unsigned i = scan.kind == ScanKind::inclusive ? place : place + 1; i < block; ++i)
    expected[i] += large;
  std::vector<double> bounds = running_sum_error_bounds(floats, block, scan.kind, most_additions + 1);
  for (double& bound : bounds) bound *= 0x1p-53 / 0x1p-24;  // an addition of doubles is that much more exact
  const auto out = scan_blocks_alone(device, scan, in, block).out;
  INFO("doubles that round");
  CHECK_THAT(out, Holds(expected).within(bounds));
}

// Floats stored as doubles: sums of 1024 of them need 36 of the 53 bits, so they are exact in any order.
void blocks_of_exact_doubles(const BlockScan<double>& scan) {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = 3 * block - 1;
  const auto floats = random_floats(n, block);
  const std::vector<double> in(floats.begin(), floats.end());
  const auto scanned = scan_blocks(device, scan, in, thread_for_each(n, block));
  INFO("real doubles");
  CHECK_THAT(scanned, EqualsBlockScans(in, block, scan.kind));
}

template <class T>
void register_block_cases(const BlockScan<T>& scan) {
  register_cases(scan.kernel, scan,
                 {{"the scan of each block", Aspect::result, blocks_at_awkward_sizes},
                  {"large, and with empty blocks", Aspect::result, large_and_empty_blocks},
                  {"without sums", Aspect::result, blocks_without_sums}});
  if constexpr (std::is_same_v<T, int>)
    register_cases(scan.kernel, scan, {{"the smallest int", Aspect::result, blocks_with_smallest_int}});
  else
    register_cases(scan.kernel, scan, {{"infinity and NaN", Aspect::result, blocks_with_infinity_or_nan}});
  if constexpr (std::is_same_v<T, float>)
    register_cases(scan.kernel, scan, {{"floats that round", Aspect::result, blocks_of_floats}});
  if constexpr (std::is_same_v<T, double>)
    register_cases(scan.kernel, scan,
                   {{"doubles that round", Aspect::result, blocks_of_doubles},
                    {"real doubles", Aspect::result, blocks_of_exact_doubles}});
  register_cases(scan.kernel, scan,
                 {{"scans of warps and their totals", Aspect::technique, blocks_by_warps},
                  {"no findings", Aspect::safety, blocks_without_findings},
                  {"no findings in any order", Aspect::safety, orders_without_findings}});
}
const bool block_cases =
    (register_block_cases(inclusive_int), register_block_cases(exclusive_int),
     register_block_cases(inclusive_float), register_block_cases(exclusive_float),
     register_block_cases(inclusive_double), register_block_cases(exclusive_double), true);

}  // namespace

// --- What the chapter shows of these kernels --------------------------------------------------------------

namespace {

/// The launches that are counted, drawn and, on a GPU, timed.
template <const auto& scan>
Launch show_block_scans(Device& device, unsigned n) {
  const unsigned block = device.block_or(256);
  const auto in = whole_numbers<typename std::remove_cvref_t<decltype(scan)>::Element>(n, n);
  auto scanned = scan_blocks(device, scan, in, thread_for_each(n, block));
  if (!scanned.launch.is_timed()) require(scanned, EqualsBlockScans(in, block, scan.kind));
  return std::move(scanned.launch);
}

const RegisterKernels block_kernels({
    {.kernel = scan_block_inclusive_int,
     .technique = "warps, totals, warps",
     .task = "scan each block, including the element itself",
     .run = show_block_scans<inclusive_int>,
     .bytes_per_element = 8},
    {.kernel = scan_block_exclusive_int,
     .technique = "the same, one lane up",
     .task = "scan each block, without the element itself",
     .run = show_block_scans<exclusive_int>,
     .bytes_per_element = 8},
    {.kernel = scan_block_inclusive_float,
     .technique = "the same, float",
     .task = "scan each block of floats, inclusive",
     .run = show_block_scans<inclusive_float>,
     .bytes_per_element = 8},
    {.kernel = scan_block_exclusive_float,
     .technique = "the same, float",
     .task = "scan each block of floats, exclusive",
     .run = show_block_scans<exclusive_float>,
     .bytes_per_element = 8},
    {.kernel = scan_block_inclusive_double,
     .technique = "the same, double",
     .task = "scan each block of doubles, inclusive",
     .run = show_block_scans<inclusive_double>,
     .bytes_per_element = 16},
    {.kernel = scan_block_exclusive_double,
     .technique = "the same, double",
     .task = "scan each block of doubles, exclusive",
     .run = show_block_scans<exclusive_double>,
     .bytes_per_element = 16},
});

}  // namespace
