#include "similarity.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <set>
#include <span>
#include <sstream>
#include <tuple>

#include "../text/files.hpp"
#include "../text/source.hpp"
#include "untrusted.hpp"

namespace warpwise::grade {
namespace {

namespace fs = std::filesystem;

constexpr unsigned least_percent = 60;
constexpr std::size_t least_pieces = 6;
constexpr std::size_t least_own_pieces = 3;

constexpr std::size_t piece_length = 12;  ///< in tokens

/// One hash of all of them.
std::uint64_t hash_of_all(std::span<const std::string> tokens) {
  std::uint64_t hash = text::hash_of("");
  for (const std::string& token : tokens) hash = text::hash_of(" ", text::hash_of(token, hash));
  return hash;
}

/// A hash of each piece, in the order of the tokens.
std::vector<std::uint64_t> pieces_in(std::span<const std::string> tokens) {
  std::vector<std::uint64_t> pieces;
  for (std::size_t at = 0; at + piece_length <= tokens.size(); ++at)
    pieces.push_back(hash_of_all(tokens.subspan(at, piece_length)));
  return pieces;
}

/// "reduce_max 1f2e3d4c5b6a7988": the kernel and what it calls, names aside; empty if there is none.
std::string hash_of_kernel(const text::Source& source, const std::string& kernel,
                           const std::vector<std::string>& kept) {
  std::string code;
  for (const text::Function& function : source.kernel_and_callees(kernel)) code += function.code;
  if (code.empty()) return {};
  return kernel + ' ' + text::hexadecimal(hash_of_all(renamed_tokens_of(code, kept)));
}

/// All pieces of the source, not only the chosen ones: which are chosen depends on what stands around them.
std::vector<std::uint64_t> all_pieces_of(const std::string& source, const std::vector<std::string>& kept) {
  std::vector<std::uint64_t> pieces = pieces_in(tokens_of(source, kept));
  std::sort(pieces.begin(), pieces.end());
  return pieces;
}

void remove_pieces(std::vector<std::uint64_t>& pieces, const std::vector<std::uint64_t>& known) {
  std::erase_if(pieces,
                [&](std::uint64_t piece) { return std::binary_search(known.begin(), known.end(), piece); });
}

/// The names that stay: those of the contract, which the handout knows as well.
std::vector<std::string> kept_names(const Assignment& assignment) {
  std::vector<std::string> names;
  for (const text::Contract& contract : assignment.chapter.contracts()) names.push_back(contract.kernel);
  return names.empty() ? assignment.kernels : names;
}

std::size_t count_shared(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
  std::vector<std::uint64_t> shared;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(shared));
  return shared.size();
}

/// A submission to one chapter, with work of its own in it.
struct Entry {
  const std::string* name;
  const Fingerprints* prints;
};

std::map<std::string, std::vector<Entry>> entries_by_chapter(const std::vector<SubmissionResult>& results) {
  std::map<std::string, std::vector<Entry>> chapters;
  for (const SubmissionResult& result : results) {
    for (const ChapterResult& chapter : result.chapters) {
      const bool has_own_work = !chapter.fingerprints.whole.empty() && !chapter.fingerprints.is_skeleton &&
                                chapter.fingerprints.pieces.size() >= least_own_pieces;
      if (has_own_work) chapters[chapter.chapter].push_back({&result.name, &chapter.fingerprints});
    }
  }
  return chapters;
}

void compare(const std::string& chapter, const Entry& a, const Entry& b, std::vector<Similarity>& found) {
  const std::size_t shared = count_shared(a.prints->pieces, b.prints->pieces);
  const std::size_t shorter = std::min(a.prints->pieces.size(), b.prints->pieces.size());
  const auto percent = static_cast<unsigned>(100 * shared / shorter);
  const bool is_same = a.prints->whole == b.prints->whole;
  if (is_same || (percent >= least_percent && shared >= least_pieces))
    found.push_back({chapter, *a.name, *b.name, is_same, percent, shared});
}

}  // namespace

PublicWork public_work_of(const std::vector<text::Source>& solutions, const Assignment& assignment) {
  const std::vector<std::string> kept = kept_names(assignment);
  PublicWork work;
  for (const text::Source& solution : solutions) {
    const std::vector<std::uint64_t> pieces = all_pieces_of(solution.text(), kept);
    work.pieces.insert(work.pieces.end(), pieces.begin(), pieces.end());
    for (const std::string& kernel : kept) work.kernels.insert(hash_of_kernel(solution, kernel, kept));
  }
  std::sort(work.pieces.begin(), work.pieces.end());
  work.pieces.erase(std::unique(work.pieces.begin(), work.pieces.end()), work.pieces.end());
  work.kernels.erase("");
  return work;
}

