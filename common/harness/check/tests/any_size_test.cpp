#include "common/harness/check/any_size.hpp"

#include <sys/resource.h>

#include "common/harness/device/tests/kernels.hpp"
#include "sentence_of.hpp"

using namespace warpwise::harness;
using warpwise::testing::ContainsSubstring;

namespace {

/// In KiB, so far.
long most_memory() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

}  // namespace

TEST_CASE("an element of a large array is a function of its index, and is there when it is read") {
  const LargeInput<int> in(device(), "in", largest_n, numbers_by_index<int>(-1000, 1000));
  const auto out = device().reserved<int>("out", largest_n);
  const OtherOptions last(device(), [](auto& all) { all.launch.only_blocks = {0, largest_n / 32 - 1}; });
  device().launch(twice, {.grid = largest_n / 32, .block = 32}, in, out, largest_n, 1);
  for (const std::size_t i : {0u, 31u, largest_n - 32, largest_n - 1})
    CHECK(out.download(i, 1).front() == 2 * in[i] + 1);
  CHECK_FALSE(out.is_written(32));
  CHECK(in.part(largest_n - 2, 4).size() == 2);
}

TEST_CASE("of an array of 2^32 elements those that were written are known, and the others are poison") {
  auto out = device().reserved<float>("out", std::size_t{1} << 32);
  out.upload(std::vector<float>{1, 2}, (std::size_t{1} << 32) - 2);
  CHECK(out.is_written((std::size_t{1} << 32) - 1));
  CHECK_FALSE(out.is_written(1u << 31));
  CHECK(is_poison(out.download(1u << 31, 1).data(), 4));
  CHECK(out.download((std::size_t{1} << 32) - 2, 2) == std::vector<float>{1, 2});
}

TEST_CASE("an index that went through a float is another element where n is large") {
  constexpr unsigned block = 256;
  const SomeBlocks some(device(), largest_n / block);
  CHECK(some.numbers() == std::vector<std::uint64_t>{0, 65535, 65536, 1 << 17, 1 << 18, 1 << 19, 1 << 20,
                                                     1 << 21, 4194302, 4194303});
  const LargeInput<float> in(device(), "in", largest_n, numbers_by_index<float>());
  const auto out = device().reserved<float>("out", largest_n);
  const long before = most_memory();
  device().launch(twice_through_float, {.grid = largest_n / block, .block = block}, in, out, largest_n);
  CHECK(most_memory() - before < 64 * 1024);  // of 8 GiB, also by what watches its loads by __ldg()
  const auto twice_of = [&](std::uint64_t b) {
    std::vector<float> expected = in.part(b * block, block);
    for (float& one : expected) one *= 2;
    return expected;
  };
  CHECK(sentence_of([&] { require(out, HoldsOfBlocks(some, largest_n, block, twice_of)); }) ==
        "n = 1073741824, block = 256, grid = 4194304: out[16777217] was never written, expected " +
            text_of(2 * in[16777217]) + " (128 of 256 are wrong)");
}

TEST_CASE("what blocks choose is what they load, and no two choose the same") {
  constexpr unsigned block = 128, grid = largest_n / block / 4;
  const SomeBlocks some(device(), grid);
  const LargeInput<float> in(device(), "in", largest_n, numbers_by_index<float>());
  const auto sentence_about = [&](const auto& kernel) {
    const auto out = device().reserved<float>("out", std::size_t{grid} * block);
    const Taken taken = taken_of(
        device(), "in", [&] { device().launch(kernel, {.grid = grid, .block = block}, in, out, largest_n); });
    for (const auto& [number, elements] : taken.all()) CHECK(elements.size() == 4 * block);
    return sentence_of([&] { require(taken, DividesElements(largest_n)); });
  };
  CHECK(sentence_about(sums_of_rounds).empty());
  CHECK(sentence_about(sums_through_16_bits) ==
        "n = 1073741824: in[0] is taken twice, by block 0 and by block 65536");
  Taken lower("in");
  lower.of(0) = {0, 1, 2};
  CHECK_THAT(sentence_of([&] { require(lower, DividesElements(100)); }),
             ContainsSubstring("in[2] is the last"));
}
