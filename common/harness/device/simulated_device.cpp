#include "simulated_device.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace warpwise::harness {

namespace {

/// Where nobody has chosen the host's threads, a launch of few blocks has one: checks make hundreds of them,
/// and each ends in little time, the same way every time. So has one under `split`, where blocks run
/// side by side on one thread, too.
class OneThreadIfSmall {
 public:
  OneThreadIfSmall(simulator::LaunchOptions& options, std::uint64_t blocks)
      : threads_(options.threads), chosen_(options.threads) {
    constexpr std::uint64_t few_blocks = 512;
    const bool is_split = options.schedule.kind == simulator::Schedule::Kind::split;
    if (threads_ == 0 && (blocks < few_blocks || is_split)) threads_ = 1;
  }
  ~OneThreadIfSmall() { threads_ = chosen_; }
  OneThreadIfSmall(const OneThreadIfSmall&) = delete;  ///< it is given back once
  OneThreadIfSmall& operator=(const OneThreadIfSmall&) = delete;

 private:
  std::uint32_t& threads_;
  const std::uint32_t chosen_;
};

}  // namespace

std::uint64_t launch_budget(std::uint64_t blocks, std::uint64_t threads_a_block) {
  const std::uint64_t warps = blocks * ((threads_a_block + simulator::warp_size - 1) / simulator::warp_size);
  return 1'000'000 + 20'000 * warps;
}

SimulatedDevice::SimulatedDevice(const std::string& module_path) : program_(gpu_.load_file(module_path)) {
  properties_.name = "simulated GPU";
  properties_.multiprocessors = 16;
  gpu_.options().launch.bad_access_costs = 1000;
  for (const simulator::ptx::Variable& variable : program_->module().variables) {
    if (variable.space != simulator::ptx::Space::global) continue;
    const simulator::Allocation* place = program_->find_variable(variable.name);
    if (place == nullptr) continue;
    const auto* begin =
        reinterpret_cast<const std::byte*>(place->base);  // device addresses are host addresses
    variables_.push_back({place->base, {begin, begin + variable.bytes}});
  }
}

void SimulatedDevice::restore_variables() {
  if (keeps_module_memory_) return;
  for (const Variable& variable : variables_)
    std::memcpy(reinterpret_cast<void*>(variable.address), variable.bytes.data(), variable.bytes.size());
}

KeptModuleMemory::KeptModuleMemory(Device& device) : device_(dynamic_cast<SimulatedDevice*>(&device)) {
  if (device_ == nullptr) return;
  device_->restore_variables();
  device_->keeps_module_memory_ = true;
}
KeptModuleMemory::~KeptModuleMemory() {
  if (device_ != nullptr) device_->keeps_module_memory_ = false;
}

bool SimulatedDevice::has_kernel(const std::string& name) const {
  return program_->find_kernel(name) != nullptr;
}

std::uint64_t SimulatedDevice::allocate(std::size_t bytes, const std::string& name,
                                        std::size_t element_bytes) {
  if (limits_ && element_bytes != 0 && bytes / element_bytes > limits_->elements) limits_->end();
  return gpu_.memory().allocate(bytes, name, static_cast<std::uint32_t>(element_bytes)).base;
}

std::uint64_t SimulatedDevice::reserve(std::size_t bytes, const std::string& name,
                                       std::size_t element_bytes) {
  return gpu_.memory().reserve(bytes, name, static_cast<std::uint32_t>(element_bytes)).base;
}

void SimulatedDevice::release(std::uint64_t address) noexcept {
  for (Unread& one : unread_) std::erase(one.written, address);  // what lay there can no longer be read
  computed_.erase(address);
  if (gpu_.can_launch_again())
    released_.push_back(address);
  else
    gpu_.memory().release(address);
}

void SimulatedDevice::release_at_last() {
  for (const std::uint64_t address : released_) gpu_.memory().release(address);
  released_.clear();
}

void SimulatedDevice::write(std::uint64_t address, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  simulator::Allocation* allocation = gpu_.memory().find(address);
  if (allocation == nullptr || !allocation->contains(address, bytes)) {
    throw std::out_of_range("a copy to the simulated GPU leaves its buffer");
  }
  std::memcpy(reinterpret_cast<void*>(address), from, bytes);  // device addresses are host addresses
  computed_.erase(allocation->base);
  allocation->mark_written(address - allocation->base, bytes);
}

