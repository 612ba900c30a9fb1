// The program behind ./warpwise: turns failures into one sentence.

#include <exception>
#include <iostream>

#include "command_line.hpp"
#include "failure.hpp"

#include "../harness/ascii_marks.hpp"

int main(int count, char** words) {
  const warpwise::harness::AsciiMarks marks(std::cout);
  try {
    return warpwise::cli::run_command_line(count, words);
  } catch (const warpwise::cli::Failure& failure) {
    std::cerr << "warpwise: " << failure.what() << "\n";
    return failure.status();
  } catch (const std::exception& error) {
    std::cerr << "warpwise: " << error.what() << "\n";
    return warpwise::cli::failed;
  }
}
