/// \file Kernels and functions: their headers (PTX ISA 7.1, 11.1, 11.4), and the statements of their bodies
/// (4.3): scopes, registers, labels, lists of targets.

#include <algorithm>
#include <array>
#include <utility>

#include "function_text.hpp"
#include "parser.hpp"

namespace warpwise::simulator::ptx {

/// `.entry name (parameters) attributes { body }` or `.func (returns) name (parameters) attributes;`
void Parser::read_function(bool is_kernel) {
  const std::uint32_t line = lexer_.peek().line;
  function_ = Function{};
  function_.is_kernel = is_kernel;
  is_in_function_ = true;
  parameter_bytes_ = 0;
  location_ = -1;
  scopes_.clear();
  scopes_.open();
  // `.attribute(.unified(…))` of a function would stand here; the compiler does not write it.
  if (!is_kernel && lexer_.accept("(")) read_parameters(function_.returns, true);
  function_.name = lexer_.expect_identifier(is_kernel ? "the name of a kernel" : "the name of a function");
  if (lexer_.accept("(")) read_parameters(function_.parameters, false);
  function_.formals = static_cast<std::uint32_t>(function_.parameters.size());
  for (Parameter& parameter : function_.parameters) place(parameter);
  for (Parameter returned : function_.returns) {
    place(returned);
    function_.parameters.push_back(std::move(returned));
  }
  for (std::uint32_t i = 0; i < function_.parameters.size(); ++i) {
    const Parameter& parameter = function_.parameters[i];
    if (parameter.name.empty() || parameter.name == "_") continue;
    if (parameter.is_register)
      declare(parameter.name, {Symbol::Kind::reg, parameter.reg, line});
    else
      declare(parameter.name, {Symbol::Kind::param, i, line});
  }
  read_function_attributes();
  function_.is_declaration = lexer_.accept(";");
  if (!function_.is_declaration) {
    add_function(line);  // known before its body, which may call it
    read_body();
    module_.functions[functions_.find(function_.name)->second] = std::move(function_);
  } else {
    add_function(line);
  }
  is_in_function_ = false;
  scopes_.clear();
}

/// A list of parameters after its `(`.
void Parser::read_parameters(std::vector<Parameter>& parameters, bool are_returns) {
  if (lexer_.accept(")")) return;
  do {
    parameters.push_back(read_parameter());
    if (parameters.back().bytes > limits::parameter_bytes) lexer_.fail("this parameter is larger than 1 MiB");
  } while (lexer_.accept(","));
  lexer_.expect(")", are_returns ? "after the values that a function returns" : "after the parameters");
  std::uint64_t end = 0;
  for (Parameter& parameter : parameters) {
    parameter.offset = (end + parameter.align - 1) / parameter.align * parameter.align;
    end = parameter.offset + parameter.bytes;
  }
}

/// `.param .align 8 .b8 name[16]`, `.param .u64 .ptr .global .align 4 name` or `.reg .b32 name`
Parameter Parser::read_parameter() {
  const bool is_register = lexer_.accept_directive("reg");
  if (!is_register && !lexer_.accept_directive("param")) lexer_.fail_expected(".param or .reg");
  if (is_register && function_.is_kernel) lexer_.fail("expected .param: a kernel has no register parameters");
  const Declaration declaration = read_declaration(true);
  if (declaration.type == Type::pred && !is_register)
    lexer_.fail("a parameter in memory cannot be a predicate");
  Parameter parameter;
  parameter.name = declaration.name;
  parameter.type = declaration.type;
  parameter.align = std::max<std::uint64_t>(declaration.alignment(), 1);
  parameter.bytes = declaration.is_open ? 0 : declaration.bytes();
  parameter.is_register = is_register;
  if (is_register) {
    if (!declaration.dimensions.empty() || declaration.lanes != 1)
      lexer_.fail("expected a single register as a parameter, found an array");
    parameter.reg = add_registers(declaration.name, declaration.type, 1, false);
  }
  return parameter;
}

/// `.maxntid 256, 1, 1`, `.minnctapersm 2`, … (PTX ISA 11.4). Those that only advise the assembler are read
/// and forgotten.
void Parser::read_function_attributes() {
  static constexpr std::array<std::string_view, 6> with_numbers = {
      "minnctapersm", "maxnctapersm", "maxnreg", "maxclusterrank", "abi_preserve", "abi_preserve_control"};
  static constexpr std::array<std::string_view, 3> flags = {"noreturn", "explicitcluster",
                                                            "blocksareclusters"};
  const auto is_one_of = [](const auto& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  while (lexer_.peek().kind == Token::Kind::directive) {
    const std::string_view name = lexer_.peek().text;
    if (name == "maxntid" || name == "reqntid") {
      lexer_.take();
      (name == "maxntid" ? function_.max_threads : function_.required_threads) = read_thread_count();
    } else if (name == "reqnctapercluster") {
      lexer_.take();
      function_.has_explicit_clusters = true;
      function_.cluster_blocks = read_thread_count();
    } else if (name == "pragma") {
      lexer_.take();
      read_pragma();
    } else if (is_one_of(with_numbers, name)) {
      lexer_.take();
      lexer_.expect_integer("a number after this directive");
    } else if (is_one_of(flags, name)) {
      function_.has_explicit_clusters |= name == "explicitcluster";
      lexer_.take();
    } else {
      lexer_.fail_expected("a directive of a function, such as .maxntid, or its body");
    }
  }
}

/// The product of one to three numbers.
std::uint32_t Parser::read_thread_count() {
  std::uint64_t product = 1;
  int count = 0;
  do {
    const std::uint64_t size = lexer_.expect_integer("a number of threads or blocks");
    if (++count > 3) lexer_.fail("expected at most 3 dimensions");
    if (size > 0xFFFFFFFF || product * size > 0xFFFFFFFF) lexer_.fail("expected fewer than 2^32 threads");
    product *= size;
  } while (lexer_.accept(","));
  return static_cast<std::uint32_t>(product);
}

/// Adds the header of `function_`: a definition takes the place of its declaration, other doubles are errors.
void Parser::add_function(std::uint32_t line) {
  if (variables_.contains(function_.name))
    lexer_.fail_at(line, in_quotes(function_.name) + " is the name of a variable already");
  const auto [known, is_new] =
      functions_.emplace(function_.name, static_cast<std::uint32_t>(module_.functions.size()));
  if (is_new) {
    module_.functions.push_back(Function{});
  } else {
    const Function& first = module_.functions[known->second];
    if (!first.is_declaration && !function_.is_declaration)
      lexer_.fail_at(line, in_quotes(function_.name) + " is defined a second time");
    if (first.formals != function_.formals || first.returns.size() != function_.returns.size() ||
        first.is_kernel != function_.is_kernel)
      lexer_.fail_at(line, in_quotes(function_.name) + " was declared with other parameters before");
    if (!first.is_declaration) return;
  }
  Function& kept = module_.functions[known->second];
  if (function_.is_declaration) {
    if (is_new) kept = function_;
    return;
  }
  kept.name = function_.name;  // the rest follows when its body has been read
  kept.formals = function_.formals;
  kept.is_kernel = function_.is_kernel;
  kept.is_declaration = false;
}

// ---- Bodies

void Parser::read_body() {
  const std::uint32_t line = lexer_.peek().line;
  lexer_.expect("{", "before the body of a function");
  scopes_.open();
  const std::size_t outside = scopes_.depth() - 1;
  while (scopes_.depth() > outside) {
    if (lexer_.peek().kind == Token::Kind::end)
      lexer_.fail_at(line, "the body of " + in_quotes(function_.name) + " has no end: expected '}'");
    read_statement();
  }
  close_scope();  // the one that holds the parameters
  end_code();
}

void Parser::read_statement() {
  const Token& token = lexer_.peek();
  if (lexer_.accept("{")) {
    if (scopes_.depth() > limits::nesting) lexer_.fail("expected at most 64 nested '{'");
    scopes_.open();
  } else if (lexer_.accept("}")) {
    close_scope();
  } else if (token.is_identifier() && lexer_.peek_second().is(":")) {
    read_label();
  } else if (token.is_identifier() || token.is("@")) {
    read_instruction();
  } else if (lexer_.accept_directive("reg")) {
    read_registers();
  } else if (lexer_.accept_directive("param")) {
    read_body_parameters();
  } else if (at_space()) {
    read_variables(false);
  } else if (token.is_directive("extern") && !lexer_.peek_second().is_directive("func")) {
    lexer_.take();
    if (!at_space()) lexer_.fail_expected("a state space after .extern");
    read_variables(true);
  } else if (!read_common_directive() && !lexer_.accept(";")) {
    lexer_.fail_expected("an instruction, a label or a directive of a function body");
  }
}

void Parser::close_scope() {
  if (const auto clash = scopes_.innermost().find_clash())
    lexer_.fail_at(clash->second.line, in_quotes(clash->first) + " is declared a second time");
  const auto resolve = [this](const LabelFixup& fixup, const Symbol& label) {
    if (fixup.in_list)
      function_.target_lists[fixup.instruction].targets[fixup.operand] = label.index;
    else
      function_.code[fixup.instruction].operands[fixup.operand].target = label.index;
  };
  const std::vector<LabelFixup> left = scopes_.close(resolve);
  if (!left.empty())
    lexer_.fail_at(left.front().line, "expected a label of this function, found " +
                                          in_quotes(left.front().name) + ", which is not defined");
}

void Parser::declare(std::string_view name, Symbol symbol) {
  if (!scopes_.innermost().declare(name, symbol))
    lexer_.fail_at(symbol.line, in_quotes(name) + " is declared a second time");
}

/// `.reg .b32 %r<10>, %x;`, after `.reg`
void Parser::read_registers() {
  const Token token = lexer_.take();
  if (token.is_directive("v2") || token.is_directive("v4"))
    lexer_.fail_at(token.line, "expected a type: registers that are vectors are not supported");
  const std::optional<Type> type =
      token.kind == Token::Kind::directive ? type_from(token.text) : std::nullopt;
  if (!type) lexer_.fail_at(token.line, "expected a type after .reg, found " + in_quotes(token.text));
  do {
    const std::uint32_t line = lexer_.peek().line;
    const std::string_view name = lexer_.expect_identifier("the name of a register");
    if (name == "_") lexer_.fail_at(line, "expected the name of a register, found '_'");
    if (!lexer_.accept("<")) {
      const RegisterId id = add_registers(name, *type, 1, false);
      declare(name, {Symbol::Kind::reg, id, line});
      continue;
    }
    const std::uint64_t count = lexer_.expect_integer("the number of registers");
    if (count > limits::registers) lexer_.fail("expected at most 2^21 registers");
    lexer_.expect(">", "after the number of registers");
    const RegisterId first = add_registers(name, *type, static_cast<std::uint32_t>(count), true);
    if (!scopes_.innermost().declare_range(name, static_cast<std::uint32_t>(count), first, line))
      lexer_.fail_at(line, in_quotes(name) + " is declared a second time");
  } while (lexer_.accept(","));
  lexer_.expect(";", "after registers");
}

/// Appends registers called `name`, or `name`0, `name`1 …; returns the id of the first.
std::uint32_t Parser::add_registers(std::string_view name, Type type, std::uint32_t count, bool is_range) {
  register_count_ += count;
  if (register_count_ > limits::registers) lexer_.fail("expected at most 2^21 registers in a module");
  const auto first = static_cast<RegisterId>(function_.registers.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    std::string full(name);
    if (is_range) full += std::to_string(i);
    function_.registers.push_back({std::move(full), type});
  }
  return first;
}

/// `.param .b64 param0;` of a call sequence, after `.param`
void Parser::read_body_parameters() {
  Declaration declaration = read_declaration(false);
  while (true) {
    if (declaration.type == Type::pred) lexer_.fail("a parameter in memory cannot be a predicate");
    if (declaration.is_open) lexer_.fail("expected a size for " + in_quotes(declaration.name));
    Parameter parameter;
    parameter.name = declaration.name;
    parameter.type = declaration.type;
    parameter.align = declaration.alignment();
    parameter.bytes = declaration.bytes();
    place(parameter);
    declare(declaration.name,
            {Symbol::Kind::param, static_cast<std::uint32_t>(function_.parameters.size()), declaration.line});
    function_.parameters.push_back(std::move(parameter));
    if (!lexer_.accept(",")) break;
    declaration.line = lexer_.peek().line;
    declaration.name = lexer_.expect_identifier("the name of a parameter");
    read_dimensions(declaration);
  }
  lexer_.expect(";", "after a parameter");
}

/// Gives `parameter` the next aligned place in the parameter block of the function.
void Parser::place(Parameter& parameter) {
  parameter.offset = (parameter_bytes_ + parameter.align - 1) / parameter.align * parameter.align;
  parameter_bytes_ = parameter.offset + parameter.bytes;
  if (parameter_bytes_ > limits::parameter_bytes)
    lexer_.fail("the parameters of " + in_quotes(function_.name) + " take more than 1 MiB");
}

/// `name:`, alone or in front of `.branchtargets`, `.calltargets` or `.callprototype` (PTX ISA 11.3)
void Parser::read_label() {
  const Token name = lexer_.take();
  lexer_.take();
  if (lexer_.accept_directive("branchtargets")) return read_target_list(name.text);
  const bool is_prototype = lexer_.accept_directive("callprototype");
  const bool is_call_list = !is_prototype && lexer_.accept_directive("calltargets");
  if (!is_prototype && !is_call_list)
    return declare(name.text,
                   {Symbol::Kind::label, static_cast<std::uint32_t>(function_.code.size()), name.line});
  const auto list = static_cast<std::uint32_t>(function_.target_lists.size());
  declare(name.text, {Symbol::Kind::list, list, name.line});
  function_.target_lists.push_back({std::string(name.text), {}});
  if (is_prototype) return skip_prototype();
  do {
    const std::uint32_t line = lexer_.peek().line;
    called_.push_back({std::string(lexer_.expect_identifier("the name of a function")), line});
  } while (lexer_.accept(","));
  lexer_.expect(";", "after .calltargets");
}

void Parser::read_target_list(std::string_view name) {
  const auto list = static_cast<std::uint32_t>(function_.target_lists.size());
  declare(name, {Symbol::Kind::list, list, lexer_.peek().line});
  function_.target_lists.push_back({std::string(name), {}});
  std::uint32_t count = 0;
  do {
    const std::uint32_t line = lexer_.peek().line;
    const std::string_view label = lexer_.expect_identifier("a label");
    scopes_.add_fixup({label, line, list, count++, true});
    function_.target_lists.back().targets.push_back(0);
  } while (lexer_.accept(","));
  lexer_.expect(";", "after .branchtargets");
}

/// `(.param .b32 _) _ (.param .b64 _) .noreturn;`: the function that is called says the same.
void Parser::skip_prototype() {
  while (!lexer_.peek().is(";")) {
    const Token token = lexer_.take();
    if (token.kind == Token::Kind::end || token.is("{") || token.is("}"))
      lexer_.fail_at(token.line, "expected ';' after .callprototype");
  }
  lexer_.take();
}

/// Adds the `ret` that a body without one ends in, so that whoever runs it never meets the end of the code.
void Parser::end_code() {
  const auto end = static_cast<std::uint32_t>(function_.code.size());
  bool is_needed = true;
  if (end > 0) is_needed = goes_on(function_.code.back());
  for (const Instruction& instruction : function_.code)
    for (const Operand& operand : instruction.operands)
      is_needed |= operand.kind == Operand::Kind::label && operand.target == end;
  for (const Function::TargetList& list : function_.target_lists)
    for (const std::uint32_t target : list.targets) is_needed |= target == end;
  if (!is_needed) return;
  Instruction implicit_return("ret");
  implicit_return.location = location_;
  implicit_return.text_line = lexer_.peek().line;
  function_.code.push_back(std::move(implicit_return));
}

}  // namespace warpwise::simulator::ptx
