/// \file generate FIRST COUNT: prints the CUDA C++ source of the random kernels FIRST ... FIRST + COUNT - 1.

#include <cstdio>
#include <cstdlib>

#include "writer.hpp"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: generate FIRST COUNT\n");
    return 2;
  }
  const std::uint64_t first = std::strtoull(argv[1], nullptr, 10),
                      count = std::strtoull(argv[2], nullptr, 10);
  std::printf("#include \"prelude.cuh\"\n");
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    std::printf("\n%s", warpwise::simulator::tests::write_kernel(seed).c_str());
  }
  return 0;
}
