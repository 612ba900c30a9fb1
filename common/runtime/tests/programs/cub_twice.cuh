#pragma once
/// \file How CUB's algorithms are called.

/// Calls `algorithm(temporary, bytes)` twice, as CUB wants it: for the size and for the work.
template <class Algorithm>
void run_twice(Algorithm algorithm) {
  void* temporary = nullptr;
  size_t bytes = 0;
  algorithm(temporary, bytes);
  cudaMalloc(&temporary, bytes);
  algorithm(temporary, bytes);
  cudaFree(temporary);
}
