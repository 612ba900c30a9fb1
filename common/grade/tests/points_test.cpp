#include "common/grade/points.hpp"

#include "common/grade/judge.hpp"
#include "common/grade/refusal.hpp"
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
  CHECK_THROWS_WITH(parse("{"), ContainsSubstring("points.json: is no JSON"));
  CHECK_THROWS_WITH(parse("[]"), ContainsSubstring("is no object"));
  CHECK_THROWS_WITH(parse(R"({"eech": {}})"), ContainsSubstring("eech: is not known"));
  CHECK_THROWS_WITH(parse(R"({"version": 2})"), ContainsSubstring("version: is 1"));
  CHECK_THROWS_WITH(parse(R"({"each": {"results": 1}})"), ContainsSubstring("each/results: is not known"));
  CHECK_THROWS_WITH(parse(R"({"each": {"result": -1}})"), ContainsSubstring("each/result: is a number"));
  CHECK_THROWS_WITH(parse(R"({"chapters": {"ch09": {}}})"),
                    ContainsSubstring("chapters/ch09: the course has no such chapter"));
  CHECK_THROWS_WITH(parse(R"({"chapters": {"ch01": {"ad": {}}}})"),
                    ContainsSubstring("ch01_first has no kernel of that name"));
  CHECK_THROWS_WITH(parse(R"({"hide": "sizes"})"), ContainsSubstring("hide: is"));
  CHECK_THROWS_WITH(parse(R"({"seed": -1})"), ContainsSubstring("seed: is a whole number"));
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
