// hostile: two kernels of one name
// earns: 0
//@ solution
extern "C" __global__ void reduce_naive(const float*, float*, unsigned) {}
