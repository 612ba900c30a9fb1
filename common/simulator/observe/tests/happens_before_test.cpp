/// \file What is remembered from launch to launch, and what is not.

#include "../happens_before.hpp"

#include <random>

#include "../../gpu.hpp"
#include "common/testing/catch.hpp"

using namespace warpwise::simulator;
using namespace warpwise::simulator::observe;

namespace {
/// Of lane 0 of warp 0, after a fence of the whole device in `epoch`.
Release release_of(std::uint64_t block, std::uint32_t epoch, std::uint32_t fenced_epoch,
                   KnowledgePointer knowledge) {
  Release release;
  release.block = block;
  release.in_block = release.everywhere = {epoch, 2, 1};
  release.fenced_epoch = fenced_epoch;
  release.knowledge = std::move(knowledge);
  return release;
}
}  // namespace

TEST_CASE("synchronisation variables are freed, though what they know names them") {
  std::weak_ptr<SyncVariable> one, other;
  {
    SyncVariables variables;
    const SyncVariablePointer lock = variables.at(64), flag = variables.at(68);
    one = lock;
    other = flag;
    Release release;
    release.knowledge = with_acquired(nullptr, {{flag, 1}});
    lock->add(release);
    release.knowledge = with_acquired(nullptr, {{lock, 1}, {flag, 1}});
    flag->add(release);
    variables.clear();  // as a block does with its own, when it ends
  }
  CHECK(one.expired());
  CHECK(other.expired());
}

TEST_CASE("in a chain of blocks, what is known of their epochs is what a search for each finds") {
  SyncVariables variables;
  const auto flag_of = [&](std::uint64_t block) { return variables.at(4 * block); };
  constexpr std::uint64_t blocks = 200;
  std::mt19937 random(1);
  KnowledgePointer last;
  for (std::uint64_t block = 0; block < blocks; ++block) {
    KnowledgePointer known;
    if (block > 0) {  // as in a look-back: some of the blocks before it
      std::vector<Knowledge::Acquired> acquired;
      for (std::uint64_t back = 1; back <= 1 + random() % 3 && back <= block; ++back)
        acquired.push_back({flag_of(block - back), flag_of(block - back)->position()});
      known = with_acquired(nullptr, acquired);
    }
    last = known;
    const auto fenced = static_cast<std::uint32_t>(1 + random() % 4);
    flag_of(block)->add(release_of(block, fenced, static_cast<std::uint32_t>(random() % 4), known));
  }
  const EpochsKnown epochs(last);
  std::size_t found = 0;
  for (std::uint64_t block = 0; block < blocks; ++block) {
    for (std::uint32_t epoch = 1; epoch <= 5; ++epoch) {
      const Moment late{block, epoch, 9, 7, 3};  // of a warp that has released nothing: epochs alone count
      CHECK(epochs.covers(late) == reaches(last, blocks, late));
      found += epochs.covers(late) ? 1 : 0;
    }
  }
  CHECK(found > blocks / 2);
  CHECK(found < 4 * blocks);
  CHECK_FALSE(
      epochs.covers({blocks - 1, 1, 1, 0, 0}));  // the last block's own release, which it has not acquired
}

TEST_CASE("a chain too long to search through counts as an order") {
  SyncVariables variables;
  KnowledgePointer last;
  for (std::uint64_t block = 0; block < 5000; ++block) {
    const SyncVariablePointer flag = variables.at(4 * block);
    flag->add(release_of(block, 2, 0, last));
    last = with_acquired(nullptr, {{flag, flag->position()}});
  }
  const Moment unknown{4999, 3, 9, 7, 3};  // behind the fence of the last block
  CHECK(reaches(last, 5000, unknown));
  CHECK(EpochsKnown(last).covers(unknown));
  const Moment never{6000, 1, 1, 0, 0};  // of a block that has released nothing
  CHECK(EpochsKnown(last).covers(never));
}

TEST_CASE("only what somebody has asked for with at() is a synchronisation variable") {
  SyncVariables variables;
  CHECK(variables.find(64) == nullptr);
  const SyncVariablePointer flag = variables.at(64);
  CHECK(variables.find(64) == flag);
  CHECK(variables.find(68) == nullptr);
  variables.clear();
  CHECK(variables.find(64) == nullptr);
}

