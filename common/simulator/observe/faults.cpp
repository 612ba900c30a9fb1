// Faults that the machine meets (run/), as findings: who, what, and how to fix it.
#include "observers.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <unordered_map>

#include "../program.hpp"
#include "kept_away.hpp"

namespace warpwise::simulator::observe {

namespace {

/// How to mend each defect, in one sentence.
namespace help {

constexpr const char* global_out_of_bounds =
    "guard the access with a test such as if (i < n); if there is one already, check the index, and the size "
    "of the allocation: cudaMalloc counts bytes";
constexpr const char* before_allocation =
    "look for an index below 0, which a test such as if (i < n) lets through, or for a pointer that does not "
    "come from cudaMalloc";
constexpr const char* no_allocation =
    "pass a pointer that comes from cudaMalloc: one from malloc or new, on the host, is of no use on a GPU; "
    "if the pointer is right, check the index";
constexpr const char* released =
    "free memory only after the last kernel that uses it, and never use a pointer to it again";
constexpr const char* freed_what_the_host_gave =
    "in a kernel, free only what malloc() in a kernel returned; the host frees its own memory, with cudaFree";
constexpr const char* freed_in_the_middle =
    "pass the pointer that malloc() returned, not one into the middle of the allocation";
constexpr const char* freed_twice = "let one thread free the memory, once";
constexpr const char* shared_out_of_bounds =
    "check the index against the size of the array, and the third argument of <<<>>> for extern arrays";
constexpr const char* other_out_of_bounds = "check the index against the size of the array";
constexpr const char* null_pointer =
    "pass a pointer that comes from cudaMalloc, or test it where nullptr is allowed";
constexpr const char* misaligned =
    "an access of 8 or 16 bytes needs an address that is a multiple of its size: align the pointer, or read "
    "single elements";
constexpr const char* read_only = "constant memory is written by the host, with cudaMemcpyToSymbol";
constexpr const char* read_only_buffer =
    "leave inputs as they are: write to the output, to shared memory or to a register";
constexpr const char* deadlock =
    "look for a lock that is never released, a flag that is never set, or threads that wait for each other";
constexpr const char* trap = "look for what leads to __trap()";
constexpr const char* assertion = "find out why the condition does not hold";
constexpr const char* stack = "bound the recursion, or use less local memory";
constexpr const char* unsupported = "docs/simulator.md lists what the simulated GPU understands";

}  // namespace help

std::string hexadecimal(std::uint64_t number) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(number));
  return text;
}

std::string doing(AccessKind kind) {
  return kind == AccessKind::load ? "reads" : kind == AccessKind::store ? "writes" : "updates";
}

/// Whether an index leads there that is too large, but less than twice as large as it may be: what lay there
/// once is chance.
bool is_little_beyond(const Allocation* allocation, std::uint64_t address) {
  if (allocation == nullptr) return false;
  const std::uint64_t end = allocation->base + allocation->bytes;
  return address >= end && address - end < std::max<std::uint64_t>(allocation->bytes, 256);
}

Words out_of_bounds(const Naming& naming, const std::string& who, const Fault& fault) {
  const std::string start = who + " " + doing(fault.access) + " ";
  // Variables in constant memory are allocations as well.
  if (fault.space == ptx::Space::global || fault.space == ptx::Space::generic ||
      fault.space == ptx::Space::constant) {
    const char* const bounds =
        fault.space == ptx::Space::constant ? help::other_out_of_bounds : help::global_out_of_bounds;
    if (fault.address < 4096) {
      return {help::null_pointer, start + "through a null pointer", "address " + hexadecimal(fault.address)};
    }
    const Allocation* meant = naming.meant_by(fault.address);
    const auto released = naming.released_at(fault.address);
    // What lies nearest now says nothing: the heap puts things side by side that have nothing in common.
    if (released != nullptr && !is_little_beyond(meant, fault.address)) {
      return {help::released, start + naming.global(*released, fault.address) + ", which has been freed", ""};
    }
    if (meant == nullptr) {
      return {help::no_allocation,
              start + "address " + hexadecimal(fault.address) + ", where no memory is allocated", ""};
    }
    const std::string where = naming.global(*meant, fault.address);
    if (meant->contains(fault.address, 1) && !meant->contains(fault.address, fault.bytes)) {
      return {bounds, start + std::to_string(fault.bytes) + " bytes at " + where + ", beyond its end",
              naming.size_of(*meant)};
    }
    if (fault.address < meant->base) return {help::before_allocation, start + where, naming.size_of(*meant)};
    return {bounds, start + where + ", but " + naming.size_of(*meant), ""};
  }
  const std::string limit = std::to_string(fault.limit) + " bytes";
  if (fault.space == ptx::Space::shared) {
    const std::string where = naming.shared(fault.address);
    const std::string size = naming.shared_size(fault.address);
    if (naming.is_in_variable(fault.address)) {
      return {help::other_out_of_bounds,
              start + std::to_string(fault.bytes) + " bytes at " + where + ", beyond its end", size};
    }
    if (!size.empty()) return {help::other_out_of_bounds, start + where + ", but " + size, ""};
    return {help::shared_out_of_bounds, start + where + ", but the block's shared memory has only " + limit,
            ""};
  }
  return {help::other_out_of_bounds, start + naming.of(fault.space, fault.address) + ", beyond its end",
          "there are " + limit};
}

