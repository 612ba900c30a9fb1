/// \file Declarations of variables (PTX ISA 5.4, 7.1, 11.4).

#include <bit>
#include <utility>

#include "constant_expression.hpp"
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
      lexer_.fail_at(declaration.line, "expected a size or an initialiser for " + quoted(declaration.name));
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
    if (size.is_real) lexer_.fail("expected an integer as size of an array");
    if (size.bits > limits::variable_bytes || bytes * size.bits > limits::variable_bytes)
      lexer_.fail(quoted(declaration.name) + " is larger than 1 GiB");
    bytes *= size.bits;
    declaration.dimensions.push_back(size.bits);
    lexer_.expect("]", "after the size of an array");
  }
}

std::uint64_t Parser::read_alignment() {
  const std::uint64_t align = lexer_.expect_integer("an alignment in bytes");
  if (!std::has_single_bit(align) || align > limits::alignment)
    lexer_.fail("expected a power of two up to 1 MiB as alignment, found " + std::to_string(align));
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
    lexer_.fail_at(line, quoted(variable.name) + " is the name of a function already");
  const auto [known, is_new] = variables_.emplace(variable.name, id);
  if (is_new) {
    module_.variables.push_back(std::move(variable));
    return;
  }
  Variable& first = module_.variables[known->second];
  if (first.space != variable.space || !(first.is_extern || variable.is_extern))
    lexer_.fail_at(line, quoted(variable.name) + " is declared a second time");
  if (first.is_extern) first = std::move(variable);
}

}  // namespace warpwise::simulator::ptx
