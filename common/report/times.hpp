#pragma once
/// \file Times that come with the course: those of its kernels on one GPU, docs/results/h200/times.json,
/// which docs/results/measure.sh writes.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::report {

inline constexpr std::uint32_t current_times_version = 1;

/// The median of a kernel's launches.
struct KernelTime {
  std::string chapter, kernel;  ///< "ch01_naive", "reduce_naive"
  std::uint64_t elements = 0;
  double milliseconds = 0;
  double gigabytes = 0;  ///< that it must read and write, a second
  bool operator==(const KernelTime&) const = default;
};

struct PublishedTimes {
  std::uint32_t version = current_times_version;
  std::string gpu;  ///< "NVIDIA H200"; empty where nothing was read
  std::vector<KernelTime> kernels;
  bool operator==(const PublishedTimes&) const = default;

  /// GB/s; 0: it was not measured.
  double of(std::string_view chapter, std::string_view kernel) const;
};

/// Throws ReportError (json.hpp) for what is no such file; without one there are no times.
PublishedTimes read_times(const std::filesystem::path& file);

}  // namespace warpwise::report
