/// \file Declarations of variables (PTX ISA 5.4, 7.1, 11.4), and the scopes that names are declared in.
#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <tuple>
#include <utility>

#include "parser.hpp"

namespace warpwise::simulator::ptx {

namespace {

struct SpaceName {
  std::string_view directive;
  Space space;
};
constexpr SpaceName space_names[] = {{"global", Space::global},
                                     {"shared", Space::shared},
                                     {"shared::cta", Space::shared},
                                     {"local", Space::local},
                                     {"const", Space::constant}};

const SpaceName* space_named(const Token& token) {
  if (token.kind == Token::Kind::directive)
    for (const SpaceName& each : space_names)
      if (each.directive == token.text) return &each;
  return nullptr;
}

}  // namespace

// Sizes cannot overflow: read_dimensions() refuses what passes the limit, and 16 bytes times 4 lanes is
// little.
std::uint64_t Parser::Declaration::elements() const {
  std::uint64_t product = 1;
  for (const std::uint64_t each : dimensions) product *= each;
  return product;
}
std::uint64_t Parser::Declaration::bytes() const { return elements() * lanes * bytes_of(type); }
std::uint64_t Parser::Declaration::alignment() const {
  return align != 0 ? align : lanes * std::uint64_t{bytes_of(type)};
}

bool Parser::at_space() const { return space_named(lexer_.peek()) != nullptr; }

/// `.shared .align 4 .b8 name[1024];`, one or several names after the type.
void Parser::read_variables(bool is_extern) {
  const Space space = space_named(lexer_.take())->space;
  if (lexer_.accept_directive(
          "attribute")) {  // .managed, .unified(…): where the host sees it; no matter here
    lexer_.expect("(", "after .attribute");
    while (!lexer_.peek().is(";") && !lexer_.peek().is(")") && lexer_.peek().kind != Token::Kind::end) {
      if (lexer_.take().is("(")) {
        while (!lexer_.peek().is(")") && lexer_.peek().kind != Token::Kind::end) lexer_.take();
        lexer_.expect(")", "after the arguments of an attribute");
      }
    }
    lexer_.expect(")", "after the attributes");
  }
  Declaration declaration = read_declaration(false);
  while (true) {
    Variable variable;
    variable.name = declaration.name;
    variable.function = is_in_function_ ? function_.name : "";
    variable.space = space;
    variable.type = declaration.type;
    variable.is_extern = is_extern;
    if (lexer_.accept("=")) read_initialiser(variable, declaration);
    if (declaration.is_open && !is_extern && variable.initial.empty())
      lexer_.fail_at(declaration.line,
                     "expected a size or an initialiser for " + in_quotes(declaration.name));
    variable.align = declaration.alignment();
    variable.bytes = declaration.is_open && is_extern ? 0 : declaration.bytes();
    add_variable(std::move(variable), declaration.line);
    if (!lexer_.accept(",")) break;
    declaration.line = lexer_.peek().line;
    declaration.name = lexer_.expect_identifier("the name of a variable");
    read_dimensions(declaration);
  }
  lexer_.expect(";", "after a variable");
}

/// `.align 8 .v2 .f32 name[4][2]`; a parameter may also say `.ptr .global` (PTX ISA 5.4.2, 7.1).
Parser::Declaration Parser::read_declaration(bool may_be_unnamed) {
  Declaration declaration;
  while (true) {
    const Token& token = lexer_.peek();
    declaration.line = token.line;
    if (token.kind != Token::Kind::directive) break;
    if (const std::optional<Type> type = type_from(token.text)) {
      if (declaration.type != Type::none)
        lexer_.fail("expected one type, found a second: ." + std::string(token.text));
      declaration.type = *type;
      lexer_.take();
    } else if (token.text == "v2" || token.text == "v4") {
      declaration.lanes = token.text == "v2" ? 2 : 4;
      lexer_.take();
    } else if (token.text == "align") {
      lexer_.take();
      declaration.align = read_alignment();
    } else if (token.text == "ptr") {
      // `.ptr .global .align 4` describes what the pointer points to, not the parameter.
      lexer_.take();
      if (at_space()) lexer_.take();
      if (lexer_.accept_directive("align")) read_alignment();
    } else {
      lexer_.fail_expected("a type, .align or .v2/.v4");
    }
  }
  if (declaration.type == Type::none) lexer_.fail_expected("a type, such as .b32");
  const bool is_unnamed = may_be_unnamed && !lexer_.peek().is_identifier();
  if (!is_unnamed) declaration.name = lexer_.expect_identifier("the name of a variable");
  read_dimensions(declaration);
  return declaration;
}

void Parser::read_dimensions(Declaration& declaration) {
  declaration.dimensions.clear();
  declaration.is_open = false;
  std::uint64_t bytes = declaration.bytes();
  while (lexer_.accept("[")) {
    if (declaration.dimensions.size() == limits::dimensions) lexer_.fail("expected at most 8 dimensions");
    if (lexer_.accept("]")) {
      if (!declaration.dimensions.empty()) lexer_.fail("only the first dimension may be empty");
      declaration.is_open = true;
      declaration.dimensions.push_back(1);
      continue;
    }
    const Constant size = read_constant(lexer_);
    if (size.is_real) lexer_.fail("expected an integer as the size of an array");
    if (size.bits > limits::variable_bytes || bytes * size.bits > limits::variable_bytes)
      lexer_.fail(in_quotes(declaration.name) + " is larger than 1 GiB");
    bytes *= size.bits;
    declaration.dimensions.push_back(size.bits);
    lexer_.expect("]", "after the size of an array");
  }
}

std::uint64_t Parser::read_alignment() {
  const std::uint64_t align = lexer_.expect_integer("an alignment in bytes");
  if (!std::has_single_bit(align) || align > limits::alignment)
    lexer_.fail("expected a power of two up to 1 MiB as an alignment, found " + std::to_string(align));
  return align;
}

/// A variable may be announced with `.extern` before it is defined, and again after.
void Parser::add_variable(Variable variable, std::uint32_t line) {
  if (variable.type == Type::pred) lexer_.fail_at(line, "a variable in memory cannot be a predicate");
  const auto id = static_cast<VariableId>(module_.variables.size());
  if (is_in_function_) {
    declare(variable.name, {Symbol::Kind::variable, id, line});
    module_.variables.push_back(std::move(variable));
    return;
  }
  if (functions_.contains(variable.name))
    lexer_.fail_at(line, in_quotes(variable.name) + " is the name of a function already");
  const auto [known, is_new] = variables_.emplace(variable.name, id);
  if (is_new) {
    module_.variables.push_back(std::move(variable));
    return;
  }
  Variable& first = module_.variables[known->second];
  if (first.space != variable.space || !(first.is_extern || variable.is_extern))
    lexer_.fail_at(line, in_quotes(variable.name) + " is declared a second time");
  if (first.is_extern) first = std::move(variable);
}

// Initial values of variables (PTX ISA 5.4.4): `= 4`, `= {1, {2, 3}, 0f3F800000}`, `= {table+8}`.

namespace {

constexpr const char* too_large = "the initial values of this module take more than 64 MiB";

/// The float nearest to a double, both given by their bits. A NaN keeps its payload (the lexer widened it
/// likewise), which a conversion by the processor would make quiet.
std::uint32_t narrow_to_float(std::uint64_t bits) {
  const double value = std::bit_cast<double>(bits);
  if (!std::isnan(value)) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  const auto sign = static_cast<std::uint32_t>(bits >> 63) << 31;
  const auto payload = static_cast<std::uint32_t>(bits >> 29) & 0x007FFFFFu;
  return sign | 0x7F800000u | (payload != 0 ? payload : 0x00400000u);
}

double to_double(const Constant& integer) {
  return integer.is_unsigned ? static_cast<double>(integer.bits)
                             : static_cast<double>(static_cast<std::int64_t>(integer.bits));
}

}  // namespace

void Parser::read_initialiser(Variable& variable, Declaration& declaration) {
  if (variable.space != Space::global && variable.space != Space::constant)
    lexer_.fail("only .global and .const variables can have initial values");
  if (variable.is_extern) lexer_.fail("an .extern variable cannot have an initial value here");
  const bool is_list = lexer_.accept("{");
  if (!declaration.is_open) {
    initialised_bytes_ += declaration.bytes();
    if (initialised_bytes_ > limits::initialised_bytes) lexer_.fail(too_large);
    variable.initial.resize(declaration.bytes());
  }
  if (!is_list) {
    if (!declaration.dimensions.empty() || declaration.lanes != 1)
      lexer_.fail_expected("'{' before the initial values of an array");
    return read_initial_value(variable, declaration, 0);
  }
  std::uint64_t cursor = 0;
  const std::uint64_t scalars = declaration.elements() * declaration.lanes;  // of an open array: of one row
  if (declaration.is_open && scalars == 0)
    lexer_.fail("expected a size above 0 in each dimension but the first");
  read_initialiser_list(variable, declaration, 0, cursor,
                        declaration.is_open ? limits::variable_bytes : scalars);
  if (declaration.is_open) {
    // The first dimension is as long as the list: whole rows, the last one filled up with zeros.
    declaration.dimensions[0] = (cursor + scalars - 1) / scalars;
    initialised_bytes_ += declaration.bytes();
    if (initialised_bytes_ > limits::initialised_bytes) lexer_.fail(too_large);
    variable.initial.resize(declaration.bytes());
  }
}

/// Reads up to the `}` that ends level `level`. `cursor` counts scalars from the start of the variable and
/// may go up to `end`. As in C, inner braces are optional and missing values are zero.
void Parser::read_initialiser_list(Variable& variable, const Declaration& declaration, std::size_t level,
                                   std::uint64_t& cursor, std::uint64_t end) {
  std::uint64_t row = declaration.lanes;  // scalars in one element of this level
  for (std::size_t i = level + 1; i < declaration.dimensions.size(); ++i) row *= declaration.dimensions[i];
  const bool is_innermost = level + 1 >= declaration.dimensions.size() + (declaration.lanes > 1 ? 1 : 0);
  while (!lexer_.accept("}")) {
    if (cursor >= end)
      lexer_.fail("expected '}': " + in_quotes(variable.name) + " has more values than places");
    if (lexer_.peek().is("{")) {
      if (is_innermost)
        lexer_.fail_expected("a value: " + in_quotes(variable.name) + " has no more dimensions");
      lexer_.take();
      const std::uint64_t row_end = cursor + row;
      if (row == 0 || row_end > end) lexer_.fail("expected a value: no row of the array begins here");
      read_initialiser_list(variable, declaration, level + 1, cursor, row_end);
      cursor = row_end;
    } else {
      read_initial_value(variable, declaration, cursor++);
    }
    if (!lexer_.peek().is("}")) lexer_.expect(",", "between two initial values");
  }
}

void Parser::read_initial_value(Variable& variable, const Declaration& declaration, std::uint64_t element) {
  const std::uint32_t size = bytes_of(declaration.type);
  const std::uint64_t offset = element * size;
  if (variable.initial.size() < offset + size) {  // an open array grows with its list
    if (initialised_bytes_ + offset > limits::initialised_bytes) lexer_.fail(too_large);
    variable.initial.resize(offset + size);
  }
  if (lexer_.peek().is_identifier() && lexer_.peek().text != "WARP_SZ")
    return read_initial_address(variable, offset);
  Constant value = read_constant(lexer_);
  if (lexer_.peek().is("("))
    lexer_.fail("expected a number or an address: a masked address such as 0xFF(x) is not supported");
  const bool is_float_type = declaration.type == Type::f32 || declaration.type == Type::f64;
  if (is_float_type && !value.is_real) value = {std::bit_cast<std::uint64_t>(to_double(value)), true, false};
  if (value.is_real && size == 4)
    value.bits = narrow_to_float(value.bits);
  else if (value.is_real && size != 8)
    lexer_.fail("expected an integer as the initial value of ." + std::string(name_of(declaration.type)));
  // A value fits 8 bytes; .b128 takes its low half. PTX and the hosts that we run on are little-endian.
  std::memcpy(variable.initial.data() + offset, &value.bits, std::min<std::size_t>(size, sizeof(value.bits)));
}

/// `name`, `name+8`, `generic(name)`, `generic(name)+8`
void Parser::read_initial_address(Variable& variable, std::uint64_t offset) {
  Relocation relocation;
  relocation.offset = offset;
  relocation.bytes = static_cast<std::uint8_t>(bytes_of(variable.type));
  const std::uint32_t line = lexer_.peek().line;
  if (relocation.bytes != 8 && relocation.bytes != 4)
    lexer_.fail("expected a number: an address needs elements of 4 or 8 bytes");
  std::string_view name = lexer_.expect_identifier("a variable or a function");
  if (name == "mask" && lexer_.peek().is("("))
    lexer_.fail("expected a number or an address: mask() is not supported");
  if (name == "generic" && lexer_.accept("(")) {
    relocation.is_generic = true;
    name = lexer_.expect_identifier("a variable after generic(");
    relocation.addend = read_offset();
    lexer_.expect(")", "after generic(" + std::string(name));
  }
  relocation.symbol = name;
  relocation.addend = static_cast<std::int64_t>(static_cast<std::uint64_t>(relocation.addend) +
                                                static_cast<std::uint64_t>(read_offset()));
  initialisers_.push_back({relocation.symbol, line});
  variable.relocations.push_back(std::move(relocation));
}

// ---- Names in scopes

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
