#pragma once
/// \file Comparisons of kernels that reduce n floats: sum, maximum, and maximum with its index. A kernel may
/// leave one value a block; the host puts those together, untimed.

#include <algorithm>
#include <limits>

#include "arrays.cuh"
#include "cub.hpp"

namespace warpwise::measuring {

/// What a launch is given.
struct Reduced {
  const float* in;
  unsigned n;
  unsigned multiprocessors;
  float* out;                  ///< a float for each block; for one that adds to it, it begins with 0
  unsigned* indices;           ///< likewise, for the index of a maximum
  float* partials;             ///< scratch: a float for each block
  unsigned* ticket;            ///< scratch: 0 before each launch, and left so
  unsigned long long* posted;  ///< scratch: a word for each of 4 blocks a multiprocessor, likewise

  /// Blocks that have `elements` elements each; one at least.
  unsigned blocks_of(unsigned elements) const { return std::max(1u, (n - 1) / elements + 1); }
  /// As many blocks of `threads` as the GPU runs at once, and none without an element.
  unsigned walking_blocks(unsigned threads) const {
    return std::min(blocks_of(threads), multiprocessors * (2048 / threads));
  }
};

/// Launches on the default stream; returns how many values it leaves in `out`.
using ReduceLaunch = unsigned (*)(const Reduced&);

/// What is timed, and what is checked before: with the kernel by which the entry goes another may be launched
/// where n is small, and then both must be right at every size.
struct Launches {
  ReduceLaunch timed;
  ReduceLaunch checked = nullptr;  ///< besides; nullptr: none
  std::vector<ReduceLaunch> all() const {
    return checked == nullptr ? std::vector{timed} : std::vector{timed, checked};
  }
};

/// Arrays and launches; what the result must be is for the classes below.
class Reduction : public Comparison {
 public:
  Reduction(const Plan& plan, const Launches& launches)
      : plan_(plan),
        launches_(launches),
        largest_n_((1u << plan.last_log) + 3),
        in_(plan, largest_n_ + 3),
        out_(largest_n_ / 32 + 2),
        partials_(out_.size()),
        indices_(out_.size()),
        zeros_(ticket_words + 4 * plan.multiprocessors) {
    zeros_.fill_bytes(0);
  }

  std::vector<Size> sizes() const override { return powers_and_three_more(plan_); }
  double bytes(const Size& size) const override { return 4.0 * size.n; }
  void run_ours(unsigned turn) override { launches_.timed(reduced(in_.stretch(n_, turn))); }

 protected:
  Reduced reduced(const float* in) const {
    return {in,
            n_,
            plan_.multiprocessors,
            out_.get(),
            indices_.get(),
            partials_.get(),
            reinterpret_cast<unsigned*>(zeros_.get()),
            zeros_.get() + ticket_words};
  }
  /// What `launch` leaves of `in`; out_ is poisoned before it.
  std::vector<float> results_of(ReduceLaunch launch, const float* in) {
    out_.fill_bytes(0xCD);
    indices_.fill_bytes(0xCD);
    const unsigned left = launch(reduced(in));
    require(cudaGetLastError(), "launching the kernel");
    require(cudaDeviceSynchronize(), "the kernel");
    return download(out_.get(), left);
  }

  Plan plan_;
  Launches launches_;
  unsigned largest_n_, n_ = 0;
  Rotation<float> in_;
  Array<float> out_, partials_;
  Array<unsigned> indices_;
  static constexpr size_t ticket_words = 16;  ///< a cache line for the ticket alone
  Array<unsigned long long> zeros_;           ///< the ticket and what blocks post
  Cub cub_;
};

struct SmallWholeNumbers {
  __device__ float operator()(unsigned random) const { return static_cast<float>(random % 9) - 4.0f; }
};
struct ManyWholeNumbers {
  __device__ float operator()(unsigned random) const { return static_cast<float>(random >> 9) - 4194304.0f; }
};

/// A reduction that `cub_call` does as well (cub.hpp), into one Result, of an array that `Numbers` fills.
template <class Result, auto cub_call, class Numbers>
class ReductionAgainstCub : public Reduction {
 public:
  ReductionAgainstCub(const Plan& plan, const Launches& launches) : Reduction(plan, launches), cubs_(1) {
    fill(in_.values(), Numbers{});
  }
  void prepare(const Size& size) override {
    n_ = size.n;
    cub_.prepare([&](void* scratch, size_t& bytes) {
      return cub_call(scratch, bytes, in_.values().get(), cubs_.get(), n_);
    });
  }
  void run_cubs(unsigned turn) override { run_cub_on(in_.stretch(n_, turn)); }