std::string spelled(const PublicWork& work) {
  std::string text =
      "Hashes of the public solutions, for copies.txt. Not for students: anyone who tries can guess a "
      "solution.\n";
  for (const std::string& kernel : work.kernels) text += "kernel " + kernel + '\n';
  for (const std::uint64_t piece : work.pieces) text += "piece " + text::hexadecimal(piece) + '\n';
  return text;
}

PublicWork parse_public_work(std::string_view text) {
  PublicWork work;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string kind, first, second;
    words >> kind >> first >> second;
    if (kind == "kernel") work.kernels.insert(first + ' ' + second);
    if (kind == "piece") work.pieces.push_back(std::strtoull(first.c_str(), nullptr, 16));
  }
  std::sort(work.pieces.begin(), work.pieces.end());
  return work;
}

Fingerprints fingerprints_of(const std::string& text, const Assignment& assignment) {
  const std::vector<std::string> kept = kept_names(assignment);
  const text::Source& exercise = assignment.chapter.exercise();
  const std::string& skeleton = exercise.text();
  const PublicWork& known = assignment.public_work();
  Fingerprints prints;
  const std::vector<std::string> renamed = renamed_tokens_of(text, kept);
  prints.whole = text::hexadecimal(hash_of_all(renamed));
  // Where grading is tried in a clone in which the exercise is solved, the same file is none.
  prints.is_skeleton =
      renamed == renamed_tokens_of(skeleton, kept) &&
      std::ranges::any_of(assignment.kernels, [&](const auto& one) { return exercise.is_skeleton(one); });
  prints.pieces = fingerprints_of(tokens_of(text, kept));
  remove_pieces(prints.pieces, all_pieces_of(skeleton, kept));
  remove_pieces(prints.pieces, known.pieces);
  const text::Source source(text);
  for (const std::string& kernel : assignment.kernels)
    if (known.kernels.contains(hash_of_kernel(source, kernel, kept))) prints.as_public.push_back(kernel);
  return prints;
}

std::vector<Similarity> similarities(const std::vector<SubmissionResult>& results) {
  std::vector<Similarity> found;
  for (const auto& [chapter, entries] : entries_by_chapter(results))
    for (std::size_t i = 0; i < entries.size(); ++i)
      for (std::size_t j = i + 1; j < entries.size(); ++j) compare(chapter, entries[i], entries[j], found);
  std::sort(found.begin(), found.end(), [](const Similarity& a, const Similarity& b) {
    return std::tuple(std::string_view(a.chapter), !a.is_same, 100 - a.percent, std::string_view(a.one),
                      std::string_view(a.other)) < std::tuple(std::string_view(b.chapter), !b.is_same,
                                                              100 - b.percent, std::string_view(b.one),
                                                              std::string_view(b.other));
  });
  return found;
}

std::string copies_page(const std::vector<SubmissionResult>& results) {
  std::string page =
      "Submissions that are alike, without comments, layout and names. This is not a judgement: read both.\n"
      "What they share are pieces of 12 tokens that neither the skeleton nor the public solution has.\n\n";
  const std::vector<Similarity> pairs = similarities(results);
  for (const Similarity& pair : pairs)
    page += pair.chapter + "  " + visible_line(pair.one) + "  " + visible_line(pair.other) + "  " +
            (pair.is_same
                 ? "the same"
                 : std::to_string(pair.percent) + " % (" + std::to_string(pair.shared_pieces) + " pieces)") +
            "\n";
  if (pairs.empty()) page += "none\n";
  page += "\nKernels that are the public solution, names and layout aside:\n\n";
  bool has_public = false;
  for (const SubmissionResult& result : results) {
    for (const ChapterResult& chapter : result.chapters) {
      if (chapter.fingerprints.as_public.empty()) continue;
      has_public = true;
      page += chapter.chapter + "  " + visible_line(result.name) + "  " +
              std::to_string(chapter.fingerprints.as_public.size()) + " of " +
              std::to_string(chapter.kernels.size()) + ":";
      for (const std::string& kernel : chapter.fingerprints.as_public) page += " " + kernel;
      page += "\n";
    }
  }
  return page + (has_public ? "" : "none\n");
}

// --- Tokens -----------------------------------------------------------------------------------------------

