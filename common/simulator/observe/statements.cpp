#include "statements.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <set>
#include <utility>

namespace warpwise::simulator::observe {

namespace {

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

std::string first_word(const std::string& text) {
  const auto begin = std::find_if_not(text.begin(), text.end(), is_blank);
  return {begin, std::find_if_not(begin, text.end(), is_of_name)};
}

bool is_jump_word(const std::string& word) {
  return word == "return" || word == "break" || word == "continue" || word == "goto";
}

/// Takes comments and literals out of all lines.
void blank_out(std::vector<std::string>& lines) {
  bool is_in_comment = false;
  for (std::string& line : lines) {
    char quote = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const bool ends = is_in_comment && line.compare(i, 2, "*/") == 0;
      if (is_in_comment) {
        line[i] = ' ';
        if (ends) line[++i] = ' ', is_in_comment = false;
      } else if (quote != 0) {
        const char c = std::exchange(line[i], '0');
        if (c == '\\' && i + 1 < line.size()) line[++i] = '0';
        if (c == quote) quote = 0;
      } else if (line.compare(i, 2, "//") == 0) {
        line.resize(i);
      } else if (line.compare(i, 2, "/*") == 0) {
        line[i] = line[i + 1] = ' ';
        ++i;
        is_in_comment = true;
      } else if (line[i] == '"' || (line[i] == '\'' && (i == 0 || !is_of_name(line[i - 1])))) {
        quote = std::exchange(line[i], '0');
      }
    }
  }
}

/// Takes out directives, and the branches of `#if` that were not compiled.
void take_branches(std::vector<std::string>& lines, const std::function<bool(std::uint32_t)>& has_code) {
  struct Branch {
    std::size_t begin, end;
    bool is_likely;  ///< where no branch has code
  };
  std::vector<std::vector<Branch>> open;
  const auto end_branch = [&](std::size_t at) {
    if (!open.empty() && !open.back().empty()) open.back().back().end = at;
  };
  const auto close = [&] {
    const auto& branches = open.back();
    const auto has_any = [&](const Branch& branch) {
      for (std::size_t i = branch.begin; i < branch.end; ++i)
        if (has_code(static_cast<std::uint32_t>(i + 1))) return true;
      return false;
    };
    const bool is_known = std::any_of(branches.begin(), branches.end(), has_any);
    for (const Branch& branch : branches)
      if (!(is_known ? has_any(branch) : branch.is_likely))
        for (std::size_t i = branch.begin; i < branch.end; ++i) lines[i].clear();
    open.pop_back();
  };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t mark = lines[i].find_first_not_of(" \t");
    if (mark == std::string::npos || lines[i][mark] != '#') continue;
    const std::string word = first_word(lines[i].substr(mark + 1));
    if (word == "if" || word == "ifdef" || word == "ifndef") {
      open.push_back({{i + 1, i + 1, word == "ifndef"}});
    } else if (!open.empty() && (word == "else" || word == "elif")) {
      end_branch(i);
      open.back().push_back({i + 1, i + 1, word == "else" && !open.back().front().is_likely});
    } else if (!open.empty() && word == "endif") {
      end_branch(i);
      close();
    }
    lines[i].clear();
  }
}

}  // namespace

/// Goes through the characters once.
class Statements::Scanner {
 public:
  explicit Scanner(Statements& result) : result_(result) {}

  void scan() {
    const auto count = static_cast<std::uint32_t>(result_.lines_.size());
    for (line_ = 1; line_ <= count; ++line_) {
      for (const char c : result_.lines_[line_ - 1]) take(c);
      const bool is_fresh = head_.empty() && parens_ == 0 && open_.back() >= 0;
      result_.at_end_.push_back(open_.back());
      result_.is_place_.push_back(is_fresh && !is_jump_word(last_word_) && is_in_function());
      result_.starts_.push_back(head_.empty() ? start_ : head_start_);
      add(' ');
    }
    for (const int open : open_)
      if (open >= 0) result_.blocks_[static_cast<std::size_t>(open)].end = count;
  }

