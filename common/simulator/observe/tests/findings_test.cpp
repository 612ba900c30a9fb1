/// \file Findings from end to end: what is wrong with a kernel is reported, with its line; of right ones
/// nothing is.

#include "common/testing/catch.hpp"
#include "kernel_file.hpp"

using namespace warpwise::simulator;
using namespace warpwise::simulator::observe;
using warpwise::simulator::testing::KernelFile;
using warpwise::simulator::testing::MarkedKernel;

namespace {

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
