/// \file Reports of the kernels of tests/kernels, from end to end: what is wrong with a kernel is found, with
/// its line; of right ones nothing is; and their counters.

#include <fstream>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../gpu.hpp"
#include "common/testing/catch.hpp"

using namespace warpwise::simulator;
using warpwise::testing::ContainsSubstring;

namespace {

/// One kernel of a file, and the marks in its body.
struct MarkedKernel {
  std::string name;
  std::uint32_t grid = 2, block = 64;
  /// Kind -> lines on which one of that kind may be found.
  std::map<std::string, std::set<std::uint32_t>> expected;
};

/// A file of tests/kernels with its module. Throws where either cannot be read.
class KernelFile {
 public:
  explicit KernelFile(const std::string& name);

  const std::vector<MarkedKernel>& kernels() const { return kernels_; }
  const MarkedKernel& kernel(const std::string& name) const;
  /// Runs with the buffers that the file's head describes.
  LaunchReport run(const MarkedKernel& kernel, Watch watch = Watch::everything, std::uint32_t threads = 1,
                   const std::string& schedule = "converged");

 private:
  void read_marks(const std::string& path);

  Gpu gpu_;
  std::shared_ptr<Program> program_;
  std::vector<MarkedKernel> kernels_;
};

constexpr std::uint32_t inputs = 4096, outputs = 1024, words = 64;

/// The kinds that a line's comment expects: "//! race uninitialised".
std::vector<std::string> marks_of(const std::string& line) {
  const std::size_t mark = line.find("//! ");
  if (mark == std::string::npos) return {};
  std::istringstream text(line.substr(mark + 4));
  std::vector<std::string> kinds;
  for (std::string kind; text >> kind;) kinds.push_back(kind);
  return kinds;
}

KernelFile::KernelFile(const std::string& name) {
  read_marks(WARPWISE_SOURCE_DIR "/tests/kernels/" + name + ".cu");
  program_ = gpu_.load_file(WARPWISE_BINARY_DIR "/tests/kernels/" + name + ".ptx");
}

void KernelFile::read_marks(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  const std::regex start("^KERNEL (\\w+)\\(PARAMETERS\\).*"), launch("^// launch: (\\d+) (\\d+)$");
  std::uint32_t number = 0;
  std::smatch match;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (std::regex_match(line, match, start)) {
      kernels_.emplace_back();
      kernels_.back().name = match[1];
    } else if (std::regex_match(line, match, launch)) {
      kernels_.back().grid = static_cast<std::uint32_t>(std::stoul(match[1]));
      kernels_.back().block = static_cast<std::uint32_t>(std::stoul(match[2]));
    }
    if (kernels_.empty()) continue;
    for (const std::string& kind : marks_of(line)) kernels_.back().expected[kind].insert(number);
  }
}

const MarkedKernel& KernelFile::kernel(const std::string& name) const {
  for (const MarkedKernel& kernel : kernels_) {
    if (kernel.name == name) return kernel;
  }
  throw std::runtime_error("no kernel " + name);
}

LaunchReport KernelFile::run(const MarkedKernel& kernel, Watch watch, std::uint32_t threads,
                             const std::string& schedule) {
  Allocation& out = gpu_.memory().allocate(outputs * sizeof(float), "out", sizeof(float));
  Allocation& in = gpu_.memory().allocate(inputs * sizeof(float), "in", sizeof(float));
  Allocation& sync = gpu_.memory().allocate(words * sizeof(std::uint32_t), "sync", sizeof(std::uint32_t));
  auto* values = reinterpret_cast<float*>(in.base);
  for (std::uint32_t i = 0; i < inputs; ++i) values[i] = static_cast<float>(i * 7 % 1000);
  in.mark_written(0, in.bytes);
  std::fill_n(reinterpret_cast<std::uint32_t*>(sync.base), words, 0u);
  sync.mark_written(0, sync.bytes);

  const std::uint64_t pointers[3] = {out.base, in.base, sync.base};
  const int n = inputs;
  const void* arguments[4] = {&pointers[0], &pointers[1], &pointers[2], &n};
  LaunchRequest request;
  request.kernel = kernel.name;
  request.grid = {kernel.grid, 1, 1};
  request.block = {kernel.block, 1, 1};
  request.dynamic_shared_bytes = kernel.block * static_cast<std::uint32_t>(sizeof(float));
  request.arguments = arguments;
  gpu_.options().watch = watch;
  gpu_.options().launch.threads = threads;
  gpu_.options().launch.budget = 20'000'000;
  gpu_.options().launch.schedule = Schedule::parse(schedule);
  LaunchReport report = gpu_.launch(*program_, request);
  for (const std::uint64_t base : pointers) gpu_.memory().release(base);
  return report;
}

