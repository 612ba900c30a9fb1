#pragma once
/// \file Given, not an exercise: operators with their identities, and the result type of argmax.

/// For every operator, `identity()` changes nothing: combine(identity(), x) == x (of the logical ones: is
/// true where x is). combine is associative (for float sums and products: up to rounding) and commutative.
struct Sum {
  __device__ static float identity() { return 0.0f; }
  __device__ static float combine(float a, float b) { return a + b; }
};
struct Product {
  __device__ static float identity() { return 1.0f; }
  __device__ static float combine(float a, float b) { return a * b; }
};
/// NaN loses against every number, as it does in fmaxf and fminf, and in max and min of PTX.
struct Max {
  __device__ static float identity() { return -__int_as_float(0x7f800000); }  // not 0: all may be negative
  __device__ static float combine(float a, float b) { return fmaxf(a, b); }
};
struct Min {
  __device__ static float identity() { return __int_as_float(0x7f800000); }
  __device__ static float combine(float a, float b) { return fminf(a, b); }
};
/// Every word except 0 counts as true. The result of combine is 1 or 0.
struct LogicalAnd {
  __device__ static unsigned identity() { return 1; }
  __device__ static unsigned combine(unsigned a, unsigned b) { return a != 0 && b != 0; }
};
struct LogicalOr {
  __device__ static unsigned identity() { return 0; }
  __device__ static unsigned combine(unsigned a, unsigned b) { return a != 0 || b != 0; }
};
struct BitAnd {
  __device__ static unsigned identity() { return ~0u; }  // all ones
  __device__ static unsigned combine(unsigned a, unsigned b) { return a & b; }
};
struct BitOr {
  __device__ static unsigned identity() { return 0; }
  __device__ static unsigned combine(unsigned a, unsigned b) { return a | b; }
};

/// A value and its index.
struct Best {
  float value;
  unsigned index;
};
/// The identity of argmax: loses against every number, even against -infinity, because of its index.
__device__ inline Best no_best() { return {Max::identity(), 0xffffffffu}; }
