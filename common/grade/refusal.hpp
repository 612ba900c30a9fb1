#pragma once
/// \file What grading cannot do because it was asked for wrongly.

#include <stdexcept>

namespace warpwise::grade {

/// what() is one sentence for the instructor, which says what to do.
class Refusal : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace warpwise::grade