void SimulatedDevice::read(void* to, std::uint64_t address, std::size_t bytes) {
  const simulator::Allocation* allocation = gpu_.memory().find(address);
  mark_read_at(allocation != nullptr ? allocation->base : address);
  if (bytes == 0) return;
  if (allocation == nullptr || !allocation->contains(address, bytes)) {
    throw std::out_of_range("a copy from the simulated GPU leaves its buffer");
  }
  std::memcpy(to, reinterpret_cast<const void*>(address), bytes);
  if (allocation->pages.empty()) return;
  const std::uint64_t offset =
      address - allocation->base;  // of pages that are no poison where nothing is written
  const std::uint8_t* const words = allocation->written.data();
  for (std::size_t i = 0; words != nullptr && i < bytes; ++i) {
    const std::uint64_t byte = offset + i;
    if (byte % 4 == 0 && words[byte / 4] == 0xF)
      i += 3;  // the whole word
    else if ((words[byte / 4] >> byte % 4 & 1) == 0)
      static_cast<std::byte*>(to)[i] = simulator::poison;
  }
}

void SimulatedDevice::set_read_only(std::uint64_t address, bool is_read_only) {
  if (simulator::Allocation* allocation = gpu_.memory().find(address)) {
    allocation->is_read_only = is_read_only;
    is_read_only ? void(only_read_.insert(address)) : void(only_read_.erase(address));
  }
}

void SimulatedDevice::set_written(std::uint64_t address) {
  if (simulator::Allocation* allocation = gpu_.memory().find(address)) allocation->written.clear();
}

void SimulatedDevice::set_absent_where_unwritten(std::uint64_t address) {
  if (simulator::Allocation* allocation = gpu_.memory().find(address))
    allocation->is_absent_where_unwritten = true;
}

bool SimulatedDevice::is_written(std::uint64_t address, std::size_t bytes) {
  const simulator::Allocation* allocation = gpu_.memory().find(address);
  return allocation != nullptr && allocation->contains(address, bytes) &&
         allocation->is_written(address - allocation->base, bytes);
}

void SimulatedDevice::forget_launches() {
  latest_.reset();
  unread_.clear();
}

void SimulatedDevice::note_arrays(const Launch& launch, std::vector<std::uint64_t> written,
                                  const std::vector<std::uint64_t>& read) {
  for (const std::uint64_t address : read) mark_read_at(address);
  computed_.insert(written.begin(), written.end());
  if (!written.empty() && launch.completed()) unread_.push_back({launch, std::move(written)});
}

void SimulatedDevice::mark_read_at(std::uint64_t address) {
  std::erase_if(unread_, [&](const Unread& one) {
    return std::find(one.written.begin(), one.written.end(), address) != one.written.end();
  });
}

void SimulatedDevice::mark_read(const Launch& launch) {
  std::erase_if(unread_, [&](const Unread& one) { return &one.launch.report() == &launch.report(); });
}

std::optional<Launch> SimulatedDevice::unread_launch() const {
  return unread_.empty() ? std::nullopt : std::optional(unread_.front().launch);
}

void SimulatedDevice::begin_budget(std::uint64_t instructions) {
  budget_ = instructions;
  spent_ = 0;
  number_ = 0;
  defective_.clear();
}

std::optional<SimulatedDevice::Numbered> SimulatedDevice::latest_with(
    const simulator::Finding* finding) const {
  const auto found = std::find_if(defective_.rbegin(), defective_.rend(), [&](const Numbered& one) {
    const auto& all = one.launch.findings();
    return finding != nullptr && std::find(all.begin(), all.end(), *finding) != all.end();
  });
  if (found != defective_.rend()) return *found;
  return latest_ ? std::optional(Numbered{number_, *latest_}) : std::nullopt;
}

void SimulatedDevice::set_limits(std::optional<Limits> limits) {
  limits_ = limits;
  launches_ = 0;
}

void SimulatedDevice::count_against_limits(const LaunchShape& shape) {
  if (!limits_) return;
  const bool is_large = shape.grid.volume() * shape.block.volume() > limits_->threads;
  if (is_large || ++launches_ > limits_->launches) limits_->end();
}

std::uint64_t SimulatedDevice::blocks_that_run(const LaunchShape& shape) {
  const std::vector<std::uint64_t>& some = gpu_.options().launch.only_blocks;
  return some.empty() ? shape.grid.volume() : some.size();
}

