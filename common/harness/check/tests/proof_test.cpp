#include "common/harness/check/proof.hpp"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

#include "common/harness/check/inputs.hpp"
#include "common/harness/check/matchers.hpp"
#include "common/harness/device/simulated_device.hpp"
#include "common/testing/catch.hpp"
#include "sentence_of.hpp"

using namespace warpwise::harness;
using Kind = Judgement::Kind;
using warpwise::testing::ContainsSubstring;

namespace {

constexpr unsigned block = 64, n = 100;
const Kernel<void(const float*, float*, unsigned, unsigned)> wrong_sums{"wrong_sums"},
    right_sums{"right_sums"}, maxima{"maxima"};
const Kernel<void(const float*, float*, unsigned*, unsigned, unsigned)> lucky_sums{"lucky_sums"};

SimulatedDevice& followed() {
  static SimulatedDevice device(WARPWISE_BINARY_DIR "/check/tests/proofs.ptx");
  device.forget_followed();
  device.follow_terms(true);
  return device;
}

template <class Operator>
Judgement judged(SimulatedDevice& device, const Buffer<float>& out, unsigned stretch) {
  const auto stretch_of = [&](std::size_t b) -> std::vector<ElementRange> {
    return {{.begin = b * stretch, .end = std::min<std::size_t>((b + 1) * stretch, n)}};
  };
  return judge(device, "out", joined_by<Operator, float>(), each_result(out, out.size(), stretch_of));
}

Judgement judged_sums(const auto& kernel, unsigned how) {
  SimulatedDevice& device = followed();
  const auto in = device.upload("in", std::vector<float>(128, 1.0f));
  const auto out = device.poisoned<float>("out", 2);
  device.launch(kernel, {.grid = 2, .block = block, .n = n}, in, out, n, how);
  return judged<operators::Sum>(device, out, block);
}

}  // namespace

TEST_CASE("sums are proved, however they are made") {
  const unsigned how = GENERATE(range(0u, 4u));
  const Judgement judgement = judged_sums(right_sums, how);
  CAPTURE(how, judgement.sentence);
  CHECK(judgement.kind == Kind::proved);
}

TEST_CASE("a wrong sum of ones is refuted by its terms, which name the elements") {
  const char* const sentences[] = {
      "out[0] misses in[5]",
      "out[0] counts in[7] twice",
      "out[0] has in[64] in the place of in[0]",
      "out[0] misses in[1], in[3] … in[63] (one in 2); thread 1's sum of",
      "out[0] misses in[32] … in[63]",
      "out[0] misses in[1], in[3] … in[63] (one in 2), and counts in[0], in[2] … in[62] (one in 2) twice",
      "out[0] misses in[28] … in[63], and counts in[64] … in[99], which do not belong",
      "out[0] depends on no element: in[0] … in[63] are missing",
      "out[0] counts in[0] 65 times",
      "out[0] misses in[1], in[3] … in[63] (one in 2)",
      "out[1] misses in[99]",
      "out[0] counts in[99], which does not belong to it",
      "out[0] misses in[32] … in[63], and counts in[0] … in[31] twice",
      "out[0] misses in[2], in[5] … in[62] (one in 3), and counts in[66], in[69]",
      "out[0] misses in[0], and counts in[1] twice",
      "out[0] counts in[0] twice",
      "out[0] misses in[32] … in[39]",
      "out[0] misses in[0] and in[32], and counts in[31] and in[63] twice",
      "out[0] misses in[1], in[2] and 60 others, and counts in[0] and in[32] 32 times",
      "out[0] counts in[0] … in[63] twice",
  };
  const unsigned how = GENERATE(range(0u, 20u));
  const Judgement judgement = judged_sums(wrong_sums, how);
  CAPTURE(how);
  CHECK(judgement.kind == Kind::refuted);
  CHECK_THAT(judgement.sentence, ContainsSubstring(sentences[how]));
}

namespace {

/// A mutation of a kernel, and what is said of it; 0 is the kernel itself, which is right.
using Mutation = std::pair<unsigned, const char*>;

/// out[b] of `name` is the reduction of 64 elements from 1 to 15.
template <class Operator, class T>
void check_mutations(const char* name, std::initializer_list<Mutation> mutations) {
  SimulatedDevice& device = followed();
  const Kernel<void(const T*, T*, unsigned, unsigned)> kernel{name};
  const auto floats = random_integers(n, 1);
  const auto in = device.upload("in", std::vector<T>(floats.begin(), floats.end()));
  for (const auto& [how, sentence] : mutations) {
    device.forget_followed();
    const auto out = device.template poisoned<T>("out", 2);
    device.launch(kernel, {.grid = 2, .block = block, .n = n}, in, out, n, how);
    const auto stretch_of = [&](std::size_t b) -> std::vector<ElementRange> {
      return {{.begin = b * block, .end = std::min<std::size_t>((b + 1) * block, n)}};
    };
    // Another operator is only told where the result is known to be wrong.
    const auto wrong = how == 5 ? std::optional<std::size_t>(0) : std::nullopt;
    const Judgement judgement =
        judge(device, "out", joined_by<Operator, T>(), each_result(out, 2, stretch_of), wrong);
    CAPTURE(name, how, judgement.sentence);
    CHECK(judgement.kind == (how == 0 ? Kind::proved : Kind::refuted));
    CHECK_THAT(judgement.sentence, ContainsSubstring(sentence));
  }
}

}  // namespace

