#include "common/harness/check/technique.hpp"

#include "common/harness/check/inputs.hpp"
#include "common/harness/device/tests/kernels.hpp"
#include "common/testing/catch.hpp"
#include "sentence_of.hpp"

using namespace warpwise::harness;
using warpwise::testing::ContainsSubstring;

namespace {

Launch launch_of(const LaunchShape& shape, const Counters& counters) {
  Launch launch("reduce_naive", shape);
  warpwise::simulator::LaunchReport report;
  report.grid = {shape.grid.x, shape.grid.y, shape.grid.z};
  report.block = {shape.block.x, shape.block.y, shape.block.z};
  report.counters = counters;
  launch.set_report(report, "converged");
  return launch;
}

}  // namespace

TEST_CASE("a tree of pairs halves its values level by level") {
  CHECK(tree_levels(1) == 0);
  CHECK(tree_levels(32) == 5);
  CHECK(tree_levels(1024) == 10);
}

TEST_CASE("a share of each block") {
  const Launch launch = launch_of({.grid = 4, .block = 64}, {});
  CHECK(per_block(launch, 10).value == Approx(2.5));
}

TEST_CASE("each element is read once: 32 at a time, 8 to a sector") {
  Counters counters{};
  counters.global_load_requests = 4;
  counters.global_load_sectors = 16;
  const auto sentence = [&] {
    return sentence_of(
        [&] { require(launch_of({}, counters), ReadsNothingTwice(128, "each element is read once")); });
  };
  CHECK(sentence().empty());
  counters.global_load_sectors = 17;
  CHECK(sentence() == "global load sectors: 17, at most 16 (each element is read once)");
  counters.global_load_requests = 5;
  CHECK(sentence() ==
        "global load requests: 5, at most 4 (each warp reads 32 neighbouring elements at once, and each "
        "element is read once)");
}

TEST_CASE("no atomics, no shared memory") {
  Counters counters{};
  counters.shared_atomic_requests = 1;
  const Launch launch = launch_of({.grid = 4, .block = 64}, counters);
  CHECK(sentence_of([&] { require(launch, HasNoAtomics()); }) ==
        "atomic requests: 1, at most 0 (atomics on one word add one value after another: that is no tree)");
  CHECK(sentence_of([&] { require(launch, UsesNoSharedMemory("registers do")); }) ==
        "shared memory requests: 1, at most 0 (registers do)");
  CHECK(sentence_of([] { require(launch_of({}, {}), HasNoAtomics()); }).empty());
}

TEST_CASE("a tree: no thread joins more often than twice a level, beside its own elements") {
  LaunchAndWork run{launch_of({.grid = 8, .block = 64}, {}), {}};
  run.work.reached = {.block = 1, .number = 7, .count = 14};  // 12 joins, and the result: nobody asks
  run.work.ask_joins = []() -> std::optional<Joins> { throw CheckFailed("asked"); };
  CHECK(sentence_of([&] { require(run, IsTreeOver(64)); }).empty());
  ++run.work.reached.count;
  CHECK(sentence_of([&] { require(run, IsTreeOver(64)); }) == "asked");
  SECTION("where the launch was followed, its joins decide") {
    run.work.ask_joins = [] { return Joins{.busiest = {.block = 3, .number = 5, .count = 13}}; };
    CHECK(sentence_of([&] { require(run, IsTreeOver(64)); }) ==
          "joins by thread 5 of block 3 in a block of 64: 13, at most 12 (a join makes one value of two, by "
          "whichever instruction; a tree over 64 values has 6 levels, and a thread joins once or twice in "
          "each: does this thread do other threads' work?)");
    CHECK(sentence_of([&] { require(run, IsTreeOver(64, 2)); }).empty());
  }
  SECTION("else the words that reach it") {
    run.work.ask_joins = [] { return std::optional<Joins>(); };
    run.work.reached.count = 28;
    CHECK(sentence_of([&] { require(run, IsTreeOver(64)); }).empty());
    ++run.work.reached.count;
    CHECK_THAT(sentence_of([&] { require(run, IsTreeOver(64)); }),
               ContainsSubstring("words that reach thread 7 of block 1 in a block of 64: 29, at most 28"));
  }
}

