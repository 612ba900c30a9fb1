#include "common/text/installation.hpp"

#include "common/testing/catch.hpp"
#include "common/text/files.hpp"

using namespace warpwise::text;
using warpwise::testing::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

Installation read(const warpwise::text::TemporaryFolder& clone, const std::string& text) {
  fs::create_directories(clone.path() / "build");
  write_text(clone.path() / "build" / installation_file, text);
  return read_installation(clone.path() / "build" / installation_file);
}

}  // namespace

TEST_CASE("paths that are not absolute begin at the folder of the file") {
  const warpwise::text::TemporaryFolder clone;
  const Installation found = read(clone,
                                  "# A comment.\nroot ..\nnvrtc ../.toolkit/a folder/libnvrtc.so.13\n"
                                  "device_headers /usr/include/cuda\nnvcc /usr/local/cuda/bin/nvcc\n"
                                  "runtime_bundle lib/bundle.a\ntoolkit_version 13.0.88\n");
  CHECK(found.root == clone.path());  // with no slash at its end
  CHECK(found.build == clone.path() / "build");
  CHECK(found.nvrtc == clone.path() / ".toolkit/a folder/libnvrtc.so.13");
  CHECK(found.device_headers == "/usr/include/cuda");
  CHECK(found.nvcc == "/usr/local/cuda/bin/nvcc");
  CHECK(found.runtime_bundle == clone.path() / "build/lib/bundle.a");
  CHECK(found.toolkit_version == "13.0.88");
  CHECK(found.nvcc_options.empty());
}

TEST_CASE("what a file does not name, or names without a value, is empty") {
  const warpwise::text::TemporaryFolder clone;
  for (const char* text : {"", "nvcc \nnvrtc \nnvcc_options \ndevice_headers\n# nvcc /usr/bin/nvcc\n"}) {
    const Installation found = read(clone, text);
    for (const fs::path& path :
         {found.root, found.nvrtc, found.device_headers, found.nvcc, found.runtime_bundle})
      CHECK(path.empty());
    CHECK(found.nvcc_options.empty());
    CHECK(found.toolkit_version.empty());
  }
}

TEST_CASE("a clone has its course and its programs itself, and a student's folder has those of the wheel") {
  const warpwise::text::TemporaryFolder folder;
  const Installation clone = read(folder, "root ..\n");
  CHECK(clone.course == clone.root);
  CHECK(clone.programs == clone.build);
  CHECK_FALSE(clone.is_built);
  const Installation student = read(folder, "root ..\ncourse /wheel/course\nprograms /wheel/course/build\n");
  CHECK(student.root == folder.path());
  CHECK(student.course == "/wheel/course");
  CHECK(student.programs == "/wheel/course/build");
  CHECK(student.is_built);
}

TEST_CASE("options of nvcc are told apart by bars, so that they may have blanks") {
  const warpwise::text::TemporaryFolder clone;
  const Installation found = read(clone, "nvcc_options -ccbin|/opt/my compiler/g++||-allow\n");
  CHECK(found.nvcc_options == std::vector<std::string>{"-ccbin", "/opt/my compiler/g++", "-allow"});
}

TEST_CASE("a file that is not there is a sentence, and this program finds its own") {
  const warpwise::text::TemporaryFolder clone;
  CHECK_THROWS_WITH(read_installation(clone.path() / installation_file),
                    (clone.path() / installation_file).string() + " cannot be read.");
  CHECK(fs::exists(installation().root / "common/text/installation.hpp"));
  CHECK(fs::exists(installation().build / installation_file));
  CHECK_THAT(built_module("solution.ptx"), ContainsSubstring("/solution.ptx"));
}
