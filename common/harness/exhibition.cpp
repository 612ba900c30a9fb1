#include "exhibition.hpp"

#include <algorithm>

namespace warpwise::harness {

namespace {

constexpr unsigned gpu_elements = 1u << 26;  // 256 MB of floats: more than any cache holds

ExhibitRun run_exhibit(const Exhibit& exhibit, std::optional<unsigned> n, Device& simulated, GpuDevice* gpu) {
  ExhibitRun run{.exhibit = &exhibit,
                 .n = std::min(n.value_or(exhibit.n), exhibit.largest_n),
                 .simulated = {},
                 .gpu_n = std::min(n.value_or(gpu_elements), exhibit.largest_n),
                 .gpu = {},
                 .problem = {}};
  try {
    run.simulated = exhibit.run(simulated, run.n);
    if (gpu == nullptr) return run;
    gpu->time_launches(TimingOptions{});
    run.gpu = exhibit.run(*gpu, run.gpu_n);
    gpu->time_launches(std::nullopt);
  } catch (const std::exception& error) {
    if (gpu != nullptr) gpu->time_launches(std::nullopt);
    run.problem = error.what();
  }
  return run;
}

}  // namespace

std::vector<ExhibitRun> run_exhibits(const Chapter& chapter, const std::string& kernel,
                                     std::optional<unsigned> n, const Record& record, Device& simulated,
                                     GpuDevice* gpu) {
  std::vector<ExhibitRun> runs;
  for (const Exhibit& exhibit : chapter.exhibits) {
    if (!kernel.empty() && exhibit.kernel.text != kernel) continue;
    if (exhibit.run == nullptr || record.outcome(exhibit.kernel.text, Aspect::result) == Outcome::failed)
      continue;
    runs.push_back(run_exhibit(exhibit, n, simulated, gpu));
  }
  return runs;
}

double gigabytes_per_second(const ExhibitRun& run) {
  if (!run.gpu || !run.gpu->milliseconds() || *run.gpu->milliseconds() <= 0) return 0;
  return run.gpu_n * run.exhibit->bytes_per_element / (*run.gpu->milliseconds() * 1e6);
}

}  // namespace warpwise::harness
