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
  return "# `first`\n\n## Wrong attempts\n\nOn purpose.\n\n### slip\n\n- rejected by: result: out[0]\n"
         "- why: it is\n  so\n\n" +
         attempt;
}

std::string made(const std::string& page_text, const std::string& path = "kernels/first.md") {
  return whole_file(implementations_on_page(page_text, path).front(), Source(solution));
}

std::string made_with(const std::string& block) { return made(page_with("```diff\n" + block + "```\n")); }

}  // namespace

TEST_CASE("a page names wrong attempts and other correct solutions, of one kernel after the other") {
  const std::string attempt =
      "\n## Wrong attempts\n\n### slip\n\n- rejected by: result: out[0]\n- why: "
      "because\n\n```diff\n-a\n```\n";
  const std::string solution_of =
      "\n## Other correct solutions\n\n### twice\n\n- why: it may\n\n```cuda\n# not a heading\n```\n";
  const std::vector<Implementation> implementations = implementations_on_page(
      "# `first`\n\nHow to read it.\n" + attempt + solution_of + "\n# `second`\n" + attempt,
      "ch09/kernels/both.md");
  REQUIRE(implementations.size() == 3);
  CHECK(implementations[0].name == "first_slip");
  CHECK(implementations[0].kernel == "first");
  CHECK_FALSE(implementations[0].is_right());
  CHECK(implementations[1].name == "first_twice");
  CHECK(implementations[1].is_right());
  CHECK(implementations[1].difference.lines == std::vector<std::string>{"# not a heading"});
  CHECK(implementations[2].name == "second_slip");
  CHECK(implementations[2].kernel == "second");
}

