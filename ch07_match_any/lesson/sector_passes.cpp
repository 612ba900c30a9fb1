/// \file Why a histogram with 8 bins takes less time than one with 32: counts the passes that a warp's atomic
/// operations need at the sectors of memory, for the keys of bench/measure_match_any.cu, and shows them
/// beside the times that an H200 took for these keys. Exit status 1 means that the file with the times cannot
/// be read.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

namespace {

constexpr unsigned keys_counted = 1u << 20, keys_timed = 1u << 24, bins_a_sector = 8;

/// Key i, as in measure_match_any.cu.
unsigned key_at(unsigned i, unsigned bins) {
  std::uint32_t word = i * 2654435761u;
  word ^= word >> 15;
  word *= 2246822519u;
  word ^= word >> 13;
  return word % bins;
}

struct Passes {
  double plain = 0, aggregated = 0;  ///< for 32 keys, on average
};

/// Lanes that want the same bin go one after the other, and lanes that want different bins of one sector go
/// together. So a sector takes as many passes as its most wanted bin has lanes. If the warp has aggregated
/// its keys, that is one.
Passes passes_for(unsigned bins) {
  std::uint64_t plain = 0, aggregated = 0;
  for (unsigned first = 0; first < keys_counted; first += 32) {
    std::map<unsigned, unsigned> lanes_of_bin, passes_of_sector;
    for (unsigned lane = 0; lane < 32; ++lane) ++lanes_of_bin[key_at(first + lane, bins)];
    for (const auto& [bin, lanes] : lanes_of_bin) {
      unsigned& passes = passes_of_sector[bin / bins_a_sector];
      passes = std::max(passes, lanes);
    }
    for (const auto& [sector, passes] : passes_of_sector) plain += passes;
    aggregated += passes_of_sector.size();
  }
  constexpr double warps = keys_counted / 32.0;
  return {static_cast<double>(plain) / warps, static_cast<double>(aggregated) / warps};
}

/// Reads the first line `bins PLAIN ms AGGREGATED ms ...` of the file; false if there is none.
bool find_times(const std::string& text, unsigned bins, double& plain, double& aggregated) {
  std::istringstream lines(text.substr(std::min(text.find("histograms of"), text.size())));
  for (std::string line; std::getline(lines, line);) {
    unsigned found = 0;
    if (std::sscanf(line.c_str(), "%u %lf ms %lf ms", &found, &plain, &aggregated) == 3 && found == bins)
      return true;
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string path = argc > 1 ? argv[1] : "docs/results/h200/ch07_match_any_gpu.txt";
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::printf(" bins   plain: passes      ms   ns a pass   aggregated: passes      ms   ns a pass\n");
  for (unsigned bins = 1; bins <= 4096; bins *= 2) {
    double plain = 0, aggregated = 0;
    if (!find_times(text, bins, plain, aggregated)) {
      std::fprintf(stderr,
                   "%s has no times for %u bins: run this in the root of the repository, or name the file\n",
                   path.c_str(), bins);
      return 1;
    }
    const Passes passes = passes_for(bins);
    constexpr double per_nanosecond = 1e6 / (keys_timed / 32.0);
    std::printf("%5u %15.2f %7.2f %11.3f %20.2f %7.2f %11.3f\n", bins, passes.plain, plain,
                plain / passes.plain * per_nanosecond, passes.aggregated, aggregated,
                aggregated / passes.aggregated * per_nanosecond);
  }
  return 0;
}
