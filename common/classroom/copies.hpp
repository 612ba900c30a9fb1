#pragma once
/// \file Submissions that are alike. They are pointed out, not judged: an instructor reads both.

#include <string>
#include <vector>

#include "course.hpp"
#include "result.hpp"

namespace warpwise::classroom {

/// What `source` is compared by. What the skeleton and the public solution have is not anybody's own, and
/// left out; in a course without solutions the skeleton's alone.
Fingerprints fingerprints_of(const std::string& source, const CourseChapter& chapter);

/// Two submissions to one chapter that are alike.
struct Likeness {
  std::string chapter, one, other;
  bool is_same = false;    ///< token for token, names and comments and layout aside
  unsigned percent = 100;  ///< of the pieces of the shorter one that the other has, too
  std::size_t shared_pieces = 0;
};

/// All pairs that are the same or share at least 60 % of their own pieces, and 6 of them; by chapter, then
/// the most alike first. Skeletons, and files that are the public solution throughout, make no pair.
std::vector<Likeness> likenesses(const std::vector<SubmissionResult>& results);

/// The page copies.txt: those pairs, and who handed in kernels that are the public solution.
std::string copies_page(const std::vector<SubmissionResult>& results);

}  // namespace warpwise::classroom