TEST_CASE("acquired variables are joined, in whatever order they stand") {
  SyncVariables variables;
  const auto of = [&](std::uint64_t address, std::uint64_t position) {
    return Knowledge::Acquired{variables.at(address), position};
  };
  std::vector<Knowledge::Acquired> known{of(4, 1), of(8, 5), of(12, 2)};
  const std::vector<Knowledge::Acquired> others{of(12, 3), of(4, 1), of(16, 1), of(8, 4)};
  CHECK_FALSE(contains(known, others));
  add_acquired(known, others);
  CHECK(contains(known, others));
  REQUIRE(known.size() == 4);
  const std::vector<Knowledge::Acquired> expected{of(4, 1), of(8, 5), of(12, 3), of(16, 1)};
  CHECK(contains(known, expected));
  CHECK(contains(expected, known));
}

TEST_CASE("a release after the position that was acquired is not known") {
  SyncVariables variables;
  const SyncVariablePointer flag = variables.at(64);
  flag->add(release_of(3, 2, 0, nullptr));
  const KnowledgePointer early = with_acquired(nullptr, {{flag, flag->position()}});
  flag->add(release_of(3, 4, 0, nullptr));
  const KnowledgePointer late = with_acquired(nullptr, {{flag, flag->position()}});
  CHECK(EpochsKnown(early).covers({3, 1, 9, 1, 1}));
  CHECK_FALSE(EpochsKnown(early).covers({3, 3, 9, 1, 1}));
  CHECK(EpochsKnown(late).covers({3, 3, 9, 1, 1}));
  // Who learns of both positions is told of the later one, whichever comes first.
  Knowledge both;
  both.parents = {early, late};
  CHECK(reaches(std::make_shared<const Knowledge>(both), 0, {3, 3, 9, 1, 1}));
  both.parents = {late, early};
  CHECK(reaches(std::make_shared<const Knowledge>(both), 0, {3, 3, 9, 1, 1}));
}

TEST_CASE("what a launch writes that nobody watches counts as written") {
  Gpu gpu;
  const auto program = gpu.load(R"(.version 7.0
.target sm_75
.address_size 64
.visible .entry copy(.param .u64 to, .param .u64 from)
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [to];
  ld.param.u64 %rd2, [from];
  ld.global.u32 %r1, [%rd2];
  st.global.u32 [%rd1], %r1;
  ret;
}
)",
                                "copy");
  Allocation& a = gpu.memory().allocate(4, "a", 4);
  Allocation& b = gpu.memory().allocate(4, "b", 4);
  Allocation& c = gpu.memory().allocate(4, "c", 4);
  a.mark_written(0, 4);
  const auto copy = [&](const Allocation& to, const Allocation& from, Watch watch) {
    gpu.options().watch = watch;
    const void* arguments[] = {&to.base, &from.base};
    return gpu.launch(*program, {"copy", {1}, {1}, 0, arguments}).findings.size();
  };
  CHECK(copy(a, b, Watch::everything) == 1);
  CHECK(copy(b, a, Watch::counters) == 0);
  CHECK(copy(c, b, Watch::everything) == 0);
}

TEST_CASE("words for which there is no room are not searched for races, and the launch goes on") {
  Gpu gpu;
  const auto program = gpu.load(R"(.version 7.0
.target sm_75
.address_size 64
.visible .entry all_write(.param .u64 to)
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [to];
  mov.u32 %r1, %ctaid.x;
  st.global.u32 [%rd1], %r1;
  st.global.u32 [%rd1+4096], %r1;
  ret;
}
)",
                                "all_write");
  Allocation& to = gpu.memory().allocate(8192, "to", 4);
  const auto findings = [&](std::uint64_t race_memory) {
    gpu.options().race_memory = race_memory;
    const void* arguments[] = {&to.base};
    const LaunchReport report = gpu.launch(*program, {"all_write", {2}, {1}, 0, arguments});
    CHECK(report.completed);
    CHECK(report.counters.global_store_requests == 4);
    return report.findings.size();
  };
  CHECK(findings(std::uint64_t{1} << 30) == 2);
  CHECK(findings(0) == 0);
}