 private:
  void add(char c) {
    if (head_.empty() && is_blank(c)) return;
    if (head_.empty()) head_start_ = line_;
    head_ += c;
  }
  bool is_in_function() const {
    return std::any_of(open_.begin(), open_.end(), [&](int each) {
      return each >= 0 && result_.blocks_[static_cast<std::size_t>(each)].is_function;
    });
  }
  /// Of a head that begins with `for (` or `while (`: where its parenthesis ends, else npos.
  std::size_t end_of_loop_head() const {
    const std::string word = first_word(head_);
    if (word != "for" && word != "while") return std::string::npos;
    int depth = 0;
    for (std::size_t i = head_.find('('); i < head_.size(); ++i) {
      depth += head_[i] == '(';
      depth -= head_[i] == ')';
      if (depth == 0) return i + 1;
    }
    return std::string::npos;
  }
  static bool is_blank_from(const std::string& text, std::size_t at) {
    return std::all_of(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), is_blank);
  }

  int push(std::uint32_t begin, std::uint32_t open, bool is_loop) {
    CodeBlock block;
    block.begin = begin;
    block.open = open;
    block.end = open;
    block.parent = open_.back();
    block.is_loop = is_loop;
    result_.blocks_.push_back(block);
    open_.push_back(static_cast<int>(result_.blocks_.size() - 1));
    return open_.back();
  }

  void take(char c) {
    if (c == '(' || c == '[') ++parens_;
    if ((c == ')' || c == ']') && parens_ > 0) {
      --parens_;
      if (parens_ == 0 && c == ')' && head_end_ == 0) head_end_ = line_;
    }
    if (c == '{' && (parens_ > 0 || is_initialiser())) {
      ++parens_, ++braces_;
    } else if (c == '}' && braces_ > 0) {
      --parens_, --braces_;
    } else if (c == '{') {
      open_block();
      return;
    } else if (c == '}') {
      close_block();
      return;
    } else if (c == ';' && parens_ == 0) {
      end_statement();
      return;
    }
    add(c);
  }

  /// `= {`, `return {`, `float4{`: no block.
  bool is_initialiser() const {
    const std::size_t last = head_.find_last_not_of(" \t");
    if (last == std::string::npos || head_[last] == ')' || head_[last] == ':') return false;
    const std::string word = first_word(head_);
    for (const char* const opener : {"namespace", "struct", "class", "enum", "union", "extern", "do", "else",
                                     "try", "template", "typedef"})
      if (word == opener) return false;
    const std::string tail = head_.substr(0, last + 1);
    return !tail.ends_with("const") && !tail.ends_with("noexcept") && !tail.ends_with("else");
  }

  void open_block() {
    const std::string word = first_word(head_);
    const std::uint32_t begin = head_.empty() ? line_ : head_start_;
    const std::size_t loop_head = end_of_loop_head();
    const bool is_loop = word == "do" || (loop_head != std::string::npos && is_blank_from(head_, loop_head));
    if (loop_head != std::string::npos && !is_loop)  // the body of the loop is the statement in front
      result_.blocks_[static_cast<std::size_t>(push(begin, head_end_, true))].lacks_braces = true;
    const bool is_container = word == "namespace" || word == "struct" || word == "class" || word == "enum" ||
                              word == "union" || (word == "extern" && head_.find('(') == head_.npos);
    const bool is_function = !is_container && head_.find('(') != head_.npos && !is_in_function();
    const int block = push(begin, line_, is_loop);
    result_.blocks_[static_cast<std::size_t>(block)].is_function = is_function;
    words_.push_back(word);
    start_ = begin;
    last_word_ = "{";
    fresh();
  }

  void close_block() {
    if (open_.size() == 1 || words_.empty()) return;
    result_.blocks_[static_cast<std::size_t>(open_.back())].end = line_;
    open_.pop_back();
    const std::string word = words_.back();
    words_.pop_back();
    while (open_.back() >= 0 && result_.blocks_[static_cast<std::size_t>(open_.back())].lacks_braces) {
      result_.blocks_[static_cast<std::size_t>(open_.back())].end = line_;
      open_.pop_back();
    }
    start_ = line_;
    fresh();
    if (word == "do") head_ = "do ", head_start_ = line_;
    last_word_ = "}";
  }

  void end_statement() {
    const std::string word = first_word(head_);
    if (const std::size_t loop_head = end_of_loop_head();
        loop_head != std::string::npos && !is_blank_from(head_, loop_head)) {
      CodeBlock& loop = result_.blocks_[static_cast<std::size_t>(push(head_start_, head_end_, true))];
      loop.end = line_;
      loop.lacks_braces = true;
      open_.pop_back();
    }
    for (const char* const jump : {"return", "break", "continue", "goto"}) {
      std::size_t at = head_.find(jump);
      const bool is_word = at != head_.npos && (at == 0 || !is_of_name(head_[at - 1]));
      if (is_word) result_.jumps_.push_back({line_, std::string(jump) == "return"});
    }
    start_ = head_.empty() ? line_ : head_start_;
    fresh();
    last_word_ = word;
  }

  void fresh() {
    head_.clear();
    head_end_ = 0;
  }

  Statements& result_;
  std::uint32_t line_ = 0;
  std::vector<int> open_{-1};
  std::vector<std::string> words_;  ///< the first of what stands in front of each open brace
  std::string head_;                ///< of the statement that has begun
  std::string last_word_;           ///< the first of the last statement that has ended in this line
  std::uint32_t head_start_ = 0, head_end_ = 0, start_ = 0;
  int parens_ = 0, braces_ = 0;
};

