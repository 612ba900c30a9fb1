// Kernels that are right, and tempt a checker to a false alarm. No finding may come of any of them.
// Parameters and launches as in wrong.cu.

#define KERNEL extern "C" __global__ void
#define PARAMETERS float *out, const float *in, unsigned *sync, int n

KERNEL tree(PARAMETERS) {
  __shared__ float partial[64];
  partial[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  for (int stride = 32; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) partial[threadIdx.x] += partial[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}

KERNEL tree_of_pairs(PARAMETERS) {
  extern __shared__ float dynamic[];
  dynamic[threadIdx.x] = in[threadIdx.x];
  for (int stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    if (threadIdx.x % (2 * stride) == 0) dynamic[threadIdx.x] += dynamic[threadIdx.x + stride];
  }
  if (threadIdx.x == 0) out[blockIdx.x] = dynamic[0];
}

KERNEL warp_tail(PARAMETERS) {
  __shared__ float partial[64];
  partial[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 32) {
    for (int d = 32; d > 0; d /= 2) {
      const float right = partial[threadIdx.x + d];
      __syncwarp();
      partial[threadIdx.x] += right;
      __syncwarp();
    }
  }
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}

KERNEL groups_of_eight(PARAMETERS) {
  __shared__ float partial[64];
  const unsigned mask = 0xffu << (threadIdx.x & 24);
  const int rank = threadIdx.x & 7;
  partial[threadIdx.x] = in[threadIdx.x];
  __syncwarp(mask);
  for (int d = 4; d > 0; d /= 2) {
    const float right = rank < d ? partial[threadIdx.x + d] : 0;
    __syncwarp(mask);
    if (rank < d) partial[threadIdx.x] += right;
    __syncwarp(mask);
  }
  out[blockIdx.x * 64 + threadIdx.x] = partial[threadIdx.x & ~7];
}

KERNEL nested_groups(PARAMETERS) {
  __shared__ float partial[32];
  partial[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x < 16) {
    __syncwarp(0x0000ffff);
    if (threadIdx.x < 4) {
      __syncwarp(0xf);
      partial[threadIdx.x] += partial[threadIdx.x + 8];
      __syncwarp(0xf);
      if (threadIdx.x == 0) out[0] = partial[0] + partial[1] + partial[2] + partial[3];
    }
  }
}
// launch: 1 32

KERNEL last_block(PARAMETERS) {
  __shared__ float partial[64];
  __shared__ bool is_last;
  partial[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  for (int stride = 32; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) partial[threadIdx.x] += partial[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    out[blockIdx.x] = partial[0];
    __threadfence();
    is_last = atomicInc(sync, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last) {
    partial[threadIdx.x] = threadIdx.x < gridDim.x ? out[threadIdx.x] : 0.0f;
    __syncthreads();
    for (int stride = 32; stride > 0; stride /= 2) {
      if (threadIdx.x < stride) partial[threadIdx.x] += partial[threadIdx.x + stride];
      __syncthreads();
    }
    if (threadIdx.x == 0) out[100] = partial[0], *sync = 0;
  }
}
// launch: 8 64

KERNEL all_fence_one_ticket(PARAMETERS) {
  __shared__ bool is_last;
  out[blockIdx.x * 64 + threadIdx.x] = in[threadIdx.x];
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) is_last = atomicAdd(sync, 1) == gridDim.x - 1;
  __syncthreads();
  if (is_last) {
    float sum = 0;
    for (int block = 0; block < gridDim.x; ++block) sum += out[block * 64 + threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = sum;
  }
}
// launch: 4 64

KERNEL flag_with_fences(PARAMETERS) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    out[0] = in[0];
    __threadfence();
    ((volatile unsigned*)sync)[0] = 1;
  } else {
    while (((volatile unsigned*)sync)[0] == 0) {
    }
    __threadfence();
    out[1] = out[0];
  }
}

KERNEL release_and_acquire(PARAMETERS) {
  if (blockIdx.x == 0) {
    out[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(sync) : "memory");
  } else {
    if (threadIdx.x == 0) {
      unsigned flag = 0;
      while (flag == 0)
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(flag) : "l"(sync) : "memory");
    }
    __syncthreads();
    out[64 + threadIdx.x] = out[63 - threadIdx.x];
  }
}

KERNEL chain_of_blocks(PARAMETERS) {
  // A scan's look-back, without the scan: each block hands its sum to the next.
  if (threadIdx.x != 0) return;
  float sum = in[blockIdx.x];
  if (blockIdx.x > 0) {
    while (atomicAdd(&sync[blockIdx.x - 1], 0u) == 0) {
    }
    __threadfence();
    sum += out[blockIdx.x - 1] + out[0];  // out[0] by way of all blocks between
  }
  out[blockIdx.x] = sum;
  __threadfence();
  atomicExch(&sync[blockIdx.x], 1u);
}
// launch: 16 32

KERNEL lock(PARAMETERS) {
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(sync, 0u, 1u) != 0) {
    }
    __threadfence();
    sync[1] = sync[1] + 1;
    __threadfence();
    atomicExch(sync, 0u);
  }
}
// launch: 4 64

