// The six scans of blocks. They use the templates scan_block_inclusive and scan_block_exclusive of the file
// that includes this one.

#define WARPWISE_SCAN_BLOCK(kind, T)                                                             \
  extern "C" __global__ void scan_block_##kind##_##T(const T* in, T* out, T* sums, unsigned n) { \
    scan_block_##kind(in, out, sums, n);                                                         \
  }
WARPWISE_SCAN_BLOCK(inclusive, int)
WARPWISE_SCAN_BLOCK(exclusive, int)
WARPWISE_SCAN_BLOCK(inclusive, float)
WARPWISE_SCAN_BLOCK(exclusive, float)
WARPWISE_SCAN_BLOCK(inclusive, double)
WARPWISE_SCAN_BLOCK(exclusive, double)
#undef WARPWISE_SCAN_BLOCK
