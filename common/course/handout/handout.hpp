#pragma once
/// \file What a student's repository is made of: texts without what shows a solution, and the files around
/// them. Which lines must not be handed out, and where a text shows one.
///
/// A line of a solution is looked for as its code: without its comment, however it is spaced, and wherever
/// its ends of lines stand. It is trivial, and may be anywhere, if
///   - it has fewer than 12 characters,
///   - the student has it anyway: it stands in the skeleton, in a header that the skeleton includes, or in a
///     solution that is handed out,
///   - it is one of the idioms of handout_solution_lines.cpp, which any CUDA kernel may have.
/// A line that is a comment alone counts as code; the anchors of a lesson do not.
///
/// A text is searched without layout, and without what a page, a picture or a comment puts between the
/// characters of the code.

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "../handout_plan.hpp"

namespace warpwise::course {

// --- A text as it is searched ------------------------------------------------------------------------------

/// What of a text is read. Each leaves out all blanks and ends of lines, and writes the escapes of HTML, SVG,
/// JSON and Markdown's tables as what they mean.
enum class Reading {
  as_written,  ///< every other character
  as_code,   ///< without comments; without marks at the start of a line, as a difference and a quotation have
             ///< them
  as_shown,  ///< without tags, and without the signs of comments, so that their text is read; without marks
};
inline constexpr std::array readings = {Reading::as_written, Reading::as_code, Reading::as_shown};

/// The characters that a reading leaves, and where they come from.
struct ReadText {
  std::string characters;
  std::vector<std::size_t> line_starts;  ///< for each line of the text how many characters stand before it

  /// The line of the text, from 1, that `characters[at]` comes from.
  std::size_t line_of(std::size_t at) const;
};

ReadText read_as(Reading reading, std::string_view text);

// --- Solutions ---------------------------------------------------------------------------------------------

/// The first line of a text that shows a line of a solution.
struct Leak {
  std::size_t line = 0;  ///< of the text, from 1
  std::string code;      ///< what it shows
  std::string source;    ///< the solution that it is from: "ch01_naive/solution.cu"
};

/// "12 shows a line of ch01_naive/solution.cu (...)": what goes behind the name of a file.
std::string spelled(const Leak& leak);

class SolutionLines {
 public:
  /// Text that students have: what stands in it, on any line, is trivial. Before add_solution().
  void add_given(std::string_view text);

  /// `source` names the solution in leaks.
  void add_solution(const std::string& source, std::string_view text);

  /// Whether one of the solutions has the kernel.
  bool has_kernel(const std::string& name) const { return kernels_.contains(name); }

  /// Lines that are held back, all solutions together.
  std::size_t size() const { return secrets_.size(); }

  /// Looks for them in every reading of a text of any kind: C++, Markdown, SVG, HTML, JSON.
  std::optional<Leak> find_in(std::string_view text) const;
  bool are_shown_in(std::string_view text) const { return find_in(text).has_value(); }

 private:
  struct Secret {
    std::string characters;  ///< of its code, without layout
    std::string code, source;
  };
  bool is_trivial(const std::string& code, const std::string& characters) const;
  std::optional<Leak> find_in(const ReadText& text) const;

  std::string given_;  ///< without layout; a line's end for each text
  std::set<std::string> kernels_;
  std::vector<Secret> secrets_;
  std::vector<bool> begins_ = std::vector<bool>(std::size_t{1} << 16);  ///< by two characters: does a secret
  std::unordered_multimap<std::uint64_t, std::size_t>
      by_beginning_;  ///< secrets, by their first 8 characters
};

/// The code of a line of a solution, as it is looked for; empty for a blank line and for an anchor.
std::string code_of(std::string_view line);

// --- Lessons and hints -------------------------------------------------------------------------------------

/// What a lesson says in place of code that it does not show yet.
extern const std::string_view later_note;

/// `page` without the code of a solution:
///   - a block under `<!-- code: FILE#ANCHOR -->` where `is_handed_out(FILE)` is false, and its mark,
///   - any other block that shows one of `lines`: a note takes the block's place,
///   - in a sentence, the `code` that shows one: `...` takes its place.
/// `<details>` around a block stay as they are.
std::string without_solutions(std::string_view page, const SolutionLines& lines,
                              const std::function<bool(const std::string& file)>& is_handed_out);

/// `page` with `notice` as a quotation below its title.
std::string with_notice(std::string_view page, const std::string& notice);

/// A page of hints (common/text/hints.hpp) without the last one of each kernel, which is nearly the answer. A
/// kernel keeps its only hint.
std::string without_last_hints(std::string_view page);

// --- Kernels' pages ----------------------------------------------------------------------------------------

/// What of a page of kernels (common/text/kernel_page.hpp) is handed out.
struct PageParts {
  enum class Attempts { none, as_sentences, whole };

  Attempts attempts = Attempts::none;
  bool has_accepted = false;
};

/// The page with these parts. A difference shows the solution around the mistake: as sentences, attempts are
/// headings, what rejects each and why. Of whole attempts and accepted solutions those are left out that show
/// one of `held_back` or say that they are a solution of it, and a section and a kernel where nothing is
/// left. Empty if there is no kernel. `path`: of the page, for messages. Throws text::PageError.
std::string kernel_page_with(const PageParts& parts, std::string_view page, const std::string& path,
                             const SolutionLines& held_back);

/// Of the whole file of an attempt that is handed out as a module: as many lines, `...` for each that has
/// code, but line `shown` (from 1; 0: none) as it is, unless it shows a line of `held_back`.
std::string listing_of(std::string_view whole_file, std::size_t shown, const SolutionLines& held_back);

// --- Links -------------------------------------------------------------------------------------------------

/// `page` with the text alone of each `[text](target)` whose file `exists` denies; a picture becomes its
/// description, in italics, and loses the comment above it that says how to draw it. `exists` gets the target
/// without `#heading`, as it stands. Addresses (https://...), links within the page and blocks of code stay
/// as they are.
std::string without_dead_links(std::string_view page,
                               const std::function<bool(const std::string& target)>& exists);

// --- Files -------------------------------------------------------------------------------------------------

/// One commit of the course in a folder of its own. Paths are relative to it.
struct CourseFiles {
  std::filesystem::path folder;
  std::set<std::string> files;       ///< all
  std::set<std::string> never;       ///< those that .gitattributes marks -handout
  std::set<std::string> later;       ///< handout=later: they come with the solutions of their chapter
  std::set<std::string> autograder;  ///< autograder: an autograder has them all the same
};

enum class Purpose { student, autograder };

/// Every line of every solution that `plan` does not hand out. Given are skeletons, the solutions that it
/// does hand out, and the headers that they include; not what else comes with these, as other ways to write a
/// kernel, which may be the way of a later chapter.
SolutionLines lines_held_back(const CourseFiles& course, const HandoutPlan& plan);

/// Texts, by the path of their file.
using HandoutFiles = std::map<std::string, std::string>;

/// The files of `plan`: without what .gitattributes leaves out and without the other chapters, lessons and
/// pages without `held_back` and without links to what is not there, CMakeLists.txt without the folders that
/// are not there; and handout_plan_file. A picture (SVG), and what comes with the solutions, is left out as
/// long as it shows one of these lines, or includes a file that does; of a kernel's page the paragraph is.
HandoutFiles files_handed_out(const CourseFiles& course, const HandoutPlan& plan, Purpose purpose,
                              const SolutionLines& held_back);

/// Writes one of them to the folder `out`, with the permissions that it has in the course.
void write_file(const CourseFiles& course, const std::string& file, const std::string& text,
                const std::filesystem::path& out);

}  // namespace warpwise::course
