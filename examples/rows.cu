// RMS norm, layer norm and softmax over the rows of a matrix: each in one kernel that reads a row once, and
// in two kernels, of which the first reduces and the second reads the row again. docs/rows.md is the lesson.
//
//     ./warpwise exec -I. examples/rows.cu
//     nvcc -arch=native -O3 -I. examples/rows.cu -o rows && ./rows 32768 15     on a GPU
//
// Arguments: ROWS and RUNS. Exit status 1: a result is further from one in double than rounding explains.

#include <cmath>
#include <string>

#include "timing.cuh"

namespace {

using warpwise::measuring::allocate;
using warpwise::measuring::mixed;
using warpwise::measuring::require;

constexpr unsigned columns = 4096, threads = 256, quads = columns / 4 / threads;
constexpr float epsilon = 1e-5f;

/// The reduction over all threads of the block, in every thread. Two barriers.
template <class Operator>
__device__ float for_all(float value, Operator combine) {
  __shared__ float of_warps[threads / 32];
  for (unsigned distance = 16; distance > 0; distance /= 2)
    value = combine(value, __shfl_xor_sync(0xffffffffu, value, distance));
  __syncthreads();  // or a value could be overwritten that somebody still reads: this is called more than
                    // once
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = value;
  __syncthreads();  // or a value could be read before its warp has stored it
  value = of_warps[threadIdx.x % (threads / 32)];
  for (unsigned distance = threads / 64; distance > 0; distance /= 2)
    value = combine(value, __shfl_xor_sync(0xffffffffu, value, distance));
  return value;
}
__device__ float sum_for_all(float value) {
  return for_all(value, [](float a, float b) { return a + b; });
}

/// What a thread holds of a row, and a loop over it.
struct Part {
  float4 quad[quads];
  template <class Function>
  __device__ void each(Function function) {
#pragma unroll
    for (float4& q : quad) function(q.x), function(q.y), function(q.z), function(q.w);
  }
  template <class Term>
  __device__ float sum(Term term) {
    float sum = 0.0f;
    each([&](float x) { sum += term(x); });
    return sum_for_all(sum);
  }
};
/// What the second kernel must know of a row: y = (x - shift) * scale, or exp(x - shift) * scale.
struct Scaling {
  float shift, scale;
};

// [norms]
struct RmsNorm {
  __device__ static Scaling scaling(Part& row) {
    return {0.0f, rsqrtf(row.sum([](float x) { return x * x; }) / columns + epsilon)};
  }
  __device__ static float result(float x, Scaling by) { return x * by.scale; }
};
struct LayerNorm {
  __device__ static Scaling scaling(Part& row) {
    const float mean = row.sum([](float x) { return x; }) / columns;
    // A second pass over registers costs no memory, and no digits: E[x^2] - mean^2 would lose them.
    const float variance = row.sum([=](float x) { return (x - mean) * (x - mean); }) / columns;
    return {mean, rsqrtf(variance + epsilon)};
  }
  __device__ static float result(float x, Scaling by) { return (x - by.shift) * by.scale; }
};
struct Softmax {
  __device__ static Scaling scaling(Part& row) {
    float largest = -INFINITY;
    row.each([&](float x) { largest = fmaxf(largest, x); });
    largest = for_all(largest, [](float a, float b) { return fmaxf(a, b); });
    return {largest, 1.0f / row.sum([=](float x) { return expf(x - largest); })};
  }
  __device__ static float result(float x, Scaling by) { return expf(x - by.shift) * by.scale; }
};
// [/norms]

__device__ Part row_of(const float* in) {
  Part row;
  const float4* const mine = reinterpret_cast<const float4*>(in + blockIdx.x * size_t{columns}) + threadIdx.x;
#pragma unroll
  for (unsigned k = 0; k < quads; ++k) row.quad[k] = mine[k * threads];
  return row;
}
template <class Norm>
__device__ void store(float* out, Part& row, Scaling by) {
  row.each([=](float& x) { x = Norm::result(x, by); });
  float4* const mine = reinterpret_cast<float4*>(out + blockIdx.x * size_t{columns}) + threadIdx.x;
#pragma unroll
  for (unsigned k = 0; k < quads; ++k) mine[k * threads] = row.quad[k];
}

// [fused]
/// A block takes a row, and keeps it in registers from the reduction to the result.
template <class Norm>
__global__ void __launch_bounds__(threads) fused(const float* in, float* out) {
  Part row = row_of(in);
  store<Norm>(out, row, Norm::scaling(row));
}
// [/fused]
template <class Norm>
__global__ void __launch_bounds__(threads) reduce(const float* in, Scaling* scalings) {
  Part row = row_of(in);
  const Scaling by = Norm::scaling(row);
  if (threadIdx.x == 0) scalings[blockIdx.x] = by;
}
template <class Norm>
__global__ void __launch_bounds__(threads) apply(const float* in, const Scaling* scalings, float* out) {
  Part row = row_of(in);
  store<Norm>(out, row, scalings[blockIdx.x]);
}

__global__ void fill(float* in, size_t n) {
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < n; i += size_t{gridDim.x} * blockDim.x)
    in[i] = static_cast<float>(mixed(static_cast<unsigned>(i) + 1) >> 8) * 0x1p-22f +
            static_cast<float>(i / columns % 8);
}

