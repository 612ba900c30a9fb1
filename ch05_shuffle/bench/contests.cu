// Chapter 5 beside CUB: ./warpwise bench ch05
#include "../kernels.hpp"
#include "../roof.hpp"
#include "common/measuring/reductions.cuh"
#include "roof_variants.cuh"

namespace warpwise::measuring {

namespace {

constexpr unsigned block = 256;
constexpr const char* given = "given: ch05_shuffle/bench/roof_variants.cuh";

unsigned run_shuffle(const Reduced& r) {
  const unsigned blocks = r.walking_blocks(block);
  reduce_shuffle<<<blocks, block>>>(r.in, r.out, r.n);
  return blocks;
}
unsigned run_atomic(const Reduced& r) {
  require(cudaMemsetAsync(r.out, 0, sizeof(float)), "cudaMemsetAsync");  // it adds to what is there
  reduce_atomic<<<r.walking_blocks(block), block>>>(r.in, r.out, r.n);
  return 1;
}
unsigned run_argmax(const Reduced& r) {
  const unsigned blocks = r.walking_blocks(block);
  reduce_argmax<<<blocks, block>>>(r.in, r.out, r.indices, r.n);
  return blocks;
}

/// As roof.hpp has it: one block alone where that is enough.
unsigned run_roof(const Reduced& r) {
  using namespace warpwise::ch05;
  if (r.n <= alone_elements)
    sum_alone<<<1, alone_threads>>>(r.in, r.out, r.n);
  else
    reduce_to_the_roof<<<roof_grid(r.multiprocessors, r.n), roof_threads>>>(r.in, r.out, r.n, r.partials,
                                                                            r.ticket);
  return 1;
}
unsigned run_max_roof(const Reduced& r) {
  using namespace warpwise::ch05;
  if (r.n <= alone_elements)
    max_alone<<<1, alone_threads>>>(r.in, r.out, r.n);
  else
    max_to_the_roof<<<roof_grid(r.multiprocessors, r.n), roof_threads>>>(r.in, r.out, r.n, r.partials,
                                                                         r.ticket);
  return 1;
}
/// The blocks' own indices lie behind the one of the result.
unsigned run_argmax_roof(const Reduced& r) {
  using namespace warpwise::ch05;
  if (r.n <= alone_elements)
    argmax_alone<<<1, alone_threads>>>(r.in, r.out, r.indices, r.n);
  else
    argmax_to_the_roof<<<roof_grid(r.multiprocessors, r.n), roof_threads>>>(
        r.in, r.out, r.indices, r.n, r.partials, r.indices + 1, r.ticket);
  return 1;
}

}  // namespace

std::vector<Entry> entries() {
  return {
      sum_entry("reduce_shuffle", run_shuffle),
      sum_entry("reduce_atomic", run_atomic, ""),
      argmax_entry("reduce_argmax", run_argmax),
      sum_entry("reduce_to_the_roof", run_roof, "up to 2^13 elements one block of sum_alone, which is given"),
      max_entry("max_to_the_roof", run_max_roof, given),
      argmax_entry("argmax_to_the_roof", run_argmax_roof, given)};
}

}  // namespace warpwise::measuring