 protected:
  void run_cub_on(const float* in) {
    cub_.run([&](void* scratch, size_t& bytes) { return cub_call(scratch, bytes, in, cubs_.get(), n_); });
  }
  Array<Result> cubs_;
};

/// Whole numbers from -4 to 4: whatever the order, float sums of 2^30 of them are exact.
class SumComparison : public ReductionAgainstCub<float, cub_sum, SmallWholeNumbers> {
 public:
  using ReductionAgainstCub::ReductionAgainstCub;
  std::string difference() override {
    for (const unsigned offset : {0u, 1u}) {  // an array may begin at any float
      const float* in = in_.values().get() + offset;
      run_cub_on(in);
      const double expected = cubs_.value_at(0);
      for (const ReduceLaunch launch : launches_.all()) {
        double ours = 0;
        for (const float sum : results_of(launch, in)) ours += sum;
        if (ours == expected) continue;
        return "the sum is " + std::to_string(ours) + ", CUB's is " + std::to_string(expected);
      }
    }
    return {};
  }
};

/// Whole numbers from -2^22 to 2^22, and for the test one that is larger, at either end and within.
class MaxComparison : public ReductionAgainstCub<float, cub_max, ManyWholeNumbers> {
 public:
  using ReductionAgainstCub::ReductionAgainstCub;
  std::string difference() override {
    const Array<float>& values = in_.values();
    for (const size_t place : {size_t{0}, size_t{n_} / 2, size_t{n_} - 1}) {
      const float before = values.value_at(place);
      values.set_value_at(place, 1e9f);
      const auto left = results_of(launches_.timed, values.get());
      run_cub_on(values.get());
      const double ours = left.empty() ? 0 : *std::max_element(left.begin(), left.end());
      const double expected = cubs_.value_at(0);
      values.set_value_at(place, before);
      if (ours == expected) continue;
      return "with the largest at index " + std::to_string(place) + " the maximum is " +
             std::to_string(ours) + ", CUB's is " + std::to_string(expected);
    }
    return {};
  }
};

/// Whole numbers from -2^22 to 2^22, so that each is there more than once where n is large; and for the test
/// two of the largest: the first counts.
class ArgMaxComparison : public ReductionAgainstCub<CubBestMemory, cub_argmax, ManyWholeNumbers> {
 public:
  using ReductionAgainstCub::ReductionAgainstCub;
  std::string difference() override {
    const Array<float>& values = in_.values();
    for (const size_t place : {size_t{0}, size_t{n_} / 2, size_t{n_} - 2}) {
      const float before = values.value_at(place), last = values.value_at(n_ - 1);
      values.set_value_at(place, 1e9f);
      values.set_value_at(n_ - 1, 1e9f);
      const CubBest ours = best_of_ours(values.get());
      run_cub_on(values.get());
      const CubBest expected = get_cub_best(cubs_.value_at(0));
      values.set_value_at(place, before);
      values.set_value_at(n_ - 1, last);
      if (ours.value == expected.value && ours.index == expected.index) continue;
      return "the largest is " + std::to_string(ours.value) + " at index " + std::to_string(ours.index) +
             ", CUB's " + std::to_string(expected.value) + " at " + std::to_string(expected.index);
    }
    return {};
  }

 private:
  CubBest best_of_ours(const float* in) {
    const auto values = results_of(launches_.timed, in);
    const auto indices = download(indices_.get(), values.size());
    CubBest best{-std::numeric_limits<float>::infinity(), -1};
    for (size_t b = 0; b < values.size(); ++b)
      if (values[b] > best.value || (values[b] == best.value && indices[b] < best.index))
        best = {values[b], indices[b]};
    return best;
  }
};

/// What is said of a kernel that leaves its sums to be put together.
inline const char* const one_value_a_block = "leaves one value a block; CUB leaves one in all";

inline Entry sum_entry(const char* kernel, ReduceLaunch launch, const char* remark = one_value_a_block,
                       ReduceLaunch checked = nullptr) {
  return {kernel, "cub::DeviceReduce::Sum", remark, [launches = Launches{launch, checked}](const Plan& plan) {
            return std::make_unique<SumComparison>(plan, launches);
          }};
}
inline Entry max_entry(const char* kernel, ReduceLaunch launch, const char* remark = one_value_a_block) {
  return {kernel, "cub::DeviceReduce::Max", remark,
          [launch](const Plan& plan) { return std::make_unique<MaxComparison>(plan, Launches{launch}); }};
}
inline Entry argmax_entry(const char* kernel, ReduceLaunch launch, const char* remark = one_value_a_block) {
  return {kernel, "cub::DeviceReduce::ArgMax", remark,
          [launch](const Plan& plan) { return std::make_unique<ArgMaxComparison>(plan, Launches{launch}); }};
}

}  // namespace warpwise::measuring
