// hostile: parameters so large that a launch would copy the judge's own stack into them
// earns: 0
// told: bytes as parameter 1
struct Stack { unsigned long long words[500]; };
extern "C" __global__ void reduce_naive(Stack stack, float* out, unsigned n) {
  for (int i = 0; i < 500; ++i)
    if (stack.words[i] == 1) out[blockIdx.x] = i;
}
extern "C" __global__ void sum_in_place(Stack stack) {
  float* values = reinterpret_cast<float*>(stack.words[0]);
  values[0] = stack.words[7];
}
