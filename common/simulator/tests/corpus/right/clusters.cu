/// \file Clusters of one block, which every GPU can do without.
// arch: compute_90
#include "../launching_program.cuh"  // first: it has host code, so that NVRTC ends there

#include <cooperative_groups.h>

// finding: none
// why: __cluster_dims__(1, 1, 1): the cluster is the block, its barrier the block's
namespace cluster_of_one {

namespace cg = cooperative_groups;
__global__ void __cluster_dims__(1, 1, 1) reverse(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[64];
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned t = threadIdx.x, first = blockIdx.x * blockDim.x;
  s[t] = in[first + t];
  cluster.sync();
  const unsigned* const whole = cluster.map_shared_rank(s, cluster.block_rank());
  out[first + t] = whole[63 - t] + cluster.num_blocks();
}

const LaunchingProgram program("cluster_of_one",
                               {{reverse, "grid=2 block=64 args=in:u32[128]:random,out:u32[128]:poison"}});

}  // namespace cluster_of_one