Statements::Statements(std::vector<std::string> lines, const std::function<bool(std::uint32_t)>& has_code)
    : lines_(std::move(lines)) {
  if (lines_.empty()) {
    constexpr std::uint32_t far = 1u << 30;
    blocks_.push_back({0, 0, far, -1, false, true, false});
    return;
  }
  blank_out(lines_);
  take_branches(lines_, has_code);
  Scanner(*this).scan();
  // Not in front of an `else`.
  for (std::size_t i = lines_.size(); i-- > 1;) {
    std::string next;
    for (std::size_t after = i; after < lines_.size() && next.empty(); ++after)
      next = first_word(lines_[after]);
    if (next == "else" || next == "case" || next == "default") is_place_[i - 1] = false;
  }
}

int Statements::block_of(std::uint32_t line) const {
  int found = -1;
  for (std::size_t i = 0; i < blocks_.size(); ++i)
    if (blocks_[i].contains(line) && (found < 0 || is_nested(static_cast<int>(i), found)))
      found = static_cast<int>(i);
  return found;
}

int Statements::function_of(std::uint32_t line) const {
  for (std::size_t i = 0; i < blocks_.size(); ++i)
    if (blocks_[i].is_function && blocks_[i].spans(line)) return static_cast<int>(i);
  return -1;
}

int Statements::round_of(std::uint32_t a, std::uint32_t b) const {
  int found = -1;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const CodeBlock& block = blocks_[i];
    if (!(block.is_loop || block.is_function) || !block.spans(a) || !block.spans(b)) continue;
    const bool is_smaller =
        found < 0 || block.end - block.begin <= blocks_[static_cast<std::size_t>(found)].end -
                                                    blocks_[static_cast<std::size_t>(found)].begin;
    if (is_smaller) found = static_cast<int>(i);
  }
  return found;
}

bool Statements::is_nested(int inner, int outer) const {
  for (int at = inner; at >= 0; at = blocks_[static_cast<std::size_t>(at)].parent)
    if (at == outer) return true;
  return false;
}

