#include "common/grade/results.hpp"
#include "common/grade/assignment.hpp"
#include "common/grade/judge.hpp"
#include "common/testing/catch.hpp"
#include "course_example.hpp"

using namespace warpwise::grade;
using warpwise::report::Aspect;
using warpwise::report::Outcome;
using warpwise::testing::ContainsSubstring;

namespace {

Points parse(const std::string& json) {
  const CourseExample example;
  return points_from(json, "points.json", example.course);
}

/// `add`, judged with these outcomes of result, technique and safety.
JudgedFile judged_with(Outcome result, Outcome technique, Outcome safety) {
  JudgedFile judged;
  judged.report.verdicts = {{"add", Aspect::result, result, {}, "ch01_first"},
                            {"add", Aspect::technique, technique, {}, "ch01_first"},
                            {"add", Aspect::safety, safety, {}, "ch01_first"}};
  return judged;
}

std::int64_t sum_of(const KernelResult& kernel) {
  std::int64_t sum = 0;
  for (const AspectResult& aspect : kernel.aspects) sum += aspect.points;
  return sum;
}

}  // namespace

TEST_CASE("what is not named counts as each") {
  const Points points = parse(
      R"({"version": 1, "each": {"result": 3}, "chapters": {"ch01": {"add": {"safety": 0.5}}}, "hide": ["sizes"], "seed": 7})");
  CHECK(points.of("ch01_first", "add").result == 3000);
  CHECK(points.of("ch01_first", "add").technique == 2000);
  CHECK(points.of("ch01_first", "add").safety == 500);
  CHECK(points.of("ch02_second", "scan").result == 3000);
  CHECK(points.hides_sizes);
  CHECK(points.seed == 7);
  CHECK(text_of(points) != text_of(parse("{}")));
  CHECK(text_of(parse("{}")) == text_of(Points{}));
}

TEST_CASE("what a points file gets wrong is said, with its place") {
  CHECK_THROWS_WITH(parse("{"), ContainsSubstring("points.json: is not JSON"));
  CHECK_THROWS_WITH(parse("[]"), ContainsSubstring("is not an object"));
  CHECK_THROWS_WITH(parse(R"({"eech": {}})"), ContainsSubstring("eech: is not known"));
  CHECK_THROWS_WITH(parse(R"({"version": 2})"), ContainsSubstring("version: must be 1"));
  CHECK_THROWS_WITH(parse(R"({"each": {"results": 1}})"), ContainsSubstring("each/results: is not known"));
  CHECK_THROWS_WITH(parse(R"({"each": {"result": -1}})"), ContainsSubstring("each/result: must be a number"));
  CHECK_THROWS_WITH(parse(R"({"chapters": {"ch09": {}}})"),
                    ContainsSubstring("chapters/ch09: the course has no such chapter"));
  CHECK_THROWS_WITH(parse(R"({"chapters": {"ch01": {"ad": {}}}})"),
                    ContainsSubstring("ch01_first has no kernel of that name"));
  CHECK_THROWS_WITH(parse(R"({"hide": "sizes"})"), ContainsSubstring("hide: must be"));
  CHECK_THROWS_WITH(parse(R"({"seed": -1})"), ContainsSubstring("seed: must be a whole number"));
}

TEST_CASE("technique and safety count where the result is right") {
  const auto points = [](Outcome result, Outcome technique, Outcome safety) {
    return sum_of(earned("add", "ch01_first", judged_with(result, technique, safety), {}));
  };
  CHECK(points(Outcome::passed, Outcome::passed, Outcome::passed) == 5000);
  CHECK(points(Outcome::passed, Outcome::failed, Outcome::passed) == 3000);
  CHECK(points(Outcome::failed, Outcome::passed, Outcome::passed) == 0);
  CHECK(points(Outcome::not_checked, Outcome::passed, Outcome::passed) == 0);
}

TEST_CASE("points are told without digits that are not needed") {
  CHECK(points_text(0) == "0");
  CHECK(points_text(2000) == "2");
  CHECK(points_text(2500) == "2.5");
  CHECK(points_text(333) == "0.333");
}

