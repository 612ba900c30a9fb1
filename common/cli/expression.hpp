#pragma once
/// \file Arithmetic written as text: what a question counts, what a reader guesses, what a reason says.

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

namespace warpwise::cli {

/// What names stand for: "block_barriers", "divergent_branches_by_interval[2]".
using Names = std::map<std::string, double, std::less<>>;

/// Text that is no arithmetic; what() is one sentence.
class ExpressionError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The value of numbers and `names` with + - * / ^ and parentheses. Thousands may stand apart, as in 65 536.
/// Throws ExpressionError where something else stands there, or the value is no finite number.
double evaluate(std::string_view text, const Names& names = {});

}  // namespace warpwise::cli
