#pragma once
/// \file What docs/ says of a document, to be held against what is written.

#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "schema.hpp"

namespace warpwise::report::tests {

inline std::string text_of_docs(const std::string& name) {
  std::ifstream file(std::string(WARPWISE_SOURCE_DIR) + "/../../docs/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
inline Json schema_of_docs(const std::string& name) { return Json::parse(text_of_docs(name)); }

inline std::set<std::string> names_of(const Json& object) {
  std::set<std::string> names;
  for (const auto& [name, value] : object.items()) names.insert(name);
  return names;
}
inline std::set<std::string> words_of(const Json& list) { return {list.begin(), list.end()}; }

}  // namespace warpwise::report::tests
