#pragma once
/// \file As much of JSON Schema (draft 2020-12) as the schemas in docs/ use.

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace warpwise::testing {

using Json = nlohmann::json;

class JsonSchema {
 public:
  explicit JsonSchema(Json root) : root_(std::move(root)) {}

  /// What in `value` is not as the schema wants it: "/launches/0/kernel: is missing".
  std::vector<std::string> complaints(const Json& value) const {
    std::vector<std::string> found;
    check(value, root_, "", found);
    return found;
  }

 private:
  static bool has_type(const Json& value, const std::string& type) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "integer") return value.is_number_integer();
    if (type == "number") return value.is_number();
    throw std::invalid_argument("the schema names the type " + type);
  }

  void check(const Json& value, const Json& schema, const std::string& place,
             std::vector<std::string>& found) const {
    const auto complain = [&](const std::string& what) { found.push_back(place + ": " + what); };
    for (const auto& [word, rule] : schema.items()) {
      if (word == "$ref") {
        check(value, root_.at(Json::json_pointer(rule.get<std::string>().substr(1))), place, found);
      } else if (word == "type") {
        if (!has_type(value, rule)) complain("is no " + rule.get<std::string>());
      } else if (word == "enum") {
        if (std::find(rule.begin(), rule.end(), value) == rule.end())
          complain(value.dump() + " is not allowed");
      } else if (word == "const") {
        if (value != rule) complain("is not " + rule.dump());
      } else if (word == "minimum") {
        if (value.is_number() && value < rule) complain("is less than " + rule.dump());
      } else if (word == "maximum") {
        if (value.is_number() && value > rule) complain("is more than " + rule.dump());
      } else if (word == "minItems" || word == "maxItems") {
        const bool is_wrong = word == "minItems" ? value.size() < rule.get<std::size_t>()
                                                 : value.size() > rule.get<std::size_t>();
        if (is_wrong) complain("has " + std::to_string(value.size()) + " items");
      } else if (word == "items") {
        for (std::size_t i = 0; value.is_array() && i < value.size(); ++i)
          check(value[i], rule, place + "/" + std::to_string(i), found);
      } else if (word == "required") {
        for (const Json& name : rule)
          if (!value.is_object() || !value.contains(name)) complain(name.get<std::string>() + " is missing");
      } else if (word == "properties" || word == "additionalProperties") {
        check_members(value, schema, word == "properties", place, found);
      } else if (word != "$schema" && word != "$defs" && word != "title" && word != "description") {
        throw std::invalid_argument("the schema uses the word " + word);
      }
    }
  }

  void check_members(const Json& value, const Json& schema, bool are_named, const std::string& place,
                     std::vector<std::string>& found) const {
    if (!value.is_object()) return;
    const Json named = schema.value("properties", Json::object());
    for (const auto& [name, member] : value.items()) {
      const std::string at = place + "/" + name;
      if (named.contains(name) != are_named) continue;
      const Json& rule = are_named ? named.at(name) : schema.at("additionalProperties");
      if (rule.is_boolean()) {
        if (!rule.get<bool>()) found.push_back(at + ": is not in the schema");
      } else {
        check(member, rule, at, found);
      }
    }
  }

  Json root_;
};

}  // namespace warpwise::testing