TEST_CASE("mutations of reductions are refuted by their terms, whatever joins") {
  check_mutations<operators::Sum, int>(
      "mutated_int", {{0, ""},
                      {1, "out[0] misses in[5]"},
                      {2, "out[0] counts in[7] twice"},
                      {3, "out[0] misses in[2], and counts in[3] twice"},
                      {4, "out[1] also takes 1, which is not the identity"},
                      {5, "it takes max.s32 of in[0], in[2] … in[62] (one in 2) and in[1], in[3]"}});
  check_mutations<operators::Sum, double>(
      "mutated_double", {{0, ""},
                         {1, "out[0] misses in[5]"},
                         {2, "out[0] counts in[7] twice"},
                         {4, "out[1] also takes -0.5, which is not the identity, beside in["}});
  check_mutations<operators::Product, float>("mutated_product",
                                             {{0, ""},
                                              {1, "out[0] misses in[5]"},
                                              {2, "out[0] counts in[7] twice"},
                                              {3, "out[0] misses in[2], and counts in[3] twice"},
                                              {5, "it takes add.f32 of"}});
  check_mutations<operators::Max, int>("mutated_maximum",
                                       {{0, ""},
                                        {1, "out[0] misses in[5]"},
                                        {3, "out[0] misses in[2]"},
                                        {4, "out[1] also takes 0, which is not the identity"}});
  check_mutations<operators::BitOr, unsigned>(
      "mutated_or",
      {{0, ""}, {1, "out[0] misses in[5]"}, {4, "out[1] also takes 2147483648, which is not the identity"}});
}

TEST_CASE("mutations of a scan and of a dot product are refuted by their terms") {
  SimulatedDevice& device = followed();
  const auto in = device.upload("in", std::vector<float>(n, 1.0f));
  const auto other = device.upload("other", std::vector<float>(n, 1.0f));
  const auto check = [&](unsigned how, const char* sentence, const Judgement& judgement) {
    CAPTURE(how, judgement.sentence);
    CHECK(judgement.kind == (how == 0 ? Kind::proved : Kind::refuted));
    CHECK_THAT(judgement.sentence, ContainsSubstring(sentence));
  };
  const Kernel<void(const float*, float*, unsigned, unsigned)> scan{"mutated_scan"};
  for (const auto& [how, sentence] :
       std::initializer_list<Mutation>{{0, ""},
                                       {1, "out[5] misses in[5]"},
                                       {2, "out[1] misses in[0]"},
                                       {3, "out[4] misses in[0]"},
                                       {4, "out[9] counts in[6] and in[7] twice"},
                                       {5, "out[0] depends on no element: in[0] is missing"}}) {
    device.forget_followed();
    const auto out = device.poisoned<float>("out", n);
    device.launch(scan, {.grid = 2, .block = block, .n = n}, in, out, n, how);
    const auto until = [&](std::size_t i) -> std::vector<ElementRange> {
      return {{.begin = i / block * block, .end = i + 1}};
    };
    check(how, sentence,
          judge(device, "out", joined_by<operators::Sum, float>(), each_result(out, n, until)));
  }
  const Kernel<void(const float*, const float*, float*, unsigned, unsigned)> dot{"mutated_dot"};
  JoinContract products = joined_by<operators::Sum, float>();
  products.factors = "other";
  for (const auto& [how, sentence] :
       std::initializer_list<Mutation>{{0, ""},
                                       {1, "out[0] misses in[5]"},
                                       {2, "it takes mul.f32 of in[6] and other[7]"},
                                       {3, "out[0] counts in[7] twice"},
                                       {4, "out[0] misses in[2], and counts in[3] twice"}}) {
    device.forget_followed();
    const auto out = device.poisoned<float>("out", 2);
    device.launch(dot, {.grid = 2, .block = block, .n = n}, in, other, out, n, how);
    const auto stretch_of = [&](std::size_t b) -> std::vector<ElementRange> {
      return {{.begin = b * block, .end = std::min<std::size_t>((b + 1) * block, n)}};
    };
    const auto wrong = how == 2 ? std::optional<std::size_t>(0) : std::nullopt;
    check(how, sentence, judge(device, "out", products, each_result(out, 2, stretch_of), wrong));
  }
}

