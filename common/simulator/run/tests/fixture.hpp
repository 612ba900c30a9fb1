#pragma once
/// \file Runs small PTX kernels and records what the machine reports.

#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "common/simulator/run/worker.hpp"
#include "common/testing/catch.hpp"

namespace warpwise::simulator::run {

/// Remembers everything; for one host thread.
struct Recorder final : Observation, Observer {
  struct Run {
    Pc first, last;
    LaneMask lanes;
  };
  struct Branch {
    LaneMask active, taken;
  };
  std::vector<Run> runs;
  std::vector<Branch> branches;
  std::vector<Access> accesses;
  std::vector<Fault> faults;
  std::vector<LaneMask> warp_barriers;
  std::vector<std::uint32_t> releases;  ///< threads of each release of a block barrier
  std::uint32_t instructions = 0;

  void add_observers(ObserverList& of_thread) override { of_thread.add(*this); }
  void on_run(const WarpContext&, Pc first, Pc last, LaneMask lanes) override {
    runs.push_back({first, last, lanes});
    instructions += last - first + 1;
  }
  void on_branch(const WarpContext&, Pc, LaneMask active, LaneMask taken) override {
    branches.push_back({active, taken});
  }
  void on_access(const WarpContext&, const Access& access) override { accesses.push_back(access); }
  void on_fault(const WarpContext&, const Fault& fault) override { faults.push_back(fault); }
  void on_warp_barrier(const WarpContext&, Pc, LaneMask lanes) override { warp_barriers.push_back(lanes); }
  void on_barrier_release(const BlockContext&, std::uint32_t, std::span<const LaneMask> lanes,
                          bool) override {
    std::uint32_t threads = 0;
    for (LaneMask mask : lanes) threads += lane_count(mask);
    releases.push_back(threads);
  }
  std::uint32_t faults_of(FaultKind kind) const {
    std::uint32_t result = 0;
    for (const Fault& fault : faults) result += fault.kind == kind;
    return result;
  }
};

/// A kernel `k(.u64 out)` with the usual registers, whose body is given; `%rd1` holds `out`, `%r1` the
/// thread.
inline std::string kernel(const std::string& body, const std::string& before = "") {
  return ".version 8.0\n.target sm_90\n.address_size 64\n" + before +
         "\n.visible .entry k(.param .u64 k_out)\n{\n"
         ".reg .pred %p<8>; .reg .b16 %h<8>; .reg .b32 %r<32>; .reg .f32 %f<8>; .reg .b64 %rd<16>;\n"
         "ld.param.u64 %rd1, [k_out];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd3, %r1, 4;\n"
         "add.s64 %rd2, %rd1, %rd3;\n" +
         body + "\n}\n";
}

struct Machine {
  GlobalMemory memory;
  std::unique_ptr<Program> program;
  Allocation* out = nullptr;
  Recorder recorder;
  LaunchOptions options;
  std::string printed;

  explicit Machine(const std::string& text, std::uint32_t words = 1024) {
    program = std::make_unique<Program>(ptx::read_module(text, "test.ptx"), memory);
    out = &memory.allocate(words * 4, "out", 4);
    std::memset(reinterpret_cast<void*>(out->base), 0, words * 4);
    options.threads = 1;
    options.print = [this](std::string_view part) { printed += part; };
  }
  LaunchOutcome run(std::uint32_t grid, std::uint32_t block, bool is_watched = true) {
    const void* arguments[] = {&out->base};
    const std::array<Observation*, 1> observations{&recorder};
    return launch(*program, memory, {"k", {grid, 1, 1}, {block, 1, 1}, 0, arguments}, options,
                  std::span(observations).first(is_watched ? 1 : 0));
  }
  std::uint32_t word(std::size_t i) const { return reinterpret_cast<const std::uint32_t*>(out->base)[i]; }
};

inline const char* const all_schedules[] = {"converged", "lockstep", "split:1", "split:2"};

}  // namespace warpwise::simulator::run
