#include "guessing.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

namespace warpwise::cli {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Reads from left to right; one function for each level of precedence.
class ExpressionReader {
 public:
  ExpressionReader(std::string_view text, const Names& names) : text_(text), names_(names) {}

  double read() {
    const double value = sum();
    if (next() != '\0') fail();
    if (!std::isfinite(value)) throw ExpressionError("'" + std::string(text_) + "' divides by 0");
    return value;
  }

 private:
  double sum() {
    double value = product();
    while (next() == '+' || next() == '-') value += take() == '+' ? product() : -product();
    return value;
  }
  double product() {
    double value = power();
    while (next() == '*' || next() == '/') value = take() == '*' ? value * power() : value / power();
    return value;
  }
  double power() {
    const double base = operand();
    if (next() != '^') return base;
    take();
    return std::pow(base, power());
  }
  double operand() {
    if (next() == '-') return take(), -operand();
    if (next() == '(') {
      take();
      const double value = sum();
      if (next() != ')') fail();
      take();
      return value;
    }
    return is_letter(next()) ? named() : number();
  }

  double named() {
    const std::size_t start = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    if (text_.substr(at_, 1) == "[") at_ = std::min(text_.find(']', at_), text_.size() - 1) + 1;
    const std::string_view name = text_.substr(start, at_ - start);
    const auto found = names_.find(name);
    if (found == names_.end()) throw ExpressionError("nothing is called '" + std::string(name) + "'");
    return found->second;
  }
  double number() {
    std::string digits;
    while (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.' || begins_thousands())) {
      if (text_[at_] != ' ') digits += text_[at_];
      ++at_;
    }
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size()) fail();
    return value;
  }
  /// Whether a blank stands here that parts thousands: three digits follow, and no fourth.
  bool begins_thousands() const {
    const auto digit_at = [&](std::size_t i) { return i < text_.size() && is_digit(text_[i]); };
    return text_[at_] == ' ' && at_ > 0 && is_digit(text_[at_ - 1]) && digit_at(at_ + 1) &&
           digit_at(at_ + 2) && digit_at(at_ + 3) && !digit_at(at_ + 4);
  }

  /// The next character that is no blank; '\0' at the end.
  char next() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  char take() { return text_[at_++]; }
  [[noreturn]] void fail() const {
    throw ExpressionError("'" + std::string(text_) + "' is no number and no arithmetic");
  }

  std::string_view text_;
  const Names& names_;
  std::size_t at_ = 0;
};

}  // namespace

double evaluate(std::string_view text, const Names& names) { return ExpressionReader(text, names).read(); }

}  // namespace warpwise::cli
