#pragma once
/// \file Structs to JSON and back, by the lists that say what they consist of (describe.hpp), and whole files
/// of it. A large header: for files that are compiled for their own sake.

#include <array>
#include <concepts>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "describe.hpp"
#include "json.hpp"

// A program that is linked with the runtime may bring this library in another version: ours has its own name.
#define nlohmann warpwise_nlohmann
#include <nlohmann/json.hpp>
#undef nlohmann

namespace warpwise::report {

using Json = warpwise_nlohmann::ordered_json;
using simulator::Counters;
using simulator::FindingKind;

// --- Words that stand for values --------------------------------------------------------------------------

template <class Enum>
std::optional<Enum> value_named(const auto& all, std::string_view name) {
  for (const Enum value : all) {
    if (name_of(value) == name) return value;
  }
  return std::nullopt;
}
inline void look_up(std::string_view name, std::optional<FindingKind>& kind) {
  kind = simulator::finding_kind_named(name);
}
inline void look_up(std::string_view name, std::optional<Aspect>& aspect) {
  aspect = value_named<Aspect>(all_aspects, name);
}
inline void look_up(std::string_view name, std::optional<Outcome>& outcome) {
  outcome = value_named<Outcome>(all_outcomes, name);
}

inline constexpr const char* lane_utilisation =
    "lane_utilisation";  // follows from the counters: written, not read

// --- Writing ----------------------------------------------------------------------------------------------

inline Json value_of(const Counters& counters);
template <class T>
Json value_of(const std::vector<T>& values);
template <class T>
Json value_of(const T& value);

class Writer {
 public:
  Json json = Json::object();

