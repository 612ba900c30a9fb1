#include "parser.hpp"

#include <algorithm>
#include <charconv>
#include <tuple>

namespace warpwise::simulator::ptx {
namespace {

std::size_t length_without_number(std::string_view name) {
  return name.find_last_not_of("0123456789") + 1;  // npos + 1 is 0
}

}  // namespace

bool Scope::declare(std::string_view name, Symbol symbol) {
  return names_.emplace(std::string(name), symbol).second;
}

bool Scope::declare_range(std::string_view prefix, std::uint32_t count, std::uint32_t first,
                          std::uint32_t line) {
  if (length_without_number(prefix) == prefix.size())
    return ranges_.emplace(std::string(prefix), Range{count, first, line}).second;
  // `%r1<10>` makes %r10 … %r19, which `%r<20>` makes too: rare enough to write every name down.
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::string name = std::string(prefix) + std::to_string(i);
    if (!names_.emplace(name, Symbol{Symbol::Kind::reg, first + i, line}).second) return false;
  }
  return true;
}

std::optional<Symbol> Scope::find_in_ranges(std::string_view name) const {
  const std::size_t length = length_without_number(name);
  const std::string_view digits = name.substr(length);
  const bool is_canonical = !digits.empty() && (digits[0] != '0' || digits.size() == 1);
  if (!is_canonical || ranges_.empty()) return std::nullopt;
  std::uint32_t number = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc{} || stop != digits.data() + digits.size()) return std::nullopt;
  const auto range = ranges_.find(name.substr(0, length));
  if (range == ranges_.end() || number >= range->second.count) return std::nullopt;
  return Symbol{Symbol::Kind::reg, range->second.first + number, range->second.line};
}

std::optional<Symbol> Scope::find(std::string_view name) const {
  if (const std::optional<Symbol> found = find_in_ranges(name)) return found;
  const auto found = names_.find(name);
  if (found == names_.end()) return std::nullopt;
  return found->second;
}

std::optional<std::pair<std::string, Symbol>> Scope::find_clash() const {
  if (ranges_.empty()) return std::nullopt;
  std::optional<std::pair<std::string, Symbol>> first;  // in the text: maps have no order to report in
  for (const auto& [name, symbol] : names_) {
    const bool is_earlier =
        !first || std::tie(symbol.line, name) < std::tie(first->second.line, first->first);
    if (is_earlier && find_in_ranges(name)) first = std::pair{name, symbol};
  }
  return first;
}

void ScopeStack::clear() { levels_.clear(); }

void ScopeStack::open() { levels_.emplace_back(); }

std::optional<Symbol> ScopeStack::find(std::string_view name) const {
  for (auto level = levels_.rbegin(); level != levels_.rend(); ++level)
    if (const std::optional<Symbol> found = level->scope.find(name)) return found;
  return std::nullopt;
}

std::vector<LabelFixup> ScopeStack::close(
    const std::function<void(const LabelFixup&, const Symbol&)>& resolve) {
  const Level level = std::move(levels_.back());
  levels_.pop_back();
  std::vector<LabelFixup> left;
  for (const LabelFixup& fixup : level.fixups) {
    const std::optional<Symbol> found = level.scope.find(fixup.name);
    if (found && found->kind == Symbol::Kind::label)
      resolve(fixup, *found);
    else
      left.push_back(fixup);
  }
  if (levels_.empty()) return left;
  std::vector<LabelFixup>& outer = levels_.back().fixups;
  outer.insert(outer.end(), left.begin(), left.end());
  return {};
}

}  // namespace warpwise::simulator::ptx
