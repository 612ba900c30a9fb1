// Runs the comparisons of one chapter on the first GPU and prints what comes of them, a JSON object a line.
// `./warpwise bench` starts it, once for each kernel, because a kernel that crashes takes the process with
// it.
//
//     bench --list                     the kernels that have a counterpart in CUB
//     bench --machine                  the GPU, and how fast its memory is
//     bench KERNEL FIRST LAST          first every size is checked, then timed: n = 2^FIRST ... 2^LAST
//     bench KERNEL FIRST LAST --trial  a pair a size, for a simulated GPU, whose times mean nothing
//
// Exit status 0: all is well; 1: the kernel is wrong, and nothing was timed; 2: the GPU, CUB or the kernel
// failed (stderr says how). A kernel that does not end is ended by SIGALRM.

#include <unistd.h>

#include <cstring>

#include "ceilings.cuh"
#include "comparison.hpp"
#include "json_string.hpp"
#include "paired_timing.cuh"

namespace {

using namespace warpwise::measuring;

constexpr unsigned longest_step = 60;  // seconds for one size, before SIGALRM

void say(const char* line) {
  std::puts(line);
  std::fflush(stdout);
}

void list_kernels() {
  for (const Entry& entry : entries())
    std::printf("{\"event\":\"kernel\",\"kernel\":%s,\"counterpart\":%s,\"remark\":%s}\n",
                json_string(entry.kernel).c_str(), json_string(entry.counterpart).c_str(),
                json_string(entry.remark).c_str());
}

void describe_machine() {
  cudaDeviceProp device{};
  require(cudaGetDeviceProperties(&device, 0), "cudaGetDeviceProperties");
  int driver = 0, runtime = 0;
  require(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  require(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
  // Clock in kHz, twice a cycle, width in bits.
  const double peak =
      2e3 * attribute(cudaDevAttrMemoryClockRate) * attribute(cudaDevAttrGlobalMemoryBusWidth) / 8;
  size_t free_bytes = 0, all_bytes = 0;
  require(cudaMemGetInfo(&free_bytes, &all_bytes), "cudaMemGetInfo");
  const size_t bytes = std::min(size_t{1} << 32, free_bytes / 3) >> 20 << 20;
  const Ceilings ceilings = measure_ceilings(bytes, static_cast<unsigned>(device.multiProcessorCount), peak);
  std::printf(
      "{\"event\":\"machine\",\"gpu\":%s,\"multiprocessors\":%d,\"driver\":\"%d.%d\",\"toolkit\":\"%d.%"
      "d\","
      "\"read\":%.6g,\"copy\":%.6g,\"peak\":%.6g}\n",
      json_string(device.name).c_str(), device.multiProcessorCount, driver / 1000, driver % 1000 / 10,
      runtime / 1000, runtime % 1000 / 10, ceilings.read, ceilings.copy, ceilings.peak);
}

/// The plan that was asked for, with smaller sizes where the memory is small: 16 bytes an element, and as
/// much again for what else there is.
Plan plan_for(unsigned first_log, unsigned last_log) {
  Plan plan;
  plan.cache_bytes = static_cast<size_t>(attribute(cudaDevAttrL2CacheSize));
  plan.multiprocessors = multiprocessors();
  size_t free_bytes = 0, all_bytes = 0;
  require(cudaMemGetInfo(&free_bytes, &all_bytes), "cudaMemGetInfo");
  plan.first_log = first_log;
  plan.last_log = last_log;
  while (plan.last_log > plan.first_log && (size_t{32} << plan.last_log) > free_bytes) --plan.last_log;
  return plan;
}

void print_median(const char* name, const Median& median) {
  std::printf(",\"%s\":{\"median\":%.7g,\"low\":%.7g,\"high\":%.7g}", name, median.median, median.low,
              median.high);
}

void print_row(const Comparison& comparison, const Size& size, const Times& times, const Times& called) {
  std::printf("{\"event\":\"row\",\"n\":%u,\"bins\":%u,\"bytes\":%.0f,\"pairs\":%zu", size.n, size.bins,
              comparison.bytes(size), times.ours.size());
  print_median("ours", median_of(times.ours));
  print_median("cub", median_of(times.cubs));
  print_median("ratio", median_of(times.ratios()));
  print_median("called", median_of(called.ratios()));
  say("}");
}

/// True: right at every size.
bool check(Comparison& comparison, const std::vector<Size>& sizes) {
  for (const Size& size : sizes) {
    alarm(longest_step);
    comparison.prepare(size);
    const std::string difference = comparison.difference();
    if (!difference.empty()) {
      std::printf("{\"event\":\"wrong\",\"n\":%u,\"bins\":%u,\"text\":%s}\n", size.n, size.bins,
                  json_string(difference).c_str());
      return false;
    }
  }
  std::printf("{\"event\":\"right\",\"sizes\":%zu}\n", sizes.size());
  std::fflush(stdout);
  return true;
}

int run(const Entry& entry, const Plan& plan, const StoppingCriterion& criterion) {
  const std::unique_ptr<Comparison> comparison = entry.make(plan);
  const std::vector<Size> sizes = comparison->sizes();
  if (!check(*comparison, sizes)) return 1;
  PairedTiming timing(criterion);
  for (const Size& size : sizes) {
    alarm(longest_step);
    comparison->prepare(size);
    const Times times = timing.times_of(*comparison);
    print_row(*comparison, size, times, timing.times_when_called(*comparison));
  }
  return 0;
}

int wrong_usage() {
  std::fputs("usage: bench --list | --machine | KERNEL FIRST LAST [--trial]\n", stderr);
  return 2;
}

}  // namespace

int main(int count, char** words) {
  if (count == 2 && std::strcmp(words[1], "--list") == 0) return list_kernels(), 0;
  if (count == 2 && std::strcmp(words[1], "--machine") == 0) return describe_machine(), 0;
  const bool is_trial = count == 5 && std::strcmp(words[4], "--trial") == 0;
  if (count != 4 && !is_trial) return wrong_usage();
  const auto first = static_cast<unsigned>(std::atoi(words[2])),
             last = static_cast<unsigned>(std::atoi(words[3]));
  if (first < 5 || last > 30 || first > last) return wrong_usage();
  for (const Entry& entry : entries()) {
    if (entry.kernel != words[1]) continue;
    StoppingCriterion criterion;
    if (is_trial) criterion = {.fewest = 1, .most = 1, .seconds = 0, .narrow = 0, .holds_stream = false};
    return run(entry, plan_for(first, last), criterion);
  }
  return wrong_usage();
}