TEST_CASE("warps that have nothing to join rest") {
  LaunchAndWork run{launch_of({.grid = 2, .block = 1024}, {}), {}};
  run.work.warps = {{.words = 2}, {.words = 2 * (32 + 2 * (32 + 4))}};
  CHECK(sentence_of([&] { require(run, RestsIdleWarps()); }).empty());
  run.work.warps[1].words += 2;
  run.work.ask_joins = [] { return Joins{.of_others_by_warps = {1, 2 * 2 * (32 + 4)}}; };
  CHECK_THAT(sentence_of([&] { require(run, RestsIdleWarps()); }),
             ContainsSubstring("joins by the warps of a block of 1024: 72.5, at most 72"));
  CHECK(sentence_of([&] { require(run, RestsIdleWarps(1, 1)); }).empty());
}

TEST_CASE("a slot that nobody has written, where the code names its line and where it does not") {
  std::optional<UnwrittenSlot> slot({.line = 14, .thread = 31, .word = 47});
  const auto sentence = [&] { return sentence_of([&] { require(slot, IsNowhere("zeros")); }); };
  CHECK(
      sentence() ==
      "thread 31 of block 0 reads word 47 of shared memory at line 14, which no thread has written (zeros)");
  slot->line = 0;
  CHECK_THAT(sentence(), ContainsSubstring("of shared memory, which no thread"));
}

TEST_CASE("each element of in is read once, and nothing else is") {
  LaunchAndWork run{launch_of({.grid = 2, .block = 64}, {}), {}};
  run.work.reads["in"] = {.requests = 4, .sectors = 16};
  CHECK(sentence_of([&] { require(run, ReadsEachElementOnce(128)); }).empty());
  run.work.reads["in"].requests = 5;
  CHECK_THAT(sentence_of([&] { require(run, ReadsEachElementOnce(128)); }),
             ContainsSubstring("global load requests: 5, at most 4"));
  // By themselves the last 32 take a request more, and are no other elements.
  run.work.reads["in"].bytes = 128 * sizeof(float);
  CHECK(sentence_of([&] { require(run, ReadsEachElementOnce(128, 32)); }).empty());
  run.work.reads["in"].bytes += sizeof(float);
  CHECK_THAT(sentence_of([&] { require(run, ReadsEachElementOnce(128, 32)); }),
             ContainsSubstring("the lanes of all blocks together load 129 elements, of 128"));
  run.work.reads["in"].bytes = 128 * sizeof(float);
  run.work.reads["out"] = {.requests = 2, .sectors = 2};
  CHECK_THAT(sentence_of([&] { require(run, ReadsEachElementOnce(128, 32)); }),
             ContainsSubstring("global load requests for out: 2, at most 0"));
}

TEST_CASE("a block that writes the result of another is named") {
  LaunchAndWork run{launch_of({.grid = 8, .block = 32}, {}), {}};
  CHECK(sentence_of([&] { require(run, WritesOwnResults()); }).empty());
  run.work.writers["out"].elements = {{4, {4, 4}}, {5, {5, 5}}};
  CHECK(sentence_of([&] { require(run, WritesOwnResults()); }).empty());
  run.work.writers["out"].add({.elements = {{5, {6, 6}}}});
  CHECK_THAT(sentence_of([&] { require(run, WritesOwnResults()); }),
             ContainsSubstring("block 5 writes to out[6], which is a result of block 6"));
  run.work.writers["out"].elements = {{4, {128, 159}}};
  CHECK(sentence_of([&] { require(run, WritesOwnResults(32)); }).empty());
}

TEST_CASE("what is stored twice is told, and warps whose lanes load no neighbours") {
  LaunchAndWork run{launch_of({.grid = 1, .block = 64}, {}), {}};
  run.work.writers["out"].bytes = 4 * 64;
  CHECK(sentence_of([&] { require(run, StoresEachElementOnce(64)); }).empty());
  run.work.writers["out"].add({.bytes = 4});
  CHECK_THAT(sentence_of([&] { require(run, StoresEachElementOnce(64)); }),
             ContainsSubstring("all lanes together store 65 elements to out, which has 64"));
  run.work.warps = {{.warp = 0, .widest_load = 512}, {.warp = 1, .widest_load = 516}};
  CHECK(sentence_of([&] { require(run.work, LoadsNeighbours()); }).empty());  // perhaps unrolled
  run.work.warps[0].widest_load = 513;
  CHECK_THAT(sentence_of([&] { require(run.work, LoadsNeighbours()); }),
             ContainsSubstring("of more than 32"));
}

namespace {

constexpr unsigned elements = 1024;

LaunchAndWork run(const Kernel<void(const int*, int*, unsigned)>& kernel) {
  const auto in = device().upload("in", std::vector<int>(elements, 1));
  const auto out = device().poisoned<int>("out", 2 * 64);
  return launch_and_work(
      device(), [&](Device& one) { return one.launch(kernel, {.grid = 2, .block = 64}, in, out, elements); });
}

}  // namespace

