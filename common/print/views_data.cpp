// The views banks, sectors and shuffle: the data of a step. Memory: its lanes above, words in rows of 32
// below; in shared memory a column is a bank, in global memory a frame is a sector. Of a shuffle: lanes that
// give above, lanes that get below.

#include <algorithm>
#include <bit>

#include "views.hpp"

namespace warpwise::print {

using simulator::Trace;
using simulator::TraceAccess;
using simulator::TraceArray;
using simulator::TraceShuffle;

namespace {

constexpr double room_for_lines = 58;
constexpr std::size_t most_accesses = 8;

/// An access, with the words that it and its array have to do with.
class AccessPicture {
 public:
  AccessPicture(Drawing& drawing, const Trace& trace, std::size_t step, const TraceAccess& access)
      : drawing_(drawing),
        trace_(trace),
        access_(access),
        array_(trace.arrays[access.array]),
        memory_(asked_memory(trace, access)) {
    if (array_.is_shared) {
      banks_ = banks_of(trace, access);
      before_ = shared_words_before(trace, step);
    }
    for (const LaneWords& want : memory_.wants)
      if (is_piece(want)) pieces_[want.word] = &want;
    if (array_.is_shared && access.kind == "store" && access.element_bytes == 4)
      for (const LaneWords& want : memory_.wants)
        for (std::uint32_t e = 0; e < access.elements; ++e)
          written_[want.word + e] = access.values[want.first_value + e];
    height_ = memory_.rows.size() > 4 ? 17 : written_.empty() ? 34 : 48;
  }

  /// Where the picture ends.
  double draw(double y) {
    draw_lane_row(drawing_, y, "lane", access_.lanes);
    top_ = y + lane_width + (has_lines() ? room_for_lines : 14);
    if (has_lines()) draw_lines(y + lane_width);
    for (const std::uint64_t row : memory_.rows) draw_row(row);
    double bottom = top_ + pitch() * static_cast<double>(memory_.rows.size());
    if (memory_.rows_left_out != 0) {
      drawing_.text("faint", row_left, bottom + 12,
                    plural(memory_.rows_left_out, "more row") + " of 32 words are touched");
      bottom += 16;
    }
    if (array_.is_shared) bottom = draw_banks_below(bottom) - 6;
    if (!has_lines())
      drawing_.text("small", row_left, bottom += 15, "In a word stands the lane that asks for it.");
    return bottom + 6;
  }

 private:
  double pitch() const { return height_ + (array_.is_shared ? 1 : 5); }
  double y_of(std::uint64_t row) const {
    return top_ + pitch() * static_cast<double>(std::distance(memory_.rows.begin(), find_row(row)));
  }
  bool is_drawn(std::uint64_t row) const { return find_row(row) != memory_.rows.end(); }
  std::vector<std::uint64_t>::const_iterator find_row(std::uint64_t row) const {
    return std::find(memory_.rows.begin(), memory_.rows.end(), row);
  }
  bool is_tall() const { return height_ > 20; }
  bool is_atomic_access() const { return is_atomic(access_); }

  /// Several words that one lane alone asks for, in one row: they are drawn as one.
  bool is_piece(const LaneWords& want) const {
    if (want.words < 2 || want.word / warp_size != (want.word + want.words - 1) / warp_size) return false;
    for (std::uint64_t word = want.word; word < want.word + want.words; ++word)
      if (const AskedWord& asked = memory_.words.at(word); asked.lanes.size() != 1 || asked.is_conflict)
        return false;
    return true;
  }

  /// Words bear the lanes' numbers: lines are for what they show at once, a single row, and lanes that meet.
  bool has_lines() const { return memory_.rows.size() == 1 || access_.bank_conflicts != 0; }

  /// From each lane to its word. Where lanes meet, and words lie deep, only those that meet in the fullest
  /// bank.
  void draw_lines(double y) {
    const bool has_conflict = access_.bank_conflicts != 0;
    const std::uint32_t fullest = has_conflict ? fullest_bank(access_, banks_) : warp_size;
    std::string meeting, others;
    for (const LaneWords& want : memory_.wants) {
      const bool meets = has_conflict && want.word % warp_size == fullest;
      if (!is_drawn(want.word / warp_size) || (has_conflict && !meets && memory_.rows.size() > 2)) continue;
      const double middle =
          middle_of(want.word % warp_size) +
          (pieces_.contains(want.word) ? lane_width * static_cast<double>(want.words - 1) / 2 : 0);
      (meets ? meeting : others) += 'M' + number(middle_of(want.lane)) + ' ' + number(y) + 'L' +
                                    number(middle) + ' ' + number(y_of(want.word / warp_size));
    }
    drawing_.path(access_.kind == "load" ? "read" : "write", others);
    drawing_.path("meets", meeting);
  }

