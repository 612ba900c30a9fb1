/// \file What one scan of a warp costs, in PTX instructions of the warp. Runs the loops of warp_scans.cu
/// on the simulated GPU. With --ptx it prints the instructions themselves, three scans side by side.

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "ch06_scan/kernels.hpp"
#include "common/harness/device/device.hpp"
#include "common/harness/device/simulated_device.hpp"
#include "common/simulator/ptx.hpp"
#include "common/text/installation.hpp"

using namespace warpwise;
using simulator::Counters;

namespace {

using Loop = harness::Kernel<void(int*, unsigned)>;

struct Scan {
  const char* name;
  Loop loop;
  unsigned shared_ints;
};
constexpr Scan scans[] = {
    {"shared memory, a condition per step", {"loop_conditional"}, 32},
    {"shared memory, zeros ahead", {"loop_padded"}, ch06::padded_ints(32)},
    {"shuffle, lane test", {"loop_lane_test"}, 0},
    {"shuffle, predicate (inline PTX)", {"loop_predicate"}, 0},
    {"cub::WarpScan", {"loop_cub"}, 0},
};
constexpr unsigned loop_itself = 3;  // instructions that keep the loop going: add, compare, branch

Counters run(harness::Device& device, const Scan& scan, unsigned rounds) {
  const auto values = device.upload("values", std::vector<int>(32, 1));
  return device
      .launch(scan.loop, {.grid = 1, .block = 32, .shared_bytes = scan.shared_ints * sizeof(int)}, values,
              rounds)
      .counters();
}

void print_counts(harness::Device& device) {
  std::printf("%-35s%12s%8s%12s%9s%11s\n", "one scan of 32 values", "PTX warp", "shared", "__syncwarp",
              "shuffles", "divergent");
  std::printf("%-35s%12s%8s%12s%9s%11s\n", "", "instructions", "memory", "", "", "branches");
  for (const Scan& scan : scans) {
    constexpr unsigned few = 10, rounds = 100;
    const Counters before = run(device, scan, few), after = run(device, scan, few + rounds);
    // Only what the rounds have added, not what happens once.
    const auto a_round = [&](std::uint64_t Counters::*counter) {
      return static_cast<unsigned>((after.*counter - before.*counter) / rounds);
    };
    std::printf("%-35s%12u%8u%12u%9u%11u\n", scan.name, a_round(&Counters::warp_instructions) - loop_itself,
                a_round(&Counters::shared_load_requests) + a_round(&Counters::shared_store_requests),
                a_round(&Counters::warp_barriers), a_round(&Counters::shuffles),
                a_round(&Counters::divergent_branches));
  }
}

/// The loop of the kernel, from the target of its last backward branch, without what keeps it going.
std::vector<std::string> loop_of(const simulator::Program& program, const char* kernel) {
  using simulator::ptx::Operand;
  const auto& function = *program.find_kernel(kernel)->function;
  std::vector<std::string> lines{kernel};
  for (std::size_t end = function.code.size(); end-- > 0;) {
    const auto& branch = function.code[end];
    if (branch.row->then != simulator::ptx::Then::label || branch.operands[0].target > end) continue;
    for (std::size_t i = branch.operands[0].target; i + loop_itself <= end; ++i)
      lines.push_back(simulator::ptx::disassemble(program.module(), function, function.code[i]));
    break;
  }
  return lines;
}

void print_listings(const simulator::Program& program) {
  std::vector<std::vector<std::string>> columns;
  std::size_t height = 0;
  for (const char* kernel : {"loop_conditional", "loop_padded", "loop_predicate"}) {
    columns.push_back(loop_of(program, kernel));
    height = std::max(height, columns.back().size());
  }
  for (auto& column : columns) column.resize(height);
  for (std::size_t row = 0; row < height; ++row)
    std::printf("%-34s%-34s%s\n", columns[0][row].c_str(), columns[1][row].c_str(), columns[2][row].c_str());
}

}  // namespace

int main(int argc, char** argv) {
  harness::SimulatedDevice device(text::built_module("lesson/warp_scans.ptx"));
  if (argc > 1 && std::strcmp(argv[1], "--ptx") == 0) {
    print_listings(device.program());
  } else {
    print_counts(device);
  }
}
