// hostile: more parameters than the launch has arguments
// earns: 0
// told: takes 9 arguments, not 3
extern "C" __global__ void reduce_naive(const float*, float* out, unsigned n, long a, long b, long c, long d, long e, long f) {
  out[blockIdx.x] = a + b + c + d + e + f;
}
extern "C" __global__ void sum_in_place(float* values, float* more) { more[0] = values[0]; }