TEST_CASE("what depends on values, on order or on what was there before is never proved") {
  const unsigned how = GENERATE(range(0u, 21u));
  SimulatedDevice& device = followed();
  const auto in = device.upload("in", std::vector<float>(128, 1.0f));
  const auto out = device.zeroed<float>("out", 2);
  const auto ticket = device.zeroed<unsigned>("ticket", 1);
  device.launch(lucky_sums, {.grid = 2, .block = block, .n = n}, in, out, ticket, n, how);
  const Judgement judgement = judged<operators::Sum>(device, out, block);
  CAPTURE(how, judgement.sentence);
  CHECK(out.download() == std::vector<float>{64, 36});
  CHECK((judgement.kind == Kind::tried || judgement.kind == Kind::refuted));
  CHECK_FALSE(judgement.sentence.empty());
}

TEST_CASE("where a value decides, the launch is tried with values on both sides") {
  const auto [how, sentence] = GENERATE(
      table<unsigned, const char*>({{0u, "with in[0] = 1.0000001e+30, the others 0: out[0] is 0, expected"},
                                    {2u, "with in[0] = -1e-45, the others 0: out[0] is 0, expected"},
                                    {13u, "with in[0] = -1e-45, the others 0: out[0] is 0, expected"},
                                    {21u, "= 12345.5, the others 0: out[0] is 0, expected 12345.5"}}));
  SimulatedDevice& device = followed();
  const std::vector<float> ones(n, 1.0f);
  const auto in = device.upload("in", ones);
  const auto out = device.poisoned<float>("out", 2);
  const auto ticket = device.zeroed<unsigned>("ticket", 1);
  device.launch(lucky_sums, {.grid = 2, .block = block, .n = n}, in, out, ticket, n, how);
  CHECK_THAT(
      sentence_of([&] { require(out, EqualsSums(ones, stretches_of(block))); }),
      ContainsSubstring("right for these values, but not for all: with ") && ContainsSubstring(sentence));
  CHECK(out.download() == std::vector<float>{64, 36});  // as the launch left it
}

TEST_CASE("keys that differ in one bit alone, the highest, too, are tried where keys are compared") {
  const Kernel<void(const unsigned long long*, unsigned*)> are_nearly_equal{"are_nearly_equal"};
  SimulatedDevice& device = followed();
  std::vector<unsigned long long> some(128);
  for (unsigned i = 0; i < 128; ++i) some[i] = i * i;
  const auto keys = device.upload("keys", some);
  const auto out = device.poisoned<unsigned>("out", 64);
  device.launch(are_nearly_equal, {.grid = 2, .block = 32}, keys, out);
  const auto ask = [&] {
    ask_with_other_values<unsigned long long>(out.memory(), {some, "keys"}, [&](const auto& values) {
      std::vector<unsigned> expected;
      for (unsigned i = 0; i < 64; ++i) expected.push_back(values[2 * i] == values[2 * i + 1]);
      require(out, Holds(expected));
    });
  };
  CHECK_THAT(sentence_of(ask),
             ContainsSubstring("with one of 32 that is 9223372036854775808, the others 0: out["));
}

TEST_CASE("what a clock or the multiprocessor decides is no result, and who only waits is right") {
  const unsigned how = GENERATE(0u, 1u, 2u, 3u, 4u);
  const Kernel<void(const float*, float*, unsigned, unsigned)> sums_by_clock{"sums_by_clock"};
  SimulatedDevice& device = followed();
  const std::vector<float> ones(n, 1.0f);
  const auto in = device.upload("in", ones);
  const auto out = device.poisoned<float>("out", 2);
  device.launch(sums_by_clock, {.grid = 2, .block = block, .n = n}, in, out, n, how);
  const std::string told = sentence_of([&] { require(out, EqualsSums(ones, stretches_of(block))); });
  CAPTURE(how, told);
  const bool is_told =
      told.find("a clock, or where a block or a warp runs, decides what it does") != told.npos;
  CHECK(is_told == (how != 3));
}

TEST_CASE("an element that a kernel leaves out gets special values") {
  const Kernel<void(const float*, unsigned*, unsigned)> index_of_largest_but_one{"index_of_largest_but_one"};
  SimulatedDevice& device = followed();
  const std::vector<unsigned>& numbers = device.numbers_in_code("index_of_largest_but_one");
  CHECK(std::count(numbers.begin(), numbers.end(), 37) == 1);
  std::vector<float> some(n);
  for (unsigned i = 0; i < n; ++i) some[i] = static_cast<float>(i % 50);
  const auto in = device.upload("in", some);
  const auto out = device.poisoned<unsigned>("out", 1);
  device.launch(index_of_largest_but_one, {.grid = 1, .block = 1, .n = n}, in, out, n);
  const auto ask = [&] {
    ask_with_other_values<float>(out.memory(), {some}, [&](const std::vector<float>& values) {
      const auto largest = std::max_element(values.begin(), values.end());
      require(out, Holds(std::vector<unsigned>{static_cast<unsigned>(largest - values.begin())}));
    });
  };
  CHECK_THAT(sentence_of(ask), ContainsSubstring("not for all: with in[37] = "));
}

