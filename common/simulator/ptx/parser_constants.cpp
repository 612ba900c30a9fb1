#include "parser.hpp"

namespace warpwise::simulator::ptx {
namespace {

struct Operator {
  std::string_view spelling;
  int precedence;  ///< higher binds tighter, as in C
};

// clang-format off
constexpr Operator operators[] = {
    {"||", 1}, {"&&", 2}, {"|", 3}, {"^", 4}, {"&", 5}, {"==", 6}, {"!=", 6}, {"<", 7}, {">", 7},
    {"<=", 7}, {">=", 7}, {"<<", 8}, {">>", 8}, {"+", 9}, {"-", 9}, {"*", 10}, {"/", 10}, {"%", 10}};
// clang-format on

Constant integer(std::uint64_t bits, bool is_unsigned) { return {bits, false, is_unsigned}; }

/// One descent through an expression; counts its depth, so that `((((…` ends in an Error.
class Reader {
 public:
  explicit Reader(Lexer& lexer) : lexer_(lexer) {}

  Constant conditional() {
    const Nesting nesting(*this);
    const Constant condition = binary(1);
    if (!lexer_.accept("?")) return condition;
    const Constant yes = conditional();
    lexer_.expect(":", "between the two values of '?'");
    const Constant no = conditional();
    require_integer(condition);
    return condition.bits != 0 ? yes : no;
  }

  Constant unary() {
    const Nesting nesting(*this);
    if (lexer_.accept("+")) return unary();
    if (lexer_.accept("-")) {
      Constant value = unary();
      value.bits = value.is_real ? value.bits ^ (std::uint64_t{1} << 63) : 0 - value.bits;
      return value;
    }
    if (lexer_.accept("~")) {
      const Constant value = unary();
      require_integer(value);
      return integer(~value.bits, value.is_unsigned);
    }
    if (lexer_.accept("!")) {
      const Constant value = unary();
      require_integer(value);
      return integer(value.bits == 0, false);
    }
    return primary();
  }

 private:
  struct Nesting {
    explicit Nesting(Reader& reader) : reader_(reader) {
      if (++reader_.depth_ > 2 * limits::nesting) reader_.lexer_.fail("this expression is nested too deeply");
    }
    ~Nesting() { --reader_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    Reader& reader_;
  };

  Constant primary() {
    const Token& token = lexer_.peek();
    if (token.kind == Token::Kind::integer) {
      const Token taken = lexer_.take();
      return integer(taken.bits, taken.is_unsigned);
    }
    if (token.kind == Token::Kind::real) return {lexer_.take().bits, true, false};
    if (token.is_identifier() && token.text == "WARP_SZ") {  // PTX ISA 4.4: the one predefined constant
      lexer_.take();
      return integer(32, false);
    }
    if (!lexer_.accept("(")) lexer_.fail_expected("a number");
    if (lexer_.peek().kind == Token::Kind::directive) return cast();
    const Constant value = conditional();
    lexer_.expect(")", "after an expression");
    return value;
  }

  /// `(.s64)` or `(.u64)`, after its parenthesis.
  Constant cast() {
    const bool is_unsigned = lexer_.peek().is_directive("u64");
    if (!is_unsigned && !lexer_.peek().is_directive("s64")) lexer_.fail_expected("a cast to .s64 or .u64");
    lexer_.take();
    lexer_.expect(")", "after a cast");
    const Constant value = unary();
    require_integer(value);
    return integer(value.bits, is_unsigned);
  }

  Constant binary(int lowest) {
    Constant left = unary();
    while (const Operator* found = operator_at_cursor(lowest)) {
      const std::string_view spelling = found->spelling;
      lexer_.take();
      const Nesting nesting(*this);
      left = apply(spelling, left, binary(found->precedence + 1));
    }
    return left;
  }

  const Operator* operator_at_cursor(int lowest) const {
    if (lexer_.peek().kind != Token::Kind::punctuation) return nullptr;
    for (const Operator& each : operators)
      if (each.precedence >= lowest && each.spelling == lexer_.peek().text) return &each;
    return nullptr;
  }

  void require_integer(const Constant& value) const {
    if (value.is_real) lexer_.fail("expected an integer in this expression, found a floating-point number");
  }

  /// Two's complement throughout: unsigned arithmetic wraps where signed would be undefined.
  Constant apply(std::string_view op, const Constant& left, const Constant& right) const {
    require_integer(left);
    require_integer(right);
    const std::uint64_t a = left.bits;
    const std::uint64_t b = right.bits;
    const bool is_unsigned = left.is_unsigned || right.is_unsigned;
    const auto sa = static_cast<std::int64_t>(a);
    const auto sb = static_cast<std::int64_t>(b);
    const bool is_less = is_unsigned ? a < b : sa < sb;
    if (op == "+") return integer(a + b, is_unsigned);
    if (op == "-") return integer(a - b, is_unsigned);
    if (op == "*") return integer(a * b, is_unsigned);
    if (op == "/" || op == "%") return divide(op == "/", left, right);
    if (op == "&") return integer(a & b, is_unsigned);
    if (op == "|") return integer(a | b, is_unsigned);
    if (op == "^") return integer(a ^ b, is_unsigned);
    if (op == "<<") return integer(b < 64 ? a << b : 0, left.is_unsigned);
    if (op == ">>" && left.is_unsigned) return integer(b < 64 ? a >> b : 0, true);
    if (op == ">>") return integer(static_cast<std::uint64_t>(sa >> (b < 64 ? b : 63)), false);
    if (op == "<") return integer(is_less, false);
    if (op == ">=") return integer(!is_less, false);
    if (op == ">") return integer(!is_less && a != b, false);
    if (op == "<=") return integer(is_less || a == b, false);
    if (op == "==") return integer(a == b, false);
    if (op == "!=") return integer(a != b, false);
    if (op == "&&") return integer(a != 0 && b != 0, false);
    return integer(a != 0 || b != 0, false);
  }

  Constant divide(bool wants_quotient, const Constant& left, const Constant& right) const {
    if (right.bits == 0) lexer_.fail("this expression divides by zero");
    if (left.is_unsigned || right.is_unsigned)
      return integer(wants_quotient ? left.bits / right.bits : left.bits % right.bits, true);
    const auto a = static_cast<std::int64_t>(left.bits);
    const auto b = static_cast<std::int64_t>(right.bits);
    if (b == -1) return integer(wants_quotient ? 0 - left.bits : 0, false);  // lowest / -1 overflows in C++
    return integer(static_cast<std::uint64_t>(wants_quotient ? a / b : a % b), false);
  }

  Lexer& lexer_;
  std::uint32_t depth_ = 0;
};

}  // namespace

bool starts_constant(const Lexer& lexer) {
  const Token& token = lexer.peek();
  return token.kind == Token::Kind::integer || token.kind == Token::Kind::real || token.is("-") ||
         token.is("+") || token.is("~") || token.is("(") ||
         (token.is_identifier() && token.text == "WARP_SZ");
}

Constant read_constant(Lexer& lexer) { return Reader(lexer).conditional(); }
Constant read_unary_constant(Lexer& lexer) { return Reader(lexer).unary(); }

}  // namespace warpwise::simulator::ptx