KERNEL grid_barrier(PARAMETERS) {
  out[blockIdx.x * 64 + threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(sync, 1u);
    while (((volatile unsigned*)sync)[0] < gridDim.x) {
    }
    __threadfence();
  }
  __syncthreads();
  const int other = (blockIdx.x + 1) % gridDim.x;
  out[512 + blockIdx.x * 64 + threadIdx.x] = out[other * 64 + 63 - threadIdx.x];
}
// launch: 4 64

KERNEL flag_in_shared_memory(PARAMETERS) {
  __shared__ float value;
  __shared__ volatile int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    value = in[0];
    __threadfence_block();
    flag = 1;
  } else if (threadIdx.x == 32) {
    while (flag == 0) {
    }
    __threadfence_block();
    out[blockIdx.x] = value;
  }
}

KERNEL volatile_flag_in_a_warp(PARAMETERS) {
  __shared__ volatile int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncwarp();
  if (threadIdx.x == 0) flag = 1;
  while (flag == 0) {
  }
  out[threadIdx.x] = in[threadIdx.x];
}
// launch: 1 32

KERNEL everybody_says_the_same(PARAMETERS) {
  __shared__ int found;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  if (in[threadIdx.x] > -1) found = 1;
  if (in[threadIdx.x] > -1) sync[5] = 1;
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = found;
}

KERNEL double_buffer(PARAMETERS) {
  __shared__ float buffer[2][64];
  int from = 0;
  buffer[0][threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    const float left = threadIdx.x >= d ? buffer[from][threadIdx.x - d] : 0.0f;
    buffer[1 - from][threadIdx.x] = buffer[from][threadIdx.x] + left;
    from = 1 - from;
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = buffer[from][threadIdx.x];
}

KERNEL early_exit(PARAMETERS) {
  __shared__ float partial[64];
  if (threadIdx.x >= 48) return;
  partial[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = partial[47 - threadIdx.x];
}

KERNEL producer_and_consumer(PARAMETERS) {
  __shared__ float slot[32];
  const int lane = threadIdx.x % 32;
  for (int round = 0; round < 4; ++round) {
    if (threadIdx.x < 32) {
      if (round > 0) asm volatile("bar.sync 2, 64;" ::: "memory");  // the slot is free
      slot[lane] = in[round * 32 + lane];
      asm volatile("bar.arrive 1, 64;" ::: "memory");  // the slot is full
    } else {
      asm volatile("bar.sync 1, 64;" ::: "memory");
      out[blockIdx.x * 128 + round * 32 + lane] = slot[31 - lane];
      if (round < 3) asm volatile("bar.arrive 2, 64;" ::: "memory");
    }
  }
}

KERNEL halves_with_their_own_barriers(PARAMETERS) {
  __shared__ float partial[128];
  partial[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x < 64) {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[threadIdx.x] = partial[63 - threadIdx.x];
  } else {
    asm volatile("bar.sync 2, 64;" ::: "memory");
    out[threadIdx.x] = partial[191 - threadIdx.x];
  }
}
// launch: 1 128

KERNEL histogram(PARAMETERS) {
  __shared__ unsigned bins[16];
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[threadIdx.x * 7 % 16], 1u);
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&sync[16 + threadIdx.x], bins[threadIdx.x]);
}

KERNEL bytes_side_by_side(PARAMETERS) {
  __shared__ unsigned char keys[64];
  keys[threadIdx.x] = threadIdx.x;
  out[blockIdx.x * 64 + threadIdx.x] = keys[threadIdx.x];
}

KERNEL vectors(PARAMETERS) {
  __shared__ float4 quads[64];
  quads[threadIdx.x] = reinterpret_cast<const float4*>(in)[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  const float* singles = reinterpret_cast<const float*>(quads);
  out[blockIdx.x * 64 + threadIdx.x] = singles[threadIdx.x * 3];
  __syncthreads();
  reinterpret_cast<float2*>(quads)[threadIdx.x] = make_float2(1, 2);
}

KERNEL overlapping_reads_of_one_line(PARAMETERS) {
  // Whole lines, halves of lines and single words of the same memory, each block its own.
  float* mine = out + blockIdx.x * 128;
  mine[threadIdx.x] = in[threadIdx.x];
  mine[64 + threadIdx.x] = in[64 + threadIdx.x];
  __syncthreads();
  float sum = mine[threadIdx.x + 1] + mine[2 * threadIdx.x % 128];
  if (threadIdx.x < 32) {
    const float4 four = reinterpret_cast<const float4*>(mine)[threadIdx.x];
    sum += four.x + four.w;
  }
  __syncthreads();
  mine[threadIdx.x] = sum;
}

KERNEL local_array(PARAMETERS) {
  float values[8];
  for (int i = 0; i < 8; ++i) values[(i * 3 + n) % 8] = in[i];
  out[blockIdx.x * 64 + threadIdx.x] = values[threadIdx.x % 8];
}