TEST_CASE("an attempt says what rejects it and why") {
  const std::vector<Implementation> implementations = implementations_on_page(
      page_with("```diff\n-  out[0] = 2;\n```\n\nMore about it.\n  So it is.\n\n### other\n\n"
                "- rejected by: second: safety: race at `add(out);`\n- why: because\n\n```cuda\nx\n```\n"),
      "kernels/first.md");
  REQUIRE(implementations.size() == 2);
  CHECK(implementations[0].name == "first_slip");
  CHECK(implementations[0].kernel == "first");
  CHECK(implementations[0].rejected_by == "result: out[0]");
  CHECK(implementations[0].why == "it is so");
  CHECK_FALSE(implementations[0].difference.is_block);
  CHECK(implementations[0].line == 7);
  CHECK(implementations[0].difference.lines == std::vector<std::string>{"-  out[0] = 2;"});
  CHECK(implementations[1].name == "first_other");
  CHECK(implementations[1].kernel == "second");
  CHECK(implementations[1].rejected_by == "safety: race at `add(out);`");
  CHECK(implementations[1].difference.is_block);
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

TEST_CASE("the attempts of a page can keep other kernels") {
  const std::vector<Implementation> implementations = implementations_on_page(
      "# `first`\n## Wrong attempts\n\nwith: second, first\n\n### x\n- rejected by: result: out[0]\n"
      "- why: y\n```diff\n-  out[0] = 2;\n```\n## Other correct solutions\n### z\n- why: y\n",
      "first.md");
  CHECK(implementations[0].with == std::vector<std::string>{"second", "first"});
  CHECK_THAT(whole_file(implementations[0], Source(solution)), ContainsSubstring("__global__ void second"));
  CHECK(implementations[1].with.empty());
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

TEST_CASE("what is right says which kernels it writes, and which of other chapters it would be right for") {
  const std::string page =
      "# `first`\n## Other correct solutions\n### twice\n- why: it may\n- also writes: second\n"
      "- also right as: third, fourth\n"
      "```diff\n-  out[0] = 2;\n+  out[0] = 1 + 1;\n```\n";
  const Implementation implementation = implementations_on_page(page, "first.md").front();
  CHECK(implementation.also_writes == std::vector<std::string>{"second"});
  CHECK(implementation.also_right_as == std::vector<std::string>{"third", "fourth"});
  const std::string text = whole_file(implementation, Source(solution));
  CHECK(text.starts_with("// accepted: first, second: it may\n\n#include \"kernels.hpp\"\n"));
  CHECK_THAT(text, ContainsSubstring("out[0] = 1 + 1;"));
  CHECK_THAT(text, ContainsSubstring("__global__ void second"));
  CHECK(accepted_kernels(text) == std::vector<std::string>{"first", "second"});
  CHECK(accepted_kernels("// accepted: first: it may\n") == std::vector<std::string>{"first"});
  CHECK(accepted_kernels("// accepted\n").empty());
  CHECK(accepted_kernels("// rejected by: first: result: out[0]\n").empty());
}

TEST_CASE("a difference that does not apply, or at two places, says so with its line") {
  CHECK_THROWS_WITH(
      made_with("-  out[0] = 3;\n"),
      ContainsSubstring("kernels/first.md:14: first_slip no longer applies: the solution does not have "
                        "the lines from '  out[0] = 3;' on"));
  CHECK_THROWS_WITH(made_with("-  out[0] = 2;\n@@\n-}\n"),
                    ContainsSubstring("kernels/first.md:16: first_slip applies at 2 places of the solution"));
  CHECK_THROWS_WITH(made_with("   add(out);\n-  __syncthreads();  // two\n@@\n-  __syncthreads();  // two\n"),
                    ContainsSubstring("two places of the difference overlap"));
  CHECK_THROWS_WITH(made_with("+  more();\n"),
                    ContainsSubstring("first.md:14: a difference needs a line of the solution"));
  CHECK_THROWS_WITH(made_with("   add(out);\n"), ContainsSubstring("changes nothing"));
  CHECK_THROWS_WITH(made_with("out[0] = 2;\n"), ContainsSubstring("begins with a blank, '-' or '+'"));
  CHECK_THROWS_WITH(
      made(page_with("```cuda\n__device__ void nobody() {}\n```\n")),
      ContainsSubstring(
          "first.md:14: first_slip no longer applies: the solution has no function of the block"));
  CHECK_THROWS_WITH(
      made("# `third`\n" + page_with("```diff\n-  out[0] = 2;\n```\n").substr(10), "kernels/first.md"),
      ContainsSubstring("kernels/first.md:7: the solution has no kernel 'third'"));
  CHECK_THROWS_WITH(made(page_with("")),
                    ContainsSubstring("first.md:7: first_slip lacks its ```diff or ```cuda block"));
}

TEST_CASE("a page that cannot be read says which line, and why") {
  const auto read = [](const std::string& text) { return implementations_on_page(text, "a.md"); };
  const std::string wrong = "# `x`\n## Wrong attempts\n", right = "# `x`\n## Other correct solutions\n";
  CHECK_THROWS_WITH(read("# `x`\n"), ContainsSubstring("a.md:1: the page has neither a wrong attempt nor"));
  CHECK_THROWS_WITH(read("# nothing\n"),
                    ContainsSubstring("a.md:1: what is about a kernel begins with '# `"));
  CHECK_THROWS_WITH(read("# `x`, `y`\n"), ContainsSubstring("a.md:1: what is about a kernel begins with"));
  CHECK_THROWS_WITH(read("## Wrong attempts\n"), ContainsSubstring("a.md:1: a section above the first '# `"));
  CHECK_THROWS_WITH(read("# `x`\n## Hints\n"),
                    ContainsSubstring("a.md:2: a section is '## Wrong attempts' or"));
  CHECK_THROWS_WITH(read(wrong + "```diff\n"),
                    ContainsSubstring("a.md:3: a block of code above the first '### '"));
  CHECK_THROWS_WITH(read(wrong + "### y\n- why: z\n```diff\n-a\n```\n"),
                    ContainsSubstring("a.md:3: x_y lacks its line '- rejected by: '"));
  CHECK_THROWS_WITH(read(wrong + "### y\n- rejected by: result: z\n```diff\n-a\n```\n"),
                    ContainsSubstring("lacks its line '- why: '"));
  for (const char* next : {"## Wrong attempts\n", "# `z`\n"})
    CHECK_THROWS_WITH(read(right + "### y\n" + next),
                      ContainsSubstring("a.md:3: x_y lacks its line '- why: '"));
  CHECK_THROWS_WITH(read(page_with("```cpp\n```\n")),
                    ContainsSubstring("a.md:13: a block is ```diff or ```cuda, not ```cpp"));
  CHECK_THROWS_WITH(read(page_with("```diff\n-a\n")),
                    ContainsSubstring("a.md:13: no line ``` ends the block"));
  CHECK_THROWS_WITH(read(page_with("```diff\n-a\n```\n```diff\n-b\n```\n")),
                    ContainsSubstring("a.md:16: a paragraph has one block"));
  CHECK_THROWS_WITH(read(page_with("- rejected for: result: y\n")),
                    ContainsSubstring("a.md:13: a line of this section begins with '- rejected by: ' or"));
  CHECK_THROWS_WITH(read(right + "### y\n- rejected by: result: y\n"),
                    ContainsSubstring("a.md:4: a line of this section begins with '- why: ', '- also"));
  CHECK_THROWS_WITH(read(page_with("```diff\n-a\n```\n### slip\n")),
                    ContainsSubstring("a.md:16: there are two paragraphs 'slip'"));
}
