#pragma once
/// \file What grading needs to know about the course.

#include <filesystem>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "../text/chapter_folder.hpp"

namespace warpwise::grade {

/// A file of the course that a submission may include.
struct Header {
  std::filesystem::path name;  ///< relative to the folder of the course
  std::string text;
};

/// What is public of a chapter, in hashes, so that no line of it stands there; who tries can guess it, piece
/// by piece. A folder that grades without solutions has them in `file`, below the chapter.
struct PublicWork {
  static constexpr const char* file = "public_work.txt";
  std::vector<std::uint64_t> pieces;  ///< ascending
  std::set<std::string> kernels;      ///< "reduce_max 1f2e3d4c5b6a7988"
};

/// A chapter that is graded. What it says is read once, and serves all submissions.
class Assignment {
 public:
  explicit Assignment(text::ChapterFolder chapter, std::vector<std::string> kernels = {});

  text::ChapterFolder chapter;
  std::vector<std::string> kernels;  ///< exercises, in the order of the chapter; known once it is built

  const std::string& name() const { return chapter.name; }
  /// Whether its kernels.hpp declares the kernel.
  bool declares(std::string_view kernel) const { return chapter.contract(kernel).line != 0; }
  /// What exercise.cu, solution.cu and kernels.hpp include by a name in quotes, and what that includes, with
  /// kernels.hpp itself; by name.
  const std::vector<Header>& headers() const;
  /// Of the chapter's solution.cu, or what its PublicWork::file says (similarity.hpp).
  const PublicWork& public_work() const;
  /// A hash of the headers and the files in checks/: tells one version of the checks from another. The
  /// program that was built of them and the compiler are left out, because parts of a class that were graded
  /// on several machines are merged.
  std::string version() const;

 private:
  struct Read;
  std::shared_ptr<Read> read_;
};

struct Course {
  std::vector<Assignment> assignments;
  std::filesystem::path compiler;  ///< kernel_compiler (common/compile): an exercise to PTX

  /// By the chapter's name. Null if there is none.
  const Assignment* find(const std::string& chapter) const;
};

/// The one that the beginning of a name means: "ch03", "ch03_bank_conflicts", "CH3-final". Null: none.
const Assignment* assignment_meant_by(const std::string& name, const Course& course);

/// what() is one sentence for the instructor, which says what to do.
class Refusal : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace warpwise::grade
