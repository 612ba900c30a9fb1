#pragma once
/// \file A folder that goes with its object.

#include <stdlib.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>

namespace warpwise::text {

/// Below the system's folder for temporary files; removed at the end with all that is in it.
class TemporaryFolder {
 public:
  /// Throws std::runtime_error where it cannot be made.
  TemporaryFolder() {
    const std::filesystem::path above = std::filesystem::temp_directory_path();
    std::string name = (above / "warpwise-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw std::runtime_error("cannot make a folder in " + above.string() + ": " + std::strerror(errno) +
                               ".");
    path_ = name;
  }
  ~TemporaryFolder() {
    // What was killed in it may still write for a moment.
    constexpr int most_tries = 50;
    std::error_code error;
    for (int i = 0; i < most_tries; ++i) {
      std::filesystem::remove_all(path_, error);
      if (!error) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
  TemporaryFolder(const TemporaryFolder&) = delete;  ///< it is removed once
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace warpwise::text
