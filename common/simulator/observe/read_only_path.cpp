#include "observers.hpp"

#include <algorithm>
#include <bit>

namespace warpwise::simulator::observe {

namespace {

bool is_read_only_load(const ptx::Instruction& instruction) {
  const ptx::MemoryAccess access = instruction.row->access;
  return access == ptx::MemoryAccess::read_only_load ||
         (access == ptx::MemoryAccess::load && instruction.has("nc"));
}

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
      description.has_other = true;
      description.message = naming.global(allocation, allocation.base + 4 * word, 4) +
                            " is read through the read-only path, but the kernel also writes it";
      description.note =
          "__ldg() and const __restrict__ promise that nothing writes there while the kernel runs: a load "
          "may return an old value";
      description.help = "read what the kernel writes with a plain load, without __ldg() or __restrict__";
      return description;
    });
  }
}

}  // namespace

bool has_read_only_loads(const LaunchContext& launch) {
  const Program& program = *launch.program;
  for (Pc pc = launch.reach.begin; pc < launch.reach.end; ++pc) {
    const ptx::Function& function = program.function_of(pc);
    if (is_read_only_load(program.text_of(pc)) && (!function.is_kernel || function.name == launch.kernel))
      return true;
  }
  return false;
}

ReadOnlyPath::ReadOnlyPath(const Program& program) : is_read_only_(program.size()), numbers_(program.size()) {
  for (Pc pc = 0; pc < program.size(); ++pc) is_read_only_[pc] = is_read_only_load(program.text_of(pc));
}

std::uint8_t ReadOnlyPath::number_of(Pc pc) {
  if (numbers_[pc] == 0) {
    if (places_.size() < 256) places_.push_back(pc);
    numbers_[pc] = static_cast<std::uint8_t>(places_.size() - 1);
  }
  return numbers_[pc];
}

void ReadOnlyPath::on_access(const WarpContext&, const Access& access) {
  if (access.space != ptx::Space::global) return;
  const bool is_load = access.kind == AccessKind::load;
  if (is_load && !is_read_only_[access.pc]) return;
  const std::uint8_t number = number_of(access.pc);
  for (LaneMask rest = access.lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
    const Allocation* const allocation = access.allocation[lane];
    Words& words = words_[allocation];
    std::vector<std::uint8_t>& numbers = is_load ? words.loaded : words.stored;
    if (numbers.empty()) numbers.resize(allocation->bytes / 4 + 1);
    const std::uint64_t offset = access.address[lane] - allocation->base;
    const std::uint64_t last = (offset + access.bytes - 1) / 4;
    for (std::uint64_t word = offset / 4; word <= last; ++word) numbers[word] = number;
  }
}

void report_read_only_path(const Naming& naming, const std::deque<ReadOnlyPath>& threads, FindingLog& log) {
  std::vector<const Allocation*> allocations;
  for (const ReadOnlyPath& thread : threads)
    for (const auto& [allocation, words] : thread.words()) allocations.push_back(allocation);
  std::sort(allocations.begin(), allocations.end(),
            [](const Allocation* a, const Allocation* b) { return a->id < b->id; });
  allocations.erase(std::unique(allocations.begin(), allocations.end()), allocations.end());
  for (const Allocation* allocation : allocations) report(naming, threads, *allocation, log);
}

}  // namespace warpwise::simulator::observe