  void draw_row(std::uint64_t row) {
    const double y = y_of(row);
    const std::uint64_t first = row * warp_size;
    const auto index = static_cast<std::int64_t>(first * 4) - static_cast<std::int64_t>(array_.start);
    drawing_.text("", 0, y + height_ / 2 + 4,
                  '[' + std::to_string(std::max<std::int64_t>(0, index) / array_.element_bytes) + ']');
    std::string written, unwritten;
    for (std::uint32_t column = 0; column < warp_size; ++column) {
      const std::uint64_t word = first + column;
      if (4 * word < array_.start || 4 * word >= array_.start + array_.bytes) continue;
      const bool is_known = !array_.is_shared || has_value(word) || memory_.words.contains(word);
      (is_known ? written : unwritten) += box(column_of(column), y, lane_width - 1, height_ - 1);
    }
    drawing_.path("word", written);
    drawing_.path("word unwritten", unwritten);
    drawing_.reach(y + height_);
    if (!array_.is_shared) draw_sectors_of(row, y);
    for (std::uint32_t column = 0; column < warp_size;) {
      const auto piece = pieces_.find(first + column);
      if (piece == pieces_.end())
        draw_word(first + column, column_of(column), y);
      else
        draw_piece(*piece->second, column_of(column), y);
      column += piece == pieces_.end() ? 1 : static_cast<std::uint32_t>(piece->second->words);
    }
  }

  /// Its lane, and below it each element, or which element it is.
  void draw_piece(const LaneWords& want, double x, double y) {
    const double width = lane_width * static_cast<double>(want.words), part = width / access_.elements;
    drawing_.rect("lane", x, y, width - 1, is_tall() ? 16 : height_ - 1);
    drawing_.text("cell on", x + width / 2, y + 12.5, std::to_string(want.lane));
    if (!is_tall()) return;
    const auto first = access_.values.begin() + static_cast<std::ptrdiff_t>(want.first_value);
    const bool fits = std::all_of(first, first + access_.elements, [&](const std::string& value) {
      return 6.5 * static_cast<double>(value.size()) < part - 1;
    });
    if (!fits)
      drawing_.text("cell off", x + width / 2, y + 28,
                    '[' + std::to_string(want.offset / array_.element_bytes) + ']');
    for (std::uint32_t e = 0; fits && e < access_.elements; ++e)
      drawing_.text("cell", x + part * (e + 0.5), y + 28, *(first + e));
  }

  bool has_value(std::uint64_t word) const {
    const auto found = before_.find(word);
    return found != before_.end() && found->second != "unwritten";
  }

  std::string value_before(std::uint64_t word) const {
    const auto found = before_.find(word);
    return found == before_.end() ? "" : found->second;
  }

  /// Who asks for a word: its lane, or how many.
  void draw_word(std::uint64_t word, double x, double y) {
    const auto asked = memory_.words.find(word);
    const bool is_asked = asked != memory_.words.end();
    const std::string value = is_asked && access_.kind != "store" ? asked->second.value : value_before(word);
    const bool fits = is_tall() && value.size() <= 3;
    const double middle = x + lane_width / 2 - 0.5;
    if (!is_asked) {
      if (fits && !value.empty()) drawing_.text("cell off", middle, y + height_ / 2 + 3.5, value);
      return;
    }
    const std::vector<std::uint32_t>& lanes = asked->second.lanes;
    const std::string who = lanes.size() == 1 ? std::to_string(lanes[0]) : "×" + std::to_string(lanes.size());
    const std::string size = lanes.size() > 9 ? "tight" : "cell";
    const double height = is_tall() ? 16 : height_ - 1;
    const bool conflicts = asked->second.is_conflict;
    if (conflicts) drawing_.rect("paper", x, y, lane_width - 1, height);
    drawing_.rect(conflicts ? "conflict" : "lane", x, y, lane_width - 1, height);
    drawing_.text(size + (conflicts ? " meeting" : " on"), middle, y + 12.5, who);
    const auto put = [&](const std::string& text, double down, const std::string& style) {
      if (is_tall() && text.size() <= 3)
        drawing_.text((text.size() > 2 ? "tight" : "cell") + style, middle, y + down, text);
    };
    const auto written = written_.find(word);
    put(value, 28, written == written_.end() ? "" : " off");
    if (written != written_.end()) put(written->second, 42, "");  // below what stood there before
  }

