// Results of a submission: their sums, and as JSON; and the weights that points.json gives.
#include "results.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "assignment.hpp"
#include "untrusted.hpp"

namespace warpwise::grade {
namespace {

using Json = nlohmann::ordered_json;

template <class Parts, class Value>
std::int64_t sum_of(const Parts& parts, Value value) {
  return std::accumulate(parts.begin(), parts.end(), std::int64_t{0},
                         [&](std::int64_t sum, const auto& part) { return sum + value(part); });
}

std::int64_t thousandths(const Json& points) { return std::llround(points.get<double>() * 1000); }

Json value_of(const AspectResult& aspect) {
  Json json = {{"aspect", report::name_of(aspect.aspect)},
               {"outcome", report::name_of(aspect.outcome)},
               {"points", json_of_points(aspect.points)},
               {"most", json_of_points(aspect.most)}};
  if (!aspect.sentence.empty()) json["sentence"] = aspect.sentence;
  if (aspect.told != aspect.sentence) json["told"] = aspect.told;
  return json;
}

Json value_of(const KernelResult& kernel) {
  Json json = {{"kernel", kernel.kernel}, {"aspects", Json::array()}};
  for (const AspectResult& aspect : kernel.aspects) json["aspects"].push_back(value_of(aspect));
  if (!kernel.problem.empty()) json["problem"] = kernel.problem;
  return json;
}

Json value_of(const ChapterResult& chapter) {
  Json json = {{"chapter", chapter.chapter},
               {"file", chapter.file},
               {"problem", chapter.problem},
               {"verdict", chapter.verdict},
               {"points", json_of_points(chapter.points())},
               {"most", json_of_points(chapter.most())},
               {"kernels", Json::array()}};
  for (const KernelResult& kernel : chapter.kernels) json["kernels"].push_back(value_of(kernel));
  json["feedback"] = chapter.feedback;
  json["fingerprints"] = {{"whole", chapter.fingerprints.whole},
                          {"pieces", chapter.fingerprints.pieces},
                          {"as_public", chapter.fingerprints.as_public},
                          {"is_skeleton", chapter.fingerprints.is_skeleton}};
  return json;
}

template <class Enum, class All>
Enum named(const Json& json, const All& all) {
  for (const Enum one : all)
    if (json == report::name_of(one)) return one;
  throw std::runtime_error("an unknown name");
}

AspectResult aspect_from(const Json& json) {
  AspectResult aspect;
  aspect.aspect = named<report::Aspect>(json.at("aspect"), report::all_aspects);
  aspect.outcome = named<report::Outcome>(json.at("outcome"), report::all_outcomes);
  aspect.points = thousandths(json.at("points"));
  aspect.most = thousandths(json.at("most"));
  aspect.sentence = json.value("sentence", "");
  aspect.told = json.value("told", aspect.sentence);
  return aspect;
}

ChapterResult chapter_from(const Json& json) {
  ChapterResult chapter;
  chapter.chapter = json.at("chapter");
  chapter.file = json.at("file");
  chapter.problem = json.at("problem");
  chapter.verdict = json.at("verdict");
  chapter.feedback = json.at("feedback");
  for (const Json& kernel : json.at("kernels")) {
    KernelResult& result = chapter.kernels.emplace_back();
    result.kernel = kernel.at("kernel");
    result.problem = kernel.value("problem", "");
    for (const Json& aspect : kernel.at("aspects")) result.aspects.push_back(aspect_from(aspect));
  }
  const Json& prints = json.at("fingerprints");
  prints.at("whole").get_to(chapter.fingerprints.whole);
  prints.at("pieces").get_to(chapter.fingerprints.pieces);
  prints.at("as_public").get_to(chapter.fingerprints.as_public);
  prints.at("is_skeleton").get_to(chapter.fingerprints.is_skeleton);
  return chapter;
}

/// A name may be any bytes, JSON is UTF-8: the bytes are written where visible() would change them.
Json name_value(const std::string& name) {
  if (visible_line(name) == name) return name;
  Json bytes = Json::array();
  for (const char c : name) bytes.push_back(static_cast<unsigned char>(c));
  return bytes;
}

std::string name_from(const Json& json) {
  if (json.is_string()) return json;
  std::string name;
  for (const Json& byte : json) name += static_cast<char>(byte.get<unsigned char>());
  return name;
}

}  // namespace

std::int64_t ChapterResult::points() const {
  return sum_of(kernels, [](const KernelResult& kernel) {
    return sum_of(kernel.aspects, [](const AspectResult& aspect) { return aspect.points; });
  });
}

std::int64_t ChapterResult::most() const {
  return sum_of(kernels, [](const KernelResult& kernel) {
    return sum_of(kernel.aspects, [](const AspectResult& aspect) { return aspect.most; });
  });
}

std::int64_t SubmissionResult::points() const {
  return sum_of(chapters, [](const ChapterResult& chapter) { return chapter.points(); });
}

std::int64_t SubmissionResult::most() const {
  return sum_of(chapters, [](const ChapterResult& chapter) { return chapter.most(); });
}

bool SubmissionResult::could_be_graded() const {
  return std::all_of(chapters.begin(), chapters.end(),
                     [](const ChapterResult& chapter) { return chapter.problem.empty(); });
}

std::string json_of(const SubmissionResult& result) {
  Json json = {{"version", 1},
               {"name", name_value(result.name)},
               {"key", result.key},
               {"points", json_of_points(result.points())},
               {"most", json_of_points(result.most())},
               {"chapters", Json::array()}};
  for (const ChapterResult& chapter : result.chapters) json["chapters"].push_back(value_of(chapter));
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::optional<SubmissionResult> result_from(std::string_view text) {
  try {
    const Json json = Json::parse(text);
    if (json.at("version") != 1) return std::nullopt;
    SubmissionResult result;
    result.name = name_from(json.at("name"));
    result.key = json.at("key");
    for (const Json& chapter : json.at("chapters")) result.chapters.push_back(chapter_from(chapter));
    return result;
  } catch (const std::exception&) {  // of nlohmann-json: no JSON, or other members
    return std::nullopt;
  }
}

// --- Points -----------------------------------------------------------------------------------------------

namespace {

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
      weight = thousandths(value);
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
