#pragma once
/// \file Questions and answers: at a terminal, or with the answers from a pipe.

#include <iosfwd>
#include <optional>
#include <string>

namespace warpwise::cli {

/// Asks on `out` and reads a line of `in` for each question. Where nobody types (`is_typed` is false), the
/// answer is written behind the prompt, so that what was said can be read afterwards.
class Dialogue {
 public:
  Dialogue(std::istream& in, std::ostream& out, bool is_typed) : in_(in), out_(out), is_typed_(is_typed) {}
  /// On stdin and stdout.
  static Dialogue of_this_process();

  /// The answer without the blanks around it; nothing once the input has ended.
  std::optional<std::string> ask(const std::string& prompt);

 private:
  std::istream& in_;
  std::ostream& out_;
  bool is_typed_;
};

}  // namespace warpwise::cli
