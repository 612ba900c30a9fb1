#pragma once
/// \file The command line of a chapter's executable.

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace warpwise::harness {

enum class DeviceChoice { simulator, gpu, automatic };

struct Options {
  std::string module;  ///< path of the .ptx; empty: the chapter's exercise
  DeviceChoice device = DeviceChoice::automatic;
  std::optional<unsigned> n;      ///< elements of the exhibits
  std::string kernel;             ///< empty: all
  std::string report;             ///< JSON file to write; empty: none
  std::string hardware_table;     ///< counters of a GPU that must be those of this run; empty: none
  std::string trace;              ///< JSON file to write; empty: none
  bool runs_no_checks = false;    ///< only what `trace` and `report` ask for
  std::optional<unsigned> block;  ///< threads a block, where the launch may choose
  std::string schedule;           ///< of the launch that is traced; empty: converged
  bool lists_kernels = false;
  bool expects_failure = false;
  std::string expected_rejection;   ///< path of the attempt's .cu; empty: none
  unsigned threads = 0;             ///< of the host, for the simulated GPU; 0: one a processor
  std::uint64_t seed = 0;           ///< other inputs and further sizes (inputs.hpp); 0: the usual ones
  std::uint64_t kernel_budget = 0;  ///< warp instructions of a kernel in all checks together; 0: any
  bool is_quiet = false;            ///< leaves out what kernels print
  bool is_verbose = false;
  bool shows_lines = false;
  bool wants_help = false;
  std::vector<std::string> catch_arguments;  ///< after `--`
};

/// Wrong usage; what() is one sentence.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What is to be judged cannot be: the module lacks it, or this machine. what() is one sentence.
class NotJudged : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// `arguments` without the program's name. "--n 5" and "--n=5" are the same. Throws UsageError.
Options parse_options(std::span<const char* const> arguments);

/// What `--help` prints.
std::string usage(const std::string& program);

}  // namespace warpwise::harness
