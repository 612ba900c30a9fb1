// The kernels of the unrolled family, by the template reduce_unrolled of the file that includes this one.

#define WARPWISE_UNROLLED(block)                                                                \
  extern "C" __global__ void reduce_unrolled_##block(const float* in, float* out, unsigned n) { \
    reduce_unrolled<block>(in, out, n);                                                         \
  }
WARPWISE_UNROLLED(32)
WARPWISE_UNROLLED(64)
WARPWISE_UNROLLED(128)
WARPWISE_UNROLLED(256)
WARPWISE_UNROLLED(512)
WARPWISE_UNROLLED(1024)
#undef WARPWISE_UNROLLED