  void object(const char*, const char* = "") {}
  template <class T>
  void operator()(const char* name, const T& value, const char* = "", const auto&...) {
    json[name] = value_of(value);
  }
  template <class T>
  void optional(const char* name, const T& value, const char* = "", const auto&...) {
    if (value != T{}) json[name] = value_of(value);
  }
  void choice(const char* name, bool is_first, const char* first, const char* second) {
    json[name] = is_first ? first : second;
  }
};

inline Json value_of(const Counters& counters) {
  Json object = Json::object();
  for (const auto& [name, member, title] : simulator::counter_fields)
    object[std::string(name)] = counters.*member;
  object[lane_utilisation] = counters.lane_utilisation();
  return object;
}

template <class T>
Json value_of(const std::vector<T>& values) {
  Json list = Json::array();
  for (const T& value : values) list.push_back(value_of(value));
  return list;
}

template <class T>
Json value_of(const T& value) {
  if constexpr (std::is_enum_v<T>) {
    return name_of(value);
  } else if constexpr (requires(Writer writer) { describe(writer, value); }) {
    Writer writer;
    describe(writer, value);
    return std::move(writer.json);
  } else {
    return value;
  }
}

inline std::string text_of(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

// --- Reading ----------------------------------------------------------------------------------------------

[[noreturn]] inline void refuse(const std::string& place, const std::string& what) {
  throw ReportError((place.empty() ? "the report" : place) + ' ' + what);
}

inline void read(const Json& json, const std::string& place, bool& value) {
  if (!json.is_boolean()) refuse(place, "is neither true nor false");
  value = json.get<bool>();
}

inline void read(const Json& json, const std::string& place, double& value) {
  if (!json.is_number()) refuse(place, "is no number");
  value = json.get<double>();
}

template <std::integral T>
void read(const Json& json, const std::string& place, T& value) {
  const bool fits = std::is_signed_v<T> ? json.is_number_integer()
                                        : json.is_number_unsigned() &&
                                              json.get<std::uint64_t>() <= std::numeric_limits<T>::max();
  if (!fits)
    refuse(place, "is no whole number from " + std::to_string(std::numeric_limits<T>::min()) + " to " +
                      std::to_string(std::numeric_limits<T>::max()));
  value = json.get<T>();
}

inline void read(const Json& json, const std::string& place, std::string& value) {
  if (!json.is_string()) refuse(place, "is no text");
  value = json.get<std::string>();
}

template <class T>
requires std::is_enum_v<T>
void read(const Json& json, const std::string& place, T& value) {
  std::string name;
  read(json, place, name);
  std::optional<T> known;
  look_up(name, known);
  if (!known) refuse(place, "is '" + name + "', which is not known");
  value = *known;
}

inline void read(const Json& json, const std::string& place, Counters& counters) {
  if (!json.is_object()) refuse(place, "is no object");
  std::size_t known = json.contains(lane_utilisation) ? 1 : 0;
  for (const auto& [name, member, title] : simulator::counter_fields) {
    const auto found = json.find(std::string(name));
    if (found == json.end()) refuse(place + '/' + std::string(name), "is missing");
    read(*found, place + '/' + std::string(name), counters.*member);
    ++known;
  }
  if (known != json.size()) refuse(place, "has a counter that is not known");
}

inline void read(const Json& json, const std::string& place, std::array<std::uint32_t, 3>& size) {
  if (!json.is_array() || json.size() != 3) refuse(place, "is no list of three numbers");
  for (std::size_t i = 0; i < 3; ++i) read(json[i], place + '/' + std::to_string(i), size[i]);
}

template <class T>
void read(const Json& json, const std::string& place, std::vector<T>& values);

/// Reads the members of one object.
class Reader {
 public:
  Reader(const Json& object, const std::string& place) : object_(object), place_(place) {
    if (!object.is_object()) refuse(place, "is no object");
  }
  void object(const char*, const char* = "") {}
  template <class T>
  void operator()(const char* name, T& value, const char* = "",
                  const auto&...);  // below, where every way to read is known
  void optional(const char* name, auto& value, const char* = "", const auto&...) {
    if (object_.contains(name)) (*this)(name, value);
  }
  void choice(const char* name, bool& is_first, const std::string& first, const std::string& second) {
    std::string word;
    (*this)(name, word);
    if (word != first && word != second)
      refuse(place_ + '/' + name, "is '" + word + "', not " + first + " or " + second);
    is_first = word == first;
  }

 private:
  const Json& object_;
  const std::string& place_;
};

template <class T>
requires requires(Reader reader, T& value) { describe(reader, value); }
void read(const Json& json, const std::string& place, T& value) {
  Reader reader(json, place);
  describe(reader, value);
}

template <class T>
void read(const Json& json, const std::string& place, std::vector<T>& values) {
  if (!json.is_array()) refuse(place, "is no list");
  values.resize(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) read(json[i], place + '/' + std::to_string(i), values[i]);
}

template <class T>
void Reader::operator()(const char* name, T& value, const char*, const auto&...) {
  const auto found = object_.find(name);
  if (found == object_.end()) refuse(place_ + '/' + name, "is missing");
  read(*found, place_ + '/' + name, value);
}

// --- Documents --------------------------------------------------------------------------------------------

/// The value of `text`. Throws ReportError where it is not that of `what`, "the report".
Json json_from(std::string_view text, const std::string& what);
/// The same in the version that is read here: of the member of that name.
Json json_from(std::string_view text, const std::string& what, const char* version_name,
               std::uint32_t version);
template <class T>
T document_from(std::string_view text, const std::string& what, const char* version_name,
                std::uint32_t version) {
  T document;
  read(json_from(text, what, version_name, version), "", document);
  return document;
}

/// These three throw ReportError with the file's name.
void write_whole(const std::filesystem::path& file, std::string_view text);
std::string read_whole(const std::filesystem::path& file);
/// What `from` makes of the file's text; a ReportError of its own is given the file's name.
template <class From>
auto read_whole(const std::filesystem::path& file, From from) {
  const std::string text = read_whole(file);
  try {
    return from(text);
  } catch (const ReportError& error) {
    throw ReportError(file.string() + ": " + error.what() + ".");
  }
}

}  // namespace warpwise::report
