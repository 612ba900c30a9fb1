// The tree: threads across, operations down. A cell is filled where the thread makes a value that a result is
// made of; a line comes from each value that it was made of.

#include <algorithm>
#include <set>

#include "views.hpp"

namespace warpwise::print {

using simulator::Trace;
using simulator::TraceValue;

namespace {

constexpr double names = 88, cell_height = 17;
constexpr std::size_t most_values = 3000;

class TreePicture {
 public:
  TreePicture(Drawing& drawing, const report::TracedLaunch& traced, std::uint64_t block)
      : drawing_(drawing),
        trace_(traced.trace),
        block_(block),
        threads_(static_cast<std::uint32_t>(extent(traced.launch.report.block))),
        cell_((Drawing::width - names) / threads_),
        results_(results_of(trace_, block)) {
    if (threads_ > 256)
      throw NothingToDraw("A tree of " + std::to_string(threads_) +
                          " threads is too wide to read; --block 64 or less makes it small enough.");
    choose_results();
    place_values();
  }

  std::string draw(double y) {
    top_ = y + 42;
    draw_heads(y);
    draw_warps(y);
    for (std::uint32_t level = 0; level < levels_.size(); ++level) draw_level(level);
    for (const auto& [node, depth] : used_) draw_lines_to(node);
    for (const auto& [node, depth] : used_) draw_value(node);
    draw_results();
    return draw_sentences();
  }

 private:
  struct Spot {
    double x = 0, width = 0;  ///< of its cell
    std::uint32_t level = 0;
  };

  const TraceValue& value(std::uint32_t node) const { return trace_.values[node - 1]; }
  double y_of(std::uint32_t level) const { return top_ + pitch_ * level; }
  double middle(std::uint32_t node) const { return at_.at(node).x + at_.at(node).width / 2; }
  std::uint32_t deepest() const { return static_cast<std::uint32_t>(levels_.size() - 1); }
  bool is_used(std::uint32_t node) const { return used_.contains(node); }

  /// All results, or where their trees would not fit the one of the largest tree.
  void choose_results() {
    if (results_.empty()) throw NothingToDraw(no_results_sentence(block_));
    std::vector<std::uint32_t> roots;
    for (const Result& result : results_) roots.push_back(result.node);
    used_ = depths_under(trace_, roots);
    if (used_.size() <= most_values) return;
    results_ = {largest_result(trace_, results_)};
    used_ = depths_under(trace_, {results_[0].node});
  }

  /// Values of this block: those of the results, and others that were made on the way and led nowhere.
  void place_values() {
    std::vector<std::uint32_t> all;
    for (std::uint32_t node = 1; node <= trace_.values.size(); ++node)
      if (value(node).block == block_ && (is_used(node) || !value(node).from.empty())) all.push_back(node);
    Depths depths = depths_under(trace_, all);
    levels_ = levels_of(trace_, block_, used_, turns_of(trace_));
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> together;  // level, thread
    for (const std::uint32_t node : all)
      if (depths[node] < levels_.size()) together[{depths[node], value(node).thread}].push_back(node);
    for (const auto& [place, nodes] : together) {
      if (std::none_of(nodes.begin(), nodes.end(), [&](std::uint32_t node) { return is_used(node); }))
        spare_.insert(place);
      const double width = (cell_ - (cell_ > 4 ? 1 : 0)) / static_cast<double>(nodes.size());
      for (std::size_t i = 0; i < nodes.size(); ++i)
        at_[nodes[i]] = {names + cell_ * place.second + width * static_cast<double>(i),
                         width - (nodes.size() > 1 && width > 3 ? 1 : 0), place.first};
    }
    pitch_ = std::clamp(400.0 / static_cast<double>(levels_.size()), 6.0, 60.0);
    height_ = std::min(cell_height, pitch_ - 3);
  }

  void draw_heads(double y) {
    drawing_.text("", 0, y + 28, "thread");
    const std::uint32_t step = cell_ >= 16 ? 1 : cell_ >= 4 ? 8 : 32;
    for (std::uint32_t thread = 0; thread < threads_; thread += step)
      drawing_.text("cell", names + cell_ * (thread + 0.5) - 0.5, y + 28, std::to_string(thread));
  }

  /// A rule between two warps, below all else.
  void draw_warps(double y) {
    if (threads_ <= warp_size) return;
    const double bottom = y_of(deepest()) + height_ + 4;
    std::string rules;
    for (std::uint32_t first = 0; first < threads_; first += warp_size) {
      const double x = names + cell_ * first;
      drawing_.text("small", x, y + 13, "warp " + std::to_string(first / warp_size));
      if (first != 0) rules += 'M' + number(x - 0.5) + ' ' + number(y + 33) + 'V' + number(bottom);
    }
    drawing_.path("warp-rule", rules);
  }

