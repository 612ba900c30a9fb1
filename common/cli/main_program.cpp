#include "main_program.hpp"

#include <algorithm>
#include <exception>
#include <iostream>
#include <utility>

#include "failure.hpp"

#include "../print/terminal.hpp"

namespace warpwise::cli {

int run_program(int count, char** words, int (*run)(Words)) {
  const print::AsciiMarks marks(std::cout);
  try {
    return run(Words(words + std::min(count, 1), words + count));
  } catch (const Failure& failure) {
    std::cerr << "warpwise: " << failure.what() << "\n";
    return failure.status();
  } catch (const std::exception& error) {
    std::cerr << "warpwise: " << error.what() << "\n";
    return failed;
  }
}

}  // namespace warpwise::cli
