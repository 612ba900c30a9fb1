#pragma once
/// \file What `./warpwise bench` measured: kernels beside CUB on one GPU. Kept as JSON; tables, plots and
/// comparisons are printers of it.

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::report {

/// A median with its 95 % confidence interval.
struct Median {
  double median = 0, low = 0, high = 0;
};

/// One size: both sides in the same run, in turns.
struct BenchRow {
  unsigned n = 0;      ///< elements
  unsigned bins = 0;   ///< of a histogram; else 0
  double bytes = 0;    ///< that the task must read and write
  unsigned pairs = 0;  ///< runs of each
  Median ours, cub;    ///< milliseconds
  Median ratio;        ///< of our time to CUB's, of two pairs at a time
  Median called;       ///< the same from the call on, the host's part included

  bool is_same_size(const BenchRow& other) const { return n == other.n && bins == other.bins; }
};

enum class BenchVerdict : std::uint8_t {
  right,      ///< and timed
  wrong,      ///< a result differs: nothing was timed
  failed,     ///< the GPU said that the kernel failed, or the process was ended: nothing more was timed
  unwritten,  ///< still a skeleton: not run
};
inline constexpr BenchVerdict all_bench_verdicts[] = {BenchVerdict::right, BenchVerdict::wrong,
                                                      BenchVerdict::failed, BenchVerdict::unwritten};
constexpr std::string_view name_of(BenchVerdict verdict) {
  return std::array{"right", "wrong", "failed", "unwritten"}[static_cast<std::size_t>(verdict)];
}

struct BenchKernel {
  std::string chapter, kernel;
  std::string counterpart;  ///< "cub::DeviceReduce::Sum"
  std::string remark;       ///< where the two do not do quite the same
  BenchVerdict verdict = BenchVerdict::unwritten;
  std::string problem;  ///< one clause, where the verdict is not `right`
  std::vector<BenchRow> rows;
};

/// The GPU. Speeds of its memory in bytes a second.
struct BenchMachine {
  std::string gpu, driver, toolkit;  ///< "NVIDIA H200", "13.0", "13.0": the last two are versions of CUDA
  unsigned multiprocessors = 0;
  double read = 0;  ///< measured: bytes read
  double copy = 0;  ///< measured: bytes read and written
  double peak = 0;  ///< by the memory's clock and width; 0: unknown
};

inline constexpr std::uint32_t current_bench_version = 1;

struct BenchReport {
  std::uint32_t version = current_bench_version;
  std::string command = {};  ///< as it was typed
  BenchMachine machine = {};
  std::vector<BenchKernel> kernels = {};
};

/// The memory bandwidth that NVIDIA's datasheet of this GPU names, in bytes a second; 0: it is not in the
/// list.
double datasheet_bandwidth(std::string_view gpu);

double gigabytes_per_second(const BenchRow& row, const Median& milliseconds);

/// "2^20 + 3", "1000, 64 bins"
std::string size_text(const BenchRow& row);

/// One line that the program of a chapter prints (common/measuring/comparison.cu) changes `kernel`; a line
/// that is none of its own comes back, to be shown. Throws ReportError for one that looks like its own and is
/// not.
std::string read_comparison_line(std::string_view line, BenchKernel& kernel);
/// The same program's line about the machine, and its lines about its kernels. Throw ReportError.
BenchMachine machine_from(std::string_view line);
std::vector<BenchKernel> kernels_from(std::string_view lines, const std::string& chapter);

/// These three throw ReportError, the last two with the file's name.
BenchReport bench_from(std::string_view json);
void write_bench(const std::filesystem::path& file, const BenchReport& bench);
BenchReport read_bench(const std::filesystem::path& file);

}  // namespace warpwise::report
