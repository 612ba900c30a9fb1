#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "common/report/describe.hpp"
#include "common/report/json.hpp"
#include "common/report/trace_file.hpp"
#include "common/testing/catch.hpp"
#include "common/testing/json_schema.hpp"
#include "example.hpp"

using namespace warpwise;
using namespace warpwise::report::tests;
using testing::Json;
using testing::JsonSchema;

namespace warpwise::report {
namespace {

/// The JSON schema of a document, from the same lists as its reader and its writer (describe.hpp).
class DescribedSchema {
 public:
  using Json = nlohmann::ordered_json;

  /// `elsewhere`: objects that another document's schema, `file`, describes.
  explicit DescribedSchema(std::set<std::string> elsewhere = {}, std::string file = {})
      : elsewhere_(std::move(elsewhere)), file_(std::move(file)) {}

  /// The whole schema; `title` stands above it.
  template <class Document>
  Json of(const std::string& title) {
    Json root = {{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", title}};
    root.update(members_of<Document>().json);
    root["$defs"] = definitions_;
    return root;
  }

 private:
  /// Goes through the members of one object.
  struct Members {
    DescribedSchema& schema;
    std::string name;
    Json json;

    void object(const std::string& object_name, const std::string& meaning = {}) {
      name = object_name;
      if (!meaning.empty()) json["description"] = meaning;
      json.update({{"type", "object"},
                   {"additionalProperties", false},
                   {"required", Json::array()},
                   {"properties", Json::object()}});
    }
    template <class T, class... Limits>
    void operator()(const char* member, const T& value, const char* meaning = "", const Limits&... limits) {
      json["required"].push_back(member);
      optional(member, value, meaning, limits...);
    }
    template <class T, class... Limits>
    void optional(const char* member, const T&, const char* meaning = "", const Limits&... limits) {
      put(member, meaning, schema.template type<T>(limits...));
    }
    void choice(const char* member, bool, const char* first, const char* second, const char* meaning = "") {
      json["required"].push_back(member);
      put(member, meaning, {{"enum", {first, second}}});
    }
    void put(const char* member, const std::string& meaning, const Json& type) {
      Json property = meaning.empty() ? Json::object() : Json{{"description", meaning}};
      property.update(type);
      json["properties"][member] = std::move(property);
    }
  };

  template <class T>
  Members members_of() {
    Members members{*this, {}, Json::object()};
    T value{};
    describe(members, value);
    return members;
  }

  Json reference(const std::string& name) const {
    return {{"$ref", (elsewhere_.contains(name) ? file_ : "") + "#/$defs/" + name}};
  }
  Json define(const std::string& name, const Json& definition) {
    if (!elsewhere_.contains(name)) definitions_[name] = definition;
    return reference(name);
  }

  template <class T>
  Json type() {
    if constexpr (std::is_same_v<T, bool>) {
      return {{"type", "boolean"}};
    } else if constexpr (std::is_same_v<T, std::string>) {
      return {{"type", "string"}};
    } else if constexpr (std::is_floating_point_v<T>) {
      return {{"type", "number"}, {"minimum", 0}};
    } else if constexpr (std::is_signed_v<T>) {
      return {{"type", "integer"}};
    } else if constexpr (std::is_integral_v<T>) {
      return sizeof(T) < 8 ? define("count_of_32_bits", range({0, 4294967295}))
                           : define("count", {{"type", "integer"}, {"minimum", 0}});
    } else if constexpr (std::is_same_v<T, FindingKindOf>) {
      return words_of(simulator::finding_kind_names);
    } else if constexpr (std::is_same_v<T, Aspect>) {
      return words_of(names_of(all_aspects));
    } else if constexpr (std::is_same_v<T, Outcome>) {
      return words_of(names_of(all_outcomes));
    } else if constexpr (std::is_same_v<T, simulator::Counters>) {
      return define("counters", counters());
    } else if constexpr (std::is_same_v<T, std::array<std::uint32_t, 3>>) {
      const Json item = type<std::uint32_t>();
      return define(
          "size",
          {{"description", "x, y, z"}, {"type", "array"}, {"minItems", 3}, {"maxItems", 3}, {"items", item}});
    } else if constexpr (requires(T list) { list.push_back({}); }) {
      return {{"type", "array"}, {"items", type<typename T::value_type>()}};
    } else {
      const Json before = definitions_;
      const Members members = members_of<T>();
      if (elsewhere_.contains(members.name)) definitions_ = before;  // what it consists of is there, too
      return define(members.name, members.json);
    }
  }

  template <class T>
  Json type(const Range& limits) {
    if constexpr (requires(T list) { list.push_back({}); })
      return {{"type", "array"}, {"items", range(limits)}};
    else
      return limits.least == limits.most ? Json{{"const", static_cast<std::int64_t>(limits.least)}}
                                         : range(limits);
  }
  template <class T>
  Json type(const Words& words) {
    return words_of(words);
  }

  using FindingKindOf = simulator::FindingKind;

  static Json range(const Range& limits) {
    return {{"type", "integer"},
            {"minimum", static_cast<std::int64_t>(limits.least)},
            {"maximum", static_cast<std::int64_t>(limits.most)}};
  }
  static Json words_of(const auto& words) {
    Json list = Json::array();
    for (const std::string_view word : words) list.push_back(std::string(word));
    return {{"enum", std::move(list)}};
  }
  static std::vector<std::string_view> names_of(const auto& values) {
    std::vector<std::string_view> names;
    for (const auto value : values) names.push_back(name_of(value));
    return names;
  }

  Json counters() {
    const Json count = type<std::uint64_t>();
    Json object = {{"type", "object"}, {"additionalProperties", count}, {"required", Json::array()}};
    const auto put = [&](std::string_view name, std::string_view meaning, const Json& its_type) {
      object["required"].push_back(std::string(name));
      Json property = {{"description", std::string(meaning)}};
      property.update(its_type);
      object["properties"][std::string(name)] = std::move(property);
    };
    for (const simulator::CounterField& field : simulator::counter_fields)
      put(field.name, field.title, count);
    put("lane_utilisation", "thread_instructions / (32 * warp_instructions)",
        {{"type", "number"}, {"minimum", 0}, {"maximum", 1}});
    return object;
  }

  std::set<std::string> elsewhere_;
  std::string file_;
  Json definitions_ = Json::object();
};

/// As the files in docs/ are written: what fits into a line stands in one.
std::string lines_of(const DescribedSchema::Json& json, std::size_t indent = 0, std::size_t before = 0) {
  constexpr std::size_t columns = 120;
  const std::string line = json.dump(-1, ' ', false);
  std::string spaced;
  bool is_quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    is_quoted ^= line[i] == '"' && (i == 0 || line[i - 1] != '\\');
    spaced += line[i];
    if (!is_quoted && (line[i] == ':' || line[i] == ',')) spaced += ' ';
  }
  if (indent != 0 && indent + before + spaced.size() < columns) return spaced;
  if (!json.is_structured() || json.empty()) return spaced;
  std::string text(1, json.is_object() ? '{' : '[');
  for (const auto& [name, value] : json.items()) {
    const std::string head = json.is_object() ? '"' + name + "\": " : "";
    text += (text.size() > 1 ? ",\n" : "\n") + std::string(indent + 2, ' ') + head +
            lines_of(value, indent + 2, head.size());
  }
  return text + '\n' + std::string(indent, ' ') + (json.is_object() ? '}' : ']');
}

}  // namespace
}  // namespace warpwise::report

namespace {

using report::DescribedSchema;
using report::lines_of;

std::string text_of_docs(const std::string& name) {
  std::ifstream file(std::string(WARPWISE_SOURCE_DIR) + "/../../docs/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Where they differ the text as it should be lies in the build folder.
void check_committed(const std::string& name, const std::string& text) {
  const std::string file = std::string(WARPWISE_BINARY_DIR) + "/" + name;
  std::ofstream(file, std::ios::binary) << text;
  INFO("docs/" << name << " is not what the members are: cp " << file << " docs/");
  CHECK((text_of_docs(name) == text));
}

Json schema_of_reports() { return Json::parse(text_of_docs("report.schema.json")); }

/// It takes a launch from the schema of reports: both in one document.
Json schema_of_traces() {
  Json schema = Json::parse(text_of_docs("trace.schema.json"));
  const Json reports = schema_of_reports();
  for (const auto& [name, definition] : reports.at("$defs").items())
    if (!schema["$defs"].contains(name)) schema["$defs"][name] = definition;
  Json& launch = schema["$defs"]["traced_launch"]["properties"]["launch"];
  REQUIRE(launch.at("$ref") == "report.schema.json#/$defs/launch");
  launch["$ref"] = "#/$defs/launch";
  return schema;
}

Json written(const auto& document) { return Json::parse(report::json_of(document)); }

/// One of everything, with those members alone that are always written.
report::Report bare() {
  report::Report report;
  report.chapters.emplace_back().kernels.emplace_back();
  report.launches.emplace_back().report.lines.emplace_back();
  report.launches.back().report.findings.emplace_back();
  report.verdicts.emplace_back().failures.emplace_back();
  return report;
}

std::vector<std::string> complaints_about(const Json& document) {
  return JsonSchema(schema_of_reports()).complaints(document);
}

}  // namespace

TEST_CASE("the schemas in docs/ have every member that is written, and no other") {
  check_committed("report.schema.json",
                  lines_of(DescribedSchema().of<report::Report>(
                      "What `--report FILE` of ./warpwise tour, run and exec writes, and WARPWISE_REPORT")) +
                      "\n");
  check_committed(
      "trace.schema.json",
      lines_of(DescribedSchema({"launch"}, "report.schema.json")
                   .of<report::TraceFile>("What `--trace FILE` of ./warpwise run, show and exec writes, and "
                                          "WARPWISE_TRACE")) +
          "\n");
}

TEST_CASE("the schemas take what is written") {
  CHECK(complaints_about(written(example_report())).empty());
  CHECK(complaints_about(written(bare())).empty());
  CHECK(complaints_about(written(report::Report{})).empty());
  const JsonSchema traces(schema_of_traces());
  CHECK(traces.complaints(written(example_traces())).empty());
  CHECK(traces.complaints(written(bare_traces())).empty());
  CHECK(traces.complaints(written(report::TraceFile{})).empty());
}

TEST_CASE("docs/findings.md has every kind of finding") {
  const std::string page = text_of_docs("findings.md");
  const std::size_t table = page.find("| kind | what is reported |");
  REQUIRE(table != std::string::npos);
  const std::string rows = page.substr(table, page.find("\n\n", table) - table);
  for (const std::string_view kind : simulator::finding_kind_names)
    CHECK_THAT(rows, testing::ContainsSubstring('`' + std::string(kind) + '`'));
}

TEST_CASE("the schema notices what is missing, unknown or of a wrong kind") {
  const Json right = written(bare());
  Json wrong = right;
  wrong["launches"][0].erase("kernel");
  CHECK(complaints_about(wrong) == std::vector<std::string>{"/launches/0: kernel is missing"});
  wrong = right;
  wrong["launches"][0]["colour"] = "red";
  CHECK(complaints_about(wrong) == std::vector<std::string>{"/launches/0/colour: is not in the schema"});
  wrong = right;
  wrong["launches"][0]["counters"]["shuffles"] = -1;
  CHECK(complaints_about(wrong) == std::vector<std::string>{"/launches/0/counters/shuffles: is less than 0"});
  wrong = right;
  wrong["launches"][0]["findings"] = {{{"kind", "sadness"}}};
  CHECK_FALSE(complaints_about(wrong).empty());
}
