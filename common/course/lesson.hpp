#pragma once
/// \file What a lesson is held to: it shows code that exists, output that was printed and pictures of runs as
/// they are now; it reads as docs/style.md asks; and a solution differs from its exercise only inside the
/// bodies of functions: what stands around them (comments, includes, signatures) is the same text.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "../text/predictions.hpp"
#include "../text/source.hpp"
#include "page_commands.hpp"

namespace warpwise::course {

// --- A page as a row of blocks -----------------------------------------------------------------------------

enum class BlockKind {
  heading,    ///< text without its marks
  paragraph,  ///< also a quotation
  item,       ///< of a list
  table,
  code,            ///< fenced or indented, without the fence
  comment,         ///< <!-- ... -->
  picture,         ///< a line ![...](...)
  details,         ///< <details>, perhaps with its <summary> on the same line
  summary,         ///< <summary> on a line of its own
  end_of_details,  ///< </details>
};

struct Block {
  BlockKind kind;
  std::size_t line = 0;   ///< in the page, from 1; of a fenced block that of the fence
  std::string text;       ///< lines joined by '\n'
  std::string info = {};  ///< of a heading its marks ("##"), of a fenced block its language
};

/// The blocks of a page, in order. What belongs to none of the kinds is a paragraph.
std::vector<Block> read_page(std::string_view page);

/// What a reader sees of prose: without the targets of links, HTML tags and marks of emphasis; code stays.
std::string visible(std::string_view prose);

/// `prose` with each code span as a single word, so that its signs are not taken for the sentence's.
std::string without_code(std::string_view prose);

/// What GitHub makes of a heading, for links: "2. Who adds?" is "2-who-adds".
std::string anchor_of(std::string_view heading);

// --- Code and output ---------------------------------------------------------------------------------------

/// Each ```cpp block of a lesson stands under a line
///     <!-- code: solution.cu#tree -->
/// and must equal, to the character, what stands in that file between the lines `// [tree]` and `// [/tree]`,
/// moved to the left margin and without other anchors. `source` gives the text of a file. Returns how many
/// blocks there are; throws std::runtime_error for one that differs, and if there is none.
std::size_t check_lesson(std::string_view lesson,
                         const std::function<std::string(const std::string& file)>& source);

/// The lesson with the code that the sources say now in every such block; a block whose `source` is empty, or
/// has no such anchor any more, stays as it is.
std::string with_current_code(std::string_view lesson,
                              const std::function<std::string(const std::string& file)>& source);

/// The text between the anchors, as a lesson shows it; where `source` has no such lines, its function of that
/// name. Throws std::runtime_error if it has neither.
std::string anchored(std::string_view source, const std::string& anchor);

/// What the lesson shows under `$ build/.../PROGRAM` is, to the character, what the program printed;
/// `program` is its path. Throws std::runtime_error if it is not, or where the program failed or printed
/// nothing.
void check_output(std::string_view lesson, const std::string& program, const process::Result& result);

// --- Exercise and solution ---------------------------------------------------------------------------------

/// `source` without what stands between the braces of its functions.
std::string frame_of(const text::Source& source);

/// Says how the two agree. An exercise that somebody has begun to write may have functions of its own, and is
/// not judged: it is known by a function of the solution that has neither a TODO nor the solution's text.
/// Otherwise `committed()`, the exercise as git has it, is judged in its place where that differs; empty: git
/// has none. Throws std::runtime_error with the first line that differs.
std::string compare_frames(const text::Source& exercise, const text::Source& solution,
                           const std::function<std::string()>& committed);

// --- Pictures ----------------------------------------------------------------------------------------------

/// A picture as a page shows it: a comment with what draws it, and the image below.
///     <!-- picture: show ch03 reduce_sequential --solution --svg banks -->
///     ![What is to be seen](lesson/pictures/sequential.svg)
struct Picture {
  std::size_t line = 0;  ///< of the comment, from 1
  std::string command;   ///< "show ch03 reduce_sequential --solution --svg banks", "exec prog.cu --svg lanes"
  std::string file;      ///< "lesson/pictures/sequential.svg", from the page's folder
};

/// Where they lie: a chapter's, and those of docs/. Relative to the page's folder.
inline constexpr std::string_view picture_folders[] = {"lesson/pictures/", "pictures/"};

/// Throws std::runtime_error, "line 12: sentence", for a comment without its image, an image in one of the
/// folders without its comment or without words, and a command that draws a student's exercise or no picture.
std::vector<Picture> pictures_in(std::string_view page);

/// The command in the `metadata` of an SVG that `show` has drawn; empty if there is none.
std::string command_in(std::string_view svg);

// --- Prose -------------------------------------------------------------------------------------------------

/// A line of prose for these rules: characters that are read, wherever the source breaks them.
inline constexpr std::size_t characters_a_line = 100;
inline constexpr std::size_t lines_a_paragraph = 6;
/// Of a page: words that are read at once, outside blocks of code and outside what is folded.
inline constexpr std::size_t words_a_page = 2000;
inline constexpr std::size_t predictions_a_page = 4;
/// Until the reader is first asked to write something.
inline constexpr std::size_t words_to_the_first_kernel = 600;

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
///   - a page has no more than 2000 words (in headings, paragraphs, items and tables) and four predictions;
///   - the first kernel to write ("Write it", "Write `KERNEL`") comes within 600 of them.
/// In order of lines; what is said of the whole page comes last, with line 1.
std::vector<Breach> check_prose(std::string_view page);

/// What a page tells before it sends the reader to `./warpwise predict CHAPTER SECTION`: a line of a screen,
/// or a paragraph, above it and not folded, that names the kernel of a question and has the answer.
std::vector<Breach> check_predictions(std::string_view page, const std::vector<text::Section>& sections);

/// Lines of more than 80 columns, which a terminal would break inside words.
std::vector<Breach> check_columns(std::string_view page);

/// Links of a page that lead nowhere: `read` gives the text of a file relative to the page's folder, a
/// folder's as an empty one, and throws std::runtime_error if there is none. Links into the web are not
/// followed.
std::vector<Breach> check_links(std::string_view page,
                                const std::function<std::string(const std::string& path)>& read);

}  // namespace warpwise::course
