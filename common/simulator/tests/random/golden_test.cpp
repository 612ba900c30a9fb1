/// \file The simulator against results that were measured on a GPU: golden.txt.

#include <fstream>
#include <map>
#include <sstream>

#include "common/testing/catch.hpp"
#include "simulate.hpp"

using namespace warpwise::simulator;
using namespace warpwise::simulator::tests;

namespace {

/// seed -> hash, of one architecture; lines are `arch seed hash`, comments begin with #.
std::map<std::uint64_t, std::uint64_t> golden(const std::string& wanted) {
  std::ifstream file(WARPWISE_SOURCE_DIR "/random/golden.txt");
  std::map<std::uint64_t, std::uint64_t> hashes;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string arch, seed, hash;
    if (words >> arch >> seed >> hash && arch == wanted)
      hashes[std::stoull(seed)] = std::stoull(hash, nullptr, 16);
  }
  return hashes;
}

std::string module_path(const std::string& arch) {
  return std::string(WARPWISE_BINARY_DIR "/random/golden.") + arch + ".ptx";
}

void compare(const std::string& arch, const std::string& schedule) {
  const auto expected = golden(arch);
  REQUIRE(expected.size() >= 30);
  GpuOptions options;
  options.launch.budget = 50'000'000;
  options.launch.schedule = Schedule::parse(schedule);
  Gpu gpu(options);
  const auto program = gpu.load_file(module_path(arch));
  for (const auto& [seed, hash] : expected) {
    INFO("kernel " << kernel_name(seed) << " of " << arch << ", schedule " << schedule);
    const Simulated simulated = simulate(gpu, *program, seed);
    CHECK(simulated.hash == hash);
    for (const Finding& finding : simulated.report.findings) FAIL_CHECK(format(finding));
  }
}

}  // namespace

TEST_CASE("random kernels: compute_75 gives what the GPU gave") { compare("compute_75", "converged"); }
TEST_CASE("random kernels: compute_80 gives what the GPU gave") { compare("compute_80", "converged"); }
TEST_CASE("random kernels: the schedule changes no result") {
  compare("compute_75", "lockstep");
  compare("compute_75", "split:1");
  compare("compute_80", "split:2");
}

TEST_CASE("random kernels: a seed gives the same text and the same input everywhere") {
  std::uint64_t text_hash = 0xcbf29ce484222325ull;
  for (const char letter : write_kernel(7)) {
    text_hash = (text_hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3ull;
  }
  CHECK(text_hash == 0xecec3485fe3d17c4ull);
  CHECK(hash_of(input_of(7)) == 0x9cbbf6fa8d315b44ull);
}