  void draw_sectors_of(std::uint64_t row, double y) {
    for (std::uint32_t sector = 0; sector < 4; ++sector) {
      const std::uint64_t first = row * warp_size + 8 * sector;
      const auto touched = memory_.words.lower_bound(first);
      const bool is_touched = touched != memory_.words.end() && touched->first < first + 8;
      if (is_touched)
        drawing_.rect("sector", column_of(8 * sector) - 1, y - 1.5, 8 * lane_width + 0.5, height_ + 2);
    }
  }

  /// The number of each bank, and how many words it is asked for: the largest is what the access costs.
  double draw_banks_below(double y) {
    drawing_.text("", 0, y + 13, "bank");
    drawing_.text("", 0, y + 29, is_atomic_access() ? "lanes" : "words");
    for (std::uint32_t bank = 0; bank < warp_size; ++bank) {
      const double x = middle_of(bank);
      drawing_.text("cell off", x, y + 13, std::to_string(bank));
      const auto asked = banks_.find(bank);
      if (asked == banks_.end()) continue;
      const std::size_t count = is_atomic_access() ? asked->second.lanes.size() : asked->second.words.size();
      drawing_.text(count > 1 ? "cell many" : "cell", x, y + 29, std::to_string(count));
    }
    return y + 36;
  }

