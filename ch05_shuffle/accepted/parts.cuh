#pragma once
// Where the 16-byte loads of an input begin and end.

/// `head` floats, `quads` float4 from in4 on, and the rest from in[tail] on.
struct Parts {
  unsigned head, quads, tail;
  const float4* in4;
};

__device__ inline Parts parts_of(const float* in, unsigned n) {
  const unsigned misplaced = static_cast<unsigned>(reinterpret_cast<size_t>(in) / 4 % 4);
  const unsigned head = min((4 - misplaced) % 4, n);
  const unsigned quads = (n - head) / 4;
  return {head, quads, head + 4 * quads, reinterpret_cast<const float4*>(in + head)};
}