namespace {

/// Of two kernels one is right, and one has a race; and somebody whose file is a link.
std::vector<SubmissionResult> results() {
  SubmissionResult ada{"ada", "key", {}};
  ChapterResult chapter{
      "ch01_first", "x.cu", "", "graded", {}, "well done\n", {"0f", {1, 2}, {"add"}, false}};
  chapter.kernels = {{"add",
                      {{Aspect::result, Outcome::passed, 2000, 2000, "", ""},
                       {Aspect::technique, Outcome::passed, 2000, 2000, "", ""},
                       {Aspect::safety, Outcome::passed, 1000, 1000, "", ""}},
                      ""},
                     {"twice",
                      {{Aspect::result, Outcome::passed, 2000, 2000, "", ""},
                       {Aspect::technique, Outcome::passed, 2000, 2000, "", ""},
                       {Aspect::safety, Outcome::failed, 0, 1000, "race at <9>", "race at <?>"}},
                      ""}};
  ada.chapters = {chapter};
  SubmissionResult eve{"e\nve\xff", "key", {{"", "", "eve.cu is a symbolic link.", "", {}, "", {}}}};
  return {ada, eve};
}

}  // namespace

TEST_CASE("a result is read as it was written, whatever its name") {
  for (const SubmissionResult& result : results()) {
    const auto read = result_from(json_of(result));
    REQUIRE(read);
    CHECK(*read == result);
  }
  CHECK_FALSE(result_from("{"));
  CHECK_FALSE(result_from("{\"version\": 1}"));
}

TEST_CASE("a table for a spreadsheet") {
  CHECK(csv_of(results()) ==
        "name,points,most,problem,ch01_first,add result,add technique,add safety,twice result,twice "
        "technique,twice safety\n"
        "ada,9,10,,graded,2,2,1,2,2,0\n"
        "e\\nve\xef\xbf\xbd,0,0,eve.cu is a symbolic link.,,,,,,,\n");
}

TEST_CASE("JUnit tells failures as the student is told, and what could not be graded as an error") {
  const std::string xml = junit_of(results());
  CHECK_THAT(
      xml, ContainsSubstring("<testsuite name=\"ada.ch01_first\" tests=\"6\" failures=\"1\" errors=\"0\">"));
  CHECK_THAT(xml, ContainsSubstring("name=\"twice: safety\"><failure message=\"race at &lt;?&gt;\"/>"));
  CHECK_THAT(xml, ContainsSubstring("<error message=\"eve.cu is a symbolic link.\"/>"));
  CHECK(xml.find("<9>") == xml.npos);
}

TEST_CASE("Gradescope has a test for each aspect, and the sum") {
  const std::string json = gradescope_of(results()[0]);
  CHECK_THAT(json, ContainsSubstring("{\n \"score\": 9,\n \"output\": \"well done\\n\",\n"));
  CHECK_THAT(json, ContainsSubstring("\n \"stdout_visibility\": \"hidden\",\n"));
  std::size_t tests = 0;
  for (std::size_t at = 0; (at = json.find("\"max_score\"", at)) != json.npos; ++at) ++tests;
  CHECK(tests == 6);
  CHECK_THAT(
      json.substr(json.rfind("   \"name\"")),
      ContainsSubstring("   \"name\": \"ch01 twice: safety\",\n   \"score\": 0,\n   \"max_score\": 1,\n"
                        "   \"status\": \"failed\",\n   \"output\": \"race at <?>\",\n"));
}

TEST_CASE("hidden numbers are those of sizes, places and values, not of lines and names") {
  CHECK(without_numbers("n = 33, block = 32: out[1] is 5, expected 9.5 (1 of 2 elements differ)") ==
        "n = ?, block = ?: out[?] is ?, expected ? (? of ? elements differ)");
  CHECK(without_numbers("exercise.cu:14: race: thread 32 reads s[32] (line 16)") ==
        "exercise.cu:14: race: thread ? reads s[?] (line 16)");
  CHECK(without_numbers("reduce_unrolled_256 gives -1.5e+08, 0x1f") == "reduce_unrolled_256 gives -?, ?");
  CHECK(without_numbers("float4, log2(256)") == "float4, log2(?)");
}