  Drawing& drawing_;
  const Trace& trace_;
  const TraceAccess& access_;
  const TraceArray& array_;
  AskedMemory memory_;
  std::map<std::uint32_t, Bank> banks_;
  std::map<std::uint64_t, std::string> before_, written_;
  std::map<std::uint64_t, const LaneWords*> pieces_;  ///< by their first word
  double height_ = 0, top_ = 0;
};

/// Accesses of a step to that memory.
std::vector<const TraceAccess*> accesses_of(const Trace& trace, const simulator::TraceStep& step,
                                            bool is_shared) {
  std::vector<const TraceAccess*> accesses;
  for (const TraceAccess& access : step.accesses)
    if (trace.arrays[access.array].is_shared == is_shared) accesses.push_back(&access);
  return accesses;
}

std::uint32_t cost_of(const TraceAccess& access) { return access.bank_conflicts + access.sectors; }

/// The one that the moment names, or the first of those that cost most.
const TraceAccess& access_of(const Trace& trace, std::size_t step, bool is_shared, const Moment& moment) {
  const std::vector<const TraceAccess*> accesses = accesses_of(trace, trace.steps[step], is_shared);
  if (moment.access > accesses.size())
    throw NothingToDraw("Step " + std::to_string(step + 1) + " has " +
                        plural(accesses.size(), "such access", "such accesses") + "; --access " +
                        std::to_string(moment.access) + " is not one of them.");
  if (moment.access != 0) return *accesses[moment.access - 1];
  return **std::max_element(accesses.begin(), accesses.end(),
                            [](const auto* a, const auto* b) { return cost_of(*a) < cost_of(*b); });
}

template <bool is_shared>
std::string draw_memory(Drawing& drawing, double y, const report::TracedLaunch& traced,
                        const Moment& moment) {
  const Trace& trace = traced.trace;
  const auto fits = [&](const simulator::TraceStep& step) {
    return !accesses_of(trace, step, is_shared).empty();
  };
  const std::string what = is_shared ? "an access to shared memory" : "an access to global memory";
  std::vector<std::size_t> steps =
      moment.is_open() ? steps_of(trace, moment, fits, what) : steps_of_warp(trace, moment, fits, what);
  if (moment.is_open()) {
    const auto cost = [&](std::size_t step) { return cost_of(access_of(trace, step, is_shared, moment)); };
    steps = {
        *std::max_element(steps.begin(), steps.end(), [&](auto a, auto b) { return cost(a) < cost(b); })};
  }
  std::string description;
  for (std::size_t i = 0; i < std::min(steps.size(), most_accesses); ++i) {
    const TraceAccess& access = access_of(trace, steps[i], is_shared, moment);
    if (i == 0 || !is_same_place(trace, steps[i - 1], steps[i]))
      y = draw_step_heading(drawing, y, trace, steps[i]);
    const std::string sentence = name_of(trace, access) + ": " + cost_sentence(trace, access);
    y = drawing.paragraph(access.bank_conflicts != 0 ? "sentence costly" : "sentence", 0, y + 11, sentence) -
        11;
    y = AccessPicture(drawing, trace, steps[i], access).draw(y + 24) + 16;
    description += (i == 0 ? "" : " ") + sentence;
  }
  if (steps.size() > most_accesses)
    drawing.text("faint", 0, y + 8,
                 "The warp reaches this line " + plural(steps.size() - most_accesses, "more time") + ".");
  return description;
}

// --- Shuffles ---------------------------------------------------------------------------------------------

constexpr double way_down = 46;
constexpr std::size_t most_shuffles = 10;

/// Several lanes give, each to lanes here and there: below each lane the number of the one that gives to it.
double draw_givers(Drawing& drawing, double y, const TraceShuffle& shuffle) {
  const std::vector<std::uint32_t> takers = lanes_of(shuffle.lanes);
  draw_lane_row(drawing, y, "lane", shuffle.lanes);
  drawing.text("", 0, y + 40, "from");
  const bool has_room = std::all_of(shuffle.values.begin(), shuffle.values.end(),
                                    [](const std::string& value) { return value.size() <= 3; });
  if (has_room) drawing.text("", 0, y + 58, "value");
  for (std::size_t i = 0; i < takers.size(); ++i) {
    const bool is_own = shuffle.from[i] == takers[i];
    drawing.rect(is_own ? "spare" : "word", column_of(takers[i]), y + 26, lane_width - 1, lane_width - 1);
    drawing.text(is_own ? "cell meeting" : "cell", middle_of(takers[i]), y + 40,
                 std::to_string(shuffle.from[i]));
    if (has_room) drawing.text("tight", middle_of(takers[i]), y + 58, shuffle.values[i]);
  }
  drawing.text("small", row_left, y + (has_room ? 76 : 60),
               "Bold: a lane that keeps its own value, and gives it to others.");
  return y + (has_room ? 82 : 66);
}

double draw_exchange(Drawing& drawing, double y, const TraceShuffle& shuffle) {
  const std::vector<std::uint32_t> takers = lanes_of(shuffle.lanes);
  std::uint32_t givers = 0;
  for (const std::uint32_t lane : shuffle.from) givers |= 1u << lane;
  const bool is_irregular = reach_of(shuffle).from == Reach::From::nowhere;
  if (is_irregular && std::popcount(givers) > 1 && givers != shuffle.lanes)
    return draw_givers(drawing, y, shuffle);
  draw_lane_row(drawing, y, "from", givers);
  draw_lane_row(drawing, y + lane_width + way_down, "to", shuffle.lanes);
  const bool has_room = std::all_of(shuffle.values.begin(), shuffle.values.end(),
                                    [](const std::string& value) { return value.size() <= 3; });
  const bool is_tight = std::any_of(shuffle.values.begin(), shuffle.values.end(),
                                    [](const std::string& value) { return value.size() > 2; });
  for (std::size_t i = 0; i < takers.size(); ++i) {
    const bool is_own = shuffle.from[i] == takers[i];
    const double x = middle_of(takers[i]);
    drawing.line(is_own ? "carried" : "read arrowed", middle_of(shuffle.from[i]), y + lane_width, x,
                 y + lane_width + way_down - 1);
    if (has_room)
      drawing.text(is_tight ? "tight" : "cell", x, y + 2 * lane_width + way_down + 12, shuffle.values[i]);
  }
  if (has_room) drawing.text("", 0, y + 2 * lane_width + way_down + 12, "value");
  return y + 2 * lane_width + way_down + (has_room ? 18 : 4);
}

std::string draw_shuffle(Drawing& drawing, double y, const report::TracedLaunch& traced,
                         const Moment& moment) {
  const Trace& trace = traced.trace;
  const auto fits = [](const simulator::TraceStep& step) { return !step.shuffles.empty(); };
  std::vector<std::size_t> steps = steps_of_warp(trace, moment, fits, "a shuffle");
  if (moment.is_open()) steps.resize(1);
  std::string description;
  std::size_t drawn = 0, before = trace.steps.size();
  for (const std::size_t step : steps) {
    if (drawn >= most_shuffles) break;
    if (drawn == 0 || !is_same_place(trace, before, step)) y = draw_step_heading(drawing, y, trace, step);
    before = step;
    for (const TraceShuffle& shuffle : trace.steps[step].shuffles) {
      if (drawn++ >= most_shuffles) break;
      const std::string sentence = sentence_of(shuffle);
      drawing.text("sentence", 0, y + 11, sentence);
      y = draw_exchange(drawing, y + 22, shuffle) + 14;
      description += (description.empty() ? "" : " ") + sentence;
    }
  }
  return description;
}

}  // namespace

extern constinit const View banks_view{"banks", draw_memory<true>};
extern constinit const View sectors_view{"sectors", draw_memory<false>};
extern constinit const View shuffle_view{"shuffle", draw_shuffle};

}  // namespace warpwise::print
