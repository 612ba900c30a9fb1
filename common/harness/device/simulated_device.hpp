#pragma once
/// \file The simulated GPU as a Device.

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "../../simulator/gpu.hpp"
#include "../../simulator/terms.hpp"
#include "device.hpp"

namespace warpwise::harness {

/// Sizes beyond which somebody does not want to go on, and the number of launches.
struct Limits {
  std::size_t elements = 0;   ///< of an array
  std::uint64_t threads = 0;  ///< of a launch
  unsigned launches = 0;      ///< all together
  void (*end)() = nullptr;    ///< called in front of an allocation or a launch beyond them; does not return
};

class SimulatedDevice : public Device {
 public:
  /// Reads the module; throws simulator::ptx::Error where it cannot be read or decoded.
  explicit SimulatedDevice(const std::string& module_path);

  bool is_simulated() const override { return true; }
  const DeviceProperties& properties() const override { return properties_; }
  bool has_kernel(const std::string& name) const override;

  std::uint64_t allocate(std::size_t bytes, const std::string& name, std::size_t element_bytes) override;
  void release(std::uint64_t address) noexcept override;
  void write(std::uint64_t address, const void* from, std::size_t bytes) override;
  void read(void* to, std::uint64_t address, std::size_t bytes) override;
  void set_read_only(std::uint64_t address, bool is_read_only) override;
  void set_absent_where_unwritten(std::uint64_t address) override;
  bool is_written(std::uint64_t address, std::size_t bytes) override;

  /// A buffer in which nothing is written, and which may be larger than this machine's memory: only the pages
  /// exist that are touched (simulator::GlobalMemory::reserve). What is read where nothing is written is
  /// 0xCD.
  template <class T>
  Buffer<T> reserved(std::string name, std::size_t size) {
    const std::uint64_t address = reserve(size * sizeof(T), name, sizeof(T));
    return {*this, std::move(name), size, address};
  }
  /// From now on all that begins at `address` counts as written.
  void set_written(std::uint64_t address);

  const simulator::Program& program() const { return *program_; }
  /// What the code of a kernel compares with, or has as a bound: n, the grid or a block that is such a
  /// number, or one more, may be treated in another way. From 3 on, ascending, 32 at most.
  const std::vector<unsigned>& numbers_in_code(const std::string& kernel);
  simulator::GpuOptions& options() { return gpu_.options(); }

  // How much launches may spend, in warp instructions. Beyond that they are LaunchFaults.

  /// All launches from now on together, which are numbered from 1; 0: any number. A kernel that has once gone
  /// beyond gets an eighth from then on: the next who asks need not wait as long to hear the same.
  void begin_budget(std::uint64_t instructions);
  /// Whether a kernel has gone beyond: that of begin_budget(), or what a launch may spend.
  bool has_spent_budget() const { return !slow_.empty() || !endless_.empty(); }
  /// The launches of each kernel, as long as the device lives; 0: any number.
  void set_kernel_budget(std::uint64_t instructions) { kernel_budget_ = instructions; }
  /// Of the launches since begin_budget() the one of that number is recorded, and watched for everything.
  void record_launch(unsigned number, simulator::TraceRecorder& recorder) {
    recorded_ = number;
    recorder_ = &recorder;
  }
  /// Empty: none. The launches are counted from here.
  void set_limits(std::optional<Limits> limits);

  /// Whether the values of launches are followed as terms: of small ones, in the usual order, a few of each
  /// size of a block. It takes about four times as long.
  void follow_terms(bool are_followed);
  bool can_launch_again() const override { return gpu_.can_launch_again(); }
  bool launch_again(const std::string& array, std::span<const std::byte> contents,
                    const LookAt& look) override;
  void note_useful_terms() override {
    if (latest_) useless_[latest_->kernel()] = 0;
  }
  /// As if none had been followed.
  void forget_followed() {
    followed_.clear();
    useless_.clear();
  }
  simulator::TermRecorder* terms_of_latest_launch(bool are_needed) override;

  // What has become of the launches since somebody has last called forget_launches().

  void forget_launches();
  /// Also one that ended early; empty where there was none.
  const std::optional<Launch>& latest_launch() const { return latest_; }
  /// A launch, with its number since begin_budget().
  struct Numbered {
    unsigned number = 0;
    Launch launch;
  };
  /// The last one that has met such a finding, else the last of all; empty where there was none.
  std::optional<Numbered> latest_with(const simulator::Finding* finding) const;
  /// The first one that completed and was given an array to write, and of which nothing was read: the
  /// host reads one of its arrays, or a later launch does, whose results then depend on it.
  std::optional<Launch> unread_launch() const;
  /// What it wrote need not be read.
  void mark_read(const Launch& launch);

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
  struct Unread {
    Launch launch;
    std::vector<std::uint64_t> written;  ///< arrays that are still there
  };
  std::uint64_t reserve(std::size_t bytes, const std::string& name, std::size_t element_bytes);
  void restore_variables();
  void count_against_limits(const LaunchShape& shape);
  std::uint64_t blocks_that_run(const LaunchShape& shape);
  std::uint64_t budget_of(const std::string& kernel, const LaunchShape& shape);
  void release_at_last();
  bool follows(const std::string& kernel, const LaunchShape& shape, std::uint64_t n, std::uint64_t absent);
  simulator::LaunchReport launch_followed(const std::function<simulator::LaunchReport()>& launch,
                                          bool is_needed);
  void spend(const std::string& kernel, std::uint64_t instructions);
  /// Of what begins there.
  void mark_read_at(std::uint64_t address);