TEST_CASE("a maximum is proved with its identity, and where a NaN loses") {
  const unsigned how = GENERATE(0u, 1u, 2u);
  SimulatedDevice& device = followed();
  const auto in = device.upload("in", random_integers(n, 1));
  const auto out = device.poisoned<float>("out", 4);
  device.launch(maxima, {.grid = 4, .block = 32, .n = n}, in, out, n, how);
  const Judgement judgement = judged<operators::Max>(device, out, 32);
  CAPTURE(how, judgement.sentence);
  CHECK((judgement.kind == Kind::proved) == (how == 0));
}

TEST_CASE("a launch that was not followed is made once more, and leaves memory as it was") {
  SimulatedDevice& device = followed();
  const auto in = device.upload("in", std::vector<float>(128, 1.0f));
  const auto out = device.zeroed<float>("out", 2);
  const auto ticket = device.zeroed<unsigned>("ticket", 1);
  for (unsigned launch = 0; launch < 4; ++launch)  // more than are followed
    device.launch(lucky_sums, {.grid = 2, .block = block, .n = n}, in, out, ticket, n, 4u);
  CHECK(device.terms_of_latest_launch(false) == nullptr);
  CHECK(device.terms_of_latest_launch(true) != nullptr);
  CHECK(out.download() == std::vector<float>{4 * 64, 4 * 36});
}

namespace {

struct JoinedSums {
  Buffer<float> in, out;
  LaunchAndWork run;
};
/// Two blocks of 64 threads, with an element each.
JoinedSums joined_sums(unsigned how) {
  SimulatedDevice& device = followed();
  const Kernel<void(const float*, float*, unsigned, unsigned)> kernel{"joined_sums"};
  auto in = device.upload("in", random_integers(128, 1));
  auto out = device.poisoned<float>("out", 2);
  LaunchAndWork run = launch_and_work(device, [&](Device& on) {
    return on.launch(kernel, {.grid = 2, .block = 64, .n = 128}, in, out, 128u, how);
  });
  return {std::move(in), std::move(out), std::move(run)};
}

}  // namespace

TEST_CASE("what is joined tells a tree, whichever instructions it is made of") {
  // A tree of floats, of ints; one thread's loop, votes, the barrier's count, one thread after another.
  const unsigned how = GENERATE(range(0u, 6u));
  const auto [in, out, run] = joined_sums(how);
  CAPTURE(how);
  const std::optional<Joins>& joins = run.work.joins();
  CHECK(joins.has_value() == (how != 4));
  if (joins && how != 3) {
    CHECK(joins->by_all_threads == 2 * 63);
    CHECK(joins->busiest.count == (how == 2 ? 63 : how == 5 ? 1 : 6));
    CHECK(joins->levels == (how < 2 ? 6 : 63));
    CHECK(joins->by_warps[0] + joins->by_warps[1] == (how < 2 ? 6 : 63));
  }
  const char* const reasons[] = {"",
                                 "",
                                 "joins by thread 0 of block 0 in a block of 64: 63, at most 12",
                                 "joins by thread 0 of block 0",
                                 "words that reach thread 0 of block 0 in a block of 64: ",
                                 "joins one after another in a block of 64: 63"};
  CHECK_THAT(sentence_of([&] { require(run, IsTreeOver(64)); }), ContainsSubstring(reasons[how]));
  CHECK(IsTreeOver(64).match(run) == (how < 2));
  CHECK(RestsIdleWarps().match(run) == (how < 2));
  CHECK(ExchangesInSharedMemory().match(run));
  CHECK(out.download()[0] == static_cast<float>(sum(random_integers(64, 1))));
}

TEST_CASE("what is joined tells through which memory it came") {
  const unsigned how = GENERATE(6u, 7u);  // a thread's own; others'
  const auto [in, out, run] = joined_sums(how);
  CAPTURE(how);
  REQUIRE(run.work.joins().has_value());
  CHECK(run.work.joins()->by_all_threads == 2 * 63);
  CHECK_THAT(sentence_of([&] { require(run, ExchangesInSharedMemory()); }),
             ContainsSubstring(how == 6 ? ""
                                        : "n = 128, block = 64: joins of what another thread has left in "
                                          "global memory: 126, at most 0"));
  CHECK(ExchangesInSharedMemory().match(run) == (how == 6));
  CHECK(out.download()[0] == static_cast<float>(sum(random_integers(64, 1))));
}
