#include "expression_writer.hpp"

#include <map>

namespace warpwise::simulator::tests {
namespace {

std::string random_variable(Random& random, std::string_view type) {
  return std::string(type) + "_" + std::to_string(random.below(variables_per_type));
}

std::string random_expression(Random& random, std::string_view type, std::uint32_t depth) {
  if (depth == 0 || random.chance(10)) return random_variable(random, type);
  static std::map<std::string_view, std::vector<std::string>> productions;
  auto& texts = productions[type];
  if (texts.empty()) texts = productions_of(type);
  return random_text(random, texts[random.below(static_cast<std::uint32_t>(texts.size()))], depth - 1);
}

std::string random_condition(Random& random, std::uint32_t depth) {
  // The last three texts contain conditions: not where the expression is to end.
  const auto count = static_cast<std::uint32_t>(conditions().size()) - (depth == 0 ? 3 : 0);
  return random_text(random, conditions()[random.below(count)], depth == 0 ? 0 : depth - 1);
}

}  // namespace

std::string random_text(Random& random, std::string_view text, std::uint32_t depth) {
  std::string filled;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '$' && text[i] != '@') {
      filled += text[i];
      continue;
    }
    if (text[i + 1] == '#') {
      filled += std::to_string(random.below(256));
      i += 1;
    } else if (text[i + 1] == '?') {
      filled += random_condition(random, depth);
      i += 1;
    } else {
      const std::size_t length = text[i + 2] == '8' ? 2 : 3;  // u8, s8; all other types have three letters
      // The slice has to be one of value_types: the table of productions keeps the view as its key.
      std::string_view type;
      for (const std::string_view known : value_types) {
        if (known == text.substr(i + 1, length)) type = known;
      }
      filled += text[i] == '@' ? random_variable(random, type) : random_expression(random, type, depth);
      i += length;
    }
  }
  return filled;
}

}  // namespace warpwise::simulator::tests