  simulator::Gpu gpu_;
  std::shared_ptr<simulator::Program> program_;
  DeviceProperties properties_;
  std::vector<Variable> variables_;  ///< those that kernels can write
  bool keeps_module_memory_ = false;

  std::unique_ptr<simulator::TermRecorder> terms_;
  bool are_terms_followed_ = false, has_terms_ = false;
  bool is_again_ = false;                                               ///< while launch_again() looks
  std::map<std::pair<std::string, std::uint64_t>, unsigned> followed_;  ///< launches, by kernel and block
  std::unordered_map<std::string, unsigned> useless_;  ///< of them, since one has last shown something
  std::unordered_map<std::string, std::vector<unsigned>> numbers_in_code_;
  /// Arrays that a launch has written, and the host has not since: now, and when the latest launch began.
  std::set<std::uint64_t> computed_, computed_before_;
  std::set<std::uint64_t> only_read_, only_read_by_latest_;  ///< arrays that a kernel may not write
  std::vector<std::uint64_t> released_;  ///< after the latest launch, which may be made again: still there

  std::optional<Launch> latest_;
  unsigned number_ = 0, recorded_ = 0;            ///< of the latest launch, of the one to be recorded
  simulator::TraceRecorder* recorder_ = nullptr;  ///< of that one
  std::vector<Numbered> defective_;               ///< launches with findings since begin_budget
  std::vector<Unread> unread_;

  std::optional<Limits> limits_;
  unsigned launches_ = 0;                    ///< since set_limits
  std::uint64_t budget_ = 0, spent_ = 0;     ///< since begin_budget
  std::unordered_set<std::string> slow_;     ///< kernels that have once gone beyond it
  std::unordered_set<std::string> endless_;  ///< kernels of which a launch has once run out of budget
  std::uint64_t kernel_budget_ = 0;
  std::unordered_map<std::string, std::uint64_t> spent_by_kernel_;
};

/// While it lives, launches of `device` follow options that `change` has changed.
///
///     const OtherOptions one_by_one(device, [](auto& options) { options.launch.resident_blocks = 1; });
class OtherOptions {
 public:
  OtherOptions(SimulatedDevice& device, const std::function<void(simulator::GpuOptions&)>& change);
  ~OtherOptions();
  OtherOptions(const OtherOptions&) = delete;  ///< two would put back different options
  OtherOptions& operator=(const OtherOptions&) = delete;

 private:
  simulator::GpuOptions& options_;
  simulator::GpuOptions before_;
};

/// While it lives, launches of `device` follow `schedule`, such as "split:7". Throws std::invalid_argument
/// for one that there is not.
class UnderSchedule : public OtherOptions {
 public:
  UnderSchedule(SimulatedDevice& device, std::string_view schedule)
      : OtherOptions(
            device, [&](auto& options) { options.launch.schedule = simulator::Schedule::parse(schedule); }) {}
};

/// While it lives, a launch meets what earlier ones have left in the module's variables, as on a real GPU,
/// for which this does nothing. Otherwise each launch of the simulated one meets them as they are when the
/// module is loaded: no kernel can tell by them which launch it is, and do less in those that are counted.
class KeptModuleMemory {
 public:
  explicit KeptModuleMemory(Device& device);
  ~KeptModuleMemory();
  KeptModuleMemory(const KeptModuleMemory&) = delete;  ///< it would end twice
  KeptModuleMemory& operator=(const KeptModuleMemory&) = delete;

 private:
  SimulatedDevice* device_;
};

/// While it lives, the launches of `device` are observed, for each thread of the host by what `make(slots)`
/// gives (simulator::Observation); those of the last launch are kept, or where `keeps_all` those of all.
template <class Observer>
class Observed : public simulator::Observation {
 public:
  using Make = std::function<Observer(std::uint32_t slots)>;
  Observed(SimulatedDevice& device, Make make, bool keeps_all = false)
      : make_(std::move(make)),
        keeps_all_(keeps_all),
        attached_(device, [&](auto& options) { options.observations.push_back(this); }) {}
  void begin(const simulator::LaunchContext&, std::uint32_t slots) override {
    slots_ = slots;
    if (!keeps_all_) observers_.clear();
  }
  void add_observers(simulator::ObserverList& of_thread) override {
    of_thread.add(observers_.emplace_back(make_(slots_)));
  }
  const std::deque<Observer>& observers() const { return observers_; }

 private:
  Make make_;
  bool keeps_all_;
  std::uint32_t slots_ = 0;
  std::deque<Observer> observers_;  // a deque: the launch holds references
  OtherOptions attached_;
};

/// What a launch may spend before it counts as endless, in warp instructions: enough for every kernel of the
/// course a hundred times over, and spent in seconds.
std::uint64_t launch_budget(std::uint64_t blocks, std::uint64_t threads_a_block);

}  // namespace warpwise::harness