namespace {

/// Whether a name is the language's or CUDA's, so that it says what is done. Those that begin with two
/// underscores are all.
bool is_known(std::string_view name) {
  static const std::set<std::string_view> known = {
      "alignas",   "asm",       "auto",       "blockDim",  "blockIdx",  "bool",     "break",     "case",
      "char",      "class",     "const",      "constexpr", "continue",  "decltype", "default",   "do",
      "double",    "else",      "enum",       "extern",    "false",     "float",    "float2",    "float4",
      "for",       "gridDim",   "if",         "inline",    "int",       "int2",     "int4",      "long",
      "namespace", "nullptr",   "operator",   "return",    "short",     "signed",   "sizeof",    "static",
      "struct",    "switch",    "template",   "threadIdx", "true",      "typedef",  "typename",  "uint2",
      "uint4",     "union",     "unsigned",   "using",     "void",      "volatile", "while",     "warpSize",
      "atomicAdd", "atomicCAS", "atomicExch", "atomicMax", "atomicMin", "atomicOr", "atomicAnd", "fmaxf",
      "fminf",     "max",       "min",        "define",    "pragma",    "unroll"};
  return name.starts_with("__") || known.count(name) != 0;
}

enum class TokenKind { name, number, literal, sign };
struct Token {
  TokenKind kind = TokenKind::sign;
  std::string_view text;
};

/// Cuts a source into tokens; knows comments, literals, numbers, names, and signs of one character.
class Scanner {
 public:
  explicit Scanner(std::string_view rest) : rest_(rest) {}

  /// False at the end.
  bool next(Token& token) {
    while (skip_unread()) {
    }
    if (rest_.empty()) return false;
    const char c = rest_.front();
    if (c == '"' || c == '\'')
      token = {TokenKind::literal, take(literal_length(c))};
    else if (text::is_digit(c))
      token = {TokenKind::number, take(length([](char d) { return text::is_of_name(d) || d == '.'; }))};
    else if (text::is_of_name(c))
      token = {TokenKind::name, take(length(text::is_of_name))};
    else
      token = {TokenKind::sign, take(1)};
    return true;
  }

 private:
  std::string_view take(std::size_t n) {
    const std::string_view taken = rest_.substr(0, n);
    rest_.remove_prefix(taken.size());
    return taken;
  }
  template <class Fits>
  std::size_t length(Fits fits) const {
    return static_cast<std::size_t>(std::find_if_not(rest_.begin(), rest_.end(), fits) - rest_.begin());
  }
  std::size_t literal_length(char quote) const {
    std::size_t at = 1;
    while (at < rest_.size() && rest_[at] != quote && rest_[at] != '\n') at += rest_[at] == '\\' ? 2 : 1;
    return at + 1;
  }
  /// Layout, a comment, an #include.
  bool skip_unread() {
    if (rest_.empty()) return false;
    if (std::isspace(static_cast<unsigned char>(rest_.front())) != 0) return !take(1).empty();
    if (rest_.starts_with("//")) return !take(std::min(rest_.find('\n'), rest_.size())).empty();
    if (rest_.starts_with("/*")) {
      const std::size_t end = rest_.find("*/", 2);
      return !take(end == rest_.npos ? rest_.size() : end + 2).empty();
    }
    if (rest_.starts_with("#include")) return !take(std::min(rest_.find('\n'), rest_.size())).empty();
    return false;
  }

  std::string_view rest_;
};

template <class Rename>
std::vector<std::string> tokens(std::string_view source, const std::vector<std::string>& kept,
                                Rename rename) {
  const std::set<std::string_view> keeps(kept.begin(), kept.end());
  std::vector<std::string> result;
  Scanner scanner(source);
  for (Token token; scanner.next(token);) {
    if (token.kind == TokenKind::name && !is_known(token.text) && keeps.count(token.text) == 0)
      result.push_back(rename(token.text));
    else
      result.emplace_back(token.kind == TokenKind::literal ? std::string_view("\"") : token.text);
  }
  return result;
}

}  // namespace

std::vector<std::string> tokens_of(std::string_view source, const std::vector<std::string>& kept) {
  return tokens(source, kept, [](std::string_view) { return std::string("$"); });
}

std::vector<std::string> renamed_tokens_of(std::string_view source, const std::vector<std::string>& kept) {
  std::map<std::string, std::size_t, std::less<>> numbers;
  return tokens(source, kept, [&](std::string_view name) {
    return "$" + std::to_string(numbers.try_emplace(std::string(name), numbers.size()).first->second);
  });
}

std::vector<std::uint64_t> fingerprints_of(const std::vector<std::string>& tokens) {
  constexpr std::size_t window = 8;
  const std::vector<std::uint64_t> hashes = pieces_in(tokens);
  std::set<std::uint64_t> chosen;
  const std::size_t windows =
      hashes.size() < window ? std::min<std::size_t>(hashes.size(), 1) : hashes.size() - window + 1;
  for (std::size_t at = 0; at < windows; ++at) {
    const auto begin = hashes.begin() + static_cast<std::ptrdiff_t>(at);
    const auto end = hashes.begin() + static_cast<std::ptrdiff_t>(std::min(at + window, hashes.size()));
    chosen.insert(*std::min_element(begin, end));
  }
  return {chosen.begin(), chosen.end()};
}

}  // namespace warpwise::grade