TEST_CASE("who loads how much, warp by warp") {
  const auto [launch, work] = run(all_warps_load);
  REQUIRE(work.warps.size() == 4);
  for (const WarpWork& warp : work.warps) CHECK(warp.loaded_bytes == elements);
  CHECK(work.total(&WarpWork::loaded_bytes) == 4 * elements);
  CHECK(work.most(&WarpWork::widest_load) == 128);  // 32 neighbouring ints
  CHECK(work.most(&WarpWork::single_lane_instructions) == 0);
  CHECK(work.total(&WarpWork::instructions) == launch.counters().warp_instructions);
  require(work, IsSharedOut(4.0 * elements));
  require(work, IsSharedOutToBlocks(4.0 * elements));
}

TEST_CASE("a warp that does what all should share is named") {
  const Work work = run(first_warp_loads).work;
  CHECK_THAT(sentence_of([&] { require(work, IsSharedOut(8.0 * elements)); }),
             ContainsSubstring("warp 1 of block 0 loads 0 bytes, where an even share is 2048"));
  require(work, IsSharedOutToBlocks(8.0 * elements));
}

TEST_CASE("the next launch is not observed") {
  run(all_warps_load);
  CHECK(device().options().observations.empty());
}

TEST_CASE("what one lane does while the others wait") {
  const auto in = device().upload("in", std::vector<float>(64, 1.0f));
  const auto out = device().poisoned<float>("out", 1);
  const LaunchShape shape{.grid = 1, .block = 64, .shared_bytes = 256};
  const Work work = launch_and_work(device(), [&](Device& one) {
                      return one.launch(sums_one_by_one, shape, in, out, 64u);
                    }).work;
  CHECK(work.most(&WarpWork::single_lane_instructions) > 64);
  CHECK_THAT(sentence_of([&] { require(work, LanesWorkTogether(64, "all lanes add")); }),
             ContainsSubstring("at most 64 (all lanes add)"));
}

TEST_CASE("words and joins: by thread, by warp, and what is read") {
  const auto in = random_integers(256, 1);
  const auto [run, out] = counted(device(), [&](Device& one) {
    return run_in_out(one, sums_by_tree, with_shared_floats(thread_for_each(256, 64)), in, 4);
  });
  const Work& tree = run.work;
  // Thread 0 loads its element, two values in each of six levels, and the sum.
  CHECK(tree.reached.count == 14);
  CHECK(tree.reached.block == 0);
  CHECK(tree.reached.number == 0);
  // 32, 16, 8, 4, 2 and 1 threads join two values: six times the first warp of each block.
  REQUIRE(tree.joins().has_value());
  CHECK(tree.joins()->by_all_threads == 4 * 63);
  CHECK(tree.joins()->by_warps == std::vector<std::uint64_t>{6, 0, 6, 0, 6, 0, 6, 0});
  CHECK(tree.joins()->of_others_by_warps == tree.joins()->by_warps);
  REQUIRE(tree.warps.size() == 8);
  for (const WarpWork& warp : tree.warps) CHECK(warp.words == (warp.warp == 0 ? 14 : 1));
  CHECK(tree.warps[5].block == 2);
  CHECK(tree.reads.at("in").requests == 8);
  CHECK(tree.reads.at("in").sectors == 32);
  CHECK(tree.reads.size() == 1);
  CHECK(tree.writers.at("out").highest == 0);  // thread 0 of each block alone writes its sum
  require(run, WritesOwnResults());
  CHECK(tree.reads.at("in").bytes == 256 * sizeof(float));
  CHECK(tree.loaded.count == sizeof(float));  // each thread has one element
  CHECK(!tree.joins()->decided_by_element);
  // The observer is gone with the count: nothing is counted twice.
  CHECK(device().options().observations.empty());
}

TEST_CASE("masks of warp barriers: a mask that names lanes that have left is told with its line") {
  const auto out = device().poisoned<int>("out", 32);
  const LaunchShape shape = with_shared_floats(thread_for_each(64, 64));
  CHECK(sentence_of([&] {
          require_masks_name_who_comes(
              device(), [&] { run_in_out(device(), sums_by_tree, shape, random_integers(64, 1), 1); });
        }).empty());
  CHECK_THAT(sentence_of([&] {
               require_masks_name_who_comes(
                   device(), [&] { device().launch(mask_names_who_left, {.grid = 1, .block = 32}, out); });
             }),
             ContainsSubstring("the mask 0xffffffff of the warp barrier at line ") &&
                 ContainsSubstring(" names lanes 16 to 31, which never arrive: they have left the kernel"));
}
