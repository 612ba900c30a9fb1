#pragma once
/// \file Launches at the largest n that a contract allows, in milliseconds: of the grid some blocks run
/// alone, and of the arrays only the pages exist that they touch. There an index that went through a float,
/// through 16 bits, or through an int in which it overflows, is another element, or none.
///
///     const SomeBlocks some(device, largest_n / block);
///     const LargeInput<float> in(device, "in", largest_n, numbers_by_index<float>());
///     const auto out = device.reserved<float>("out", largest_n / block);
///     device.launch(reduce_naive, shape, in, out, largest_n);
///     CHECK_THAT(out, ReducesStretches<operators::Sum>(some, in, block));

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <vector>

#include "../../simulator/observer.hpp"
#include "../device/simulated_device.hpp"
#include "cases.hpp"
#include "inputs.hpp"
#include "matchers.hpp"

namespace warpwise::harness {

inline constexpr unsigned largest_n = 1u << 30;

/// While it lives, of a launch of `blocks` blocks only those run that tell most: the first, the last two, one
/// in the middle, 65535, and 65536 and the higher powers of two, where products with them wrap, if there are
/// as many; and a few that are `known` to the kernel's code.
class SomeBlocks {
 public:
  SomeBlocks(SimulatedDevice& device, std::uint64_t blocks, const std::vector<unsigned>& known = {});
  const std::vector<std::uint64_t>& numbers() const { return numbers_; }

 private:
  std::vector<std::uint64_t> numbers_;
  OtherOptions attached_;
};

/// Fills pages of an array when a thread first touches them, just before it does. While it lives.
class FilledOnTouch final : public simulator::Observation, public simulator::Observer {
 public:
  /// `fill(first, count)` writes `count` elements of the array at `address`, which has `size` elements of
  /// `element_bytes`.
  FilledOnTouch(SimulatedDevice& device, std::uint64_t address, std::size_t size, std::size_t element_bytes,
                std::function<void(std::size_t first, std::size_t count)> fill);
  void add_observers(simulator::ObserverList& of_thread) override { of_thread.add(*this); }
  void on_access(const simulator::WarpContext& warp, const simulator::Access& access) override;

 private:
  const std::uint64_t address_;
  const std::size_t size_, element_bytes_;
  const std::function<void(std::size_t, std::size_t)> fill_;
  std::mutex mutex_;  ///< host threads run side by side
  std::unordered_set<std::size_t> filled_;
  OtherOptions attached_;
};

/// An array of any length whose element i is value(i): any index is an element of its own. For a kernel's
/// `const T*`.
template <class T>
class LargeInput {
 public:
  using Element = T;
  LargeInput(SimulatedDevice& device, std::string name, std::size_t size, std::function<T(std::size_t)> value)
      : value_(std::move(value)),
        buffer_(device.reserved<T>(std::move(name), size)),
        pages_(device, buffer_.address(), size, sizeof(T),
               [this](std::size_t first, std::size_t count) { buffer_.upload(part(first, count), first); }) {
    device.set_written(buffer_.address());
  }

  std::size_t size() const { return buffer_.size(); }
  std::uint64_t address() const { return buffer_.address(); }
  DevicePointer<T> from(std::size_t offset) const { return buffer_.from(offset); }
  T operator[](std::size_t i) const { return value_(i); }
  /// Elements [first, first + count), as far as there are any.
  std::vector<T> part(std::size_t first, std::size_t count) const {
    std::vector<T> elements;
    for (std::size_t i = first; i < std::min(first + count, size()); ++i) elements.push_back(value_(i));
    return elements;
  }

