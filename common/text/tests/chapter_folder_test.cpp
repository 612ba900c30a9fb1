#include "common/text/chapter_folder.hpp"

#include "common/testing/catch.hpp"
#include "common/testing/temporary_folder.hpp"

using warpwise::testing::ContainsSubstring;
using warpwise::testing::TemporaryFolder;

using warpwise::text::ChapterFolder;
using warpwise::text::Contract;
using warpwise::text::contract_of;
using warpwise::text::contracts_in;
using warpwise::text::find_chapters;
using warpwise::text::read_contracts;
using warpwise::text::read_text;
using warpwise::text::shown_path;
using warpwise::text::signature_advice;

namespace {

/// Two chapters, a folder without an exercise, and one that only looks like a chapter.
void make_course(const TemporaryFolder& folder) {
  folder.write("ch02_divergence/kernels.hpp", "");
  folder.write("ch01_naive/kernels.hpp", "");
  folder.write("ch01_naive/README.md", "<!-- a comment -->\n# A tree of adjacent pairs\ntext\n");
  folder.write("ch03_empty/README.md", "# Not yet\n");
  folder.write("chapter/kernels.hpp", "");
}

std::string attempt(const std::string& heading, const std::string& block) {
  return "\n### " + heading + "\n\n- rejected by: result: out[0]\n- why: because\n\n" + block;
}

}  // namespace

TEST_CASE("chapters are found, ascending, with their titles") {
  const TemporaryFolder folder;
  make_course(folder);
  const auto chapters = find_chapters(folder.path(), "/somewhere/build");
  REQUIRE(chapters.size() == 2);
  CHECK(chapters[0].name == "ch01_naive");
  CHECK(chapters[0].title() == "A tree of adjacent pairs");
  CHECK(chapters[0].executable() == "/somewhere/build/ch01_naive/ch01_naive");
  CHECK(chapters[1].title() == "ch02_divergence");
}

TEST_CASE("a chapter has hints for its kernels, and pages with ways to write them") {
  const TemporaryFolder folder;
  const std::string right = "\n## Other correct solutions\n\n### so\n\n- why: because\n\n```diff\n-x\n```\n";
  folder.write("ch01_naive/hints.md",
               "## `sum`, `add`\n\n<details><summary>Hint 1</summary>\n\nOnly.\n\n</details>\n");
  folder.write("ch01_naive/kernels/sums.md",
               "# `sum`\n\n## Wrong attempts\n" + attempt("no_guard", "```diff\n a\n-b\n```\n") +
                   attempt("atomics", "```cuda\nvoid sum() {}\n```\n") + "\n# `add`\n" + right);
  folder.write("ch01_naive/kernels/a_family.md",
               "# `a_family`\n\n## Wrong attempts\n" + attempt("late", "```diff\n-x\n```\n"));
  folder.write("ch01_naive/kernels/notes.txt", "");
  const ChapterFolder chapter("ch01_naive", folder.path() / "ch01_naive");
  REQUIRE(chapter.hints().size() == 2);
  CHECK(chapter.hints()[0].kernel == "sum");
  CHECK(chapter.hints()[1].hints == std::vector<std::string>{"Only."});

  std::vector<std::string> names;
  for (const auto& implementation : chapter.attempts()) names.push_back(implementation.name);
  CHECK(names == std::vector<std::string>{"a_family_late", "sum_atomics", "sum_no_guard"});
  REQUIRE(chapter.accepted().size() == 1);
  CHECK(chapter.accepted().front().name == "add_so");
  const ChapterFolder empty("ch02", folder.path() / "ch02");
  CHECK(empty.hints().empty());
  CHECK(empty.attempts().empty());
  folder.write("ch01_naive/kernels/bad.md", "# `bad`\n## Wrong attempts\n### x\n");
  CHECK_THROWS_WITH(chapter.read_anew().accepted(), ContainsSubstring("bad.md:3: bad_x lacks"));
}

TEST_CASE("a file is read once, and copies share what it said") {
  const TemporaryFolder folder;
  make_course(folder);
  folder.write("ch01_naive/exercise.cu", "__global__ void first() {}\n");
  const ChapterFolder chapter = find_chapters(folder.path(), "/build").front();
  const ChapterFolder copy = chapter;
  CHECK(chapter.exercise().kernels() == std::vector<std::string>{"first"});
  CHECK(chapter.solution().kernels().empty());  // there is none
  folder.write("ch01_naive/exercise.cu", "__global__ void second() {}\n");
  CHECK(copy.exercise().kernels() == std::vector<std::string>{"first"});
  CHECK(copy.read_anew().exercise().kernels() == std::vector<std::string>{"second"});
}

// What kernels.hpp says.

namespace {

constexpr std::string_view contracts = R"(#pragma once
/// \file The contract.

#include "some/kernel.hpp"

/// Sums. Launch: any number of blocks.
///
/// Technique: a tree: at most log2(blockDim.x) + 1 block
/// barriers. Book: PMPP 4th ed., fig. 10.6.
WARPWISE_KERNEL(tree, (const float* in));

// --- The four shuffles.
// --- Technique of the first three: one shuffle a warp and
// --- no shared memory.

/// out[i] = the element of lane 0.
WARPWISE_KERNEL(broadcast,
                (const float* in));
WARPWISE_KERNEL(shift, (const float* in));
)";

}  // namespace

TEST_CASE("a contract says where a kernel is declared, and its technique") {
  const Contract tree = contract_of(contracts_in(contracts), "tree");
  CHECK(tree.line == 10);
  CHECK(tree.technique == "a tree: at most log2(blockDim.x) + 1 block barriers.");
}

TEST_CASE("kernels of a group have the group's technique") {
  for (const char* kernel : {"broadcast", "shift"})
    CHECK(contract_of(contracts_in(contracts), kernel).technique ==
          "one shuffle a warp and no shared memory.");
  CHECK(contract_of(contracts_in(contracts), "broadcast").line == 17);
  CHECK(contract_of(contracts_in(contracts), "broadcast").declaration ==
        "WARPWISE_KERNEL(broadcast, (const float* in));");
  std::vector<std::string> names;
  for (const Contract& contract : contracts_in(contracts)) names.push_back(contract.kernel);
  CHECK(names == std::vector<std::string>{"tree", "broadcast", "shift"});
}

TEST_CASE("where there is no contract nothing is said") {
  CHECK(contract_of(contracts_in(contracts), "broad").line == 0);
  CHECK(contract_of(contracts_in("WARPWISE_KERNEL(k, ());\n"), "k").technique.empty());
  CHECK(read_contracts("/nonexistent/kernels.hpp").empty());
}

// Files.

TEST_CASE("a file that cannot be read is one sentence") {
  CHECK_THROWS_WITH(read_text("/nonexistent/file"), "/nonexistent/file cannot be read.");
  CHECK_THROWS_WITH(read_text("/"), "/ cannot be read.");
}

TEST_CASE("an empty file is a file") {
  const TemporaryFolder folder;
  folder.write("exercise.cu", "");
  CHECK(read_text(folder.path() / "exercise.cu").empty());
}

TEST_CASE("paths below the current folder are shown as one would type them") {
  const auto here = std::filesystem::current_path();
  CHECK(shown_path((here / "a" / "b.cu").string()) == "a/b.cu");
  CHECK(shown_path("/somewhere/else.cu") == "/somewhere/else.cu");
}
