#pragma once
/// \file Where things are on this machine: the clone and its build, and the compilers. No program has a path
/// compiled in: each finds the file `installation.txt`, which the build writes, in the nearest folder above
/// its own that has one. So a clone with its build can be moved.
///
///     root ..
///     nvrtc ../.toolkit/nvrtc-13.5/lib/libnvrtc.so.13
///     nvcc /usr/local/cuda/bin/nvcc
///
/// A path that is not absolute begins at the folder of the file. The environment variable
/// WARPWISE_INSTALLATION names another file: that of a folder which the wheel keeps (python/warpwise), whose
/// programs and solutions lie elsewhere.

#include <filesystem>
#include <string>
#include <vector>

namespace warpwise::text {

inline constexpr const char* installation_file = "installation.txt";

/// What is not there has an empty path.
struct Installation {
  std::filesystem::path root;   ///< the clone, or the student's folder
  std::filesystem::path build;  ///< the folder of the file: what is made from what stands there
  /// What the student's folder lacks: solutions, pages of kernels, headers. In a clone `root`.
  std::filesystem::path course;
  std::filesystem::path programs;  ///< where a build has laid them; in a clone `build`
  bool is_built = false;           ///< they are there already, and nothing here builds them
  std::filesystem::path nvrtc;     ///< NVIDIA's library that compiles kernels: libnvrtc.so.13
  /// With CUB, cooperative groups and the like, below which their folder `cccl` may lie.
  std::filesystem::path device_headers;
  std::filesystem::path nvcc;             ///< of the CUDA toolkit, for files with host code
  std::vector<std::string> nvcc_options;  ///< which host compiler it takes
  std::string toolkit_version;            ///< "13.0.88"
  std::filesystem::path runtime_bundle;   ///< what `exec` links
};

/// That of this program, read once. Throws std::runtime_error where there is no such file.
const Installation& installation();
/// That which the file at `path` describes. Throws std::runtime_error where it cannot be read.
Installation read_installation(const std::filesystem::path& path);

/// The folder of the program that runs.
std::filesystem::path program_folder();
/// For a program of a lesson, build/chNN_name/programs/NAME: `module` in its chapter's folder.
std::string built_module(const std::string& module);

}  // namespace warpwise::text
