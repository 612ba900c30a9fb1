/// \file Every question of the chapters is answered here, by launching what it names: the answer is the one
/// that its reason comes to, and every equation of a reason holds. And a launch counts the same every time.

#include <cmath>

#include "../build.hpp"
#include "../guessing.hpp"
#include "../student_record.hpp"
#include "common/testing/catch.hpp"

using namespace warpwise::cli;
namespace text = warpwise::text;

namespace {

/// Half a unit of the last digit that `figure` shows: "20.4" may be 20.35 to 20.45.
double rounding_of(const std::string& figure) {
  const std::size_t point = figure.find('.');
  if (point == figure.npos) return 0.5;
  return 0.5 * std::pow(10.0, -static_cast<double>(figure.size() - point - 1));
}

void check_question(Measurements& measurements, const text::Question& question) {
  const Names& names = measurements.of(question.run);
  const double measured = evaluate(question.counter, names);
  const std::vector<text::Equation> equations = text::equations_in(question.why);
  INFO(question.prompt << " measured: " << measured);
  REQUIRE_FALSE(equations.empty());
  for (const text::Equation& equation : equations) {
    INFO(equation.left << " = " << equation.right);
    const double left = evaluate(equation.left, names), right = evaluate(equation.right, names);
    CHECK(std::fabs(left - right) <= (left == std::floor(left) ? 0 : rounding_of(equation.right)));
  }
  CHECK(agrees(answer_in(question.why), measured, question.within));  // all that a handout has
  if (question.is_estimate())
    CHECK((question.counter == "lanes_busy" || measured != std::floor(measured)));  // a count is exact
}

void check_chapter(const char* name) {
  const ChapterFolder chapter = chapter_named(name);
  const auto page = chapter.predictions_file();
  Measurements measurements(chapter);
  for (const text::Section& section : text::parse_predictions(read_text(page), shown_path(page)))
    for (const text::Question& question : section.questions) check_question(measurements, question);
}

}  // namespace

TEST_CASE("ch01: what is measured is what the reasons say") { check_chapter("ch01"); }
TEST_CASE("ch02: what is measured is what the reasons say") { check_chapter("ch02"); }
TEST_CASE("ch03: what is measured is what the reasons say") { check_chapter("ch03"); }
TEST_CASE("ch04: what is measured is what the reasons say") { check_chapter("ch04"); }
TEST_CASE("ch05: what is measured is what the reasons say") { check_chapter("ch05"); }
TEST_CASE("ch06: what is measured is what the reasons say") { check_chapter("ch06"); }
TEST_CASE("ch07: what is measured is what the reasons say") { check_chapter("ch07"); }

TEST_CASE("a launch counts the same every time, even if its blocks wait for each other") {
  const ChapterFolder chapter = chapter_named("ch06");
  const Subject solution = subject_of(chapter, true, {});
  build_or_fail(chapter, solution);
  const auto counted = [&] {
    const auto report = report_of(launch_command(chapter, solution, {.kernel = "find_ahead"}), "find_ahead");
    const auto* launch = report.launch(chapter.name, "find_ahead", true);
    REQUIRE(launch != nullptr);
    return launch->report.counters;
  };
  CHECK(counted() == counted());
}
