/// \file Headers of kernels and functions (PTX ISA 7.1, 11.1, 11.4).

#include <algorithm>
#include <array>
#include <utility>

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
    lexer_.fail_at(line, quoted(function_.name) + " is the name of a variable already");
  const auto [known, is_new] =
      functions_.emplace(function_.name, static_cast<std::uint32_t>(module_.functions.size()));
  if (is_new) {
    module_.functions.push_back(Function{});
  } else {
    const Function& first = module_.functions[known->second];
    if (!first.is_declaration && !function_.is_declaration)
      lexer_.fail_at(line, quoted(function_.name) + " is defined a second time");
    if (first.formals != function_.formals || first.returns.size() != function_.returns.size() ||
        first.is_kernel != function_.is_kernel)
      lexer_.fail_at(line, quoted(function_.name) + " was declared with other parameters before");
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

}  // namespace warpwise::simulator::ptx
