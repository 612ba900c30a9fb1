// Words that a kernel reads through the read-only path (ld.global.nc: __ldg(), const __restrict__) and
// writes as well. PTX asks that such memory is read-only for the whole launch (PTX ISA, "ld.global.nc"): a
// load may give what a cache still holds, whatever barriers lie between.
#include "observers.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace warpwise::simulator::observe {

namespace {

bool is_read_only_load(const ptx::Instruction& instruction) {
  const ptx::MemoryAccess access = instruction.row->access;
  return access == ptx::MemoryAccess::read_only_load ||
         (access == ptx::MemoryAccess::load && instruction.has("nc"));
}

/// For one host thread.
class ReadOnlyPath final : public Observer {
 public:
  ReadOnlyPath(const Watched& watched, FindingLog&);
  void on_access(const WarpContext& warp, const Access& access) override;

  /// Words of 4 bytes of one allocation: 0, or the number in places() of an access that touched it.
  struct Words {
    std::vector<std::uint8_t> loaded, stored;
  };
  const std::unordered_map<const Allocation*, Words>& words() const { return words_; }
  /// The instructions met, from 1 on; those beyond the 255th count as the last.
  const std::vector<Pc>& places() const { return places_; }

 private:
  std::uint8_t number_of(Pc pc);

  const PcRange reach_;
  std::vector<bool> is_read_only_;     ///< by place in the launch's reach
  std::vector<std::uint8_t> numbers_;  ///< likewise; 0: not met
  std::vector<Pc> places_{0};
  std::unordered_map<const Allocation*, Words> words_;
};

/// Where one word is both loaded and stored, in whichever host threads.
struct Meeting {
  Pc load = 0, store = 0;
};

Meeting meeting_at(const std::deque<ReadOnlyPath>& threads, const Allocation* allocation, std::size_t word) {
  Meeting meeting;
  for (const ReadOnlyPath& thread : threads) {
    const auto found = thread.words().find(allocation);
    if (found == thread.words().end()) continue;
    const auto take = [&](const std::vector<std::uint8_t>& numbers, Pc& place) {
      if (word < numbers.size() && numbers[word] != 0) place = thread.places()[numbers[word]];
    };
    take(found->second.loaded, meeting.load);
    take(found->second.stored, meeting.store);
  }
  return meeting;
}

/// The words that some host thread has noted in `list`.
std::vector<bool> noted(const std::deque<ReadOnlyPath>& threads, const Allocation* allocation,
                        std::vector<std::uint8_t> ReadOnlyPath::Words::*list) {
  std::vector<bool> words(allocation->bytes / 4 + 1);
  for (const ReadOnlyPath& thread : threads) {
    const auto found = thread.words().find(allocation);
    if (found == thread.words().end()) continue;
    const std::vector<std::uint8_t>& numbers = found->second.*list;
    for (std::size_t word = 0; word < numbers.size(); ++word)
      if (numbers[word] != 0) words[word] = true;
  }
  return words;
}

void report(const Naming& naming, const std::deque<ReadOnlyPath>& threads, const Allocation& allocation,
            FindingLog& log) {
  const auto loaded = noted(threads, &allocation, &ReadOnlyPath::Words::loaded);
  const auto stored = noted(threads, &allocation, &ReadOnlyPath::Words::stored);
  for (std::size_t word = 0; word < loaded.size(); ++word) {
    if (!loaded[word] || !stored[word]) continue;
    const Meeting meeting = meeting_at(threads, &allocation, word);
    log.add(FindingKind::race, meeting.load, 0, [&] {
      Description description;
      description.pc = meeting.load;
      description.other_pc = meeting.store;
      description.message = naming.global(allocation, allocation.base + 4 * word) +
                            " is read through the read-only path, but the kernel also writes it";
      description.note =
          "__ldg() and const __restrict__ promise that nothing writes there while the kernel runs: a load "
          "may return an old value";
      description.help = "read what the kernel writes with a plain load, without __ldg() or __restrict__";
      return description;
    });
  }
}

/// Whether the kernel, or a device function that it may call, has such a load.
bool has_read_only_loads(const LaunchContext& launch) {
  const Program& program = *launch.program;
  for (Pc pc = launch.reach.begin; pc < launch.reach.end; ++pc) {
    const ptx::Function& function = program.function_of(pc);
    if (is_read_only_load(program.text_of(pc)) && (!function.is_kernel || function.name == launch.kernel))
      return true;
  }
  return false;
}

ReadOnlyPath::ReadOnlyPath(const Watched& watched, FindingLog&)
    : reach_(watched.launch.reach), is_read_only_(reach_.size()), numbers_(reach_.size()) {
  const Program& program = *watched.launch.program;
  for (Pc pc = reach_.begin; pc < reach_.end; ++pc)
    is_read_only_[reach_.index_of(pc)] = is_read_only_load(program.text_of(pc));
}

std::uint8_t ReadOnlyPath::number_of(Pc pc) {
  std::uint8_t& number = numbers_[reach_.index_of(pc)];
  if (number == 0) {
    if (places_.size() < 256) places_.push_back(pc);
    number = static_cast<std::uint8_t>(places_.size() - 1);
  }
  return number;
}

void ReadOnlyPath::on_access(const WarpContext&, const Access& access) {
  if (access.space != ptx::Space::global) return;
  const bool is_load = access.kind == AccessKind::load;
  if (is_load && !is_read_only_[reach_.index_of(access.pc)]) return;
  const std::uint8_t number = number_of(access.pc);
  for (const std::uint32_t lane : lanes_in(access.lanes)) {
    const Allocation* const allocation = access.allocation[lane];
    Words& words = words_[allocation];
    std::vector<std::uint8_t>& numbers = is_load ? words.loaded : words.stored;
    if (numbers.empty()) numbers.resize(allocation->bytes / 4 + 1);
    const std::uint64_t offset = access.address[lane] - allocation->base;
    const std::uint64_t last = (offset + access.bytes - 1) / 4;
    for (std::uint64_t word = offset / 4; word <= last; ++word) numbers[word] = number;
  }
}

struct ReadOnlyPathPart final : ObserverPart<const Watched&, ReadOnlyPath> {
  using ObserverPart::ObserverPart;
  /// A race for each instruction that loads so what any thread of the launch stores.
  void end(LaunchReport&, FindingLog& log) override {
    std::vector<const Allocation*> allocations;
    for (const ReadOnlyPath& thread : threads)
      for (const auto& [allocation, words] : thread.words()) allocations.push_back(allocation);
    std::sort(allocations.begin(), allocations.end(),
              [](const Allocation* a, const Allocation* b) { return a->id < b->id; });
    allocations.erase(std::unique(allocations.begin(), allocations.end()), allocations.end());
    for (const Allocation* allocation : allocations) report(common.naming, threads, *allocation, log);
  }
};

}  // namespace

std::unique_ptr<ReportPart> read_only_path(const Watched& watched) {
  return has_read_only_loads(watched.launch) ? std::make_unique<ReadOnlyPathPart>(watched) : nullptr;
}

}  // namespace warpwise::simulator::observe
