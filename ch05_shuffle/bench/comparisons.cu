// Chapter 5 beside CUB: ./warpwise bench ch05
#include "../kernels.hpp"
#include "common/measuring/reductions.cuh"
#include "roof_variants.cuh"

namespace warpwise::measuring {

namespace {

constexpr unsigned block = 256;
constexpr const char* given = "given: ch05_shuffle/bench/roof_variants.cuh";
constexpr const char* given_where_small =
    "it is checked at every size; timed where n is small are given kernels: sum_alone up to 2^13 elements, "
    "sum_ticket_first while a block has one tile";

unsigned run_shuffle(const Reduced& r) {
  const unsigned blocks = r.walking_blocks(block);
  reduce_shuffle<<<blocks, block>>>(r.in, r.out, r.n);
  return blocks;
}
unsigned run_atomic(const Reduced& r) {
  require(cudaMemsetAsync(r.out, 0, sizeof(float)), "cudaMemsetAsync");  // it adds to the value there
  reduce_atomic<<<r.walking_blocks(block), block>>>(r.in, r.out, r.n);
  return 1;
}
unsigned run_argmax(const Reduced& r) {
  const unsigned blocks = r.walking_blocks(block);
  reduce_argmax<<<blocks, block>>>(r.in, r.out, r.indices, r.n);
  return blocks;
}

unsigned run_ticket_last(const Reduced& r) {
  using namespace warpwise::ch05;
  reduce_to_the_roof<<<roof_grid(r.multiprocessors, r.n), roof_threads>>>(r.in, r.out, r.n, r.partials,
                                                                          r.ticket);
  return 1;
}
/// As in kernels.hpp: one block alone if that is enough, and the ticket first if no block has more than one
/// tile.
unsigned run_roof(const Reduced& r) {
  using namespace warpwise::ch05;
  const unsigned blocks = roof_grid(r.multiprocessors, r.n);
  if (r.n <= alone_elements)
    sum_alone<<<1, alone_threads>>>(r.in, r.out, r.n);
  else if (is_a_tile_a_block(r.multiprocessors, r.n))
    sum_ticket_first<<<blocks, roof_threads>>>(r.in, r.out, r.n, r.posted, r.ticket);
  else
    return run_ticket_last(r);
  return 1;
}
unsigned run_max_roof(const Reduced& r) {
  using namespace warpwise::ch05;
  const unsigned blocks = roof_grid(r.multiprocessors, r.n);
  if (r.n <= alone_elements)
    max_alone<<<1, alone_threads>>>(r.in, r.out, r.n);
  else if (is_a_tile_a_block(r.multiprocessors, r.n))
    max_ticket_first<<<blocks, roof_threads>>>(r.in, r.out, r.n, r.posted, r.ticket);
  else
    max_to_the_roof<<<blocks, roof_threads>>>(r.in, r.out, r.n, r.partials, r.ticket);
  return 1;
}
/// The blocks' own indices come after the index of the result.
unsigned run_argmax_roof(const Reduced& r) {
  using namespace warpwise::ch05;
  if (r.n <= alone_elements)
    argmax_alone<<<1, alone_argmax_threads>>>(r.in, r.out, r.indices, r.n);
  else
    argmax_to_the_roof<<<roof_grid(r.multiprocessors, r.n), roof_threads>>>(
        r.in, r.out, r.indices, r.n, r.partials, r.indices + 1, r.ticket);
  return 1;
}

}  // namespace

std::vector<Entry> entries() {
  return {sum_entry("reduce_shuffle", run_shuffle),
          sum_entry("reduce_atomic", run_atomic, ""),
          argmax_entry("reduce_argmax", run_argmax),
          sum_entry("reduce_to_the_roof", run_roof, given_where_small, run_ticket_last),
          max_entry("max_to_the_roof", run_max_roof, given),
          argmax_entry("argmax_to_the_roof", run_argmax_roof, given)};
}

}  // namespace warpwise::measuring
