#pragma once
/// \file The reader of PTX: recursive descent, one function a rule, spread over the parser_*.cpp by subject.
/// It resolves names while it reads (PTX wants names declared before use, save labels); validate() then
/// checks the finished module once.

#include <cstdint>
#include <map>
#include <string_view>
#include <tuple>

#include "../ptx.hpp"
#include "lexer.hpp"
#include "limits.hpp"
#include "scopes.hpp"

namespace warpwise::simulator::ptx {

/// Of a constant expression (PTX ISA 4.5.4): `4`, `-1`, `(1 << 4) | 3`, `0f3F800000`, `(.s64)8`.
struct Constant {
  std::uint64_t bits = 0;  ///< of a 64-bit integer or of a double
  bool is_real = false;
  bool is_unsigned = false;  ///< integers: .u64 rather than .s64
};

/// Whether the token at the cursor can begin a constant expression.
bool starts_constant(const Lexer& lexer);
/// Reads one expression. Throws Error.
Constant read_constant(Lexer& lexer);
/// A primary with its signs only: `-4`, `(1+2)`. For `[base+offset]`, where what follows is not ours.
Constant read_unary_constant(Lexer& lexer);

/// Checks a module once, so that what runs it can index without looking. Throws Error where a reference of
/// the module leads nowhere: a register, variable, parameter, label, location or function that is not there,
/// a guard that is no predicate, an initialiser or relocation that does not fit its variable, a name that is
/// defined twice, a definition without code. Modules built by hand (tests, generators) can be checked with it
/// too.
void validate(const Module& module);

/// Whether `name`, without `%` and without `.x`, is a special register (PTX ISA chapter 10): "tid",
/// "clock64".
bool is_special_register(std::string_view name);

class Parser {
 public:
  Parser(std::string_view text, std::string name);
  /// Reads the whole text; call it once.
  Module read();

 private:
  /// What a declaration of a variable or a parameter has in common (PTX ISA 5.4).
  struct Declaration {
    Type type = Type::none;
    std::uint64_t lanes = 1;  ///< of `.v2`, `.v4`
    std::uint64_t align = 0;  ///< 0: not written
    std::string_view name;    ///< may be `_` or empty in a prototype
    std::vector<std::uint64_t> dimensions;
    bool is_open = false;  ///< first dimension written `[]`
    std::uint32_t line = 0;

    std::uint64_t elements() const;  ///< of the dimensions, without those of a vector
    std::uint64_t bytes() const;
    std::uint64_t alignment() const;
  };
  struct NamedUse {
    std::string name;
    std::uint32_t line = 0;
  };

  // parser_module.cpp: the module and its directives
  void read_header();
  void read_module_directive();
  void read_linkage_and_definition();
  void skip_section();
  void read_pragma();
  void read_used_bytes(std::string_view text);
  void read_alias();
  void apply_aliases();
  void check_uses();

  // parser_locations.cpp: .file and .loc
  void read_file_directive();
  void read_loc_directive();
  std::int32_t location_of(const Location& location);

  // parser_variables.cpp: declarations and initialisers
  bool at_space() const;
  void read_variables(bool is_extern);
  Declaration read_declaration(bool may_be_unnamed);
  void read_dimensions(Declaration& declaration);
  std::uint64_t read_alignment();
  void read_initialiser(Variable& variable, Declaration& declaration);
  void read_initialiser_list(Variable& variable, const Declaration& declaration, std::size_t level,
                             std::uint64_t& cursor, std::uint64_t end);
  void read_initial_value(Variable& variable, const Declaration& declaration, std::uint64_t element);
  void read_initial_address(Variable& variable, std::uint64_t offset);
  void add_variable(Variable variable, std::uint32_t line);

  // parser_functions.cpp: headers of kernels and functions
  void read_function(bool is_kernel);
  void read_parameters(std::vector<Parameter>& parameters, bool are_returns);
  Parameter read_parameter();
  void read_function_attributes();
  std::uint32_t read_thread_count();
  void read_body();
  void add_function(std::uint32_t line);

  // parser_body.cpp: statements
  void read_statement();
  void close_scope();
  void read_registers();
  std::uint32_t add_registers(std::string_view name, Type type, std::uint32_t count, bool is_range);
  void read_body_parameters();
  void place(Parameter& parameter);
  void read_label();
  void read_target_list(std::string_view name);
  void skip_prototype();
  void end_code();
  void declare(std::string_view name, Symbol symbol);

  // parser_operands.cpp: instructions and their operands
  void read_instruction();
  Operand read_branch_target();
  Guard read_guard();
  Operand read_operand(const Instruction& instruction);
  Operand read_simple_operand(const Instruction& instruction);
  Operand read_list(const Instruction& instruction, std::string_view closing);
  Operand read_address();
  Operand read_tensor_address(const Token& bracket);
  Operand read_number();
  Operand read_name(const Instruction& instruction);
  std::int64_t read_offset();
  std::optional<Operand> resolve(std::string_view name);

  Lexer lexer_;
  Module module_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::int32_t>, std::int32_t> locations_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::int32_t> latest_location_;
  std::map<std::uint32_t, std::uint32_t> file_uses_;  ///< file id to the line of its first .loc
  std::map<std::uint32_t, std::size_t> files_;        ///< id to index: find_file() would make many files slow
  NameMap<VariableId> variables_;                     ///< of the module's scope
  NameMap<std::uint32_t> functions_;
  NameMap<std::string> aliases_;
  std::vector<NamedUse> called_;        ///< names that must be functions when all is read
  std::vector<NamedUse> initialisers_;  ///< names that must be variables or functions
  std::uint64_t register_count_ = 0;
  std::uint64_t initialised_bytes_ = 0;

  Function function_;  ///< the one being read
  bool is_in_function_ = false;
  ScopeStack scopes_;
  std::uint64_t parameter_bytes_ = 0;
  std::int32_t location_ = -1;
  std::uint32_t used_bytes_ = ~std::uint32_t{0};  ///< of the next instruction
};

}  // namespace warpwise::simulator::ptx
