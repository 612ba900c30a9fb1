// hostile: starts kernels itself
// earns: 0
//@ solution
__global__ void again() {
  again<<<1000, 1000>>>();
}
