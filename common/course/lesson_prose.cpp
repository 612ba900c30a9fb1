#include "lesson.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "../print/terminal.hpp"

namespace warpwise::course {
namespace {

using Blocks = std::vector<Block>;
using Place = Blocks::const_iterator;

bool is_prose(const Block& block) {
  return block.kind == BlockKind::paragraph || block.kind == BlockKind::item;
}

bool is_prompt(const Block& block) {
  return is_prose(block) && block.text.find("**Predict") != block.text.npos;
}

bool begins_section(const Block& block) { return block.kind == BlockKind::heading && block.info.size() <= 2; }

void check_length(const Block& block, std::vector<Breach>& breaches) {
  const std::size_t count = print::columns_of(visible(block.text));
  if (count > lines_a_paragraph * characters_a_line)
    breaches.push_back({block.line, "a paragraph of " + std::to_string(count) + " characters: more than " +
                                        std::to_string(lines_a_paragraph) + " lines"});
}

/// The sentences of a paragraph; a full stop before a small letter or a digit ("fig. 3") ends none.
std::vector<std::string> sentences_of(const std::string& text) {
  std::vector<std::string> sentences(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    sentences.back() += text[i];
    if (text[i] != '.' && text[i] != '?' && text[i] != '!') continue;
    const std::size_t next = text.find_first_not_of(" \n)", i + 1);
    if (next == i + 1 || next == text.npos) continue;
    const auto first = static_cast<unsigned char>(text[next]);
    if (!std::islower(first) && !std::isdigit(first)) sentences.emplace_back();
  }
  return sentences;
}

/// "(" that begins a parenthesis, not the arguments of a function.
std::size_t parentheses_in(const std::string& sentence) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < sentence.size(); ++i)
    if (sentence[i] == '(' && (i == 0 || !std::isalnum(static_cast<unsigned char>(sentence[i - 1])))) ++count;
  return count;
}

void check_parentheses(const Block& block, std::vector<Breach>& breaches) {
  for (const std::string& sentence : sentences_of(without_code(visible(block.text))))
    if (parentheses_in(sentence) > 1)
      breaches.push_back({block.line, "a sentence with more than one parenthesis: " + sentence});
}

/// May stand between a prompt and its folded answer: the questions themselves, and the command to run.
bool belongs_to_prompt(const Block& block) {
  return (is_prose(block) && !is_prompt(block)) || block.kind == BlockKind::comment ||
         (block.kind == BlockKind::code && block.info == "sh");
}

void check_prompt(const Blocks& blocks, Place prompt, std::vector<Breach>& breaches) {
  const Place next =
      std::find_if(prompt + 1, blocks.end(), [](const Block& block) { return !belongs_to_prompt(block); });
  if (next == blocks.end() || next->kind != BlockKind::details)
    breaches.push_back({prompt->line, "a prediction whose answer is not folded right below it"});
}

/// <details>, <summary>...</summary>, an empty line (or what follows is no Markdown), ..., </details>.
void check_fold(const Blocks& blocks, Place fold, std::vector<Breach>& breaches) {
  const bool in_line = fold->text.find("<summary>") != fold->text.npos;
  const Place summary = in_line ? fold : fold + 1;
  if (summary == blocks.end() || summary->text.find("<summary>") == std::string::npos ||
      summary->text.find("</summary>") == std::string::npos) {
    breaches.push_back({fold->line, "<details> without a <summary>...</summary>"});
    return;
  }
  const Place content = summary + 1;
  if (content != blocks.end() && content->line == summary->line + 1)
    breaches.push_back({summary->line, "no empty line after the summary: what follows would be no Markdown"});
  const Place end = std::find_if(fold + 1, blocks.end(), [](const Block& block) {
    return block.kind == BlockKind::end_of_details || block.kind == BlockKind::details ||
           begins_section(block);
  });
  if (end == blocks.end() || end->kind != BlockKind::end_of_details)
    breaches.push_back({fold->line, "<details> that does not end in its section"});
}

void check_question(const Blocks& blocks, Place heading, std::vector<Breach>& breaches) {
  const Place first = std::find_if(
      heading + 1, blocks.end(), [](const Block& block) { return is_prose(block) || begins_section(block); });
  const bool asks = heading->text.find('?') != std::string::npos ||
                    (first != blocks.end() && is_prose(*first) && first->text.find('?') != std::string::npos);
  if (!asks)
    breaches.push_back({heading->line, "the section \"" + heading->text + "\" tells before it asks"});
}

/// `run` shows what a kernel costs: in a section that asks to predict it, the reader is sent there
/// afterwards, and what it prints is shown afterwards.
void check_order(const Blocks& blocks, std::vector<Breach>& breaches) {
  static const std::regex run(R"(\./warpwise (run|watch) ch[0-9]+( [a-z0-9_]+)?(`|\n|$))");
  const Block* shown = nullptr;  // where the section first sends the reader
  std::size_t folds = 0;
  for (const Block& block : blocks) {
    if (block.kind == BlockKind::details) ++folds;
    if (block.kind == BlockKind::end_of_details && folds > 0) --folds;
    const bool is_screen = block.kind == BlockKind::code && block.text.starts_with("$ ./warpwise run");
    if (shown == nullptr && folds == 0 && is_screen) shown = &block;
    if (begins_section(block)) shown = nullptr;
    if (is_prompt(block) && shown != nullptr)
      breaches.push_back({shown->line, "the screen shows what line " + std::to_string(block.line) +
                                           " asks to predict: the command belongs behind it"});
    const bool is_read = is_prose(block) || (block.kind == BlockKind::code && block.info == "sh");
    if (shown == nullptr && is_read && !is_prompt(block) && std::regex_search(block.text, run))
      shown = &block;
  }
}

