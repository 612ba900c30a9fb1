#pragma once
/// \file The reader of PTX: recursive descent, one function a rule, spread over the parser_*.cpp by subject.
/// It resolves names while it reads (PTX wants names declared before use, save labels); validate() then
/// checks the finished module once.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "../ptx.hpp"

namespace warpwise::simulator::ptx {

// ---- parser_lexer.cpp: PTX text to tokens (PTX ISA 4.1 to 4.5), which are views into the text and must not
// outlive it

struct Token {
  enum class Kind : std::uint8_t {
    identifier,   ///< `ld`, `%r1`, `$L__BB0_2`, `_`
    directive,    ///< `.global`, `.shared::cta`: `text` is without the first dot
    integer,      ///< `bits`; `is_unsigned` where written with U or too large for 63 bits
    real,         ///< `bits` are those of a double
    string,       ///< `text` is without its quotes, escapes untouched
    punctuation,  ///< one or two characters
    end,
  };
  Kind kind = Kind::end;
  bool is_unsigned = false;
  std::uint32_t line = 1;
  std::string_view text;
  std::uint64_t bits = 0;

  bool is(std::string_view punctuation) const { return kind == Kind::punctuation && text == punctuation; }
  bool is_directive(std::string_view name) const { return kind == Kind::directive && text == name; }
  bool is_identifier() const { return kind == Kind::identifier; }
};

/// Reads one token after the other. Throws Error where the text is no PTX.
class Lexer {
 public:
  /// `name` is the file's name in messages.
  Lexer(std::string_view text, std::string name);

  /// The token at the cursor, and the one after it.
  const Token& peek() const { return current_; }
  const Token& peek_second() const { return second_; }
  /// Returns the token at the cursor and moves on.
  Token take();

  bool accept(std::string_view punctuation);
  bool accept_directive(std::string_view name);
  /// Take a token of the kind or throw: `what` says what was expected, e.g. "the name of a variable".
  void expect(std::string_view punctuation, std::string_view what);
  std::string_view expect_identifier(std::string_view what);
  std::uint64_t expect_integer(std::string_view what);
  std::string_view expect_string(std::string_view what);

  /// Throws "expected `what`, found ..." at the token at the cursor.
  [[noreturn]] void fail_expected(std::string_view what) const;
  /// Throws `message` at the line of the token at the cursor, or at `line`.
  [[noreturn]] void fail(const std::string& message) const;
  [[noreturn]] void fail_at(std::uint32_t line, const std::string& message) const;

  const std::string& name() const { return name_; }
  /// The text between two tokens of this lexer, both included, as written.
  static std::string_view between(const Token& first, const Token& last);

 private:
  Token scan();
  void skip_blanks_and_comments();
  Token scan_number();
  Token scan_prefixed_number(char prefix);
  Token scan_directive();
  Token scan_string();
  Token scan_punctuation();
  Token token(Token::Kind kind, std::size_t length);

  std::string_view text_;
  std::string name_;
  std::size_t position_ = 0;
  std::uint32_t line_ = 1;
  Token current_;
  Token second_;
};

/// `text` in quotes, shortened and made printable, for messages.
std::string in_quotes(std::string_view text);

// ---- Limits, and what is not the parser's own

/// What a text may ask for: a file of any origin must not exhaust the memory of the reader.
namespace limits {

inline constexpr std::size_t text_bytes = std::size_t{256} << 20;
inline constexpr std::uint64_t variable_bytes = std::uint64_t{1} << 30;      ///< one variable
inline constexpr std::uint64_t initialised_bytes = std::uint64_t{64} << 20;  ///< all initialisers of a module
inline constexpr std::uint64_t parameter_bytes = std::uint64_t{1} << 20;     ///< all parameters of a function
inline constexpr std::uint64_t registers = std::uint64_t{1} << 21;           ///< all functions of a module
inline constexpr std::uint64_t alignment = std::uint64_t{1} << 20;
inline constexpr std::uint32_t nesting = 64;  ///< of scopes, expressions, initialisers
inline constexpr std::size_t dimensions = 8;

}  // namespace limits

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

// ---- parser_variables.cpp: which name means what, inside nested `{ }` (PTX ISA 7.1 and 9.7.1: inner names
// hide outer ones)

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

// ---- parser_*.cpp

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
  /// `.loc`, `.file` or `.pragma`, which may stand in a function as well. False where there is none.
  bool read_common_directive();
  void read_linkage_and_definition();
  void skip_section();
  void read_pragma();
  void read_used_bytes(std::string_view text);
  void read_alias();
  void apply_aliases();
  void check_uses();

  // .file and .loc
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

  // parser_functions.cpp as well: statements
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

// ---- parser_source_location.cpp: where a line of PTX text comes from, for a text that is no module, so that
// an error in it can bear the line that somebody wrote

struct TextOrigin {
  SourceLine source;           ///< as source_of(); line 0 where the text names none
  bool is_inline_asm = false;  ///< copied from an `asm` statement, which no compiler looks into
  std::string_view text;       ///< the line itself, or the last one of that statement
};

/// Of line `line` of `text`, from 1, as the `.loc` and `.file` directives say that stand in it; nothing else
/// of the text is read. What stands right behind an `asm` counts as its own: there the reader notices that
/// something lacks.
TextOrigin origin_of(std::string_view text, std::uint32_t line);

}  // namespace warpwise::simulator::ptx