/// The same for one row in double, and the largest error, relative to the largest result.
void exact(const RmsNorm&, std::vector<double>& x) {
  double sum = 0;
  for (const double v : x) sum += v * v;
  for (double& v : x) v /= std::sqrt(sum / columns + epsilon);
}
void exact(const LayerNorm&, std::vector<double>& x) {
  double sum = 0, squares = 0;
  for (const double v : x) sum += v;
  const double mean = sum / columns;
  for (const double v : x) squares += (v - mean) * (v - mean);
  for (double& v : x) v = (v - mean) / std::sqrt(squares / columns + epsilon);
}
void exact(const Softmax&, std::vector<double>& x) {
  double sum = 0;
  for (double& v : x) sum += v = std::exp(v);
  for (double& v : x) v /= sum;
}
template <class Norm>
double error_of(const float* in, const float* out, unsigned row) {
  const auto from = warpwise::measuring::download(in + row * size_t{columns}, columns);
  const auto found = warpwise::measuring::download(out + row * size_t{columns}, columns);
  std::vector<double> expected(from.begin(), from.end());
  exact(Norm(), expected);
  double worst = 0, largest = 0;
  for (unsigned c = 0; c < columns; ++c) {
    worst = std::max(worst, std::fabs(found[c] - expected[c]));
    largest = std::max(largest, std::fabs(expected[c]));
  }
  return worst / largest;
}

struct Matrix {
  unsigned rows, runs;
  float *in, *out;
  Scaling* scalings;
};
void print(const char* name, const Matrix& m, double time, double error) {
  std::printf("%-32s", name);
  if (m.runs > 0)
    std::printf("%9.4f%8.0f", time, 8e-6 * m.rows * columns / time);
  else
    std::printf("%9s%8s", "-", "-");
  std::printf("%12.1f * 2^-24%s\n", error * 0x1p24, error < 32 * 0x1p-24 ? "" : "   WRONG");
}
template <class Norm>
bool show(const char* name, const Matrix& m) {
  const auto in_one = [&] { fused<Norm><<<m.rows, threads>>>(m.in, m.out); };
  const auto in_two = [&] {
    reduce<Norm><<<m.rows, threads>>>(m.in, m.scalings);
    apply<Norm><<<m.rows, threads>>>(m.in, m.scalings, m.out);
  };
  bool is_right = true;
  const auto row = [&](const char* way, const auto& launch) {
    const double time = timing::milliseconds(m.runs, launch);
    require(cudaMemset(m.out, 0xff, m.rows * size_t{columns} * sizeof(float)), "cudaMemset");
    launch();
    require(cudaGetLastError(), name);
    const double error = std::max(error_of<Norm>(m.in, m.out, 0), error_of<Norm>(m.in, m.out, m.rows - 1));
    print((std::string(name) + way).c_str(), m, time, error);
    is_right = is_right && error < 32 * 0x1p-24;
  };
  row(", one kernel", in_one);
  row(", two kernels", in_two);
  return is_right;
}

}  // namespace

int main(int count, char** words) {
  const unsigned rows = count > 1 ? static_cast<unsigned>(std::atoi(words[1])) : 8;
  const unsigned runs = count > 2 ? static_cast<unsigned>(std::atoi(words[2])) : 0;
  const size_t n = rows * size_t{columns};
  const Matrix m{rows, runs, allocate<float>(n), allocate<float>(n), allocate<Scaling>(rows)};
  fill<<<512, 256>>>(m.in, n);
  timing::print_gpu();
  std::printf("%u rows of %u floats\n%-32s%9s%8s%20s\n", rows, columns, "", "ms", "GB/s", "largest error");
  if (runs > 0) {
    const double time = timing::milliseconds(
        runs, [&] { require(cudaMemcpyAsync(m.out, m.in, 4 * n, cudaMemcpyDeviceToDevice), "cudaMemcpy"); });
    std::printf("%-32s%9.4f%8.0f\n", "cudaMemcpy", time, 8e-6 * static_cast<double>(n) / time);
  }
  const bool rms = show<RmsNorm>("RMS norm", m), layer = show<LayerNorm>("layer norm", m);
  const bool softmax = show<Softmax>("softmax", m);
  return rms && layer && softmax ? 0 : 1;
}
