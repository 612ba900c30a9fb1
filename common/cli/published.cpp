#include "published.hpp"

#include <fstream>
#include <iterator>
#include <sstream>

namespace warpwise::cli {

namespace fs = std::filesystem;

void read_published(std::string_view text, const std::string& chapter, PublishedTimes& times) {
  constexpr std::string_view on = " on ", unit = " GB/s";
  std::istringstream stream{std::string(text)};
  for (std::string line; std::getline(stream, line);) {
    const std::size_t place = line.find(on), colon = line.find(": ", place), comma = line.rfind(", ");
    if (place == line.npos || colon == line.npos || comma == line.npos || !line.ends_with(unit)) continue;
    std::istringstream words(line.substr(0, place)), speed(line.substr(comma + 2));
    std::string kernel;
    double gigabytes = 0;
    if (!(words >> kernel) || !(speed >> gigabytes)) continue;
    times.gpu = line.substr(place + on.size(), colon - place - on.size());
    times.gigabytes[chapter + " " + kernel] = gigabytes;
  }
}

PublishedTimes published_in(const fs::path& folder) {
  PublishedTimes times;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() != ".txt" || !name.starts_with("ch")) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    read_published(std::string(std::istreambuf_iterator<char>(file), {}), name, times);
  }
  return times;
}

}  // namespace warpwise::cli
