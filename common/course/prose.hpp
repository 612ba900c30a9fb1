#pragma once
/// \file Rules for the prose of a lesson (docs/style.md): what can be counted of "reads well".

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::course {

/// A line of prose for these rules: characters that are read, wherever the source breaks them.
inline constexpr std::size_t characters_a_line = 100;
inline constexpr std::size_t lines_a_paragraph = 6;
/// Of a page: words that are read at once, outside blocks of code and outside what is folded.
inline constexpr std::size_t words_a_page = 2000;
inline constexpr std::size_t predictions_a_page = 4;

/// One breach of a rule: "12: the paragraph has 8 lines ...".
struct Breach {
  std::size_t line;
  std::string what;
};

/// Holds a lesson page against these rules:
///   - no paragraph and no item of a list over six lines;
///   - no sentence with more than one parenthesis (code is not counted, nor the one of `O(log n)`);
///   - after a paragraph with **Predict** comes its folded answer, <details> with a <summary> and an empty
///     line, before any table, picture, output, heading or other prompt;
///   - what is unfolded ends in its section;
///   - each section (##) asks before it tells: its heading or first paragraph has a question;
///   - a page has no more than 2000 words (in headings, paragraphs, items and tables) and four predictions.
/// In order of lines; what is said of the whole page comes last, with line 1.
std::vector<Breach> check_prose(std::string_view page);

/// Links of a page that lead nowhere: `read` gives the text of a file relative to the page's folder, a
/// folder's as an empty one, and throws std::runtime_error where there is none. Links into the web are not
/// followed.
std::vector<Breach> check_links(std::string_view page,
                                const std::function<std::string(const std::string& path)>& read);

}  // namespace warpwise::course