/// The condition that has let the thread through, where the index may be what is wrong.
void add_guard(const Program& program, const BranchHistory& history, const WarpContext& warp,
               const Fault& fault, Words& words) {
  if (words.help != help::global_out_of_bounds && words.help != help::shared_out_of_bounds &&
      words.help != help::other_out_of_bounds)
    return;
  const auto branch = history.branch_to(program, warp, lowest_lane(fault.lanes), fault.pc);
  if (!branch) return;
  const BranchName name = name_of_branch(program, *branch, fault.pc);
  if (name.kind == BranchName::Kind::loop) return;  // it may be about something else than the index
  words.note += (words.note.empty() ? "" : "; ") + name.text + " lets it through";
  const FunctionCode code(program, fault.pc);
  const Pc end =
      program.meeting_of(*branch).value_or(static_cast<Pc>(code.entry + code.function.code.size()));
  Pc exchange = *branch;
  while (exchange < end && !code[exchange].has("sync") &&
         code[exchange].what() != ptx::InstructionClass::block_barrier)
    ++exchange;
  if (exchange < end)
    words.help =
        "guard the access alone with a test of its index, with the identity where there is no element: "
        "what waits for all lanes in line " +
        std::to_string(near_place_of(program, exchange).place.line) + " needs those that " + name.text +
        " lets through";
  else
    words.help =
        "correct the condition of " + name.text + ", or the index, or the size of " +
        (words.help == help::global_out_of_bounds ? "the allocation (cudaMalloc counts bytes)" : "the array");
  words.other_pc = name.pc;
}

/// free() of a pointer that it cannot take.
Words bad_free(const Naming& naming, const std::string& who, const Fault& fault) {
  const std::string start = who + " frees ";
  const Allocation* const meant = naming.meant_by(fault.address);
  if (meant == nullptr || !meant->contains(fault.address, 1)) {
    return {help::freed_what_the_host_gave,
            start + "address " + hexadecimal(fault.address) + ", which no malloc() returned",
            naming.released_at(fault.address) == nullptr ? "" : "what lay there has been freed"};
  }
  const std::string where = naming.global(*meant, fault.address);
  if (meant->owner == Owner::host)
    return {help::freed_what_the_host_gave, start + where + ", which does not come from malloc() in a kernel",
            ""};
  if (meant->base != fault.address)
    return {help::freed_in_the_middle, start + where + ", which is not where the allocation starts", ""};
  return {help::freed_twice, start + where + ", which has been freed already", ""};
}

/// Constant memory has no name that generic code could write to; a buffer has.
Words read_only(const Naming& naming, const std::string& who, const Fault& fault) {
  const Allocation* const meant =
      fault.space == ptx::Space::constant ? nullptr : naming.meant_by(fault.address);
  if (meant == nullptr || meant->name.empty())
    return {help::read_only, who + " writes to constant memory", ""};
  return {help::read_only_buffer,
          who + " " + doing(fault.access) + " " + naming.global(*meant, fault.address) +
              ", which is an input: the kernel gets it as const",
          ""};
}

Words misaligned(const Naming& naming, const std::string& who, const Fault& fault) {
  const std::string size = std::to_string(fault.bytes);
  const std::uint64_t beyond = fault.address % fault.bytes;
  return {
      help::misaligned,
      who + " " + doing(fault.access) + " " + size + " bytes at " + naming.of(fault.space, fault.address) +
          ", whose address is not a multiple of " + size,
      "it is " + std::to_string(beyond) + (beyond == 1 ? " byte" : " bytes") + " past a multiple of " + size};
}

