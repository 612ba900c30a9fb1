#pragma once
/// \file Which name means what, inside nested `{ }` (PTX ISA 7.1 and 9.7.1: inner names hide outer ones).

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace warpwise::simulator::ptx {

struct Symbol {
  enum class Kind : std::uint8_t { reg, variable, param, label, list };
  Kind kind = Kind::reg;
  std::uint32_t index = 0;  ///< RegisterId, VariableId, parameter, place in the code, target list
  std::uint32_t line = 0;   ///< of its declaration
};

/// Lets a map of strings be asked with a view, without building a string for each question.
struct ViewHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};
template <typename T>
using NameMap = std::unordered_map<std::string, T, ViewHash, std::equal_to<>>;

/// The names of one `{ }`.
/// `.reg .b32 %r<100>;` stays one entry: a function declares thousands of registers and most texts ask for
/// each a few times.
class Scope {
 public:
  /// Returns false where the scope has the name already.
  bool declare(std::string_view name, Symbol symbol);
  /// `prefix<count>`: the names prefix0 … prefix(count-1), with indices that count up from `first`.
  bool declare_range(std::string_view prefix, std::uint32_t count, std::uint32_t first, std::uint32_t line);
  std::optional<Symbol> find(std::string_view name) const;
  /// A name that is declared both alone and by a range, if there is one.
  std::optional<std::pair<std::string, Symbol>> find_clash() const;

 private:
  struct Range {
    std::uint32_t count;
    std::uint32_t first;
    std::uint32_t line;
  };
  std::optional<Symbol> find_in_ranges(std::string_view name) const;

  NameMap<Symbol> names_;
  NameMap<Range> ranges_;  ///< keys never end in a digit, so that a name has one way to be split
};

/// An operand that names a label which may come later: its target is filled in when the label's scope ends.
struct LabelFixup {
  std::string_view name;
  std::uint32_t line = 0;
  std::uint32_t instruction = 0;  ///< index into Function::code; or a target list, see `in_list`
  std::uint32_t operand = 0;      ///< index into its operands; or into the list's targets
  bool in_list = false;
};

/// The open scopes of a function, the outermost first.
class ScopeStack {
 public:
  void clear();
  void open();
  std::size_t depth() const { return levels_.size(); }
  Scope& innermost() { return levels_.back().scope; }
  /// Looks from the inside out.
  std::optional<Symbol> find(std::string_view name) const;

  void add_fixup(const LabelFixup& fixup) { levels_.back().fixups.push_back(fixup); }
  /// Ends the innermost scope: calls `resolve(fixup, symbol)` for each fix-up whose label it declares and
  /// leaves the others to the scope around it. Returns those that are left when the last scope ends.
  std::vector<LabelFixup> close(const std::function<void(const LabelFixup&, const Symbol&)>& resolve);

 private:
  struct Level {
    Scope scope;
    std::vector<LabelFixup> fixups;
  };
  std::vector<Level> levels_;
};

}  // namespace warpwise::simulator::ptx
