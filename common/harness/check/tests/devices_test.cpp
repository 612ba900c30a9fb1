#include "common/harness/check/run.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "common/testing/catch.hpp"

using namespace warpwise::harness;
using warpwise::testing::ContainsSubstring;

namespace {

constexpr Kernel<void(int*)> nothing{"nothing"}, renamed{"renamed"};
const Exhibit exhibits[] = {{.kernel = nothing}, {.kernel = renamed}};
const CheckedChapter the_chapter{.name = "ch01_naive", .exhibits = exhibits};

/// What is said of a module whose line 6 is `code`.
std::string complaint_about(const std::string& code) {
  // Test cases run side by side, each in a process of its own.
  const auto path =
      std::filesystem::temp_directory_path() / ("warpwise_devices_" + std::to_string(getpid()) + ".ptx");
  std::ofstream(path) << ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\n" + code +
                             "\n ret;\n}\n.file 1 \"some/exercise.cu\"\n";
  std::string complaint;
  try {
    load_devices(DeviceChoice::simulator, path.string());
  } catch (const NotJudged& error) {
    complaint = error.what();
  }
  std::filesystem::remove(path);
  return complaint;
}

}  // namespace

TEST_CASE("what is wrong in an asm statement is told by the line of the statement") {
  const std::string complaint =
      complaint_about(".loc 1 31 3\n// begin inline asm\n shlf.sync %r1;\n// end inline asm");
  CHECK(
      complaint.starts_with("some/exercise.cu has an asm statement that is not PTX:\n\n"
                            "    some/exercise.cu:31: unsupported: asm: "));
  CHECK_THAT(complaint, ContainsSubstring("`shlf.sync %r1;`"));
  CHECK_THAT(complaint, ContainsSubstring("= help: nvcc copies the text of an asm statement"));
}

TEST_CASE("what the simulated GPU does not have is told by the line that asks for it") {
  const std::string complaint = complaint_about(".loc 1 7 3\n wgmma.fence.sync.aligned;");
  CHECK(
      complaint.starts_with("some/exercise.cu uses something that the simulated GPU does not have:\n\n"
                            "    some/exercise.cu:7: unsupported: wgmma.fence.sync.aligned: "));
}

TEST_CASE("a module without lines is named itself") {
  CHECK_THAT(complaint_about(" wgmma.fence.sync.aligned;"), ContainsSubstring(".ptx:6: "));
}

TEST_CASE("a kernel that the chapter lacks is wrong usage; one that the module lacks is not") {
  const std::string module = WARPWISE_BINARY_DIR "/../device/tests/kernels.ptx";
  const Devices devices = load_devices(DeviceChoice::simulator, module);
  const auto expect = [&](const std::string& kernel) {
    expect_kernels(the_chapter, kernel, *devices.simulated, module);
  };
  CHECK_NOTHROW(expect("nothing"));
  CHECK_THROWS_AS(expect("nobody"), UsageError);
  CHECK_THROWS_AS(expect("renamed"), NotJudged);
  CHECK_THROWS_AS(expect(""), NotJudged);
}