std::string all_of(const LaunchReport& report) {
  std::string text;
  for (const Finding& finding : report.findings) text.append("\n").append(format(finding));
  return text;
}

bool is_expected(const MarkedKernel& kernel, const Finding& finding) {
  const auto lines = kernel.expected.find(std::string(name_of(finding.kind)));
  return lines != kernel.expected.end() && lines->second.contains(finding.line);
}

bool is_found(const LaunchReport& report, const std::string& kind) {
  for (const Finding& finding : report.findings) {
    if (name_of(finding.kind) == kind) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("each wrong kernel is found out, on its line, and for nothing else") {
  KernelFile file("wrong");
  REQUIRE(file.kernels().size() >= 30);
  for (const MarkedKernel& kernel : file.kernels()) {
    const LaunchReport report = file.run(kernel);
    INFO(kernel.name << all_of(report));
    REQUIRE_FALSE(kernel.expected.empty());
    for (const auto& [kind, lines] : kernel.expected) {
      INFO(kind);
      CHECK(is_found(report, kind));
    }
    for (const Finding& finding : report.findings) {
      INFO(format(finding));
      CHECK(is_expected(kernel, finding));
    }
  }
}

TEST_CASE("no right kernel is accused") {
  KernelFile file("right");
  REQUIRE(file.kernels().size() >= 20);
  for (const MarkedKernel& kernel : file.kernels()) {
    for (const std::string schedule : {"converged", "split:1", "split:2"}) {
      for (const std::uint32_t threads : {1u, 2u}) {
        const LaunchReport report = file.run(kernel, Watch::everything, threads, schedule);
        INFO(kernel.name << " " << schedule << " " << threads << all_of(report));
        CHECK(report.completed);
        CHECK(report.findings.empty());
      }
    }
  }
}

TEST_CASE("a tree of pairs is counted as an H200 counts it") {
  KernelFile file("right");
  const LaunchReport report = file.run(file.kernel("tree_of_pairs"));
  const Counters& counters = report.counters;
  CHECK(report.kernel == "tree_of_pairs");
  CHECK(report.completed);
  // Two blocks: a load and a store by each warp, then six levels with both warps in five of them.
  CHECK(counters.global_load_requests == 4);
  CHECK(counters.global_load_sectors == 16);
  CHECK(counters.shared_load_bank_conflicts == 0);
  CHECK(counters.shared_store_wavefronts == counters.shared_store_requests);
  CHECK(counters.block_barriers == 2 * 6);
  CHECK(counters.divergent_branches > 0);
  CHECK(counters.lane_utilisation() > 0.3);
  CHECK(counters.lane_utilisation() < 1.0);
  std::uint64_t divergent = 0;
  for (const std::uint64_t interval : report.divergent_branches_by_interval) divergent += interval;
  CHECK(divergent == counters.divergent_branches);
}

TEST_CASE("lines add up to the launch") {
  KernelFile file("right");
  const LaunchReport report = file.run(file.kernel("last_block"), Watch::counters);
  Counters sum;
  for (const LineCounters& line : report.lines) sum += line.counters;
  for (const auto& [name, member, title] : counter_fields) {
    INFO(name);
    CHECK(sum.*member == report.counters.*member);
  }
  CHECK(report.counters.global_atomic_requests == 8);
  CHECK(report.counters.warp_instructions > 0);
  for (std::size_t i = 1; i < report.lines.size(); ++i) {
    CHECK(report.lines[i - 1].line < report.lines[i].line);
  }
}

TEST_CASE("watching nothing counts nothing, and still sees faults") {
  KernelFile file("wrong");
  const LaunchReport report = file.run(file.kernel("no_guard"), Watch::nothing);
  CHECK(report.counters.warp_instructions == 0);
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].kind == FindingKind::out_of_bounds);
}

