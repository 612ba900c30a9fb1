/// \file unpack_fuzz_corpus CORPUS FOLDER: one file a text, as libFuzzer wants its seeds.

#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "fuzz_corpus.hpp"

int main(int count, char** words) {
  if (count != 3) {
    std::cerr << "usage: unpack_fuzz_corpus CORPUS FOLDER\n";
    return 2;
  }
  try {
    const std::filesystem::path folder = words[2];
    std::filesystem::create_directories(folder);
    for (const auto& text : warpwise::simulator::ptx::testing::read_fuzz_corpus(words[1])) {
      std::ofstream file(folder / text.name, std::ios::binary);
      file << text.bytes;
      if (!file.flush()) throw std::runtime_error("cannot write " + (folder / text.name).string());
    }
  } catch (const std::exception& error) {
    std::cerr << "unpack_fuzz_corpus: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
