#pragma once
/// \file Keeps the output of a kernel, so that two runs can be compared word by word (`cmp -l`).

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace warpwise::simulator::tests {

/// Writes FOLDER/SEED.words: the words as they lie in memory. Says so on stderr where that fails.
inline void save_words(const std::vector<std::uint32_t>& words, const std::string& folder,
                       std::uint64_t seed) {
  const std::string path = folder + "/" + std::to_string(seed) + ".words";
  std::FILE* file = std::fopen(path.c_str(), "wb");
  const bool is_written = file != nullptr && std::fwrite(words.data(), 4, words.size(), file) == words.size();
  if (file != nullptr) std::fclose(file);
  if (!is_written) std::fprintf(stderr, "cannot write %s\n", path.c_str());
}

}  // namespace warpwise::simulator::tests
