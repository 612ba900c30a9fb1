#pragma once
/// \file Submissions that are alike. They are pointed out, not judged: an instructor reads both.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "assignment.hpp"
#include "results.hpp"

namespace warpwise::grade {

// --- Similarities ------------------------------------------------------------------------------------------

/// The hashes of these solutions of the chapter. An empty source is no solution, and left out.
PublicWork public_work_of(const std::vector<text::Source>& solutions, const Assignment& assignment);
/// The file's text, and back; words that it does not know are left out.
std::string spelled(const PublicWork& work);
PublicWork parse_public_work(std::string_view text);

/// What `source` is compared by. What the skeleton and the public solution have is not anybody's own, and
/// left out: the chapter's solution.cu, or what its PublicWork::file says.
Fingerprints fingerprints_of(const std::string& source, const Assignment& assignment);

/// Two submissions to one chapter that are alike.
struct Similarity {
  std::string chapter, one, other;
  bool is_same = false;    ///< token for token, names and comments and layout aside
  unsigned percent = 100;  ///< of the pieces of the shorter one that the other has, too
  std::size_t shared_pieces = 0;
};

/// All pairs that are the same or share at least 60 % of their own pieces, and 6 of them; by chapter, then
/// the most alike first. Skeletons, and files that are the public solution throughout, make no pair.
std::vector<Similarity> similarities(const std::vector<SubmissionResult>& results);

/// The page copies.txt: those pairs, and who handed in kernels that are the public solution.
std::string copies_page(const std::vector<SubmissionResult>& results);

// --- Tokens: what two files are compared by ----------------------------------------------------------------

/// The tokens of `source`. A name that somebody chose is `$`; those of the language and of CUDA, and `kept`,
/// stay, and so do numbers and signs; a literal is `"`, an #include is left out.
std::vector<std::string> tokens_of(std::string_view source, const std::vector<std::string>& kept = {});

/// The same with `$0`, `$1` ... for the first, second ... name, so that two texts are equal only where names
/// stand for each other.
std::vector<std::string> renamed_tokens_of(std::string_view source,
                                           const std::vector<std::string>& kept = {});

/// Hashes of pieces of 12 tokens, of which one is taken from any 8 that follow each other ("Winnowing: local
/// algorithms for document fingerprinting", S. Schleimer, D. Wilkerson, A. Aiken, SIGMOD 2003): what two
/// texts share for 19 tokens or more shows up in both. Ascending, each once.
std::vector<std::uint64_t> fingerprints_of(const std::vector<std::string>& tokens);

}  // namespace warpwise::grade