/// How many blocks of the launch have begun and ended.
struct BlockCount {
  explicit BlockCount(const Watched& its_watched) : watched(its_watched) {}
  const Watched& watched;
  std::atomic<std::uint64_t> begun = 0, ended = 0;
};

/// What helps where threads poll a word that others would have to change.
std::string help_with_polling(const Program& program, const Fault& fault, const BlockCount& blocks) {
  if (const char* const of_grid = help_for_waiting(program, fault.pc, nullptr)) return of_grid;
  const Dim3& grid = blocks.watched.launch.grid;
  const std::uint64_t all = std::uint64_t{grid.x} * grid.y * grid.z;
  const bool is_between_blocks = program.text_of(fault.pc).space() != ptx::Space::shared;
  if (is_between_blocks && blocks.begun < all)
    return "only " + std::to_string(blocks.begun) + " of the grid's " + std::to_string(all) +
           " blocks have started, and a block starts when another one ends: launch no more blocks than can "
           "be "
           "resident together, or let none wait for one that may start later";
  const Counter counter = counter_polled_at(program, fault.pc);
  if (counter.is_added_to && counter.reset)
    return "line " + std::to_string(near_place_of(program, *counter.reset).place.line) +
           " sets the counter back before every block has seen it full: let it only grow, and wait in round "
           "r "
           "(from 0) until it is at least (r + 1) * gridDim.x";
  if (counter.is_added_to && blocks.ended != 0)
    return "let every block of the grid come here equally often: " + std::to_string(blocks.ended) + " of " +
           std::to_string(all) + " have ended, and add to the counter no more";
  return help::deadlock;
}

Words words_of(const BlockCount& blocks, const BranchHistory& history, const WarpContext& warp,
               const Fault& fault) {
  const Watched& watched = blocks.watched;
  const Naming& naming = watched.naming;
  const bool is_memory = fault.kind == FaultKind::out_of_bounds || fault.kind == FaultKind::misaligned ||
                         fault.kind == FaultKind::read_only || fault.kind == FaultKind::bad_free;
  const LaneMask lanes = is_memory ? fault.lanes & -fault.lanes : fault.lanes;
  const std::string who = lanes_name(warp.warp, lanes);
  switch (fault.kind) {
    case FaultKind::out_of_bounds:
      return out_of_bounds(naming, who, fault);
    case FaultKind::misaligned:
      return misaligned(naming, who, fault);
    case FaultKind::read_only:
      return read_only(naming, who, fault);
    case FaultKind::bad_free:
      return bad_free(naming, who, fault);
    case FaultKind::block_barrier:
    case FaultKind::sync_mask:
    case FaultKind::sync_source:
      return words_of_waiting(*watched.launch.program, history, warp, fault);
    case FaultKind::deadlock:
      return {help_with_polling(*watched.launch.program, fault, blocks),
              "every remaining thread is waiting for another",
              lanes_name(warp.warp, fault.lanes) + " of warp " + std::to_string(warp.warp) +
                  (lane_count(fault.lanes) == 1 ? " waits here" : " wait here")};
    case FaultKind::endless:
    case FaultKind::budget:
      return words_of_loop(*watched.launch.program, history, warp, fault);
    case FaultKind::trap:
      return {help::trap, who + " executes a trap", fault.text};
    case FaultKind::assertion:
      return {help::assertion, "assertion failed for " + who + (fault.text.empty() ? "" : ": " + fault.text),
              ""};
    case FaultKind::stack:
      return {help::stack, who + " runs out of local memory", fault.text};
    case FaultKind::unsupported:
      return {help::unsupported,
              "the simulated GPU does not know " + (fault.text.empty() ? "this instruction" : fault.text),
              ""};
  }
  return {help::unsupported, "unknown fault", ""};
}

/// A barrier of one source line that the compiler made several instructions of.
bool is_harmless(const Program& program, const Fault& fault) {
  if (!fault.all_have_arrived()) return false;
  const SourcePlace place = place_of(program, fault.pc);
  return place.line == 0 || place == place_of(program, *fault.other_pc);
}

