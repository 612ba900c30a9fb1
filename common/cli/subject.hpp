#pragma once
/// \file What a command of the student's loop is about: the exercise, the solution or an attempt.

#include <filesystem>
#include <optional>
#include <string>

#include "../text/kernel_page.hpp"
#include "chapters.hpp"

namespace warpwise::cli {

/// The source, its target in the build, its module; the attempt, where it is one.
struct Subject {
  std::filesystem::path source;
  std::string target;
  std::filesystem::path module;
  std::optional<text::AttemptText> attempt = std::nullopt;
};

/// `attempt`: a name below attempts/, or a path that ends in one; empty: the exercise, or the solution.
/// Throws Failure where there is no such attempt, and where the solution is not there (attempts are made from
/// it).
Subject subject_of(const Chapter& chapter, bool uses_solution, const std::string& attempt);
/// What is right and written otherwise: a paragraph of accepted.md, by its name.
Subject accepted_subject(const Chapter& chapter, const std::string& name);

/// Throws Failure where the exercise is gone, with the way to bring it back.
void expect_source(const Chapter& chapter, const Subject& subject);

/// The first kernel of the exercise for which its function `function`, no kernel, is to be written; empty
/// where there is none.
std::string kernel_that_calls(const Chapter& chapter, const std::string& function);

/// Throws Failure where the chapter declares no such kernel; an empty name is none.
void expect_kernel(const Chapter& chapter, const std::string& kernel);

}  // namespace warpwise::cli
