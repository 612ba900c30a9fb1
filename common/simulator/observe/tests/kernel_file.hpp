#pragma once
/// \file Runs the kernels of tests/kernels under observation, and knows what their marks expect.

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "../../launch.hpp"
#include "../observation.hpp"

namespace warpwise::simulator::testing {

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

  GlobalMemory memory_;
  std::unique_ptr<Program> program_;
  std::vector<MarkedKernel> kernels_;
};

}  // namespace warpwise::simulator::testing
