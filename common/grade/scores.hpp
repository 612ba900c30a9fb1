#pragma once
/// \file Results as other programs and people read them. Each is a printer of the same results.

#include <string>
#include <vector>

#include "result.hpp"

namespace warpwise::grade {

/// A row a submission: name, points, most, then for each chapter its verdict and the points of each kernel's
/// aspects.
std::string csv_of(const std::vector<SubmissionResult>& results);

/// JUnit's XML, as GitLab, Jenkins and GitHub's actions read it: a suite for each submission and chapter, a
/// case for each kernel and aspect, with what the student is told of a failure.
std::string junit_of(const std::vector<SubmissionResult>& results);

/// Gradescope's results.json of one submission (gradescope-autograders.readthedocs.io, "Autograder
/// Specifications").
std::string gradescope_of(const SubmissionResult& result);

/// What the student is told: the feedback on each chapter.
std::string feedback_of(const SubmissionResult& result);

/// A table for a terminal: name, points of each chapter, total, and what is worth a look.
std::string table_of(const std::vector<SubmissionResult>& results);

}  // namespace warpwise::grade
