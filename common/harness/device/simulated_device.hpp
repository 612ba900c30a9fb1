#pragma once
/// \file The simulated GPU as a Device.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "../../simulator/gpu.hpp"
#include "device.hpp"

namespace warpwise::harness {

/// What the launches of one test case may spend together, in warp instructions: a kernel of the course spends
/// a fifth of it at most, in a second. One that asks over and over whether it may go on, as the threads of a
/// cuda::barrier do, would take minutes.
inline constexpr std::uint64_t check_budget = 80'000'000;

class SimulatedDevice : public Device {
 public:
  /// Reads the module; throws simulator::ptx::Error where it cannot be read or decoded.
  explicit SimulatedDevice(const std::string& module_path, simulator::GpuOptions options = {});

  bool is_simulated() const override { return true; }
  const DeviceProperties& properties() const override { return properties_; }
  bool has_kernel(const std::string& name) const override;

  std::uint64_t allocate(std::size_t bytes, const std::string& name, std::size_t element_bytes) override;
  void release(std::uint64_t address) noexcept override;
  void write(std::uint64_t address, const void* from, std::size_t bytes) override;
  void read(void* to, std::uint64_t address, std::size_t bytes) override;
  void set_read_only(std::uint64_t address, bool is_read_only) override;
  bool is_written(std::uint64_t address, std::size_t bytes) override;

  const simulator::machine::Program& program() const { return *program_; }
  simulator::GpuOptions& options() { return gpu_.options(); }
  /// What the launches of one kernel may spend in all test cases together, in warp instructions; 0: any
  /// number.
  void set_kernel_budget(std::uint64_t instructions) { kernel_budget_ = instructions; }
  /// For tests of the limit; otherwise check_budget.
  void set_check_budget(std::uint64_t instructions) { check_budget_ = instructions; }
  /// The last launch that was asked for, if it has ended as it should.
  const std::optional<Launch>& last_launch() const { return last_launch_; }
  /// Whether `kernel` stores nothing at all, so that it has no result yet, skeleton (functions.hpp) or not.
  bool writes_nothing(const std::string& kernel) const;

 protected:
  Launch launch_packed(const std::string& kernel, const LaunchShape& shape,
                       std::span<const void* const> arguments, std::span<const std::size_t> sizes) override;
  void note_arrays(const Launch& launch, std::vector<std::uint64_t> written,
                   const std::vector<std::uint64_t>& read) override;

 private:
  friend class KeptModuleMemory;
  /// What the module's variables hold when it is loaded.
  struct Variable {
    std::uint64_t address = 0;
    std::vector<std::byte> bytes;
  };
  void restore_variables();
  std::uint64_t budget_of(const std::string& kernel, const LaunchShape& shape) const;
  void spend(const std::string& kernel, std::uint64_t instructions);

  simulator::Gpu gpu_;
  std::shared_ptr<simulator::machine::Program> program_;
  DeviceProperties properties_;
  std::vector<Variable> variables_;  ///< those that kernels can write
  bool keeps_module_memory_ = false;
  std::optional<Launch> last_launch_;
  std::unordered_set<std::string> endless_;  ///< kernels that have once run out of budget
  std::unordered_set<std::string> slow_;     ///< kernels with which a check has once spent too much
  std::uint64_t kernel_budget_ = 0;
  std::unordered_map<std::string, std::uint64_t> spent_by_kernel_;
  unsigned spending_case_ = 0;  ///< Record::cases_begun() when `spent_` was last added to
  std::uint64_t check_budget_ = check_budget;
  std::uint64_t spent_ = 0;  ///< warp instructions in that test case
};

/// While it lives, the launches of `device` follow `schedule`; then, the one before. Throws std::logic_error
/// for a real GPU, which chooses for itself, and std::invalid_argument for a schedule that there is not.
///
///     const UnderSchedule schedule(simulated_device(), "split:7");
class UnderSchedule {
 public:
  UnderSchedule(Device& device, std::string_view schedule);
  ~UnderSchedule();
  UnderSchedule(const UnderSchedule&) = delete;  ///< two would put back different schedules
  UnderSchedule& operator=(const UnderSchedule&) = delete;
  std::string spelled() const { return device_.options().launch.schedule.spelled(); }

 private:
  SimulatedDevice& device_;
  simulator::machine::Schedule before_;
};

/// While it lives, a launch on the simulated GPU meets what earlier ones have left in the module's variables,
/// as on a real one. Otherwise each meets them as they are when the module is loaded: no kernel can tell by
/// them which launch it is, and do less in those that are counted.
class KeptModuleMemory {
 public:
  KeptModuleMemory();
  ~KeptModuleMemory();
  KeptModuleMemory(const KeptModuleMemory&) = delete;  ///< it would end twice
  KeptModuleMemory& operator=(const KeptModuleMemory&) = delete;

 private:
  SimulatedDevice& device_;
};

/// While it lives, launches on the simulated GPU follow options that `change` has changed.
///
///     const OtherOptions one_by_one([](auto& options) { options.launch.resident_blocks = 1; });
class OtherOptions {
 public:
  template <class Change>
  explicit OtherOptions(Change change)
      : device_(dynamic_cast<SimulatedDevice&>(simulated_device())), before_(device_.options()) {
    change(device_.options());
  }
  ~OtherOptions() { device_.options() = before_; }
  OtherOptions(const OtherOptions&) = delete;  ///< two would put back different options
  OtherOptions& operator=(const OtherOptions&) = delete;

 private:
  SimulatedDevice& device_;
  simulator::GpuOptions before_;
};

/// While it lives, `observation` sees the launches of `device`. Throws std::bad_cast for a real GPU.
class Attached {
 public:
  Attached(Device& device, simulator::machine::Observation& observation);
  ~Attached();
  Attached(const Attached&) = delete;  ///< it would be taken away twice
  Attached& operator=(const Attached&) = delete;

 private:
  SimulatedDevice& device_;
  simulator::machine::Observation& observation_;
};

/// Branches of `kernel`, and of the functions that it calls, that lead to their own place or back: its loops,
/// as the compiler has left them. Throws std::logic_error for a real GPU.
unsigned backward_branches(const Device& device, const std::string& kernel);
/// Fails the check where there are any, and names their lines.
void expect_no_backward_branches(const Device& device, const std::string& kernel, std::string_view why);

/// What a launch may spend before it counts as endless, in warp instructions: enough for every kernel of the
/// course a hundred times over, and spent in seconds.
std::uint64_t launch_budget(std::uint64_t blocks, std::uint64_t threads_a_block);

}  // namespace warpwise::harness