/// Of what is read: the marks of a table, an arrow or a dash are no words.
std::size_t words_in(const std::string& prose) {
  std::istringstream text(visible(prose));
  std::size_t count = 0;
  for (std::string word; text >> word;)
    if (std::any_of(word.begin(), word.end(), [](unsigned char c) { return std::isalnum(c); })) ++count;
  return count;
}

bool has_words(const Block& block) {
  return is_prose(block) || block.kind == BlockKind::heading || block.kind == BlockKind::table;
}

bool asks_to_write(const Block& block) {
  const std::string text = visible(block.text);
  return has_words(block) &&
         (text.find("Write it") != std::string::npos || text.find("Write `") != std::string::npos);
}

void check_size(const Blocks& blocks, std::vector<Breach>& breaches) {
  std::size_t words = 0, predictions = 0, folds = 0;
  std::optional<std::size_t> first_kernel;  // words above it
  for (const Block& block : blocks) {
    if (block.kind == BlockKind::details) ++folds;
    if (block.kind == BlockKind::end_of_details && folds > 0) --folds;
    if (!first_kernel && asks_to_write(block)) first_kernel = words;
    if (folds == 0 && has_words(block)) words += words_in(block.text);
    if (is_prompt(block)) ++predictions;
  }
  const auto limit = [&](std::size_t count, const std::string& what, std::size_t most) {
    if (count > most)
      breaches.push_back(
          {1, "the page has " + std::to_string(count) + " " + what + ": more than " + std::to_string(most)});
  };
  limit(words, "words outside blocks of code and folds", words_a_page);
  limit(predictions, "predictions", predictions_a_page);
  limit(first_kernel.value_or(0), "words before the first kernel to write", words_to_the_first_kernel);
}

bool has_anchor(const std::string& page, const std::string& anchor) {
  const Blocks blocks = read_page(page);
  return page.find("id=\"" + anchor + "\"") != page.npos ||
         std::any_of(blocks.begin(), blocks.end(), [&](const Block& block) {
           return block.kind == BlockKind::heading && anchor_of(visible(block.text)) == anchor;
         });
}

/// What is wrong with a link to `target`; empty if nothing is.
std::string fault_of(const std::string& target, std::string_view page,
                     const std::function<std::string(const std::string& path)>& read) {
  const std::size_t hash = std::min(target.find('#'), target.size());
  const std::string path = target.substr(0, hash);
  const std::string anchor = target.substr(std::min(hash + 1, target.size()));
  try {
    const std::string text = path.empty() ? std::string(page) : read(path);
    if (anchor.empty() || has_anchor(text, anchor)) return {};
    return "has no heading for #" + anchor;
  } catch (const std::runtime_error&) {
    return "does not exist";
  }
}

}  // namespace

std::vector<Breach> check_prose(std::string_view page) {
  const Blocks blocks = read_page(page);
  std::vector<Breach> breaches;
  for (auto block = blocks.begin(); block != blocks.end(); ++block) {
    if (is_prose(*block)) {
      check_length(*block, breaches);
      check_parentheses(*block, breaches);
    }
    if (is_prompt(*block)) check_prompt(blocks, block, breaches);
    if (block->kind == BlockKind::details) check_fold(blocks, block, breaches);
    if (block->kind == BlockKind::heading && block->info == "##") check_question(blocks, block, breaches);
  }
  check_order(blocks, breaches);
  check_size(blocks, breaches);
  return breaches;
}

std::vector<Breach> check_columns(std::string_view page) {
  constexpr std::size_t most = 80;
  std::vector<Breach> breaches;
  std::size_t number = 0;
  for (const std::string& line : text::lines_of(page)) {
    ++number;
    if (const std::size_t count = print::columns_of(line); count > most)
      breaches.push_back(
          {number, "a line of " + std::to_string(count) + " columns: more than " + std::to_string(most)});
  }
  return breaches;
}

std::vector<Breach> check_links(std::string_view page,
                                const std::function<std::string(const std::string& path)>& read) {
  static const std::regex link(R"(\]\(([^)\s]+)\))");
  std::vector<Breach> breaches;
  for (const Block& block : read_page(page)) {
    if (block.kind == BlockKind::code || block.kind == BlockKind::comment) continue;
    const std::string text = without_code(block.text);
    for (std::sregex_iterator at(text.begin(), text.end(), link), end; at != end; ++at) {
      const std::string target = (*at)[1];
      if (target.starts_with("http://") || target.starts_with("https://")) continue;
      if (const std::string fault = fault_of(target, page, read); !fault.empty())
        breaches.push_back({block.line, "a link that leads nowhere: " + target + " " + fault});
    }
  }
  return breaches;
}

}  // namespace warpwise::course
