// Kernels that are wrong on purpose, each with one classic mistake. `//! kind` marks the lines on which the
// simulator may put its finding: it must put one on at least one of them, and none anywhere else.
// `// launch: GRID BLOCK` gives the grid, default 2 64. All have the same parameters: `in` holds 4096 floats,
// `out` 1024 floats that nobody has written, `sync` 64 zeros; n is 4096.

#define KERNEL extern "C" __global__ void
#define PARAMETERS float *out, const float *in, unsigned *sync, int n

// ---- barriers of the block ----

KERNEL no_barrier_after_load(PARAMETERS) {
  __shared__ float partial[64];
  partial[threadIdx.x] = in[threadIdx.x];
  out[blockIdx.x * 64 + threadIdx.x] = partial[63 - threadIdx.x];  //! race
}

KERNEL no_barrier_in_loop(PARAMETERS) {
  __shared__ float partial[64];
  partial[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int stride = 32; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) partial[threadIdx.x] += partial[threadIdx.x + stride];  //! race
  }
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}

KERNEL naive_no_barrier_in_loop(PARAMETERS) {
  extern __shared__ float dynamic[];
  dynamic[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int stride = 1; stride < blockDim.x; stride *= 2) {
    if (threadIdx.x % (2 * stride) == 0) dynamic[threadIdx.x] += dynamic[threadIdx.x + stride];  //! race
  }
  if (threadIdx.x == 0) out[blockIdx.x] = dynamic[0];
}

KERNEL no_second_barrier(PARAMETERS) {
  __shared__ float total;
  float sum = 0;
  for (int i = 0; i < 4; ++i) {
    if (threadIdx.x == i) total = in[i];  //! race
    __syncthreads();
    sum += total;  //! race
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}

KERNEL no_barrier_before_second_stage(PARAMETERS) {
  __shared__ float warp_sums[2];
  float sum = in[threadIdx.x];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
  if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = sum;         //! race
  if (threadIdx.x == 0) out[blockIdx.x] = warp_sums[0] + warp_sums[1];  //! race
}

KERNEL double_buffer_without_barrier(PARAMETERS) {
  __shared__ float buffer[2][64];
  buffer[0][threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  int from = 0;
  for (int d = 1; d < 64; d *= 2) {
    float left = threadIdx.x >= d ? buffer[from][threadIdx.x - d] : 0.0f;  //! race
    buffer[1 - from][threadIdx.x] = buffer[from][threadIdx.x] + left;      //! race
    from = 1 - from;
  }
  out[blockIdx.x * 64 + threadIdx.x] = buffer[from][threadIdx.x];
}

KERNEL bytes_without_barrier(PARAMETERS) {
  __shared__ unsigned char keys[64];
  keys[threadIdx.x] = threadIdx.x;
  out[blockIdx.x * 64 + threadIdx.x] = keys[threadIdx.x ^ 32];  //! race
}

KERNEL barrier_in_if(PARAMETERS) {
  __shared__ float partial[64];
  partial[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x < 32) {
    partial[threadIdx.x] += 1;
    __syncthreads();  //! barrier
  } else {
    partial[threadIdx.x] -= 1;
  }
  out[blockIdx.x * 64 + threadIdx.x] = partial[threadIdx.x];
}

KERNEL different_barriers(PARAMETERS) {
  if (threadIdx.x < 32) {
    out[blockIdx.x * 64 + threadIdx.x] = 1;
    __syncthreads();  //! barrier
    out[blockIdx.x * 64 + threadIdx.x] = in[1];
  } else {
    __syncthreads();  //! barrier
    out[blockIdx.x * 64 + threadIdx.x] = in[2];
  }
}

KERNEL barrier_in_if_in_loop(PARAMETERS) {
  __shared__ float partial[64];
  partial[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int stride = 32; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) {
      partial[threadIdx.x] += partial[threadIdx.x + stride];
      __syncthreads();  //! barrier
    }
  }
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}

KERNEL barrier_of_half_the_block(PARAMETERS) {
  __shared__ float partial[96];
  partial[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x < 64) asm volatile("bar.sync 1, 64;" ::: "memory");
  out[threadIdx.x] = partial[95 - threadIdx.x];  //! race
}
// launch: 1 96

// ---- within a warp ----

KERNEL volatile_tail(PARAMETERS) {
  __shared__ float partial[64];
  partial[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 32) {
    volatile float* v = partial;
    v[threadIdx.x] += v[threadIdx.x + 32];
    v[threadIdx.x] += v[threadIdx.x + 16];  //! race
    v[threadIdx.x] += v[threadIdx.x + 8];   //! race
    v[threadIdx.x] += v[threadIdx.x + 4];   //! race
    v[threadIdx.x] += v[threadIdx.x + 2];   //! race
    v[threadIdx.x] += v[threadIdx.x + 1];   //! race
  }
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}

KERNEL plain_tail(PARAMETERS) {
  __shared__ float partial[64];
  partial[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 32) {
    partial[threadIdx.x] += partial[threadIdx.x + 32];  //! race
    partial[threadIdx.x] += partial[threadIdx.x + 16];  //! race
    partial[threadIdx.x] += partial[threadIdx.x + 8];   //! race
    partial[threadIdx.x] += partial[threadIdx.x + 4];   //! race
    partial[threadIdx.x] += partial[threadIdx.x + 2];   //! race
    partial[threadIdx.x] += partial[threadIdx.x + 1];   //! race
  }
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}

KERNEL one_syncwarp_for_two_steps(PARAMETERS) {
  __shared__ float partial[64];
  partial[threadIdx.x] = in[threadIdx.x];
  partial[threadIdx.x + 32] = 0;
  __syncwarp();
  partial[threadIdx.x] += partial[threadIdx.x + 16];  //! race
  __syncwarp();
  partial[threadIdx.x] += partial[threadIdx.x + 8];  //! race
}
// launch: 1 32

KERNEL syncwarp_of_half(PARAMETERS) {
  __shared__ float partial[32];
  partial[threadIdx.x] = in[threadIdx.x];
  __syncwarp(threadIdx.x < 16 ? 0x0000ffff : 0xffff0000);
  out[threadIdx.x] = partial[threadIdx.x ^ 16];  //! race
}
// launch: 1 32

KERNEL vote_is_no_barrier(PARAMETERS) {
  __shared__ float partial[32];
  partial[threadIdx.x] = in[threadIdx.x];
  const unsigned all = __ballot_sync(~0u, in[threadIdx.x] > -1);
  out[threadIdx.x] = partial[threadIdx.x ^ 1] + all;  //! race
}
// launch: 1 32

KERNEL two_lanes_one_place(PARAMETERS) {
  __shared__ float partial[32];
  partial[threadIdx.x / 2] = in[threadIdx.x];  //! race
  __syncthreads();
  if (threadIdx.x == 0) out[0] = partial[0];
}
// launch: 1 32

KERNEL full_mask_in_half_a_warp(PARAMETERS) {
  float sum = in[threadIdx.x];
  if (threadIdx.x < 16) {
    sum += __shfl_down_sync(~0u, sum, 8);  //! sync
    out[threadIdx.x] = sum;
  }
}
// launch: 1 32

// ---- between blocks ----

KERNEL plain_update(PARAMETERS) {
  if (threadIdx.x == 0) sync[0] += 1;  //! race
}

KERNEL second_level_in_place(PARAMETERS) {
  float* data = const_cast<float*>(in);
  __shared__ float partial[64];
  partial[threadIdx.x] = data[blockIdx.x * 64 + threadIdx.x];  //! race
  __syncthreads();
  for (int stride = 32; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) partial[threadIdx.x] += partial[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) data[blockIdx.x] = partial[0];  //! race
}
// launch: 4 64

KERNEL ticket_without_fence(PARAMETERS) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    out[blockIdx.x] = in[blockIdx.x];  //! race
    is_last = atomicAdd(sync, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && threadIdx.x < gridDim.x) out[16 + threadIdx.x] = out[threadIdx.x] * 2;  //! race
}
// launch: 4 64

