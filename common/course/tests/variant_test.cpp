#include <fstream>
#include <set>
#include <stdexcept>

#include "common/course/variant.hpp"
#include "common/testing/catch.hpp"
#include "common/testing/temporary_folder.hpp"

using namespace warpwise::course;
using warpwise::testing::ContainsSubstring;
using warpwise::testing::TemporaryFolder;
using warpwise::text::PageError;
namespace fs = std::filesystem;

namespace {

const char* const page_text = R"(# The largest

- rejected by: first: result: out[0] is

Not the sum, but
the largest.

## kernels.hpp

```diff
-/// The sum.
+/// The largest.
```

## solution.cu

```cuda
extern "C" __global__ void first(float* out) {
  // [body]
  out[0] = 3;
  // [/body]
}
```

```cuda helper
__device__ float other_helper() { return 5; }
```
)";

std::string hint(const std::string& number, const std::string& text) {
  return "<details><summary>Hint " + number + "</summary>\n\n" + text + "\n\n</details>\n\n";
}

/// A course of one chapter, with `page` as its only variant.
class Course {
 public:
  explicit Course(const std::string& page = page_text) {
    folder_.write("ch01_one/README.md",
                  "# One\n\nText.\n\n<!-- code: solution.cu#body -->\n```cpp\nout[0] = 2;\n```\n");
    folder_.write("ch01_one/kernels.hpp", "/// The sum.\nvoid first();\n/// Another.\nvoid second();\n");
    folder_.write("ch01_one/hints.md", "## `first`\n\n" + hint("1", "Add.") + hint("2", "More.") +
                                           "## `second`\n\n" + hint("1", "Other."));
    folder_.write("ch01_one/kernels/first.md", "# `first`\n\n## Wrong attempts\n\n### x\n");
    folder_.write(
        "ch01_one/solution.cu",
        "extern \"C\" __global__ void first(float* out) {\n  // [body]\n  out[0] = 2;\n  // [/body]\n"
        "}\n\n__device__ float helper() { return 4; }\n");
    folder_.write("ch01_one/variants/largest.md", page);
  }
  const fs::path& path() const { return folder_.path(); }
  fs::path chapter() const { return path() / "ch01_one"; }
  std::string text(const std::string& file) const { return warpwise::text::read_text(chapter() / file); }
  VariantPage page() const { return read_variant(chapter() / "variants/largest.md"); }
  void remove(const std::string& file) const { fs::remove(chapter() / file); }

 private:
  TemporaryFolder folder_;
};

std::string without(std::string text, const std::string& piece) {
  return text.erase(text.find(piece), piece.size());
}

}  // namespace

TEST_CASE("a page says what differs, which kernels change, and what the public solution is told") {
  const VariantPage page = parse_variant(page_text, "variants/largest.md");
  CHECK(page.name == "largest");
  CHECK(page.title == "The largest");
  CHECK(page.box == "Not the sum, but\nthe largest.");
  REQUIRE(page.kernels.size() == 1);
  CHECK(page.kernels[0].kernel == "first");
  CHECK(page.kernels[0].rejected_by == "result: out[0] is");
  CHECK(page.changes.size() == 2);
  CHECK(page.changes.at("solution.cu").size() == 2);
}

TEST_CASE("a page that lacks something is refused, with what it lacks") {
  const std::string text = page_text;
  const auto reading = [](const std::string& page) { return [page] { parse_variant(page, "v/x.md"); }; };
  CHECK_THROWS_WITH(reading(without(text, "# The largest"))(), "v/x.md:1: x lacks a title, '# ...'");
  CHECK_THROWS_WITH(reading(without(text, "- rejected by: first: result: out[0] is"))(),
                    ContainsSubstring("x lacks a line '- rejected by: "));
  CHECK_THROWS_WITH(reading(without(text, "Not the sum, but\nthe largest."))(),
                    ContainsSubstring("x lacks a paragraph"));
  CHECK_THROWS_WITH(reading(text + "\n```diff\n-a\n")(), ContainsSubstring("no line ``` ends the block"));
  CHECK_THROWS_WITH(reading(text + "\n```python\n```\n")(), ContainsSubstring("is ```diff or ```cuda"));
  CHECK_THROWS_WITH(reading(text + "words\n")(), ContainsSubstring("only blocks of code"));
}

