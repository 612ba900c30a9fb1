#include "parser.hpp"

#include <string>
#include <string_view>
#include <unordered_set>

namespace warpwise::simulator::ptx {
namespace {

class Validator {
 public:
  explicit Validator(const Module& module) : module_(module) {
    for (const Function& function : module.functions) {
      if (!functions_.insert(function.name).second)
        fail("the function " + in_quotes(function.name) + " is there twice");
    }
  }

  void check() {
    check_locations();
    check_variables();
    for (const Function& function : module_.functions) check_function(function);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { throw Error(module_.name, line_, message); }
  void require(bool condition, std::string_view message) const {
    if (!condition) fail(std::string(message));
  }

  void check_locations() const {
    for (std::size_t i = 0; i < module_.locations.size(); ++i) {
      const std::int32_t outer = module_.locations[i].inlined_at;
      require(outer >= -1 && outer < static_cast<std::int64_t>(i), "a location is inlined into a later one");
    }
  }

  void check_variables() const {
    std::unordered_set<std::string_view> names;
    for (const Variable& variable : module_.variables) {
      if (variable.function.empty() && !names.insert(variable.name).second)
        fail("the variable " + in_quotes(variable.name) + " is there twice");
      if (!variable.initial.empty() && variable.initial.size() != variable.bytes)
        fail("the initial value of " + in_quotes(variable.name) + " differs in size from the variable");
      for (const Relocation& each : variable.relocations)
        if (each.bytes > variable.initial.size() || each.offset > variable.initial.size() - each.bytes)
          fail("an address in the initial value of " + in_quotes(variable.name) + " lies outside of it");
    }
  }

  void check_function(const Function& function) {
    function_ = &function;
    line_ = 0;
    require(function.formals + function.returns.size() <= function.parameters.size(),
            "a function has fewer parameters than it declares");
    for (const Parameter& parameter : function.parameters)
      require(!parameter.is_register || parameter.reg < function.registers.size(),
              "a parameter is a register that is not declared");
    if (function.is_declaration) return require(function.code.empty(), "a declaration has code");
    require(!function.code.empty(), "a definition has no code");
    for (const Instruction& instruction : function.code) check_instruction(instruction);
    for (const Function::TargetList& list : function.target_lists)
      for (const std::uint32_t target : list.targets) check_target(target);
  }

  void check_instruction(const Instruction& instruction) {
    line_ = instruction.text_line;
    require(instruction.location >= -1 &&
                instruction.location < static_cast<std::int64_t>(module_.locations.size()),
            "an instruction has a location that is not there");
    if (instruction.guard) {
      check_register(instruction.guard->reg);
      require(function_->registers[instruction.guard->reg].type == Type::pred, "a guard is not a predicate");
    }
    for (const Operand& operand : instruction.operands) {
      check_operand(operand);
      for (const Operand& element : operand.elements) {
        check_operand(element);
        require(element.elements.empty(), "a vector holds a vector");
      }
    }
  }

  void check_operand(const Operand& operand) const {
    switch (operand.kind) {
      case Operand::Kind::address:
        return check_base(operand);
      case Operand::Kind::label:
        return check_target(operand.target);
      case Operand::Kind::function:
        return require(functions_.contains(operand.symbol), "an operand names a function that is not there");
      case Operand::Kind::vector:
        return require(!operand.is_pair || operand.elements.size() == 2, "a pair does not have two elements");
      default:
        return check_place(operand.kind, operand);
    }
  }

  void check_base(const Operand& operand) const {
    const bool is_base = operand.base == Operand::Kind::reg || operand.base == Operand::Kind::variable ||
                         operand.base == Operand::Kind::param || operand.base == Operand::Kind::immediate;
    require(is_base, "an address has no base");
    check_place(operand.base, operand);
  }

  void check_place(Operand::Kind kind, const Operand& operand) const {
    if (kind == Operand::Kind::reg) check_register(operand.reg);
    if (kind == Operand::Kind::variable)
      require(operand.variable < module_.variables.size(), "an operand names a variable that is not there");
    if (kind == Operand::Kind::param)
      require(operand.param < function_->parameters.size(), "an operand names a parameter that is not there");
  }

  void check_register(RegisterId id) const {
    require(id < function_->registers.size(), "an operand names a register that is not there");
  }
  void check_target(std::uint32_t target) const {
    require(target < function_->code.size(), "a branch leads out of its function");
  }

  const Module& module_;
  const Function* function_ = nullptr;
  std::uint32_t line_ = 0;
  std::unordered_set<std::string_view> functions_;
};

}  // namespace

void validate(const Module& module) { Validator(module).check(); }

}  // namespace warpwise::simulator::ptx
