#include "../own_puzzles.hpp"

#include <algorithm>

#include "../../text/rejection.hpp"
#include "common/testing/catch.hpp"

using namespace warpwise::cli;
using warpwise::testing::ContainsSubstring;
using warpwise::text::Implementation;
using warpwise::text::parse_rejection;

namespace {

const std::string head = "// rejected by: sum: result\n// why: because\n\n";
const std::string body =
    "/// What it does.\n"
    "__global__ void sum() {\n"
    "  store();  // or a race\n"
    "  // the tree\n"
    "  add();\n"
    "  print(\"// no comment\");\n"
    "}\n";

Implementation attempt(const std::vector<std::string>& block, const std::string& rejected_by = "result") {
  Implementation text;
  text.name = "sum_wrong";
  text.kernel = "sum";
  text.why = "because";
  text.rejected_by = rejected_by;
  text.difference.lines = block;
  return text;
}

warpwise::text::Source solution(const std::string& text) { return warpwise::text::Source(text); }

}  // namespace

TEST_CASE("a puzzle shows code and contract, and no comment that gives it away") {
  CHECK(code_without_comments(head + body) ==
        "   4 | /// What it does.\n   5 | __global__ void sum() {\n   6 |   store();\n   8 |   add();\n"
        "   9 |   print(\"// no comment\");\n  10 | }\n");
}

TEST_CASE("what was put in is the answer, or the lines of the function beside what was taken away") {
  // Whole files begin with what rejects them, in place of the solution's first comment.
  CHECK(changed_lines(attempt({"-  add();", "+  old();"}), solution(body)) == std::set<unsigned>{7});
  CHECK(changed_lines(attempt({"   store();  // or a race", "-  // the tree"}), solution(body)) ==
        std::set<unsigned>{5, 6});
  CHECK(changed_lines(attempt({"   store();  // or a race", "   // the tree", "-  add();"}),
                      solution(body)) == std::set<unsigned>{5, 7});
  CHECK(changed_lines(attempt({"+  old();", "   store();  // or a race", "@@", "-  add();"}),
                      solution(body)) == std::set<unsigned>{5, 6, 8});
  // Not the first lines that look alike: those of the other function.
  const std::string two =
      "__device__ void other() {\n  add();\n}\n\n__global__ void sum() {\n  other();\n"
      "  add();\n  wait();\n}\n";
  CHECK(changed_lines(attempt({"   add();", "-  wait();", " }"}), solution(two)) ==
        std::set<unsigned>{10, 11});
}

TEST_CASE("an attempt is a puzzle if its difference is small and its place can be named") {
  const std::vector<std::string> small = {"-  add();", "+  old();"};
  const Puzzle race = puzzle_of(attempt(small, "safety: race at `store();`"), solution(body));
  CHECK(race.kind == "race");
  CHECK(race.lines == std::set<unsigned>{5, 7});
  CHECK(puzzle_of(attempt(small, "technique: barriers"), solution(body)).kind == "technique");
  CHECK(puzzle_of(attempt(small, "safety: anything"), solution(body)).kind.empty());
  Implementation block = attempt({"__global__ void sum() {}"});
  block.difference.is_block = true;
  CHECK(puzzle_of(block, solution(body)).kind.empty());
  CHECK(puzzle_of(attempt({"-  add();", "+  old();", "+  // TODO"}), solution(body)).kind.empty());
  CHECK(puzzle_of(attempt({"   add();", "+1;", "+2;", "+3;", "+4;", "+5;", "+6;", "+7;"}), solution(body))
            .kind.empty());
}

TEST_CASE("a finding in another function is no answer; a line that uses the array which was changed is one") {
  const std::string called = "__device__ void get() {\n  load();\n}\n\n" + body;
  CHECK(puzzle_of(attempt({"-  add();", "+  get();"}, "safety: race at `load();`"), solution(called)).lines ==
        std::set<unsigned>{12});
  const std::string tile =
      "__global__ void sum() {\n  __shared__ int tile[33];\n  tile[0] = 1;\n  other[1] = 2;\n}\n";
  CHECK(puzzle_of(
            attempt({"-  __shared__ int tile[33];", "+  __shared__ int tile[32];"}, "technique: conflicts"),
            solution(tile))
            .lines == std::set<unsigned>{5, 6});
}

