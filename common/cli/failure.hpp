#pragma once
/// \file How a command ends when it cannot do what it was asked.

#include <stdexcept>
#include <string>

namespace warpwise::cli {

/// Exit statuses of ./warpwise.
inline constexpr int all_well = 0;
inline constexpr int failed = 1;       ///< a check or the program failed
inline constexpr int wrong_usage = 2;  ///< what was asked for does not exist

/// One sentence for the user and the exit status; main prints it as "warpwise: what()".
class Failure : public std::runtime_error {
 public:
  explicit Failure(const std::string& sentence, int status = failed)
      : std::runtime_error(sentence), status_(status) {}
  int status() const { return status_; }

 private:
  int status_;
};

}  // namespace warpwise::cli