Description described(Words words, Pc pc, std::vector<std::uint32_t> threads) {
  Description description;
  description.pc = pc;
  description.other_pc = words.other_pc;
  description.threads = std::move(threads);
  description.message = std::move(words.message);
  description.note = std::move(words.note);
  description.help = std::move(words.help);
  return description;
}

Description describe_fault(const BlockCount& blocks, const BranchHistory& history, const WarpContext& warp,
                           const Fault& fault) {
  Words words = words_of(blocks, history, warp, fault);
  if (fault.kind == FaultKind::out_of_bounds)
    add_guard(*blocks.watched.launch.program, history, warp, fault, words);
  if (!words.other_pc) words.other_pc = fault.other_pc;
  const Pc pc = words.pc.value_or(fault.pc);
  Description description = described(std::move(words), pc, threads_of(warp.warp, fault.lanes));
  description.is_note = fault.is_open;
  if (fault.is_open) description.as_note = "but nothing depends on it";
  return description;
}

}  // namespace

FindingKind kind_of(FaultKind kind) {
#define WARPWISE_FINDING(kind, finding, status, ends) FindingKind::finding,
  static constexpr FindingKind by_kind[] = {WARPWISE_FAULTS(WARPWISE_FINDING)};
#undef WARPWISE_FINDING
  return by_kind[static_cast<std::size_t>(kind)];
}

namespace {

/// For one host thread.
class Faults final : public Observer {
 public:
  Faults(BlockCount& blocks, FindingLog& log)
      : blocks_(blocks), watched_(blocks.watched), log_(log), history_(watched_.slots) {
    const Program& program = *watched_.launch.program;
    for (Pc pc = watched_.launch.reach.begin; pc < watched_.launch.reach.end; ++pc) {
      has_active_mask_ |= is_active_mask(program.text_of(pc));
    }
  }

  void on_block_begin(const BlockContext& block) override {
    history_.begin(block);
    ++blocks_.begun;
  }
  void on_block_end(const BlockContext&) override { ++blocks_.ended; }
  void on_branch(const WarpContext& warp, Pc pc, LaneMask active, LaneMask taken) override {
    history_.note(warp, pc, active, taken);
  }
  void on_shuffle(const WarpContext& warp, const Shuffle& shuffle) override {
    bool reads_other = false;
    for (const std::uint32_t lane : lanes_in(has_active_mask_ ? shuffle.lanes : 0))
      reads_other |= shuffle.source[lane] != lane;
    if (reads_other) note_chance(warp, shuffle.pc, shuffle.lanes);
  }
  void on_warp_barrier(const WarpContext& warp, Pc pc, LaneMask lanes) override {
    if (has_active_mask_) note_chance(warp, pc, lanes);
  }
  void on_fault(const WarpContext& warp, const Fault& fault) override {
    if (is_harmless(*watched_.launch.program, fault)) return;
    log_.add(
        kind_of(fault.kind), fault.pc, warp.block->linear,
        [&] { return describe_fault(blocks_, history_, warp, fault); }, fault.is_open ? open_rank : 0);
  }

 private:
  // A lane that reads from one that is not there, of which something depends on it, is the finding to show.
  static constexpr std::uint32_t chance_rank = 1, open_rank = 2;

  /// Where the mask of the `*.sync` at `pc` is of whoever happened to be there.
  void note_chance(const WarpContext& warp, Pc pc, LaneMask lanes) {
    const auto [known, is_new] = chances_.try_emplace(pc);
    if (is_new) known->second = active_mask_of(*watched_.launch.program, pc);
    const auto& mask = known->second;
    if (!mask || mask->is_kept) return;
    const auto describe = [&] {
      return described(words_of_chance(*watched_.launch.program, *mask, lanes, pc), pc,
                       threads_of(warp.warp, lanes));
    };
    log_.add(FindingKind::sync, pc, warp.block->linear, describe, chance_rank);
  }

  BlockCount& blocks_;
  const Watched& watched_;
  FindingLog& log_;
  BranchHistory history_;
  bool has_active_mask_ = false;
  std::unordered_map<Pc, std::optional<ActiveMask>> chances_;  ///< of the shuffles and barriers that were met
};

}  // namespace

std::unique_ptr<ReportPart> faults(const Watched& watched) {
  return std::make_unique<ObserverPart<BlockCount, Faults>>(watched);
}

}  // namespace warpwise::simulator::observe
