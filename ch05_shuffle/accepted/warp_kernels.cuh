// The kernels with one value per warp. They use the template each_warp of the file that includes this one.

#define WARPWISE_EACH_WARP(kernel, Operator, T) \
  extern "C" __global__ void kernel(const T* in, T* out, unsigned n) { each_warp<Operator>(in, out, n); }
WARPWISE_EACH_WARP(warp_reduce_sum, Sum, float)
WARPWISE_EACH_WARP(warp_reduce_product, Product, float)
WARPWISE_EACH_WARP(warp_reduce_max, Max, float)
WARPWISE_EACH_WARP(warp_reduce_min, Min, float)
WARPWISE_EACH_WARP(warp_reduce_and, LogicalAnd, unsigned)
WARPWISE_EACH_WARP(warp_reduce_or, LogicalOr, unsigned)
WARPWISE_EACH_WARP(warp_reduce_bit_and, BitAnd, unsigned)
WARPWISE_EACH_WARP(warp_reduce_bit_or, BitOr, unsigned)
#undef WARPWISE_EACH_WARP