TEST_CASE("a kernel of the reader's own becomes puzzles, each with one mistake") {
  const warpwise::text::Source own(
      "__device__ float add(float a, float b) {\n  return a + b;\n}\n\n"
      "__global__ void sum(float* s, int n) {\n"
      "  for (int i = 1; i < n; i += 2) {\n"
      "    s[i] += s[0];\n"
      "    __syncthreads();  // or a race\n"
      "  }\n}\n\n"
      "__global__ void other(float* s) {\n  __syncthreads();\n}\n");
  const std::vector<Mutation> mutations = mutations_of(own, "sum");
  std::set<std::string> changes;
  for (const Mutation& mutation : mutations) {
    CHECK(mutation.source.find("other") == mutation.source.npos);
    changes.insert(mutation.why);
  }
  CHECK(mutations.size() == 4);
  CHECK(changes.size() == 4);
  REQUIRE_FALSE(mutations.empty());
  const auto has = [&](const char* text) {
    return std::any_of(mutations.begin(), mutations.end(),
                       [&](const Mutation& one) { return one.source.find(text) != one.source.npos; });
  };
  CHECK(has("i <= n"));
  CHECK(has("s[i] = s[0];"));
  CHECK(has("__syncwarp();  // or a race"));
  CHECK(has("s[0];\n  }"));
}

TEST_CASE("an answer names a line and a kind, in either order") {
  const auto is = [](const char* words, unsigned line, const char* kind) {
    const Answer answer = parse_answer(words);
    return answer.line == line && answer.kind == kind;
  };
  CHECK(is("9 race", 9, "race"));
  CHECK(is("Race, line 9", 9, "race"));
  CHECK(is("line 9: race", 9, "race"));
  CHECK(is("out-of-bounds 12", 12, "out-of-bounds"));
  CHECK(is("unitialised 3", 3, "uninitialised"));
  CHECK(is("9", 9, ""));
  CHECK(is("", 0, ""));
}

TEST_CASE("a line that the checks name is one to be found") {
  warpwise::report::Failure failure;
  failure.sentence = "line 7 of 9";  // nobody reads it
  CHECK(lines_found_in("/a/sum.cu", failure).empty());
  failure.findings.resize(3);
  failure.findings[0].file = "build/sum.cu", failure.findings[0].line = 12;
  failure.findings[0].other_file = "build/sum.cu", failure.findings[0].other_line = 16;
  failure.findings[1].file = "tree.hpp", failure.findings[1].line = 20;
  CHECK(lines_found_in("/a/sum.cu", failure) == std::set<unsigned>{12, 16});
}

TEST_CASE("every chapter has puzzles, and the answer is what its judge must say") {
  for (const ChapterFolder& chapter : warpwise::text::find_chapters(root_folder(), build_folder())) {
    INFO(chapter.name);
    const std::vector<Puzzle> puzzles = puzzles_of(chapter);
    CHECK(puzzles.size() >= 4);
    for (const Puzzle& puzzle : puzzles) {
      INFO(puzzle.attempt.name);
      // chNN.attempt.NAME holds this very line against the judge.
      const auto expected = parse_rejection(puzzle.source);
      CHECK(puzzle.kind ==
            (expected.finding ? expected.finding->kind : std::string(name_of(expected.aspect))));
      CHECK_FALSE(puzzle.lines.empty());
      const std::string code = code_without_comments(puzzle.source);
      CHECK_THAT(code, !ContainsSubstring(puzzle.attempt.why));
      CHECK_THAT(code, !ContainsSubstring("rejected by"));
    }
  }
}
