#include "common/harness/device/device_memory.hpp"

#include <type_traits>

#include "common/harness/device/device.hpp"
#include "common/testing/catch.hpp"
#include "fake_memory.hpp"

using namespace warpwise::harness;

// What does not fit must not compile; these are the cases in which Device::launch says so.
static_assert(accepts<float*, Buffer<float>>);
static_assert(accepts<const float*, const Buffer<float>&>);
static_assert(accepts<const float*, DevicePointer<float>>);
static_assert(accepts<int*, std::nullptr_t>);
static_assert(accepts<unsigned, int>);
static_assert(accepts<float, double>);
static_assert(!accepts<float*, Buffer<int>>);
static_assert(!accepts<const float*, Buffer<double>>);
static_assert(!accepts<float*, std::vector<float>>);
static_assert(!accepts<float*, const float*>, "a host pointer means nothing on the device");
static_assert(!accepts<unsigned, float>);
static_assert(!accepts<unsigned, Buffer<unsigned>>);
static_assert(!std::is_copy_constructible_v<Buffer<float>> &&
              std::is_nothrow_move_constructible_v<Buffer<float>>);

TEST_CASE("arguments are packed in the types of the parameters") {
  FakeMemory memory;
  const Buffer<float> in(memory, "in", 8);
  const PackedArguments<const float*, const float*, unsigned, double, int*> packed(in, in.from(3), 7, 2.5f,
                                                                                   nullptr);
  const auto& pointers = packed.pointers();
  CHECK(*static_cast<const std::uint64_t*>(pointers[0]) == in.address());
  CHECK(*static_cast<const std::uint64_t*>(pointers[1]) == in.address() + 12);
  CHECK(*static_cast<const unsigned*>(pointers[2]) == 7);
  CHECK(*static_cast<const double*>(pointers[3]) == 2.5);
  CHECK(*static_cast<const std::uint64_t*>(pointers[4]) == 0);
}

TEST_CASE("a kernel without parameters has no arguments") {
  const PackedArguments<> packed;
  CHECK(packed.pointers().empty());
}

TEST_CASE("a buffer owns its memory once, wherever it moves") {
  FakeMemory memory;
  {
    Buffer<int> first(memory, "first", 4);
    const auto address = first.address();
    Buffer<int> second = std::move(first);
    CHECK(second.address() == address);
    CHECK(second.name() == "first");
    Buffer<int> third(memory, "third", 1);
    third = std::move(second);
    CHECK(third.size() == 4);
    CHECK(memory.releases == 0);
  }
  CHECK(memory.releases == 2);
  CHECK(memory.allocations.empty());
}

TEST_CASE("a buffer refuses more than it holds") {
  FakeMemory memory;
  Buffer<int> buffer(memory, "in", 2);
  const std::vector<int> values{1, 2, 3};
  CHECK_THROWS_WITH(buffer.upload(values), "`in` has 2 elements, 3 were to be copied into it");
  CHECK_THROWS_WITH(buffer.upload(std::span(values).first(2), 1),
                    "`in` has 2 elements, 2 were to be copied into it from element 1 on");
}

TEST_CASE("a part of a buffer is copied by itself") {
  FakeMemory memory;
  Buffer<int> buffer(memory, "in", 3);
  buffer.upload(std::vector<int>{1, 2}, 1);
  CHECK(buffer.download(1, 2) == std::vector<int>{1, 2});
  CHECK_FALSE(buffer.is_written(0));
}

TEST_CASE("buffers remember what was written") {
  FakeMemory memory;
  Buffer<int> buffer(memory, "out", 2);
  CHECK_FALSE(buffer.is_written(1));
  buffer.upload(std::vector<int>{5, 6});
  CHECK(buffer.is_written(1));
  CHECK(buffer.download() == std::vector<int>{5, 6});
}
