// Words that a kernel reads through the read-only path (ld.global.nc: __ldg(), const __restrict__) and
// writes as well. PTX asks that such memory is read-only for the whole launch (PTX ISA, "ld.global.nc"): a
// load may give what a cache still holds, whatever barriers lie between.
#include "observers.hpp"

#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace warpwise::simulator::observe {

namespace {

bool is_read_only_load(const ptx::Instruction& instruction) {
  const ptx::MemoryAccess access = instruction.row->access;
  return access == ptx::MemoryAccess::read_only_load ||
         (access == ptx::MemoryAccess::load && instruction.has("nc"));
}

/// Words of 4 bytes that lie side by side in one allocation: 0, or the number in places() of an access that
/// touched it. Few pages of a large array are touched where few of its blocks run.
struct Page {
  static constexpr std::uint64_t words = 1024;
  const Allocation* allocation = nullptr;
  std::array<std::uint8_t, words> loaded{}, stored{};
};
/// The allocation's id, and which of its pages.
using PageNumber = std::pair<std::uint64_t, std::uint64_t>;

/// For one host thread.
class ReadOnlyPath final : public Observer {
 public:
  ReadOnlyPath(const Watched& watched, FindingLog&);
  void on_access(const WarpContext& warp, const Access& access) override;

  const std::map<PageNumber, Page>& pages() const { return pages_; }
  /// The instructions met, from 1 on; those beyond the 255th count as the last.
  const std::vector<Pc>& places() const { return places_; }

 private:
  std::uint8_t number_of(Pc pc);
  Page& page_of(const Allocation& allocation, std::uint64_t page);

  const PcRange reach_;
  std::vector<bool> is_read_only_;     ///< by place in the launch's reach
  std::vector<std::uint8_t> numbers_;  ///< likewise; 0: not met
  std::vector<Pc> places_{0};
  std::map<PageNumber, Page> pages_;
  std::pair<PageNumber, Page*> latest_;  ///< a warp's lanes mostly share a page
};

/// Where one word is loaded and where it is stored, in whichever host threads.
struct Meeting {
  std::optional<Pc> load, store;
};

/// One page as each host thread that touched it has it.
using SeenPage = std::vector<std::pair<const ReadOnlyPath*, const Page*>>;

Meeting meeting_at(const SeenPage& page, std::size_t word) {
  Meeting meeting;
  for (const auto& [thread, words] : page) {
    if (words->loaded[word] != 0) meeting.load = thread->places()[words->loaded[word]];
    if (words->stored[word] != 0) meeting.store = thread->places()[words->stored[word]];
  }
  return meeting;
}

void report(const Naming& naming, const Allocation& allocation, std::uint64_t word, const Meeting& meeting,
            FindingLog& log) {
  log.add(FindingKind::race, *meeting.load, 0, [&] {
    Description description;
    description.pc = *meeting.load;
    description.other_pc = *meeting.store;
    description.message = naming.global(allocation, allocation.base + 4 * word) +
                          " is read through the read-only path, but the kernel also writes it";
    description.note =
        "__ldg() and const __restrict__ promise that nothing writes there while the kernel runs: a load "
        "may return an old value";
    description.help = "read what the kernel writes with a plain load, without __ldg() or __restrict__";
    return description;
  });
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

Page& ReadOnlyPath::page_of(const Allocation& allocation, std::uint64_t page) {
  const PageNumber number{allocation.id, page};
  if (latest_.second == nullptr || latest_.first != number) latest_ = {number, &pages_[number]};
  latest_.second->allocation = &allocation;
  return *latest_.second;
}

void ReadOnlyPath::on_access(const WarpContext&, const Access& access) {
  if (access.space != ptx::Space::global) return;
  const bool is_load = access.kind == AccessKind::load;
  if (is_load && !is_read_only_[reach_.index_of(access.pc)]) return;
  const std::uint8_t number = number_of(access.pc);
  for (const std::uint32_t lane : lanes_in(access.lanes)) {
    const Allocation& allocation = *access.allocation[lane];
    const std::uint64_t offset = access.address[lane] - allocation.base;
    const std::uint64_t last = (offset + access.bytes - 1) / 4;
    for (std::uint64_t word = offset / 4; word <= last; ++word) {
      Page& page = page_of(allocation, word / Page::words);
      (is_load ? page.loaded : page.stored)[word % Page::words] = number;
    }
  }
}

struct ReadOnlyPathPart final : ObserverPart<const Watched&, ReadOnlyPath> {
  using ObserverPart::ObserverPart;
  /// A race for each instruction that loads so what any thread of the launch stores.
  void end(LaunchReport&, FindingLog& log) override {
    std::map<PageNumber, SeenPage> pages;
    for (const ReadOnlyPath& thread : threads)
      for (const auto& [number, page] : thread.pages()) pages[number].emplace_back(&thread, &page);
    for (const auto& [number, page] : pages)
      for (std::uint64_t word = 0; word < Page::words; ++word) {
        const Meeting meeting = meeting_at(page, word);
        if (meeting.load && meeting.store)
          report(common.naming, *page.front().second->allocation, number.second * Page::words + word, meeting,
                 log);
      }
  }
};

}  // namespace

std::unique_ptr<ReportPart> read_only_path(const Watched& watched) {
  return has_read_only_loads(watched.launch) ? std::make_unique<ReadOnlyPathPart>(watched) : nullptr;
}

}  // namespace warpwise::simulator::observe
