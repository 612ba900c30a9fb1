// The part of scores.hpp that writes Gradescope's results.json.
#include <nlohmann/json.hpp>

#include "json_points.hpp"
#include "plain_text.hpp"
#include "points.hpp"
#include "scores.hpp"

namespace warpwise::grade {
namespace {

using Json = nlohmann::ordered_json;

std::string output_of(const KernelResult& kernel, const AspectResult& aspect) {
  if (aspect.outcome == report::Outcome::passed)
    return aspect.points == aspect.most ? "" : "counts once the result is right";
  return aspect.told.empty() ? kernel.problem : aspect.told;
}

}  // namespace

std::string gradescope_of(const SubmissionResult& result) {
  Json tests = Json::array();
  for (const ChapterResult& chapter : result.chapters) {
    for (const KernelResult& kernel : chapter.kernels) {
      for (const AspectResult& aspect : kernel.aspects) {
        const bool has_passed = aspect.outcome == report::Outcome::passed && aspect.points == aspect.most;
        tests.push_back({{"name", chapter.chapter.substr(0, 4) + " " + kernel.kernel + ": " +
                                      std::string(report::name_of(aspect.aspect))},
                         {"score", json_of_points(aspect.points)},
                         {"max_score", json_of_points(aspect.most)},
                         {"status", has_passed ? "passed" : "failed"},
                         {"output", output_of(kernel, aspect)},
                         {"output_format", "text"},
                         {"visibility", "visible"}});
      }
    }
  }
  const Json json = {{"score", json_of_points(result.points())},
                     {"output", feedback_of(result)},
                     {"output_format", "text"},
                     {"visibility", "visible"},
                     {"stdout_visibility", "hidden"},
                     {"tests", tests}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace warpwise::grade
