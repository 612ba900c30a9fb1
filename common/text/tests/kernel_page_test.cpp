#include "common/text/kernel_page.hpp"

#include "common/testing/catch.hpp"

using namespace warpwise::text;
using warpwise::testing::ContainsSubstring;

namespace {

const char* const solution = R"(// Chapter 9: a heading that stays behind.

#include "kernels.hpp"

/// Adds.
__device__ void add(float* to) {
  *to += 1;
  __syncthreads();  // one
}

extern "C" __global__ void first(float* out) {
  // [body]
  add(out);
  __syncthreads();  // two
  out[0] = 2;
  // [/body]
}

/// Another one.
extern "C" __global__ void second(float* out) {
  add(out);
}

__device__ void spare() {}
)";

std::string page_with(const std::string& attempt) {
  return "# Attempts at `first`\n\nWrong on purpose.\n\n## slip\n\n- rejected by: result: out[0]\n- why: it "
         "is\n  so\n\n" +
         attempt;
}

std::string made(const std::string& page_text, const std::string& path = "attempts/first.md") {
  return whole_file(parse_ways(page_text, path).front(), Source(solution));
}

std::string made_with(const std::string& block) { return made(page_with("```diff\n" + block + "```\n")); }

}  // namespace

TEST_CASE("a page names its attempts, what rejects them and why") {
  const std::vector<Way> page = parse_ways(
      page_with(
          "```diff\n-  out[0] = 2;\n```\n\n## other\n\n- rejected by: second: safety: race at `add(out);`\n"
          "- why: because\n\n```cuda\nx\n```\n"),
      "attempts/first.md");
  REQUIRE(page.size() == 2);
  CHECK(page[0].name == "first_slip");
  CHECK(page[0].kernel == "first");
  CHECK(page[0].rejected_by == "result: out[0]");
  CHECK(page[0].why == "it is so");
  CHECK(page[0].is_difference);
  CHECK(page[0].line == 5);
  CHECK(page[0].block == std::vector<std::string>{"-  out[0] = 2;"});
  CHECK(page[1].name == "first_other");
  CHECK(page[1].kernel == "second");
  CHECK(page[1].rejected_by == "safety: race at `add(out);`");
  CHECK_FALSE(page[1].is_difference);
}

TEST_CASE("the whole file is the kernel with the difference, and what it names") {
  CHECK(made_with("   add(out);\n-  __syncthreads();  // two\n+  __syncwarp();\n") ==
        R"(// rejected by: first: result: out[0]
// why: it is so

#include "kernels.hpp"

/// Adds.
__device__ void add(float* to) {
  *to += 1;
  __syncthreads();  // one
}

extern "C" __global__ void first(float* out) {
  add(out);
  __syncwarp();
  out[0] = 2;
}
)");
}

TEST_CASE("several places, in any order; a function that only the attempt names comes along") {
  const std::string text = made_with("-  out[0] = 2;\n+  spare();\n@@\n-  *to += 1;\n");
  CHECK_THAT(text, ContainsSubstring("void add(float* to) {\n  __syncthreads();  // one"));
  CHECK_THAT(text, ContainsSubstring("// two\n  spare();\n}"));
  CHECK_THAT(text, ContainsSubstring("__device__ void spare() {}"));
}

TEST_CASE("a page can keep other kernels") {
  const std::string page = "with: second, first\n\n" + page_with("```diff\n-  out[0] = 2;\n```\n");
  CHECK_THAT(made(page), ContainsSubstring("__global__ void second"));
}

TEST_CASE("a block of code takes the place of the functions that it defines") {
  const std::string text =
      made(page_with("```cuda\n__device__ void help() {}\n\n__device__ void add(float*) { help(); }\n```\n"));
  CHECK_THAT(text, ContainsSubstring(
                       "#include \"kernels.hpp\"\n\n__device__ void help() {}\n\n"
                       "__device__ void add(float*) { help(); }\n\nextern \"C\" __global__ void first"));
  CHECK(text.find("Adds.") == std::string::npos);
  CHECK(text.find("// one") == std::string::npos);
}

TEST_CASE("what is right stands on one page, below its kernels, and nothing rejects it") {
  const std::string page =
      "# Right\n\n## first\n\n### twice\n\n- why: it may\n\n```diff\n-  out[0] = 2;\n+  out[0] = 1 + "
      "1;\n```\n";
  const std::string text = made(page, "accepted.md");
  CHECK(text.starts_with("// accepted: first: it may\n\n#include \"kernels.hpp\"\n"));
  CHECK_THAT(text, ContainsSubstring("out[0] = 1 + 1;"));
  CHECK(accepted_kernel(text) == "first");
  CHECK(accepted_kernel("// accepted: many kernels, all of them\n").empty());
  CHECK(accepted_kernel("// rejected by: first: result: out[0]\n").empty());

  const std::string way = "### twice\n- why: y\n```diff\n-  add(out);\n+  (add)(out);\n```\n";
  const std::vector<Way> both =
      parse_ways("## first\nwith: second\n" + way + "\n## second\n\n" + way, "ch09/accepted.md");
  REQUIRE(both.size() == 2);
  CHECK(both[0].name == "first_twice");
  CHECK(both[0].with == std::vector<std::string>{"second"});
  CHECK(both[1].name == "second_twice");
  CHECK(both[1].kernel == "second");
  CHECK(both[1].with.empty());
  CHECK(accepted_kernel(whole_file(both[1], Source(solution))) == "second");
}