std::uint64_t SimulatedDevice::budget_of(const std::string& kernel, const LaunchShape& shape) {
  const std::uint64_t budget = launch_budget(blocks_that_run(shape), shape.block.volume());
  // Once endless, always endless: the other checks of that kernel need not wait as long to say so.
  return endless_.contains(kernel) ? std::min<std::uint64_t>(budget, 500'000) : budget;
}

namespace {

/// Whether a finding of this kind is why a launch has that status: a fault of the machine has both.
bool explains(simulator::FindingKind kind, simulator::LaunchStatus status) {
  using simulator::FindingKind;
  using simulator::LaunchStatus;
#define WARPWISE_EXPLAINS(fault, finding, why, ends) \
  if (kind == FindingKind::finding && status == LaunchStatus::why) return true;
  WARPWISE_FAULTS(WARPWISE_EXPLAINS)
#undef WARPWISE_EXPLAINS
  // A barrier that opens although its threads stand at different places: Fault::all_have_arrived().
  return kind == FindingKind::barrier && status == LaunchStatus::sync_fault;
}

/// The finding that says why the launch ended; null where none does.
const simulator::Finding* end_of(simulator::LaunchStatus status, const std::vector<simulator::Finding>& all) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const simulator::Finding& finding) {
    return explains(finding.kind, status);
  });
  return found == all.end() ? nullptr : &*found;
}

/// A bad access is skipped here. On a GPU one that is misaligned ends the kernel; one out of bounds may do
/// so, or meet what lies there. And who waits for lanes that never arrive goes on without them in the end.
const char* fate_of(simulator::FindingKind kind, simulator::LaunchStatus status) {
  if (kind == simulator::FindingKind::out_of_bounds) return "leaves its memory: ";
  if (kind == simulator::FindingKind::misaligned) return "would be ended by a GPU: ";
  return status == simulator::LaunchStatus::sync_fault ? "goes wrong: " : "ended early: ";
}

/// "n = 33: reduce_naive<<<2, 32, 128 bytes>>>", where n is known.
std::string named(const std::string& kernel, const LaunchShape& shape) {
  return (shape.n ? "n = " + std::to_string(*shape.n) + ": " : "") + kernel + spelled(shape);
}

/// The end of a sentence about a launch.
std::string ending(const simulator::Finding* end, simulator::LaunchStatus status) {
  if (end == nullptr) return "ended early";
  return fate_of(end->kind, status) + end->message +
         (end->line == 0 ? "" : " (line " + std::to_string(end->line) + ")");
}

/// The budget of such a launch is not the one that the kernel has spent: two figures would contradict each
/// other.
void word_as_known_timeout(simulator::LaunchReport& report) {
  for (simulator::Finding& finding : report.findings)
    if (finding.message.find(" budget of ") != finding.message.npos)
      finding.message = "the kernel does not end here either";
}

}  // namespace

namespace {

/// What is told of the launch, or else the first number of 32 bits that the kernel gets; without either, a
/// thread has one element.
std::uint64_t n_of(const LaunchShape& shape, std::span<const void* const> arguments,
                   std::span<const std::size_t> sizes) {
  if (shape.n) return *shape.n;
  const auto found = std::find(sizes.begin(), sizes.end(), sizeof(std::uint32_t));
  if (found == sizes.end()) return shape.grid.volume() * shape.block.volume();
  std::uint32_t n = 0;
  std::memcpy(&n, arguments[static_cast<std::size_t>(found - sizes.begin())], sizeof n);
  return n;
}

}  // namespace

namespace {

/// A bit for each argument that is a pointer to nothing.
std::uint64_t null_pointers_of(std::span<const void* const> arguments, std::span<const std::size_t> sizes) {
  std::uint64_t found = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(sizes.size(), 32); ++i) {
    std::uint64_t pointer = 1;
    if (sizes[i] == sizeof pointer) std::memcpy(&pointer, arguments[i], sizeof pointer);
    found |= std::uint64_t{pointer == 0} << i;
  }
  return found;
}

}  // namespace