  /// Its name and where its values were made, and a pale cell for each thread: what stays pale has nothing to
  /// do. A hollow one makes a value that is part of no result.
  void draw_level(std::uint32_t level) {
    const double y = y_of(level);
    const TreeLevel& made = levels_[level];
    if (height_ >= 12 || level == 0 || level == deepest())
      drawing_.text("", 0, y + height_ / 2 + 4, made.name);
    if (level == 0) return;
    draw_origin(made, y + height_ / 2 + 17);
    std::string idle, spare;
    const double width = cell_ - (cell_ > 4 ? 1 : 0);
    for (std::uint32_t thread = 0; thread < threads_; ++thread) {
      std::string& cells = spare_.contains({level, thread}) ? spare : idle;
      cells += box(names + cell_ * thread, y, width, height_);
    }
    drawing_.path("idle", idle);
    drawing_.path("spare", spare);
    drawing_.reach(y + height_);
  }

  void draw_origin(const TreeLevel& made, double y) {
    if (pitch_ < 40) return;
    for (const std::string& words : {made.line, text_of(made.reach)}) {
      if (words.empty()) continue;
      drawing_.text("small", 0, y, words);
      y += 13;
    }
  }

  /// A value that waits for its use goes straight down first.
  void draw_lines_to(std::uint32_t node) {
    if (!at_.contains(node)) return;  // another block's
    const Spot& spot = at_.at(node);
    for (const std::uint32_t from : value(node).from) {
      if (!at_.contains(from)) continue;
      const Spot& source = at_.at(from);
      const double x1 = middle(from), x2 = middle(node);
      const bool is_own = value(from).thread == value(node).thread;
      std::string steps = 'M' + number(x1) + ' ' + number(y_of(source.level) + height_);
      if (!is_own && source.level + 1 < spot.level) steps += 'V' + number(y_of(spot.level - 1) + height_);
      steps += 'L' + number(x2) + ' ' + number(y_of(spot.level) - 1);
      const bool has_arrow = pitch_ > 25 && cell_ > 6;
      drawing_.path(is_own ? "carried" : has_arrow ? "edge arrowed" : "edge", steps);
    }
  }

  void draw_value(std::uint32_t node) {
    if (!at_.contains(node)) return;
    const Spot& spot = at_.at(node);
    const bool is_element = value(node).from.empty();
    drawing_.rect(is_element ? "word" : "lane", spot.x, y_of(spot.level), spot.width, height_);
    if (spot.width < 15 || height_ < 13) return;
    if (!is_element) {
      const std::string& text = texts_[node - 1];
      if (text.size() <= 3)
        drawing_.text(text.size() > 2 ? "tight on" : "cell on", middle(node), y_of(spot.level) + 13, text);
      return;
    }
    const std::string& name = value(node).name;
    const std::size_t open = name.rfind('[');
    if (open == name.npos || name.size() - open > 5) return;
    drawing_.text("cell", middle(node), y_of(spot.level) + 13, name.substr(open + 1, name.size() - open - 2));
  }

  void draw_results() {
    const double y = y_of(deepest()) + height_ + 17;
    if (results_.size() == 1) {
      const double x = middle(results_[0].node);
      drawing_.text("sentence", std::min(x - 4, 560.0), y,
                    "↓ " + results_[0].place + " = " + results_[0].value);
    } else {
      drawing_.text(
          "sentence", names, y,
          "↓ " + results_.front().place +
              (results_.front().place == results_.back().place ? "" : " to " + results_.back().place) + ": " +
              plural(results_.size(), "value"));
    }
  }

  std::string draw_sentences() {
    const auto spare = static_cast<std::size_t>(
        std::count_if(at_.begin(), at_.end(), [&](const auto& value) { return !is_used(value.first); }));
    std::string text = size_sentence(trace_, used_);
    if (results_.size() == 1)
      if (const std::string taken_in = taken_in_sentence(trace_, results_[0]); !taken_in.empty())
        text += ' ' + taken_in;
    if (spare != 0) text += " Hollow: " + plural(spare, "operation") + " that no result uses.";
    drawing_.paragraph("small", 0, drawing_.height() + 16, text);
    return text;
  }

  Drawing& drawing_;
  const Trace& trace_;
  std::uint64_t block_;
  std::uint32_t threads_;
  double cell_;
  std::vector<Result> results_;
  std::vector<std::string> texts_ = texts_of_values(trace_);  ///< of all values
  Depths used_;                                               ///< nodes below the results
  std::vector<TreeLevel> levels_;
  std::map<std::uint32_t, Spot> at_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> spare_;  ///< level and thread: made, and never used
  double pitch_ = 0, height_ = 0, top_ = 0;
};

std::string draw_tree(Drawing& drawing, double y, const report::TracedLaunch& traced, const Moment& moment) {
  if (traced.trace.steps.empty()) throw NothingToDraw("No step was recorded.");
  return TreePicture(drawing, traced, moment.block.value_or(traced.trace.steps.front().block)).draw(y);
}

}  // namespace

extern constinit const View tree_view{"tree", draw_tree};

}  // namespace warpwise::print