CodePosition Statements::behind(std::uint32_t line, int block) const {
  if (lines_.empty()) return {block, line};
  const CodeBlock& in = blocks_[static_cast<std::size_t>(block)];
  if (in.lacks_braces) return {block, in.end};
  for (std::uint32_t at = line; at < in.end; ++at)
    if (is_place_[at - 1] && at_end_[at - 1] == block) return {block, at};
  return {};
}

CodePosition Statements::in_front_of(std::uint32_t line, int block) const {
  if (lines_.empty()) return {block, line - 1};
  const CodeBlock& in = blocks_[static_cast<std::size_t>(block)];
  if (in.lacks_braces) return {};
  const auto is_place = [&](std::uint32_t at) { return is_place_[at - 1] && at_end_[at - 1] == block; };
  for (std::uint32_t at = line - 1; at >= in.open && at > 0; --at) {
    if (!is_place(at)) continue;
    while (at > in.open && first_word(lines_[at - 1]).empty() &&
           lines_[at - 1].find_first_of("{};") == std::string::npos && is_place(at - 1))
      --at;
    return {block, at};
  }
  return {};
}

CodePosition Statements::end_of(int block) const {
  const CodeBlock& in = blocks_[static_cast<std::size_t>(block)];
  if (lines_.empty()) return {};
  return in.lacks_braces ? CodePosition{block, in.end} : in_front_of(in.end, block);
}

bool Statements::may_jump_out(std::uint32_t line, int block) const {
  return std::any_of(jumps_.begin(), jumps_.end(), [&](const Jump& jump) {
    const CodeBlock& from = blocks_[static_cast<std::size_t>(block)];
    if (!from.contains(jump.line)) return false;
    if (!jump.leaves_function) {  // of a loop inside the block it does not lead out
      const int loop = round_of(jump.line, jump.line);
      if (loop >= 0 && loop != block && is_nested(loop, block)) return false;
    }
    const int around = block_of(jump.line);
    if (around == block) return start_of(jump.line) <= line && line <= jump.line;
    return around >= 0 && blocks_[static_cast<std::size_t>(around)].spans(line);
  });
}

std::vector<Statements::Head> Statements::heads_around(std::uint32_t line) const {
  std::vector<Head> heads;
  for (std::uint32_t at = start_of(line); at <= line && heads.empty(); ++at)
    if (has_word(at, "if")) heads.push_back({at, line, line, false});
  for (int at = block_of(line); at >= 0; at = blocks_[static_cast<std::size_t>(at)].parent) {
    const CodeBlock& block = blocks_[static_cast<std::size_t>(at)];
    if (block.is_function) break;
    if (block.is_loop || has_word(block.begin, "if") || has_word(block.begin, "else"))
      heads.push_back({block.begin, block.open, block.end, block.is_loop});
  }
  return heads;
}

std::uint32_t Statements::condition_of(std::uint32_t line) const {
  for (const Head& head : heads_around(line))
    if (has_word(head.begin, "if") || has_word(head.begin, "else")) return head.begin;
  return 0;
}

std::uint32_t Statements::start_of(std::uint32_t line) const {
  if (line == 0 || line > starts_.size()) return line;
  const std::uint32_t start = starts_[line - 1];
  return start == 0 || start > line ? line : start;
}

bool Statements::has_word(std::uint32_t line, const std::string& word) const {
  if (line == 0 || line > lines_.size()) return false;
  const std::string& text = lines_[line - 1];
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || !is_of_name(text[at - 1]);
    const bool ends = at + word.size() == text.size() || !is_of_name(text[at + word.size()]);
    if (begins && ends) return true;
  }
  return false;
}

Statements read_statements(const Program& program, PcRange reach, const std::string& path) {
  std::set<std::uint32_t> lines;
  for (Pc pc = reach.begin; pc < reach.end; ++pc)
    if (const SourcePlace& each = place_of(program, pc); each.file == path) lines.insert(each.line);
  SourceTexts texts;
  return {texts.file(path), [&](std::uint32_t line) { return lines.contains(line); }};
}

}  // namespace warpwise::simulator::observe
