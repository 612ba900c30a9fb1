// Results of a submission: their sums, and as JSON.
#include "results.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "strangers.hpp"

namespace warpwise::grade {
namespace {

using Json = nlohmann::ordered_json;

template <class Parts, class Value>
std::int64_t sum_of(const Parts& parts, Value value) {
  return std::accumulate(parts.begin(), parts.end(), std::int64_t{0},
                         [&](std::int64_t sum, const auto& part) { return sum + value(part); });
}

std::int64_t thousandths(const Json& json) {
  return static_cast<std::int64_t>(json.get<double>() * 1000 + 0.5);
}

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

}  // namespace warpwise::grade
