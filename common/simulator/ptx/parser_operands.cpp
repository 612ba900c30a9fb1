/// \file Instructions and their operands (PTX ISA 4.3.2, chapter 6).

#include <algorithm>
#include <utility>

#include "parser.hpp"

namespace warpwise::simulator::ptx {

namespace {

bool is_call(const Instruction& instruction) { return instruction.row->what == InstructionClass::call; }

}  // namespace

/// `@!%p opcode.modifier.modifier operand, operand;`
void Parser::read_instruction() {
  const std::uint32_t line = lexer_.peek().line;
  std::optional<Guard> guard;
  if (lexer_.accept("@")) guard = read_guard();
  Instruction instruction(lexer_.expect_identifier("the name of an instruction"));
  instruction.guard = guard;
  instruction.location = location_;
  instruction.text_line = line;
  instruction.used_bytes = std::exchange(used_bytes_, ~std::uint32_t{0});
  while (lexer_.peek().kind == Token::Kind::directive) instruction.modifiers.emplace_back(lexer_.take().text);
  if (instruction.row->then == Then::label) {
    instruction.operands.push_back(read_branch_target());
  } else if (!lexer_.peek().is(";")) {
    do {
      instruction.operands.push_back(read_operand(instruction));
    } while (lexer_.accept(","));
  }
  lexer_.expect(";", "after an instruction");
  function_.code.push_back(std::move(instruction));
}

/// The one operand of `bra`; its label may come later.
Operand Parser::read_branch_target() {
  const std::uint32_t line = lexer_.peek().line;
  const std::string_view name = lexer_.expect_identifier("a label after bra");
  scopes_.add_fixup({name, line, static_cast<std::uint32_t>(function_.code.size()), 0, false});
  Operand operand;
  operand.kind = Operand::Kind::label;
  return operand;
}

/// After `@`.
Guard Parser::read_guard() {
  Guard guard;
  guard.is_negated = lexer_.accept("!");
  const std::uint32_t line = lexer_.peek().line;
  const std::string_view name = lexer_.expect_identifier("a predicate after '@'");
  const std::optional<Symbol> symbol = scopes_.find(name);
  if (!symbol || symbol->kind != Symbol::Kind::reg || function_.registers[symbol->index].type != Type::pred)
    lexer_.fail_at(line, "expected a predicate register after '@', found " + in_quotes(name));
  guard.reg = symbol->index;
  return guard;
}

/// One operand, `a|b` pairs included.
Operand Parser::read_operand(const Instruction& instruction) {
  Operand operand = read_simple_operand(instruction);
  if (!lexer_.peek().is("|")) return operand;
  const auto can_pair = [](const Operand& each) {
    return (each.kind == Operand::Kind::reg && !each.is_negated) || each.kind == Operand::Kind::sink;
  };
  if (!can_pair(operand)) lexer_.fail("expected a register or '_' before '|'");
  lexer_.take();
  Operand second = read_simple_operand(instruction);
  if (!can_pair(second)) lexer_.fail("expected a register or '_' after '|'");
  Operand pair;
  pair.kind = Operand::Kind::vector;
  pair.is_pair = true;
  pair.elements.push_back(std::move(operand));
  pair.elements.push_back(std::move(second));
  return pair;
}

Operand Parser::read_simple_operand(const Instruction& instruction) {
  const Token& token = lexer_.peek();
  if (token.is_identifier() && token.text != "WARP_SZ") return read_name(instruction);
  if (token.is("{")) return read_list(instruction, "}");
  if (token.is("[")) return read_address();
  if (token.is("(") && is_call(instruction)) return read_list(instruction, ")");
  const bool is_sign = token.is("!") || token.is("-");
  if (is_sign && lexer_.peek_second().is_identifier() && lexer_.peek_second().text != "WARP_SZ") {
    const std::uint32_t line = lexer_.take().line;
    Operand operand = read_name(instruction);
    if (operand.kind != Operand::Kind::reg) lexer_.fail_at(line, "expected a register after '!' or '-'");
    operand.is_negated = true;
    return operand;
  }
  if (starts_constant(lexer_)) return read_number();
  lexer_.fail_expected("an operand");
}

/// `{a, b}` of a vector, `(a, b)` of a call. Elements are simple: lists do not nest.
Operand Parser::read_list(const Instruction& instruction, std::string_view closing) {
  lexer_.take();
  Operand list;
  list.kind = Operand::Kind::vector;
  if (lexer_.accept(closing)) return list;
  do {
    if (lexer_.peek().is("{") || lexer_.peek().is("[") || (lexer_.peek().is("(") && is_call(instruction)))
      lexer_.fail_expected("a register or a number in this list");
    list.elements.push_back(read_simple_operand(instruction));
  } while (lexer_.accept(","));
  lexer_.expect(closing, "after a list of operands");
  return list;
}

Operand Parser::read_number() {
  const Constant value = read_constant(lexer_);
  Operand operand;
  operand.kind = Operand::Kind::immediate;
  operand.bits = value.bits;
  operand.is_float = value.is_real;
  return operand;
}

/// `[%rd1+-8]`, `[shared_array+4]`, `[param0]`, `[16]`, and whatever else stands in brackets as text.
Operand Parser::read_address() {
  const Token bracket = lexer_.take();
  Operand operand;
  operand.kind = Operand::Kind::address;
  const Token& token = lexer_.peek();
  if (token.is_identifier() && token.text != "WARP_SZ") {
    const Token name = lexer_.take();
    std::optional<Operand> base = resolve(name.text);
    const bool is_place =
        base && (base->kind == Operand::Kind::reg || base->kind == Operand::Kind::variable ||
                 base->kind == Operand::Kind::param || base->kind == Operand::Kind::function);
    if (!is_place)
      lexer_.fail_at(name.line, "expected a register, a variable or a parameter in this address, found " +
                                    in_quotes(name.text));
    if (base->kind == Operand::Kind::function)
      lexer_.fail_at(name.line, "expected data in this address, found the function " + in_quotes(name.text));
    operand.base = base->kind;
    operand.reg = base->reg;
    operand.variable = base->variable;
    operand.param = base->param;
    operand.offset = read_offset();
  } else {
    const Constant value = read_constant(lexer_);
    if (value.is_real) lexer_.fail("expected an integer as an address");
    operand.base = Operand::Kind::immediate;
    operand.bits = value.bits;
  }
  if (lexer_.peek().is(",")) return read_tensor_address(bracket);
  lexer_.expect("]", "after an address");
  return operand;
}

/// `[tensor, {x, y}]` and its like, verbatim: nothing here runs them, and the decoder says so.
Operand Parser::read_tensor_address(const Token& bracket) {
  Token last = lexer_.take();
  while (!last.is("]")) {
    last = lexer_.take();
    if (last.kind == Token::Kind::end || last.is(";"))
      lexer_.fail_at(bracket.line, "expected ']' after an address");
  }
  Operand operand;
  operand.kind = Operand::Kind::text;
  operand.symbol = Lexer::between(bracket, last);
  return operand;
}

/// `+4`, `-4`, `+-4`, or nothing.
std::int64_t Parser::read_offset() {
  if (!lexer_.peek().is("+") && !lexer_.peek().is("-")) return 0;
  std::uint64_t sum = 0;
  while (lexer_.peek().is("+") || lexer_.peek().is("-")) {
    const bool is_minus = lexer_.take().is("-");
    const Constant value = read_unary_constant(lexer_);
    if (value.is_real) lexer_.fail("expected an integer as the offset of an address");
    sum = is_minus ? sum - value.bits : sum + value.bits;
  }
  return static_cast<std::int64_t>(sum);
}

/// What `name` means here, apart from labels and special registers.
std::optional<Operand> Parser::resolve(std::string_view name) {
  Operand operand;
  if (const std::optional<Symbol> symbol = scopes_.find(name)) {
    switch (symbol->kind) {
      case Symbol::Kind::reg:
        operand.kind = Operand::Kind::reg;
        operand.reg = symbol->index;
        return operand;
      case Symbol::Kind::variable:
        operand.kind = Operand::Kind::variable;
        operand.variable = symbol->index;
        return operand;
      case Symbol::Kind::param:
        operand.kind = Operand::Kind::param;
        operand.param = symbol->index;
        return operand;
      case Symbol::Kind::list:
        operand.kind = Operand::Kind::text;
        operand.symbol = name;
        return operand;
      case Symbol::Kind::label:
        return std::nullopt;
    }
  }
  if (const auto variable = variables_.find(name); variable != variables_.end()) {
    operand.kind = Operand::Kind::variable;
    operand.variable = variable->second;
    return operand;
  }
  if (functions_.contains(name)) {
    operand.kind = Operand::Kind::function;
    operand.symbol = name;
    return operand;
  }
  return std::nullopt;
}

/// A name as operand: special register, sink, or what resolve() finds.
Operand Parser::read_name(const Instruction& instruction) {
  const Token token = lexer_.take();
  Operand operand;
  if (token.text == "_") return operand;
  if (std::optional<Operand> found = resolve(token.text)) {
    const bool is_place = found->kind == Operand::Kind::variable || found->kind == Operand::Kind::param;
    if (is_place) found->offset = read_offset();
    return std::move(*found);
  }
  if (token.text[0] == '%') {
    if (!is_special_register(token.text.substr(1)))
      lexer_.fail_at(token.line, "expected a declared register, found " + in_quotes(token.text));
    operand.kind = Operand::Kind::special;
    operand.symbol = token.text.substr(1);
    const Token& component = lexer_.peek();
    if (component.kind == Token::Kind::directive) {
      if (component.text.size() != 1 ||
          std::string_view("xyzw").find(component.text) == std::string_view::npos)
        lexer_.fail_expected(".x, .y, .z or .w after a special register");
      operand.symbol.append(".").append(lexer_.take().text);
    }
    return operand;
  }
  if (is_call(instruction) && !lexer_.peek().is("+")) {
    operand.kind = Operand::Kind::function;
    operand.symbol = token.text;
    called_.push_back({operand.symbol, token.line});
    return operand;
  }
  lexer_.fail_at(token.line, "expected a register, a variable, a parameter or a function, found " +
                                 in_quotes(token.text) + ", which is not declared");
}

}  // namespace warpwise::simulator::ptx