KERNEL ticket_before_the_fence(PARAMETERS) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    __threadfence();
    out[blockIdx.x] = in[blockIdx.x];  //! race
    is_last = atomicAdd(sync, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && threadIdx.x < gridDim.x) out[16 + threadIdx.x] = out[threadIdx.x] * 2;  //! race
}
// launch: 4 64

KERNEL flag_and_value_unordered(PARAMETERS) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    out[0] = in[0];  //! race
    __threadfence();
    ((volatile unsigned*)sync)[0] = 1;
  } else {
    while (((volatile unsigned*)sync)[0] == 0) {
    }
    out[1] = out[0];  //! race
  }
}

KERNEL plain_flag(PARAMETERS) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    out[0] = in[0];
    __threadfence();
    sync[0] = 1;  //! race
  } else {
    if (sync[0] == 1) out[1] = 1;  //! race
  }
}

KERNEL plain_read_beside_atomics(PARAMETERS) {
  atomicAdd(sync, 1u);
  out[blockIdx.x * 64 + threadIdx.x] = sync[0];  //! race
}

KERNEL counter_reset_without_barrier(PARAMETERS) {
  __shared__ unsigned count;
  if (threadIdx.x == 0) count = 0;  //! race
  atomicAdd(&count, 1u);            //! race
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = count;
}

KERNEL global_neighbours_without_barrier(PARAMETERS) {
  float* data = const_cast<float*>(in);
  const int t = threadIdx.x;
  for (int stride = 1; stride < 64; stride *= 2) {
    if (t % stride == 0) data[2 * t] += data[2 * t + stride];  //! race
  }
}
// launch: 1 64

// ---- values and addresses ----

KERNEL shared_never_written(PARAMETERS) {
  __shared__ float warp_sums[32];
  if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 32) out[blockIdx.x * 64 + threadIdx.x] = warp_sums[threadIdx.x];  //! uninitialised
}

KERNEL result_never_zeroed(PARAMETERS) {
  if (threadIdx.x == 0) atomicAdd(&out[7], in[0]);  //! uninitialised
}

KERNEL no_guard(PARAMETERS) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i % 1024] = in[i + n - 100];  //! out-of-bounds
}

KERNEL past_shared_memory(PARAMETERS) {
  extern __shared__ float dynamic[];
  dynamic[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = dynamic[threadIdx.x + 1];  //! out-of-bounds
}

KERNEL unaligned_vector(PARAMETERS) {
  const float4 four = *reinterpret_cast<const float4*>(in + 1 + threadIdx.x);  //! misaligned
  out[blockIdx.x * 64 + threadIdx.x] = four.x + four.w;
}

KERNEL null_pointer(PARAMETERS) {
  const float* nothing = reinterpret_cast<const float*>(static_cast<size_t>(sync[0]));
  out[blockIdx.x * 64 + threadIdx.x] = nothing[threadIdx.x];  //! out-of-bounds
}

// ---- the read-only path ----

KERNEL ldg_of_what_it_writes(PARAMETERS) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  out[i] = in[i];
  __syncthreads();
  out[i + 512] = __ldg(&out[blockIdx.x * 64 + 63 - threadIdx.x]);  //! race
}
