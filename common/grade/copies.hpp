#pragma once
/// \file Submissions that are alike. They are pointed out, not judged: an instructor reads both.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "assignment.hpp"
#include "result.hpp"

namespace warpwise::grade {

/// The hashes of these solutions of the chapter. An empty source is no solution, and left out.
PublicWork public_work_of(const std::vector<text::Source>& solutions, const Assignment& assignment);
/// The file's text, and back; words that it does not know are left out.
std::string spelled(const PublicWork& work);
PublicWork parse_public_work(std::string_view text);

/// What `source` is compared by. What the skeleton and the public solution have is not anybody's own, and
/// left out: the chapter's solution.cu, or what its PublicWork::file says.
Fingerprints fingerprints_of(const std::string& source, const Assignment& assignment);

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

}  // namespace warpwise::grade
