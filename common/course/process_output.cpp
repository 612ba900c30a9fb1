#include "process_output.hpp"

#include <sys/wait.h>

#include <array>
#include <cstdio>

namespace warpwise::course {

ProcessOutput output_of(const std::string& command) {
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return {"", -1};
  ProcessOutput output;
  std::array<char, 4096> piece{};
  while (const std::size_t count = std::fread(piece.data(), 1, piece.size(), pipe))
    output.text.append(piece.data(), count);
  const int status = pclose(pipe);
  output.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return output;
}

}  // namespace warpwise::course