void SimulatedDevice::spend(const std::string& kernel, std::uint64_t instructions) {
  if (budget_ == 0) return;
  spent_ += instructions;
  const std::uint64_t limit = slow_.contains(kernel) ? budget_ / 8 : budget_;
  if (spent_ <= limit) return;
  slow_.insert(kernel);
  throw LaunchFault(kernel + " takes too long to be checked: its launches have executed " +
                    std::to_string(spent_ / 1'000'000) + " million warp instructions, at most " +
                    std::to_string(limit / 1'000'000) +
                    " million (does it wait in a loop, as cuda::barrier does?)");
}

Launch SimulatedDevice::launch_packed(const std::string& kernel, const LaunchShape& shape,
                                      std::span<const void* const> arguments,
                                      std::span<const std::size_t> sizes) {
  if (!has_kernel(kernel)) {
    throw std::runtime_error(program_->module().name + " has no kernel `" + kernel + "`");
  }
  const std::uint64_t own = program_->find_kernel(kernel)->static_shared_bytes;
  if (constexpr std::uint64_t usual = simulator::usual_shared_bytes;
      shape.shared_bytes <= usual && own + shape.shared_bytes > usual)  // a launch of more asks for it
    throw LaunchFault(named(kernel, shape) + " cannot start: its __shared__ variables take " +
                      std::to_string(own) + " bytes beside the " + std::to_string(shape.shared_bytes) +
                      " that the launch gives it, and a block has " + std::to_string(usual));
  count_against_limits(shape);
  restore_variables();
  std::uint64_t& spent = spent_by_kernel_[kernel];
  if (kernel_budget_ != 0 && spent >= kernel_budget_)
    throw LaunchFault(kernel + " takes too long to be checked: its launches have executed " +
                      std::to_string(spent / 1'000'000) + " million warp instructions and may execute " +
                      std::to_string(kernel_budget_ / 1'000'000) + " million in all checks together");
  simulator::LaunchRequest request{kernel,
                                   {shape.grid.x, shape.grid.y, shape.grid.z},
                                   {shape.block.x, shape.block.y, shape.block.z},
                                   static_cast<std::uint32_t>(shape.shared_bytes),
                                   arguments,
                                   sizes};
  const bool is_known_as_endless = endless_.contains(kernel);
  gpu_.options().launch.budget = budget_of(kernel, shape);
  Launch launch(kernel, shape);
  const OneThreadIfSmall threads(gpu_.options().launch, blocks_that_run(shape));
  release_at_last();
  computed_before_ = computed_;
  only_read_by_latest_ = only_read_;
  has_terms_ = false;
  std::optional<OtherOptions> recording;
  if (++number_ == recorded_)
    recording.emplace(*this, [&](simulator::GpuOptions& all) {
      all.recorder = recorder_;
      all.watch = simulator::Watch::everything;
    });
  try {
    const auto launch_it = [&] { return gpu_.launch(*program_, request); };
    simulator::LaunchReport report =
        follows(kernel, shape, n_of(shape, arguments, sizes), null_pointers_of(arguments, sizes))
            ? launch_followed(launch_it, false)
            : launch_it();
    if (is_known_as_endless && gpu_.last_status() == simulator::LaunchStatus::budget_spent)
      word_as_known_timeout(report);
    launch.set_report(std::move(report), gpu_.options().launch.schedule.spelled());
  } catch (const simulator::LaunchError& error) {
    throw LaunchFault(named(kernel, shape) + " cannot start: " + error.what());
  }
  latest_ = launch;
  if (!launch.findings().empty()) defective_.push_back({number_, launch});
  spent += gpu_.last_instructions();
  const auto& findings = launch.findings();
  const simulator::LaunchStatus status = gpu_.last_status();
  const simulator::Finding* const end = end_of(status, findings);
  // One barrier of which the compiler has made several instructions is a fault to the machine, and no
  // finding.
  const bool is_harmless = status == simulator::LaunchStatus::sync_fault && end == nullptr;
  if (status == simulator::LaunchStatus::ok || is_harmless) {
    spend(kernel, gpu_.last_instructions());
    return launch;
  }

  if (status == simulator::LaunchStatus::budget_spent) endless_.insert(kernel);
  if (shape.may_end_early) return launch;
  throw LaunchFault(named(kernel, shape) + " " + ending(end, status), findings);
}

OtherOptions::OtherOptions(SimulatedDevice& device, const std::function<void(simulator::GpuOptions&)>& change)
    : options_(device.options()), before_(options_) {
  change(options_);
}
OtherOptions::~OtherOptions() { options_ = before_; }

}  // namespace warpwise::harness
