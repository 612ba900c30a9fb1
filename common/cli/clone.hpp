#pragma once
/// \file The clone that this program was built from: its chapters, and the part of a chapter that a command
/// works on.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../text/chapter_folder.hpp"
#include "../text/files.hpp"
#include "commands.hpp"

namespace warpwise::cli {

using text::ChapterFolder;
using text::read_text;
using text::shown_path;
using text::text_or_nothing;

std::filesystem::path root_folder();
std::filesystem::path build_folder();
/// With what a student's folder lacks, and with the programs (common/text/installation.hpp); in a clone
/// root_folder() and build_folder().
std::filesystem::path course_folder();
std::filesystem::path programs_folder();

/// Its chapters that belong to its build: a folder that CMakeLists.txt does not name yet is not a chapter.
std::vector<ChapterFolder> chapters_of_this_clone();

/// The chapter that `word` names: "ch01_naive", "ch01", "01", "1" or "naive". Throws Failure (wrong usage)
/// with a suggestion if there is none.
ChapterFolder chapter_named(std::string_view word, const std::vector<ChapterFolder>& chapters);
ChapterFolder chapter_named(std::string_view word);

/// Made by ./warpwise handout, and not the course itself.
bool is_handout();
/// What to say where a solution, or what is made from it, was asked for and is not there: that the instructor
/// adds it, and when; if this is not a handout, that it is missing.
Failure no_solution(const ChapterFolder& chapter);
/// The same as one sentence, for what is not a failure: "The solutions come on 1 December 2026, as a commit."
std::string solutions_come();

/// The exercise, the solution, an attempt or another correct solution: the source and its module; the
/// implementation, if it is one.
struct Subject {
  std::filesystem::path source;
  std::filesystem::path module;
  std::optional<text::Implementation> implementation = std::nullopt;
  std::filesystem::path handed_out = {};  ///< the module as a handout has it, where the source is not whole
  std::string kernel = {};                ///< the only one that is wanted in the module; empty: all
};

/// `attempt`: the name of one, or a path that ends in it; empty: the exercise, or the solution. Throws
/// Failure if there is no such attempt, and if the solution is not there (attempts are made from it), nor a
/// module of the attempt. `kernel`: the only one that is wanted; empty: all.
Subject subject_of(const ChapterFolder& chapter, bool uses_solution, const std::string& attempt,
                   const std::string& kernel = {});
/// What is right and written otherwise, by its name.
Subject accepted_subject(const ChapterFolder& chapter, const std::string& name);

/// Throws Failure if the exercise is gone, with the way to bring it back.
void expect_source(const ChapterFolder& chapter, const Subject& subject);

/// The first kernel of the exercise for which its function `function`, no kernel, is to be written; empty
/// if there is none.
std::string kernel_that_calls(const ChapterFolder& chapter, const std::string& function);

/// Throws Failure if the chapter declares no such kernel; an empty name is none.
void expect_kernel(const ChapterFolder& chapter, const std::string& kernel);

}  // namespace warpwise::cli
