#pragma once
/// \file The GPUs that share one array, one rank each, and how they exchange results: NCCL, or nothing if
/// there is only one rank. Compiled without WARPWISE_NCCL it supports one rank only.

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "common/measuring/measuring.cuh"

#if defined(WARPWISE_NCCL)
#include <nccl.h>
#endif

namespace beyond {

using warpwise::measuring::require;

#if defined(WARPWISE_NCCL)
constexpr bool has_nccl = true;
inline void require_nccl(ncclResult_t code, const char* what) {
  if (code == ncclSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, ncclGetErrorString(code));
  std::exit(2);
}
#else
constexpr bool has_nccl = false;
#endif

/// One GPU with its stream and two events.
struct Rank {
  int device = 0;
  cudaStream_t stream = nullptr;
  cudaEvent_t begin = nullptr, end = nullptr;
#if defined(WARPWISE_NCCL)
  ncclComm_t communicator = nullptr;
#endif
};

class Ranks {
 public:
  /// The first `count` GPUs.
  explicit Ranks(int count) : ranks_(static_cast<size_t>(count)) {
    for (int r = 0; r < count; ++r) {
      Rank& rank = ranks_[static_cast<size_t>(r)];
      rank.device = r;
      use(rank);
      require(cudaStreamCreate(&rank.stream), "cudaStreamCreate");
      require(cudaEventCreate(&rank.begin), "cudaEventCreate");
      require(cudaEventCreate(&rank.end), "cudaEventCreate");
    }
    connect();
  }
  ~Ranks() {
    for (Rank& rank : ranks_) {
#if defined(WARPWISE_NCCL)
      if (rank.communicator != nullptr) ncclCommDestroy(rank.communicator);
#endif
      cudaEventDestroy(rank.begin);
      cudaEventDestroy(rank.end);
      cudaStreamDestroy(rank.stream);
    }
  }
  Ranks(const Ranks&) = delete;  ///< owns streams and communicators
  Ranks& operator=(const Ranks&) = delete;

  int count() const { return static_cast<int>(ranks_.size()); }
  const Rank& operator[](int r) const { return ranks_[static_cast<size_t>(r)]; }

  /// Calls work(rank, r) for each rank, with its GPU as the current one. Work is queued on rank.stream.
  template <class Work>
  void each(const Work& work) const {
    for (int r = 0; r < count(); ++r) {
      use((*this)[r]);
      work((*this)[r], r);
    }
  }
  void wait() const {
    each([](const Rank& rank, int) {
      require(cudaStreamSynchronize(rank.stream), "what a GPU was asked to do");
    });
  }

  /// Replaces the `count` values at values[r] of every rank by their sums over all ranks, or by the largest.
  void sum(const std::vector<float*>& values, size_t count) const { reduce(values, count, true); }
  void sum(const std::vector<long long*>& values, size_t count) const { reduce(values, count, true); }
  void largest(const std::vector<float*>& values, size_t count) const { reduce(values, count, false); }

 private:
  static void use(const Rank& rank) { require(cudaSetDevice(rank.device), "cudaSetDevice"); }

#if defined(WARPWISE_NCCL)
  static ncclDataType_t type_of(const float*) { return ncclFloat; }
  static ncclDataType_t type_of(const long long*) { return ncclInt64; }

  void connect() {
    if (count() == 1) return;
    std::vector<ncclComm_t> communicators(ranks_.size());
    require_nccl(ncclCommInitAll(communicators.data(), count(), nullptr), "ncclCommInitAll");
    for (size_t r = 0; r < ranks_.size(); ++r) ranks_[r].communicator = communicators[r];
  }
  template <class T>
  void reduce(const std::vector<T*>& values, size_t size, bool is_sum) const {
    if (count() == 1) return;
    require_nccl(ncclGroupStart(), "ncclGroupStart");
    for (size_t r = 0; r < ranks_.size(); ++r)
      require_nccl(ncclAllReduce(values[r], values[r], size, type_of(values[r]), is_sum ? ncclSum : ncclMax,
                                 ranks_[r].communicator, ranks_[r].stream),
                   "ncclAllReduce");
    require_nccl(ncclGroupEnd(), "ncclGroupEnd");
  }
#else
  void connect() const {
    if (count() == 1) return;
    std::fprintf(stderr, "compiled without NCCL: one GPU at a time\n");
    std::exit(2);
  }
  template <class T>
  void reduce(const std::vector<T*>&, size_t, bool) const {}
#endif

  std::vector<Rank> ranks_;
};

/// The stretch of chunks that rank r of `count` owns: whole chunks, so that no sum depends on who owns them.
struct Stretch {
  size_t begin, end;
};
inline Stretch stretch_of(size_t chunks, int r, int count) {
  const auto part = [&](int i) { return chunks * static_cast<size_t>(i) / static_cast<size_t>(count); };
  return {part(r), part(r + 1)};
}

/// Memory on each rank's GPU: sizes[r] values.
template <class T>
class Spread {
 public:
  Spread(const Ranks& ranks, const std::vector<size_t>& sizes) : ranks_(ranks) {
    ranks.each([&](const Rank&, int r) {
      parts_.push_back(warpwise::measuring::allocate<T>(sizes[static_cast<size_t>(r)]));
    });
  }
  Spread(const Ranks& ranks, size_t size)
      : Spread(ranks, std::vector<size_t>(static_cast<size_t>(ranks.count()), size)) {}
  ~Spread() {
    ranks_.each([&](const Rank&, int r) { cudaFree(parts_[static_cast<size_t>(r)]); });
  }
  Spread(const Spread&) = delete;  ///< owns the memory
  Spread& operator=(const Spread&) = delete;

  T* operator[](int r) const { return parts_[static_cast<size_t>(r)]; }
  const std::vector<T*>& parts() const { return parts_; }

 private:
  const Ranks& ranks_;
  std::vector<T*> parts_;
};

}  // namespace beyond
