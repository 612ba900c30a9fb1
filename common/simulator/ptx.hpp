#pragma once
/// \file The parsed form of a PTX module: what the text says, names resolved, nothing decoded yet.
/// Source: PTX ISA manual, chapters 4 (syntax), 5 (state spaces, types), 7 (functions), 11 (directives).

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::simulator::ptx {

/// State spaces (PTX ISA 5.1). `generic` is an address without a space: the hardware, and we, decide by its
/// value.
enum class Space : std::uint8_t { generic, global, shared, local, constant, param };

/// Fundamental and packed types (PTX ISA 5.2). `none` where an instruction names no type.
enum class Type : std::uint8_t {
  none,
  b8,
  b16,
  b32,
  b64,
  b128,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f16x2,
  bf16,
  bf16x2,
  f32,
  f64,
  pred,
};

/// Bytes a value of `type` occupies in memory; pred and none: 0.
std::uint32_t bytes_of(Type type);
/// "u32" -> Type::u32; nothing where `text` is no type.
std::optional<Type> type_from(std::string_view text);
std::string_view name_of(Type type);
std::string_view name_of(Space space);

/// One `.loc` directive. `line` 0 means that the compiler names no line.
/// Locations form chains: `inlined_at` is the location of the call into which this one was inlined.
struct Location {
  std::uint32_t file = 0;  ///< key of a `.file` directive
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::int32_t inlined_at = -1;  ///< index into Module::locations, -1 where nothing was inlined
};

/// One `.file` directive.
struct File {
  std::uint32_t id = 0;
  std::string path;
};

using RegisterId = std::uint32_t;  ///< index into Function::registers
using VariableId = std::uint32_t;  ///< index into Module::variables

struct Register {
  std::string name;  ///< as written, with its `%`
  Type type = Type::none;
};

/// A part of an initialiser that is an address, filled in when the module is loaded.
struct Relocation {
  std::uint64_t offset = 0;  ///< where in the variable, in bytes
  std::string symbol;        ///< variable or function
  std::int64_t addend = 0;
  bool is_generic = false;  ///< written as generic(symbol)
  std::uint8_t bytes = 8;
};

/// A variable of the module or, if `function` is not empty, of one function (static shared, local depot).
struct Variable {
  std::string name;      ///< unique in the module; function-scoped names are as written
  std::string function;  ///< owner, empty for module scope
  Space space = Space::global;
  Type type = Type::none;   ///< element type
  std::uint64_t align = 1;  ///< bytes
  std::uint64_t bytes = 0;  ///< 0 for `extern .shared x[]`: its size is the launch's
  bool is_extern = false;
  std::vector<std::uint8_t> initial;  ///< empty where there is no initialiser; else `bytes` long
  std::vector<Relocation> relocations;
};

/// A parameter of a kernel or a function, or a `.param` variable of a call sequence.
struct Parameter {
  std::string name;
  Type type = Type::none;
  std::uint64_t align = 1;   ///< bytes
  std::uint64_t bytes = 0;   ///< whole array
  std::uint64_t offset = 0;  ///< from the start of the parameter block, in bytes
  bool is_register = false;  ///< `.reg` formal parameter of a device function
  RegisterId reg = 0;        ///< if is_register
};

/// What an instruction works on, as its text names it.
struct Operand {
  enum class Kind : std::uint8_t {
    reg,        ///< `reg`
    immediate,  ///< `bits`, see `is_float`
    special,    ///< special register, such as `%tid.x`: `symbol` without the `%`, "tid.x"
    variable,   ///< address of a variable: `variable` + `offset`
    param,      ///< parameter of this function or of a call sequence: `param` + `offset`
    function,   ///< `symbol`: name of a function
    label,      ///< `target`: index into Function::code
    address,    ///< memory operand `[base + offset]`: base is `reg`, `variable` or `param`, see `base`
    vector,     ///< `{a, b, ...}`: `elements`
    sink,       ///< `_`: no destination
    text,       ///< anything else, verbatim in `symbol` (prototype names, call target lists)
  };
  Kind kind = Kind::sink;
  Kind base =
      Kind::sink;  ///< of an address: reg, variable, param or immediate (an absolute address, in `bits`)
  bool is_negated = false;  ///< `!%p`, `-%r`
  bool is_float = false;    ///< immediate given as 0f/0d/decimal: `bits` are those of a double
  RegisterId reg = 0;
  VariableId variable = 0;
  std::uint32_t param = 0;  ///< index into Function::parameters
  std::uint32_t target = 0;
  std::int64_t offset = 0;  ///< bytes
  std::uint64_t bits = 0;
  std::string symbol;
  std::vector<Operand> elements;  ///< of a vector; of `a|b` pairs: kind vector, is_pair true
  bool is_pair = false;           ///< written `a|b` (setp, shfl, match, elect)
};

/// What an instruction is, without regard to how it is run.
enum class InstructionClass : std::uint8_t {
  arithmetic,
  branch,
  memory,
  block_barrier,
  warp_barrier,
  shuffle,
  vote,
  match,
  warp_reduce,
  fence,
  call,
  exit,
  other,
};

/// What an instruction does with memory.
enum class MemoryAccess : std::uint8_t {
  none,
  load,
  read_only_load,  ///< `ldu`: of what nobody writes while the kernel runs; `ld.global.nc` is a `load`
  store,
  atomic,     ///< returns the old value
  reduction,  ///< an atomic that returns nothing
  copy,       ///< from global to shared memory
};

/// What comes after an instruction that has no guard.
enum class Then : std::uint8_t {
  next,   ///< the one behind it
  label,  ///< the one that its operand names
  table,  ///< one of those that a list names
  end,    ///< nothing: the function, the thread or the launch ends
};

/// Which operand an instruction writes to.
enum class Destination : std::uint8_t {
  none,
  first,
  of_red,   ///< the first, where it is written with `.red`
  results,  ///< the first, where it is a list
};

/// How the bits of a result come from those of the operands.
enum class Result : std::uint8_t {
  computed,              ///< each may depend on every one of them; also where there is no result
  added,                 ///< a + b
  subtracted,            ///< a - b
  negated,               ///< -a
  multiplied,            ///< a * b
  multiplied_and_added,  ///< a * b + c
  extreme,               ///< the smaller or the larger one
  compared,              ///< a predicate that says how a and b compare
  selected,              ///< a or b, as a predicate says
  copied,                ///< those of a; of {a, b, ...}, one behind the other
  converted,             ///< of another type
  reversed,              ///< the last one first
  shifted,               ///< a, by b
  funnelled,             ///< a and b in one, by c
  extended,              ///< the lowest b of a
  extracted,             ///< c of a, from place b on
  inserted,              ///< the lowest d of a, in b at place c
  permuted,              ///< bytes of a and b, as c says
  conjunction,           ///< a and b
  disjunction,           ///< a or b
  exclusive_or,          ///< either a or b
  complement,            ///< not a
  looked_up,             ///< of a, b and c, in a table of eight
};

/// All that is known of an opcode, whatever modifiers follow it (ptx/instruction_rows.hpp has the table).
struct InstructionRow {
  std::string_view opcode;                          ///< empty: no instruction that is known
  std::string_view section;                         ///< of the PTX ISA manual, release 9.0
  InstructionClass what = InstructionClass::other;  ///< of most forms: see Instruction::what()
  MemoryAccess access = MemoryAccess::none;
  Then then = Then::next;
  Destination destination = Destination::none;
  Result result = Result::computed;

  bool loads() const { return access == MemoryAccess::load || access == MemoryAccess::read_only_load; }
};

/// The row of the opcode `name`; one without an opcode where there is none.
const InstructionRow& row_of(std::string_view name);

/// `@%p` or `@!%p` in front of an instruction.
struct Guard {
  RegisterId reg = 0;
  bool is_negated = false;
};

/// One instruction, e.g. `@%p1 ld.global.v2.f32 {%f1, %f2}, [%rd1+8];`
struct Instruction {
  explicit Instruction(std::string_view name = {}) : row(&row_of(name)), opcode(name) {}

  const InstructionRow* row;           ///< what it is. Nobody compares names
  std::string opcode;                  ///< "ld", as the text has it: for messages
  std::vector<std::string> modifiers;  ///< {"global", "v2", "f32"}; "::" parts stay together ("shared::cta")
  std::optional<Guard> guard;
  /// In the order of the text, destinations first. The lists in parentheses of a call are vectors, of one
  /// element too: `call (r), f, (a, b);` is {vector, function, vector}, an indirect call {vector, reg,
  /// vector, text}, and what the text leaves out is not there.
  std::vector<Operand> operands;
  std::int32_t location = -1;   ///< index into Module::locations; -1: none
  std::uint32_t text_line = 0;  ///< line in the PTX text, from 1
  /// What `.pragma "used_bytes_mask …"` in front of a load says (PTX ISA 12): bit i stands for byte i of what
  /// it loads. The compiler has made the load wider than the program's; the other bytes are not looked at.
  std::uint32_t used_bytes = ~std::uint32_t{0};

  bool has(std::string_view modifier) const;
  /// What it is in this form: the row's class, but `bar.warp.sync` is a barrier of the warp, and
  /// `barrier.cluster.arrive`, where a cluster has one block, none.
  InstructionClass what() const;
  /// Comes to a barrier of the block, and does not wait there.
  bool only_arrives() const;
  /// Its first operand is written to, and not read.
  bool has_destination() const;
  /// The state space that it names; `generic` where it names none.
  Space space() const;
  /// The last (`from_end` 0) or the one before it ... that is a type; Type::none where there is none.
  Type type(std::uint32_t from_end = 0) const;
  /// "ld.global.v2.f32"
  std::string spelled() const;
};

struct Function {
  std::string name;
  bool is_kernel = false;
  bool is_declaration = false;     ///< no body: resolved elsewhere (vprintf, __assertfail, malloc, free)
  std::vector<Parameter> returns;  ///< of a device function
  /// Formal parameters first (`formals` of them), then the returns again (so that `[retval]` has an index:
  /// `formals + i`, its offset in this block), then every `.param` declared in the body. Offsets run on
  /// through all of them: one block a frame.
  std::vector<Parameter> parameters;
  std::uint32_t formals = 0;
  std::vector<Register> registers;  ///< nested scopes flattened, names made unique by identity
  /// Never empty in a definition, and never runs off its end: a `ret` is added where the text has none.
  std::vector<Instruction> code;
  /// Names of branch-target lists (`.branchtargets`) and call prototypes, where the body has them.
  struct TargetList {
    std::string name;
    std::vector<std::uint32_t> targets;  ///< indices into `code`
  };
  std::vector<TargetList> target_lists;
  std::optional<std::uint32_t> max_threads;       ///< product of `.maxntid`
  std::optional<std::uint32_t> required_threads;  ///< product of `.reqntid`
  std::uint32_t cluster_blocks = 1;               ///< product of `.reqnctapercluster` (__cluster_dims__)
  bool has_explicit_clusters = false;             ///< `.explicitcluster` or `.reqnctapercluster`
};

struct Module {
  std::string name;  ///< path of the text, for messages
  std::uint32_t version_major = 0, version_minor = 0;
  std::string target;  ///< "sm_75"
  std::vector<File> files;
  std::vector<Location> locations;
  std::vector<Variable> variables;
  std::vector<Function> functions;

  const Function* find_function(std::string_view name) const;
  const File* find_file(std::uint32_t id) const;
};

/// What is wrong with a text, and where: what() is "file.ptx:12: message".
class Error : public std::runtime_error {
 public:
  Error(std::string file, std::uint32_t line, const std::string& message, bool is_of_asm = false);
  const std::string& file() const { return file_; }
  std::uint32_t line() const { return line_; }
  const std::string& message() const { return message_; }
  /// The text comes from an asm statement of the source, which the compiler does not look into.
  bool is_of_asm() const { return is_of_asm_; }

 private:
  std::string file_;
  std::uint32_t line_;
  std::string message_;
  bool is_of_asm_ = false;
};

/// Reads PTX text. `name` is used in messages only. Throws Error; never returns a module that it did not
/// understand in full: unknown directives are errors, unknown instructions are left to the decoder.
Module read_module(std::string_view text, std::string name);
/// Reads the file at `path`; throws Error (line 0) where it cannot be read.
Module read_module_file(const std::string& path);

struct SourceLine {
  std::string file;        ///< path as the compiler gives it; empty where nothing is known
  std::uint32_t line = 0;  ///< from 1; 0 where the compiler names no line
  bool operator==(const SourceLine&) const = default;
};

/// Whether `path` is a header that comes with the CUDA toolkit or the system, and not the student's: include
/// directories of a toolkit, those of NVIDIA's wheels, /usr/include, CCCL (CUB, Thrust, libcu++), and headers
/// whose names only a toolkit has, wherever they lie. `path` may hold `.` and `..`.
bool is_toolkit_file(std::string_view path);

/// The innermost line of `location` (index into Module::locations) that the student wrote: out of the
/// toolkit's headers, and out of places without a line, it follows `inlined_at`. Where the whole chain lies
/// in the toolkit, its innermost line; for -1 an empty SourceLine.
SourceLine source_of(const Module& module, std::int32_t location);

/// `@%p1 ld.global.v2.f32 {%f1, %f2}, [%rd1+8];` Labels, which have no name any more, are written `@12`: the
/// index in the function's code. `function` holds the instruction; both must be valid.
std::string disassemble(const Module& module, const Function& function, const Instruction& instruction);
std::string disassemble(const Module& module, const Function& function, const Operand& operand);
/// The whole function: header, then one line an instruction with its index.
std::string disassemble(const Module& module, const Function& function);

}  // namespace warpwise::simulator::ptx
