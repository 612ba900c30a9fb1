/// \file What nvcc accepts has to be accepted, and what it refuses refused, in the same line: whoever
/// compiles a kernel elsewhere must not find another language there.
#include <fstream>

#include "common/compile/compile.hpp"
#include "common/testing/catch.hpp"
#include "common/text/files.hpp"

using namespace warpwise::compile;
using warpwise::testing::ContainsSubstring;
using warpwise::text::Installation;
namespace fs = std::filesystem;

namespace {

struct StudentFile {
  std::string name, marks, text;
  bool is(const char* mark) const { return marks.find(mark) != marks.npos; }
};

std::vector<StudentFile> student_files() {
  std::ifstream lines(std::string(WARPWISE_SOURCE_DIR) + "/tests/student_files.txt");
  std::vector<StudentFile> files;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("=== ")) {
      const std::size_t marks = std::min(line.find(" ("), line.size());
      files.push_back({line.substr(4, marks - 4), line.substr(marks), ""});
    } else if (!files.empty()) {
      files.back().text += line + (files.back().is("crlf") ? "\r\n" : "\n");
    }
  }
  for (StudentFile& file : files)
    if (file.is("mark")) file.text.insert(0, "\xEF\xBB\xBF");
  return files;
}

/// The line of the first error, in k.cu or elsewhere; 0 where there is none. A C++ compiler, which is nvcc's
/// preprocessor, writes "k.cu:3:", the compilers of kernels "k.cu(3):".
unsigned long first_error(const std::string& messages) {
  std::istringstream lines(messages);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t error = line.find("error: ");
    const std::size_t name = line.find("k.cu");
    if (error == line.npos || name > error) continue;
    return std::stoul(line.substr(name + 5));
  }
  return 0;
}

}  // namespace

TEST_CASE("every file of a student has of the compilers together the verdict of nvcc alone") {
  const Installation both = warpwise::text::installation();
  if (both.nvcc.empty()) WARPWISE_NOT_CHECKED("there is no nvcc here");
  Installation nvcc_alone = both, nvrtc_alone = both;
  nvcc_alone.nvrtc.clear();
  nvrtc_alone.nvcc.clear();

  const warpwise::text::TemporaryFolder folder;
  const Kernels kernels{.source = folder.path() / "k.cu", .include_folders = {WARPWISE_ROOT}};
  const std::vector<StudentFile> files = student_files();
  REQUIRE(files.size() > 150);
  std::size_t accepted = 0;
  for (const StudentFile& file : files) {
    warpwise::text::write_text(kernels.source, file.text);
    const Compiled expected = to_ptx(kernels, nvcc_alone);
    const Compiled together = to_ptx(kernels, both);
    const Compiled alone = to_ptx(kernels, nvrtc_alone);
    accepted += expected.is_compiled ? 1 : 0;
    INFO(file.name << "\nnvcc: " << expected.messages << "\ntogether: " << together.messages
                   << "\nwithout nvcc: " << alone.messages);
    CHECK(together.is_compiled == expected.is_compiled);
    if (!expected.is_compiled) CHECK(first_error(together.messages) == first_error(expected.messages));
    // Without nvcc the same, or a sentence that it is missing.
    if (alone.messages.find("there is no CUDA toolkit here") != std::string::npos)
      CHECK_FALSE(alone.is_compiled);
    else if (!file.is("nvcc"))
      CHECK(alone.is_compiled == expected.is_compiled);
  }
  CHECK(accepted > 60);
  CHECK(files.size() - accepted > 40);
}