 private:
  std::function<T(std::size_t)> value_;
  Buffer<T> buffer_;
  FilledOnTouch pages_;
};

/// For a LargeInput: element i is a whole number from `low` to `high`, as in random_integers().
template <class T>
std::function<T(std::size_t)> numbers_by_index(int low = 1, int high = 15, std::uint64_t seed = 1) {
  const auto count = static_cast<std::uint64_t>(high - low + 1);
  return [=](std::size_t i) {
    return static_cast<T>(low + static_cast<int>(seed_of(run_seed(), seed, i) % count));
  };
}

/// What the blocks that ran have written: of `out` each has `stretch` elements, of which block b has filled
/// the first with expected_of(b), a std::vector.
template <class ExpectedOf>
class HoldsOfBlocks : public SentenceMatcher {
 public:
  HoldsOfBlocks(const SomeBlocks& some, std::size_t n, std::size_t stretch, ExpectedOf expected_of)
      : SentenceMatcher("holds what these blocks write"),
        some_(some),
        n_(n),
        stretch_(stretch),
        expected_of_(std::move(expected_of)) {}
  template <class T>
  bool match(const Buffer<T>& out) const {
    return holds([&] {
      for (const std::uint64_t block : some_.numbers())
        if (block * stretch_ < out.size())
          require(out, Holds(expected_of_(block)).at(block * stretch_).where(case_of(out.memory(), n_, 0)));
    });
  }

 private:
  const SomeBlocks& some_;
  std::size_t n_;
  std::size_t stretch_;
  ExpectedOf expected_of_;
};

/// out[b] is the reduction of stretch b of `in`.
template <class Operator, class T>
auto ReducesStretches(const SomeBlocks& some, const LargeInput<T>& in, std::size_t stretch) {
  return HoldsOfBlocks(some, in.size(), 1, [&in, stretch](std::uint64_t block) {
    return std::vector{reduce<Operator>(in.part(block * stretch, stretch))};
  });
}

/// Which elements of an array the blocks have loaded, where the kernel chooses: each element once, ascending.
class Taken {
 public:
  explicit Taken(std::string name) : name_(std::move(name)) {}
  const std::string& name() const { return name_; }  ///< of the array
  std::vector<std::size_t>& of(std::uint64_t block) { return by_block_[block]; }
  /// What block b has taken of `in`, a LargeInput or a std::vector.
  template <class In>
  auto part(const In& in, std::uint64_t block) const {
    std::vector<std::remove_cvref_t<decltype(in[0])>> elements;
    if (const auto found = by_block_.find(block); found != by_block_.end())
      for (const std::size_t i : found->second) elements.push_back(in[i]);
    return elements;
  }
  /// All blocks' elements, by block.
  const std::map<std::uint64_t, std::vector<std::size_t>>& all() const { return by_block_; }

 private:
  std::string name_;
  std::map<std::uint64_t, std::vector<std::size_t>> by_block_;
};
/// What the launch that `run()` makes has loaded of the buffer `name`.
Taken taken_of(SimulatedDevice& device, const std::string& name, const std::function<void()>& run);
/// out[b] is the reduction of what block b has taken of `in`.
template <class Operator, class T>
auto ReducesTaken(const SomeBlocks& some, const LargeInput<T>& in, const Taken& taken) {
  return HoldsOfBlocks(some, in.size(), 1, [&in, &taken](std::uint64_t block) {
    return std::vector{reduce<Operator>(taken.part(in, block))};
  });
}
/// Each of these blocks takes some of the n elements that `blocks` blocks divide among them: at least a
/// quarter of an even share, and at most twice one.
Requirement<Taken> IsFairlyTaken(const SomeBlocks& some, unsigned n, unsigned blocks);
/// No element is taken by two blocks.
Requirement<Taken> IsTakenOnce(unsigned n);
/// The same; and some are of the last quarter of n, which somebody has to take.
Requirement<Taken> DividesElements(unsigned n);
/// A grid of blocks of `block` threads in which an index that is so many steps of the grid past another wraps
/// around, to one of the first `largest_n / 32` elements: of those who take so many and one more at once.
Generator<unsigned> grids_that_wrap(unsigned block);

/// Sums 256 values in place, in the middle of which an address is a multiple of 2^32: who computes with its
/// low half alone loses the carry. The sum is in the first one, or in the last.
void check_sum_across_4_gib(SimulatedDevice& device, const Kernel<void(float*)>& kernel,
                            bool is_in_last = false);

}  // namespace warpwise::harness
