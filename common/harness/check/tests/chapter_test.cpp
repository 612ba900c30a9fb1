#include "common/harness/check/chapter.hpp"

#include <algorithm>

#include "common/testing/catch.hpp"

using namespace warpwise::harness;

namespace {

// As kernels.hpp declares them, on these lines.
constexpr Kernel<void(float*)> first{"first", 10}, second{"second", 20}, third{"third", 30},
    of_third{"of_third", 31};
constexpr KernelName family[] = {third, of_third};

// As two files of a chapter do, the later kernels first.
const RegisterKernels later({{.kernel = third, .family = family}, {.kernel = second}});
const RegisterKernels sooner({{.kernel = first}});
const RegisterChapter registered(CheckedChapter{.name = "ch01_naive", .title = "A tree"});

}  // namespace

TEST_CASE("a chapter's kernels stand in the order of their declarations, whichever file registers them") {
  CHECK(chapter().name == "ch01_naive");
  std::vector<std::string_view> kernels;
  for (const ChapterKernel& entry : chapter().kernels) kernels.push_back(entry.kernel.text);
  CHECK(kernels == std::vector<std::string_view>{"first", "second", "third"});
}

TEST_CASE("a kernel of a family is judged with it") {
  CHECK(chapter().find("of_third") == chapter().find("third"));
  CHECK(chapter().find("first")->kernel.text == "first");
  CHECK(chapter().find("fourth") == nullptr);
}
