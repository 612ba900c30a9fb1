#pragma once
/// \file A chapter of the course as it lies in the repository, chNN_name/.

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "contract.hpp"
#include "kernel_page.hpp"
#include "source.hpp"

namespace warpwise::text {

/// A value that is made once, by whoever asks first; the others wait.
template <class T>
class Once {
 public:
  /// What `make()` gave the first time. Where it throws, the next one tries again.
  template <class Make>
  const T& get(Make make) {
    std::call_once(flag_, [&] { value_.emplace(make()); });
    return *value_;
  }

 private:
  std::once_flag flag_;
  std::optional<T> value_;
};

/// What its files say. Each is read when it is first asked for, and never again: copies of a chapter share
/// what was read. May be asked by several threads.
class Chapter {
 public:
  /// `folder`: where it lies; `built`: the same place in the build tree.
  Chapter(std::string name, std::filesystem::path folder, std::filesystem::path built = {});
  /// The same folder, of which nothing has been read yet.
  Chapter read_anew() const { return {name, folder, built}; }

  std::string name;  ///< "ch01_naive"
  std::filesystem::path folder, built;

  std::string short_name() const { return name.substr(0, 4); }  ///< "ch01"
  std::filesystem::path exercise_file() const { return folder / "exercise.cu"; }
  std::filesystem::path solution_file() const { return folder / "solution.cu"; }
  std::filesystem::path contract_file() const { return folder / "kernels.hpp"; }
  std::filesystem::path checks_folder() const { return folder / "checks"; }
  std::filesystem::path predictions_file() const { return folder / "lesson" / "predict.md"; }
  std::filesystem::path executable() const { return built / name; }
  bool has_exercise() const { return std::filesystem::exists(exercise_file()); }
  bool has_solution() const { return std::filesystem::exists(solution_file()); }

  /// The first heading of its README.md, without the `#`; the name if there is none.
  const std::string& title() const;
  /// What the student has written; an empty source if the file is gone.
  const Source& exercise() const;
  /// An empty source if there is none, as in a handout.
  const Source& solution() const;
  /// The text of kernels.hpp, and what it says of each kernel; empty if it is missing.
  const std::string& contract_text() const;
  const std::vector<Contract>& contracts() const;
  Contract contract(std::string_view kernel) const { return contract_of(contracts(), kernel); }
  /// kernels/*.md, in the order of the contracts; those called after no kernel last. Throws PageError.
  const std::vector<KernelPage>& pages() const;
  /// Of all pages, by name: wrong ways to write its kernels, and right ones. Throw PageError.
  const std::vector<Way>& attempts() const;
  const std::vector<Way>& accepted() const;

 private:
  struct Read;
  std::shared_ptr<Read> read_;
};

/// All chapters below `root`, ascending: the folders chNN_name that hold a kernels.hpp. `build`: the build
/// tree.
std::vector<Chapter> find_chapters(const std::filesystem::path& root, const std::filesystem::path& build);

}  // namespace warpwise::text
