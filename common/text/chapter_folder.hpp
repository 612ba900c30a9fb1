#pragma once
/// \file A chapter of the course as it lies in the repository, chNN_name/, and the contract of its kernels.

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../report/report.hpp"
#include "hints.hpp"
#include "kernel_page.hpp"
#include "source.hpp"

namespace warpwise::text {

// --- What kernels.hpp says of each kernel -----------------------------------------------------------------

/// Where its declaration is, and the technique that is asked for.
struct Contract {
  std::string kernel;
  unsigned line = 0;        ///< of the declaration, from 1; 0: there is none
  std::string declaration;  ///< "WARPWISE_KERNEL(name, (const float* in));", as one line
  std::string technique;    ///< "strides blockDim.x / 2, / 4 ... 1, and ..."; empty if nothing is said of it
};

/// Of the kernels that `text`, the contents of a kernels.hpp, declares, in its order. A technique stands
/// behind the word "Technique" in the comment above the declaration, or else in the comment `//` above its
/// group, up to the end of the comment or its reference to a book.
std::vector<Contract> contracts_in(std::string_view text);
/// The same of the file at `path`; none if there is no such file.
std::vector<Contract> read_contracts(const std::string& path);

/// The one of `kernel`; an empty one if there is none.
Contract contract_of(const std::vector<Contract>& contracts, std::string_view kernel);

/// Of the `messages` of a compiler: "the first error is the one to fix.", or where to look instead: of a
/// missing brace the first errors are about what stands after it.
std::string error_to_mend(std::string_view messages);

/// One sentence where `messages` of a compiler say that a kernel is defined with another signature than
/// `contracts` (of the kernels.hpp at `path`) declare; else empty.
std::string signature_advice(std::string_view messages, const std::vector<Contract>& contracts,
                             const std::string& path);

// --- The chapter ------------------------------------------------------------------------------------------

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
class ChapterFolder {
 public:
  /// `folder`: where it lies; `built`: the same place in the build tree.
  ChapterFolder(std::string name, std::filesystem::path folder, std::filesystem::path built = {});
  /// The same folder, of which nothing has been read yet.
  ChapterFolder read_anew() const;

  std::string name;  ///< "ch01_naive"
  std::filesystem::path folder, built;
  /// Where the course has it, with its solution, and where its program is; elsewhere only where a wheel
  /// brings them (installation.hpp).
  std::filesystem::path course = folder, programs = built;

  std::string short_name() const { return report::short_name(name); }  ///< "ch01"
  std::filesystem::path exercise_file() const { return folder / "exercise.cu"; }
  std::filesystem::path solution_file() const { return course / "solution.cu"; }
  std::filesystem::path contract_file() const { return folder / "kernels.hpp"; }
  std::filesystem::path hints_file() const { return folder / "hints.md"; }
  std::filesystem::path checks_folder() const { return folder / "checks"; }
  std::filesystem::path predictions_file() const { return course / "lesson" / "predict.md"; }
  /// Of a handout: attempts as modules, NAME.ptx and NAME.cu (course/handout/handout.hpp).
  std::filesystem::path modules_folder() const { return folder / "attempts"; }
  std::filesystem::path executable() const { return programs / name; }
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
  /// What hints.md says, in its order; none if there is no such file. Throws PageError.
  const std::vector<KernelHints>& hints() const;
  /// What all pages kernels/*.md say, by name: implementations to write the kernels, wrong ones and right
  /// ones. Throw PageError.
  const std::vector<Implementation>& implementations() const;
  const std::vector<Implementation>& attempts() const;
  const std::vector<Implementation>& accepted() const;

 private:
  struct Read;
  std::shared_ptr<Read> read_;
};

/// "ch08_"
bool begins_as_chapter(std::string_view name);

/// All chapters below `root`, ascending: the folders chNN_name that hold a kernels.hpp. `build`: the build
/// tree.
std::vector<ChapterFolder> find_chapters(const std::filesystem::path& root,
                                         const std::filesystem::path& build);

}  // namespace warpwise::text
