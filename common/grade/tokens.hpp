#pragma once
/// \file The tokens of a .cu file, as far as two files are compared: without comments, layout and names.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::grade {

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

/// One hash of all of them.
std::uint64_t hash_of_all(const std::vector<std::string>& tokens);

}  // namespace warpwise::grade
