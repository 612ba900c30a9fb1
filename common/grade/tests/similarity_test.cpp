#include "common/grade/similarity.hpp"

#include "common/testing/catch.hpp"
#include "course_example.hpp"

using namespace warpwise::grade;
using warpwise::testing::ContainsSubstring;
using warpwise::text::Source;

namespace {

/// An answer of one's own to the course's first chapter.
const std::string own =
    "#include \"kernels.hpp\"\nextern \"C\" __global__ void add(float* a) {\n"
    "  __shared__ float part[64];\n  part[threadIdx.x] = a[threadIdx.x] + a[threadIdx.x + blockDim.x];\n"
    "  __syncthreads();\n  for (int d = 32; d > 0; d >>= 1) {\n    if (threadIdx.x < d) part[threadIdx.x] += "
    "part[threadIdx.x + d];\n"
    "    __syncthreads();\n  }\n  if (threadIdx.x == 0) a[blockIdx.x] = part[0];\n}\n"
    "extern \"C\" __global__ void twice(float* a) { a[threadIdx.x] = a[threadIdx.x] + a[threadIdx.x]; }\n";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

SubmissionResult handed_in(const CourseExample& example, const std::string& name, const std::string& source) {
  ChapterResult chapter;
  chapter.chapter = "ch01_first";
  chapter.fingerprints = fingerprints_of(source, example.course.assignments[0]);
  return {name, "", {chapter}};
}

}  // namespace

TEST_CASE("names, comments and layout do not count; what is done does") {
  const auto tokens = renamed_tokens_of("int a = b; // one");
  CHECK(tokens == renamed_tokens_of("int  x=/* two */y ;"));
  CHECK(tokens != renamed_tokens_of("int a = a;"));
  CHECK(tokens_of("__syncthreads(); \"text\"") ==
        std::vector<std::string>{"__syncthreads", "(", ")", ";", "\""});
  CHECK(fingerprints_of(std::vector<std::string>(11, "x")).empty());
  CHECK(fingerprints_of(tokens_of(own)).size() > 10);
}

TEST_CASE("a copy with other names is the same, one with more in it is near, others are neither") {
  const CourseExample example;
  const std::string renamed = "// mine\n" + replaced(replaced(own, "part", "box"), "int d", "int  d");
  const std::string extended =
      replaced(own, "a[blockIdx.x] = part[0];", "{ a[blockIdx.x] = part[0]; asm(\"\"); }");
  const std::string other =
      "extern \"C\" __global__ void add(float* a) { float s = 0; while (s < 3) s += a[int(s)] * 2; "
      "atomicAdd(a, s); "
      "if (s > 9) return; a[1] = s * s - 4; a[2] = a[3] / 7; a[4] = a[5] % 2; }\n";
  const auto pairs = similarities({handed_in(example, "ada", own), handed_in(example, "bob", renamed),
                                   handed_in(example, "cy", extended), handed_in(example, "dee", other)});
  REQUIRE(pairs.size() == 3);
  CHECK((pairs[0].one == "ada" && pairs[0].other == "bob" && pairs[0].is_same));
  CHECK((pairs[1].other == "cy" && !pairs[1].is_same && pairs[1].percent >= 60));
  CHECK(pairs[2].other == "cy");
}

TEST_CASE("skeletons and the public solution make no pairs, but the solution is named") {
  const CourseExample example;
  const std::string renamed =
      replaced(replaced(CourseExample::solution(), "unsigned i", "unsigned me"), "[i", "[me");
  const std::vector<SubmissionResult> results = {
      handed_in(example, "ada", CourseExample::solution()), handed_in(example, "bob", renamed),
      handed_in(example, "cy",
                "extern \"C\" __global__ void add(float* a) {}\nextern \"C\" __global__ void twice(float* a) "
                "{}\n")};
  CHECK(similarities(results).empty());
  CHECK(results[0].chapters[0].fingerprints.as_public == std::vector<std::string>{"add", "twice"});
  CHECK(results[1].chapters[0].fingerprints.as_public == std::vector<std::string>{"add", "twice"});
  CHECK(results[2].chapters[0].fingerprints.is_skeleton);
  CHECK_THAT(copies_page(results), ContainsSubstring("ch01_first  bob  2 of 0: add twice"));
}

TEST_CASE("the exercise of a clone is no skeleton once it is solved") {
  const CourseExample example;
  write_file(example.course.assignments[0].chapter.exercise_file(), own);
  CHECK_FALSE(handed_in(example, "ada", own).chapters[0].fingerprints.is_skeleton);
}

TEST_CASE("a folder that grades without solutions knows their hashes") {
  const CourseExample example;
  const Assignment& assignment = example.course.assignments[0];
  const std::string solution = CourseExample::solution();
  const PublicWork work = public_work_of({Source(solution), Source(own), Source()}, assignment);
  CHECK(work.kernels.size() == 4);  // two kernels, in two ways
  CHECK(spelled(parse_public_work(spelled(work))) == spelled(work));
  CHECK(spelled(work).find("threadIdx") == std::string::npos);
  write_file(assignment.chapter.folder / PublicWork::file, spelled(work));
  std::filesystem::remove(assignment.chapter.solution_file());

  const std::string renamed = replaced(replaced(own, "part", "box"), "int d", "int  d");
  const std::vector<SubmissionResult> results = {
      handed_in(example, "ada", solution), handed_in(example, "bob", own), handed_in(example, "cy", renamed)};
  CHECK(similarities(results).empty());  // whoever looked them up is no pair with another who did
  for (const SubmissionResult& result : results)
    CHECK(result.chapters[0].fingerprints.as_public == std::vector<std::string>{"add", "twice"});
}