TEST_CASE("a page of right ways that cannot be read says which line, and why") {
  const auto read = [](const std::string& text) { return parse_ways(text, "ch09/accepted.md"); };
  CHECK_THROWS_WITH(read("## none\n"),
                    ContainsSubstring("ch09/accepted.md:1: the page has nothing to accept"));
  CHECK_THROWS_WITH(read("### x\n"), ContainsSubstring("accepted.md:1: no line '## KERNEL' above"));
  CHECK_THROWS_WITH(read("## first\n### x\n- rejected by: result: y\n"),
                    ContainsSubstring("accepted.md:3: neither a heading, '- why: '"));
  CHECK_THROWS_WITH(read("## first\n### x\n## second\n"),
                    ContainsSubstring("accepted.md:2: first_x lacks its line '- why: '"));
  const std::string way = "### x\n- why: y\n```diff\n-a\n```\n";
  CHECK_THROWS_WITH(read("## first\n" + way + way),
                    ContainsSubstring("accepted.md:7: there are two paragraphs 'x'"));
  CHECK_THROWS_WITH(read("## first\n" + way + "## second\n```diff\n"),
                    ContainsSubstring("accepted.md:8: a block of code above the first '### '"));
}

TEST_CASE("a difference that does not apply, or at two places, says so with its line") {
  CHECK_THROWS_WITH(
      made_with("-  out[0] = 3;\n"),
      ContainsSubstring("attempts/first.md:12: first_slip no longer applies: the solution does not have "
                        "the lines from '  out[0] = 3;' on"));
  CHECK_THROWS_WITH(
      made_with("-  out[0] = 2;\n@@\n-}\n"),
      ContainsSubstring("attempts/first.md:14: first_slip applies at 2 places of the solution"));
  CHECK_THROWS_WITH(made_with("   add(out);\n-  __syncthreads();  // two\n@@\n-  __syncthreads();  // two\n"),
                    ContainsSubstring("two places of the difference overlap"));
  CHECK_THROWS_WITH(made_with("+  more();\n"),
                    ContainsSubstring("first.md:12: a difference needs a line of the solution"));
  CHECK_THROWS_WITH(made_with("   add(out);\n"), ContainsSubstring("changes nothing"));
  CHECK_THROWS_WITH(made_with("out[0] = 2;\n"), ContainsSubstring("begins with a blank, '-' or '+'"));
  CHECK_THROWS_WITH(
      made(page_with("```cuda\n__device__ void nobody() {}\n```\n")),
      ContainsSubstring(
          "first.md:12: first_slip no longer applies: the solution has no function of the block"));
  CHECK_THROWS_WITH(made(page_with("```diff\n-  out[0] = 2;\n```\n"), "attempts/third.md"),
                    ContainsSubstring("attempts/third.md:5: the solution has no kernel 'third'"));
}

TEST_CASE("a page that cannot be read says which line, and why") {
  const auto read = [](const std::string& text) { return parse_ways(text, "a.md"); };
  CHECK_THROWS_WITH(read("# nothing\n"), ContainsSubstring("a.md:1: the page has no attempt"));
  CHECK_THROWS_WITH(read("```diff\n"), ContainsSubstring("a.md:1: a block of code above the first '## '"));
  CHECK_THROWS_WITH(read("## x\n- why: y\n```diff\n-a\n```\n"),
                    ContainsSubstring("a.md:1: a_x lacks its line '- rejected by: '"));
  CHECK_THROWS_WITH(read("## x\n- rejected by: result: y\n```diff\n-a\n```\n"),
                    ContainsSubstring("lacks its line '- why: '"));
  CHECK_THROWS_WITH(read("## x\n- rejected by: result: y\n- why: z\n"),
                    ContainsSubstring("lacks its ```diff or ```cuda block"));
  CHECK_THROWS_WITH(read(page_with("```cpp\n```\n")),
                    ContainsSubstring("a.md:11: a block is ```diff or ```cuda, not ```cpp"));
  CHECK_THROWS_WITH(read(page_with("```diff\n-a\n")),
                    ContainsSubstring("a.md:11: no line ``` ends the block"));
  CHECK_THROWS_WITH(read(page_with("```diff\n-a\n```\n```diff\n-b\n```\n")),
                    ContainsSubstring("a.md:14: a paragraph has one block"));
  CHECK_THROWS_WITH(read(page_with("What is this?\n")), ContainsSubstring("a.md:11: neither a heading"));
  CHECK_THROWS_WITH(read(page_with("```diff\n-a\n```\n## slip\n")),
                    ContainsSubstring("a.md:14: there are two paragraphs 'slip'"));
}
