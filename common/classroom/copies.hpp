#pragma once
/// \file Submissions that are alike. They are pointed out, not judged: an instructor reads both.

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "course.hpp"
#include "result.hpp"

namespace warpwise::classroom {

/// What is public of a chapter, in hashes, so that no line of it stands there; who tries can guess it, piece
/// by piece. A folder that grades without solutions has them in `file`, below the chapter.
struct PublicWork {
  static constexpr const char* file = "public_work.txt";
  std::vector<std::uint64_t> pieces;  ///< ascending
  std::set<std::string> kernels;      ///< "reduce_max 1f2e3d4c5b6a7988"
};
/// Of these solutions of the chapter, of which an empty one is none.
PublicWork public_work_of(const std::vector<std::string>& solutions, const CourseChapter& chapter);
/// The file's text, and back; words that it does not know are left out.
std::string spelled(const PublicWork& work);
PublicWork parse_public_work(std::string_view text);

/// What `source` is compared by. What the skeleton and the public solution have is not anybody's own, and
/// left out: the chapter's solution.cu, or what its PublicWork::file says.
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
