#include "race_trial.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <tuple>

#include "../run/worker.hpp"
#include "race_watch.hpp"

namespace warpwise::simulator::observe {

namespace {

class RaceTrial final : public Observation {
 public:
  RaceTrial(const Program& program, PcRange reach, std::span<const RaceSeen> races)
      : study_(program, reach, races) {}

  void begin(const LaunchContext& launch, std::uint32_t slots) override {
    study_.facts.emplace(launch);
    study_.slots = slots;
  }
  void add_observers(ObserverList& of_thread) override { of_thread.add(watchers_.emplace_back(study_)); }
  std::vector<RaceOrder> orders();

 private:
  RaceOrder order_of(const RaceLesson& lesson);
  bool is_equal(const RaceTotals& totals, const BarrierPlaces& places, std::uint32_t place,
                bool within_warps) const;
  bool orders_all(const RaceLesson& lesson, std::size_t place) const;

  RaceStudy study_;
  std::deque<RaceWatcher> watchers_;
};

// ---- What has been learnt

/// Whether all threads of the block, or of each warp, pass the place equally often, but for those that have
/// returned before.
bool RaceTrial::is_equal(const RaceTotals& totals, const BarrierPlaces& places, std::uint32_t place,
                         bool within_warps) const {
  std::optional<std::uint32_t> count;
  const auto region = static_cast<std::size_t>(places.place(place).region);
  for (std::uint32_t thread = 0; thread < totals.threads; ++thread) {
    const std::uint32_t warp = thread / warp_size, lane = thread % warp_size;
    if (within_warps && lane == 0) count.reset();
    const std::uint32_t passed = totals.by_place[std::size_t{warp} * places.size() + place][lane];
    if (passed == 0 && totals.has_returned[std::size_t{warp} * places.regions() + region][lane]) continue;
    if (count && *count != passed) return false;
    count = passed;
  }
  return true;
}

/// Whether no two threads are left that meet at the two instructions and have passed the place equally often.
bool RaceTrial::orders_all(const RaceLesson& lesson, std::size_t place) const {
  const bool is_in_warp = lesson.race.race.first.when.warp == lesson.race.race.second.when.warp;
  struct Party {
    std::uint32_t who = 0;
    bool has_any = false, has_others = false;
    void add(std::uint32_t one) {
      has_others |= has_any && one != who;
      if (!has_any) who = one, has_any = true;
    }
  };
  struct Meeting {
    std::uint64_t word;
    std::uint32_t epoch, within, passed;
    auto operator<=>(const Meeting&) const = default;
  };
  std::map<Meeting, std::pair<Party, Party>> meetings;
  const auto enter = [&](const std::vector<RaceVisit>& visits, auto side) {
    for (const RaceVisit& visit : visits) {
      const std::uint32_t within = is_in_warp ? visit.when.warp << 16 | (visit.warp_barriers & 0xFFFF) : 0;
      for (std::uint64_t word = visit.address / watched_bytes;
           word * watched_bytes < visit.address + visit.bytes; ++word)
        (meetings[{word, visit.when.epoch, within, visit.passed[place]}].*side)
            .add(is_in_warp ? visit.when.thread() : visit.when.warp);
    }
  };
  enter(lesson.first, &std::pair<Party, Party>::first);
  enter(lesson.second, &std::pair<Party, Party>::second);
  return std::none_of(meetings.begin(), meetings.end(), [](const auto& meeting) {
    const auto& [a, b] = meeting.second;
    return a.has_any && b.has_any && (a.has_others || b.has_others || a.who != b.who);
  });
}

RaceOrder RaceTrial::order_of(const RaceLesson& lesson) {
  RaceOrder order;
  const Race& race = lesson.race.race;
  order.first = lesson.first_extent;
  order.second = lesson.second_extent;
  if (lesson.has_written && lesson.has_read) {
    for (const auto& [address, set] : lesson.set_behind) {
      const auto read = lesson.read_before.find(address);
      if (address == 0 || read == lesson.read_before.end()) continue;
      const FlagUse& use = read->second;
      if (use.thread != lesson.reader().when.thread() && !use.is_of_all) continue;
      BarrierPlaces& lines = study_.places.at(lesson.race.space);
      order.flag = FlagBetween{
          set.pc,        use.pc,       lines.line_behind(lesson.writer().pc), lines.line_behind(use.pc),
          set.is_fenced, use.is_fenced};
    }
  }
  if (race.first.when.block != race.second.when.block || lesson.has_too_many) return order;

  // The visits of the race: the first one at the second's moment, and what came before it at the first's.
  const auto is_there = [&](const Touch& touch, const RaceVisit& visit) {
    return is_at(touch, visit.when) && visit.address <= race.address &&
           race.address < visit.address + visit.bytes;
  };
  const auto b = std::find_if(lesson.second.begin(), lesson.second.end(),
                              [&](const RaceVisit& visit) { return is_there(race.second, visit); });
  const auto a = std::find_if(lesson.first.begin(), lesson.first.end(),
                              [&](const RaceVisit& visit) { return is_there(race.first, visit); });
  if (a == lesson.first.end() || b == lesson.second.end()) return order;
  order.is_known = true;
  bool has_block_barriers = false;
  for (Pc pc = study_.reach.begin; pc < study_.reach.end; ++pc) {
    order.has_warp_barriers |= study_.program.text_of(pc).what() == ptx::InstructionClass::warp_barrier;
    has_block_barriers |= study_.program.text_of(pc).what() == ptx::InstructionClass::block_barrier;
  }
  if (race.first_writes != race.second_writes && lesson.race.space == ptx::Space::shared &&
      lesson.was_written_before)
    for (const bool is_writer : {true, false}) {
      const RaceLesson::Trail& trail = is_writer ? lesson.of_writer : lesson.of_reader;
      if (order.idle || trail.reaches_result) continue;
      order.idle = is_writer ? lesson.writer() : lesson.reader();
      order.idle_has_element = trail.has_element;
    }

  BarrierPlaces& places = study_.places.at(lesson.race.space);
  const RaceTotals& totals = study_.totals.at(race.first.when.block).at(lesson.race.space);
  order.keeps_to_warps = totals.threads <= warp_size && !has_block_barriers;
  const bool is_in_warp = race.first.when.warp == race.second.when.warp;
  // Where the compiler names no line for one of them, it has moved it to where no barrier stands: one behind
  // the other holds it back.
  const std::uint32_t lines[] = {place_of(study_.program, race.first.pc).line,
                                 place_of(study_.program, race.second.pc).line};
  const bool has_moved = (lines[0] == 0) != (lines[1] == 0);
  const auto has_both = [&](const BarrierPlaces::Place& place) {
    const CodeBlock& block = places.statements_of(place).blocks()[static_cast<std::size_t>(place.at.block)];
    return places.is_in(race.first.pc, place, block) && places.is_in(race.second.pc, place, block);
  };
  for (std::size_t i = 0; i < lesson.places.size(); ++i) {
    const BarrierPlaces::Place& place = places.place(lesson.places[i]);
    if (!place.is_round || a->passed[i] == b->passed[i] || !has_both(place)) continue;
    const CodeBlock& block = places.statements_of(place).blocks()[static_cast<std::size_t>(place.at.block)];
    if (block.is_loop && order.loop_line == 0) order.loop_line = block.begin;
    if (block.is_function && block.begin != 0) order.is_next_call = true;
  }
  std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
  std::optional<std::uint32_t> kept_away;  // a place that some threads do not pass
  bool goes_round_together = true;
  order.is_same_round = true;
  for (std::size_t i = 0; i < lesson.places.size(); ++i) {
    const BarrierPlaces::Place& place = places.place(lesson.places[i]);
    const Statements& in = places.statements_of(place);
    const CodeBlock& block = in.blocks()[static_cast<std::size_t>(place.at.block)];
    const bool parts = has_moved ? in.behind(std::max(lines[0], lines[1]), place.at.block) == place.at
                                 : a->passed[i] != b->passed[i];
    const bool is_for_block = is_equal(totals, places, lesson.places[i], false);
    const bool is_for_warp = is_in_warp && !is_for_block && is_equal(totals, places, lesson.places[i], true);
    if (place.is_round) {
      goes_round_together &= is_for_block || is_for_warp;
      continue;
    }
    if (!parts) continue;
    order.is_same_round = false;
    if (!is_for_block && !is_for_warp) {
      if (!kept_away) kept_away = static_cast<std::uint32_t>(i);
      continue;
    }
    BarrierPlace found;
    found.file = places.path_of(place);
    found.line = place.at.line;
    found.is_for_warp = is_for_warp;
    found.ends_loop = block.is_loop && in.end_of(place.at.block) == place.at;
    found.needs_braces = block.lacks_braces;
    found.orders_all = has_moved || orders_all(lesson, i);
    const std::uint32_t count = totals.by_place[race.first.when.warp * std::size_t{places.size()} +
                                                lesson.places[i]][race.first.when.lane];
    const auto rank = [&](const BarrierPlace& one, std::uint32_t passed) {
      return std::tuple(!one.orders_all, passed, one.ends_loop != (order.loop_line != 0));
    };
    const bool is_better = !order.barrier || rank(found, count) < rank(*order.barrier, least);
    if (is_better) order.barrier = found, least = count;
  }
  order.is_same_round &= goes_round_together;
  const auto condition_at = [&](Pc pc) {
    const Statements* const in = places.statements_at(pc);
    return in == nullptr ? 0 : in->condition_of(place_of(study_.program, pc).line);
  };
  if (order.idle) order.condition = condition_at(order.idle->pc);
  if (kept_away && !has_moved) order.keeps_away = condition_at(race.first.pc);
  if (kept_away && !has_moved && order.keeps_away == 0) order.keeps_away = condition_at(race.second.pc);
  return order;
}

std::vector<RaceOrder> RaceTrial::orders() {
  std::vector<RaceOrder> result;
  for (const RaceLesson& lesson : study_.lessons) result.push_back(order_of(lesson));
  return result;
}

}  // namespace

// ---- The second run

std::vector<RaceOrder> try_again(const Program& program, GlobalMemory& memory, const LaunchRequest& request,
                                 const LaunchOptions& options, const MemoryImage* before,
                                 std::span<const RaceSeen> races) {
  const MemoryImage after(memory);
  if (before != nullptr) before->restore();
  RaceTrial trial(program, program.find_kernel(request.kernel)->reach, races);
  LaunchOptions quiet = options;
  quiet.print = [](std::string_view) {};
  quiet.on_progress = {};
  Observation* const observations[] = {&trial};
  run::launch(program, memory, request, quiet, observations);
  after.restore();
  return trial.orders();
}

}  // namespace warpwise::simulator::observe
