// finding: none
// why: the two sides of a branch meet at shuffles, votes and matches of the same kind, with one mask
// launch: kernel=exchange grid=1 block=32 args=in:u32[32]:random,out:u32[32]:poison
#include "../program.cuh"

extern "C" __global__ void exchange(const unsigned* in, unsigned* out) {
  constexpr unsigned everybody = 0xffffffffu;
  const unsigned lane = threadIdx.x, value = in[lane];
  unsigned partner, votes, peers;
  if (lane < 16) {
    partner = __shfl_xor_sync(everybody, value, 16);
    votes = __ballot_sync(everybody, partner > value);
    peers = __match_any_sync(everybody, value % 4);
    out[lane] = partner + votes;
  } else {
    partner = __shfl_xor_sync(everybody, 3 * value, 16);
    votes = __ballot_sync(everybody, partner <= value);
    peers = __match_any_sync(everybody, value % 2);
    out[lane] = partner * votes;
  }
  out[lane] += peers;
}

int main() {
  const Buffer<unsigned> in(32, Fill::random);
  const Buffer<unsigned> out(32, Fill::poison);
  exchange<<<1, 32>>>(in.data(), out.data());
  return out.show();
}