TEST_CASE("a variant changes contract, solution, lesson and hints of a chapter") {
  const Course course;
  apply_variant(course.page(), course.chapter());
  CHECK(course.text("kernels.hpp") == "/// The largest.\nvoid first();\n/// Another.\nvoid second();\n");
  CHECK_THAT(course.text("solution.cu"), ContainsSubstring("out[0] = 3;"));
  CHECK_THAT(course.text("solution.cu"), ContainsSubstring("other_helper"));
  CHECK(course.text("solution.cu").find("float helper") == std::string::npos);
  CHECK(course.text("README.md") ==
        "# One\n\n> **A variant of this chapter: The largest.**\n> Not the sum, but\n> the "
        "largest.\n\nText.\n\n"
        "<!-- code: solution.cu#body -->\n```cpp\nout[0] = 3;\n```\n");
  CHECK(
      course.text("hints.md") ==
      "## `first`\n\n" +
          hint("1",
               "(Your task is a variant, see the top of README.md; the hints are those of the public one.)\n"
               "\nAdd.") +
          hint("2", "More.") + "## `second`\n\n" + hint("1", "Other."));
  CHECK_FALSE(fs::exists(course.chapter() / "kernels"));
  CHECK_THAT(course.text("variant.md"), ContainsSubstring("It changes `first`."));
}

TEST_CASE("a hand-out has no solution: the rest is changed all the same") {
  const Course course;
  course.remove("solution.cu");
  apply_variant(course.page(), course.chapter());
  CHECK_THAT(course.text("kernels.hpp"), ContainsSubstring("The largest"));
  CHECK_THAT(course.text("README.md"), ContainsSubstring("out[0] = 2;"));
}

TEST_CASE("a difference that no longer applies says which, and nothing is written") {
  const Course course;
  std::ofstream(course.chapter() / "kernels.hpp") << "/// The product.\n";
  const std::string solution = course.text("solution.cu");
  CHECK_THROWS_WITH(
      apply_variant(course.page(), course.chapter()),
      ContainsSubstring("largest.md:11: largest no longer applies: kernels.hpp does not have the "
                        "lines from '/// The sum.' on"));
  CHECK(course.text("solution.cu") == solution);
  CHECK_FALSE(fs::exists(course.chapter() / "variant.md"));
}

TEST_CASE("the choice of a variant is a name or a number; the public task's own goes") {
  for (const char* choice : {"largest", "7"}) {
    const Course course;
    const auto changed = apply_variants(course.path(), {"ch01_one"}, choice);
    REQUIRE(changed.size() == 1);
    CHECK(changed[0].chapter == "ch01_one");
    CHECK(changed[0].variant == "largest");
    CHECK_FALSE(fs::exists(course.chapter() / "kernels"));
    CHECK_FALSE(fs::exists(course.chapter() / "variants"));
  }
  const Course course;
  CHECK_THROWS_WITH(apply_variants(course.path(), {"ch01_one"}, "smallest"),
                    "there is no variant 'smallest'; give a number, which picks one for each chapter, or one "
                    "of: largest.");
  CHECK_THROWS_AS(apply_variants(course.path(), {"ch01_one"}, "7x"), std::invalid_argument);
  CHECK_THROWS_WITH(apply_variants(course.path(), {"ch02_two"}, "7"),
                    "none of the chapters asked for has a variant.");
}

TEST_CASE("a seed means the same variant everywhere, and seeds reach them all") {
  const std::vector<fs::path> pages = {"ch01_one/variants/a.md", "ch01_one/variants/b.md",
                                       "ch01_one/variants/c.md"};
  const std::vector<fs::path> elsewhere = {"/x/ch01_one/variants/a.md", "/x/ch01_one/variants/b.md",
                                           "/x/ch01_one/variants/c.md"};
  std::set<fs::path> met;
  for (unsigned seed = 0; seed < 30; ++seed) {
    met.insert(variant_for_seed(pages, seed));
    CHECK(variant_for_seed(pages, seed).filename() == variant_for_seed(elsewhere, seed).filename());
  }
  CHECK(met.size() == 3);
  CHECK(variant_for_seed(pages, 2026) == pages[1]);  // the hash is the same on every machine
  CHECK(variant_for_seed({}, 1).empty());
}

// handout.txt is read as it is written.
#include "../../testing/catch.hpp"

#include "../handout_plan.hpp"

using namespace warpwise::course;

TEST_CASE("a plan is read as it was written") {
  const HandoutPlan plan{
      "0123abcd", {"ch01_naive", "ch03_bank_conflicts"}, {"ch01_naive"}, false, "on 1 December 2026", "7"};
  const auto read = parse_handout_plan(spelled(plan));
  REQUIRE(read);
  CHECK(read->commit == plan.commit);
  CHECK(read->chapters == plan.chapters);
  CHECK(read->solved == plan.solved);
  CHECK_FALSE(read->has_attempts);
  CHECK(read->solutions_come == plan.solutions_come);
  CHECK(read->variant == plan.variant);
}

TEST_CASE("what says neither commit nor chapters is no plan") {
  CHECK_FALSE(parse_handout_plan("").has_value());
  CHECK_FALSE(parse_handout_plan("commit 0123abcd\n").has_value());
  CHECK_FALSE(parse_handout_plan("chapters ch01_naive\n").has_value());
}