TEST_CASE("findings do not depend on the number of host threads") {
  KernelFile file("wrong");
  for (const auto& kernel : file.kernels()) {
    const LaunchReport one = file.run(kernel, Watch::everything, 1);
    const LaunchReport again = file.run(kernel, Watch::everything, 1);
    const LaunchReport two = file.run(kernel, Watch::everything, 2);
    INFO(kernel.name);
    REQUIRE(one.findings.size() == again.findings.size());
    REQUIRE(one.findings.size() == two.findings.size());
    for (std::size_t i = 0; i < one.findings.size(); ++i) {
      CHECK(format(one.findings[i]) == format(again.findings[i]));
      CHECK(one.findings[i].line == two.findings[i].line);
      CHECK(one.findings[i].kind == two.findings[i].kind);
    }
  }
}

TEST_CASE("the text of a finding") {
  KernelFile file("wrong");
  const LaunchReport report = file.run(file.kernel("no_barrier_in_loop"));
  REQUIRE(report.findings.size() == 1);
  const Finding& finding = report.findings[0];
  CHECK(finding.kind == FindingKind::race);
  CHECK_THAT(finding.message, ContainsSubstring("reads partial["));
  CHECK_THAT(finding.message, ContainsSubstring("may still write it"));
  const std::string text = format(finding);
  CHECK_THAT(text, ContainsSubstring("wrong.cu:" + std::to_string(finding.line) + ": race: "));
  CHECK_THAT(text, ContainsSubstring(" |     if (threadIdx.x < stride) partial[threadIdx.x] +="));
  CHECK_THAT(text, ContainsSubstring("first in block 0)"));
  CHECK_THAT(text, ContainsSubstring("= help: put a barrier"));
  CHECK(text.back() != '\n');
  Finding of_two_files = finding;
  of_two_files.other_file = "sum.cuh", of_two_files.other_line = 7;
  CHECK_THAT(format(of_two_files), ContainsSubstring("= the other access is at sum.cuh:7"));
  of_two_files.kind = FindingKind::barrier;
  CHECK_THAT(format(of_two_files), ContainsSubstring("= see also sum.cuh:7"));
}

TEST_CASE("cp.async counts as a load of global and a store of shared memory") {
  Gpu gpu;
  const auto program = gpu.load(R"(.version 8.0
.target sm_80
.address_size 64
.shared .align 16 .b8 tile[512];
.visible .entry k(.param .u64 in) {
  .reg .b32 %r<4>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [in];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 16;
  add.s64 %rd2, %rd1, %rd2;
  mov.u32 %r2, tile;
  mad.lo.u32 %r2, %r1, 16, %r2;
  cp.async.cg.shared.global [%r2], [%rd2], 16;
  cp.async.wait_all;
  ret;
})",
                                "copy.ptx");
  Allocation& in = gpu.memory().allocate(512, "in", 4);
  in.mark_written(0, 512);
  const void* arguments[] = {&in.base};
  LaunchRequest request;
  request.kernel = "k";
  request.block.x = 32;
  request.arguments = arguments;
  const LaunchReport report = gpu.launch(*program, request);
  CHECK(report.findings.empty());
  CHECK(report.counters.global_load_requests == 1);
  CHECK(report.counters.global_load_sectors == 16);
  CHECK(report.counters.shared_store_requests == 1);
  CHECK(report.counters.shared_store_wavefronts == 4);
  CHECK(report.counters.shared_load_requests == 0);
  CHECK(report.counters.global_store_requests == 0);
}
