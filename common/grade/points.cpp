// Points: what a kernel earns (judge.hpp), and the weights that points.json gives (results.hpp).
#include "judge.hpp"
#include "results.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "assignment.hpp"
#include "strangers.hpp"

namespace warpwise::grade {
namespace {

using Json = nlohmann::ordered_json;
using report::Aspect;

/// Reads the members of one object of the file; what() of a Refusal says where in it.
class Reader {
 public:
  Reader(std::string file, const Course& course) : file_(std::move(file)), course_(course) {}

  Points points(const Json& json) {
    expect_object(json, "");
    Points points;
    for (const auto& [name, value] : json.items()) {
      if (name == "version") {
        if (value != 1) refuse(name, "must be 1 in this version of Warpwise");
      } else if (name == "each") {
        points.each = weights(value, name, Weights{});
      } else if (name == "hide") {
        if (value != Json::array({"sizes"}) && value != Json::array())
          refuse(name, "must be [\"sizes\"] or []");
        points.hides_sizes = !value.empty();
      } else if (name == "seed") {
        if (!value.is_number_unsigned()) refuse(name, "must be a whole number");
        points.seed = value.get<std::uint64_t>();
      } else if (name != "chapters") {
        refuse(name, "is not known; there are version, each, chapters, hide and seed");
      }
    }
    if (json.contains("chapters")) read_chapters(json["chapters"], points);
    return points;
  }

  [[noreturn]] void refuse(const std::string& place, const std::string& what) const {
    throw Refusal(file_ + ": " + (place.empty() ? "" : place + ": ") + what + ".");
  }

 private:
  void expect_object(const Json& json, const std::string& place) const {
    if (!json.is_object()) refuse(place, "is not an object, {\"name\": ...}");
  }

  Weights weights(const Json& json, const std::string& place, Weights weights) const {
    expect_object(json, place);
    for (const auto& [name, value] : json.items()) {
      const std::string member = place + "/" + name;
      if (name != "result" && name != "technique" && name != "safety")
        refuse(member, "is not known; there are result, technique and safety");
      const double points = value.is_number() ? value.get<double>() : -1;
      if (!(points >= 0 && points <= 1e6)) refuse(member, "must be a number from 0 to 1000000");
      auto& weight = name == "result"      ? weights.result
                     : name == "technique" ? weights.technique
                                           : weights.safety;
      weight = std::llround(points * 1000);
    }
    return weights;
  }

  void read_chapters(const Json& json, Points& points) const {
    expect_object(json, "chapters");
    for (const auto& [name, kernels] : json.items()) {
      const std::string place = "chapters/" + name;
      const Assignment* const assignment = assignment_meant_by(name, course_);
      if (assignment == nullptr) refuse(place, "the course has no such chapter");
      expect_object(kernels, place);
      for (const auto& [kernel, value] : kernels.items()) {
        const std::string entry = place + "/" + kernel;
        if (!assignment->declares(kernel)) refuse(entry, assignment->name() + " has no kernel of that name");
        points.kernels[assignment->name()][kernel] = weights(value, entry, points.each);
      }
    }
  }

  std::string file_;
  const Course& course_;
};

Json json_of(const Weights& weights) {
  return {{"result", weights.result}, {"technique", weights.technique}, {"safety", weights.safety}};
}

}  // namespace

std::int64_t Weights::of(Aspect aspect) const {
  return aspect == Aspect::result ? result : aspect == Aspect::technique ? technique : safety;
}

const Weights& Points::of(const std::string& chapter, const std::string& kernel) const {
  const auto found = kernels.find(chapter);
  if (found == kernels.end()) return each;
  const auto weights = found->second.find(kernel);
  return weights == found->second.end() ? each : weights->second;
}

KernelResult earned(const std::string& kernel, const std::string& chapter, const JudgedFile& judged,
                    const Points& points) {
  using report::Outcome;
  KernelResult result{kernel, {}, {}};
  if (const auto found = judged.unjudged.find(kernel); found != judged.unjudged.end())
    result.problem = found->second;
  const bool is_right = judged.report.outcome(chapter, kernel, Aspect::result) == Outcome::passed;
  for (const Aspect aspect : report::all_aspects) {
    AspectResult& one = result.aspects.emplace_back();
    one.aspect = aspect;
    one.outcome = judged.report.outcome(chapter, kernel, aspect);
    one.most = points.of(chapter, kernel).of(aspect);
    one.points = is_right && one.outcome == Outcome::passed ? one.most : 0;
    const report::Verdict* const failed = judged.report.verdict(chapter, kernel, aspect);
    if (failed != nullptr && !failed->failures.empty())
      one.sentence = visible(failed->failures.front().sentence);
    one.told = points.hides_sizes ? without_numbers(one.sentence) : one.sentence;
  }
  return result;
}

Points points_from(std::string_view text, const std::string& file, const Course& course) {
  Reader reader(file, course);
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) reader.refuse("", "is not JSON");
  return reader.points(json);
}

Points read_points(const std::filesystem::path& path, const Course& course) {
  const FileText file = read_plain_file(path, 1 << 20);
  if (!file.problem.empty()) throw Refusal(path.string() + " " + file.problem + ".");
  return points_from(file.text, path.string(), course);
}

std::string text_of(const Points& points) {
  Json json = {{"each", json_of(points.each)}, {"hides_sizes", points.hides_sizes}, {"seed", points.seed}};
  for (const auto& [chapter, kernels] : points.kernels)
    for (const auto& [kernel, weights] : kernels) json["chapters"][chapter][kernel] = json_of(weights);
  return json.dump();
}

std::string points_text(std::int64_t thousandths) {
  std::string text = std::to_string(thousandths / 1000);
  if (thousandths % 1000 == 0) return text;
  std::string digits = std::to_string(1000 + thousandths % 1000).substr(1);
  while (digits.back() == '0') digits.pop_back();
  return text + "." + digits;
}

nlohmann::ordered_json json_of_points(std::int64_t thousandths) {
  if (thousandths % 1000 == 0) return thousandths / 1000;
  return static_cast<double>(thousandths) / 1000;
}

}  // namespace warpwise::grade
