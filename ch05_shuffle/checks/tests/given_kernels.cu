// The given kernels for few elements: they are right wherever an array begins, and what must be 0 before a
// launch is 0 after it. Exit status 0: all is well.
#include "../../bench/roof_variants.cuh"
#include "common/measuring/measuring.cuh"

namespace {

using namespace warpwise::ch05;
using namespace warpwise::measuring;

constexpr unsigned gpu_multiprocessors = 132;
constexpr unsigned sizes[] = {1, 2, 5, 31, 1000, 1024, 4099, 8192, 8193, 16387, 100'000};
constexpr unsigned most = 100'000, most_blocks = 4 * gpu_multiprocessors;

struct Memory {
  float *in = allocate<float>(most + 4), *out = allocate<float>(1);
  unsigned *index = allocate<unsigned>(1), *ticket = allocate<unsigned>(1);
  unsigned long long* posted = allocate<unsigned long long>(most_blocks);

  Memory() {
    require(cudaMemset(ticket, 0, sizeof *ticket), "cudaMemset");
    require(cudaMemset(posted, 0, most_blocks * sizeof *posted), "cudaMemset");
  }
};

void expect(double found, double expected, const char* kernel, unsigned n, unsigned offset) {
  if (found == expected) return;
  std::printf("%s, n = %u, from element %u on: %.9g, not %.9g\n", kernel, n, offset, found, expected);
  std::exit(1);
}

/// The numbers from -4 to 4 in turn, whose sums are exact. The largest number, 9, is two thirds of the way
/// through, and again at the end.
void check(const Memory& memory, unsigned n, unsigned offset) {
  std::vector<float> values(n);
  for (unsigned i = 0; i < n; ++i) values[i] = static_cast<float>(i % 9) - 4.0f;
  const unsigned largest = 2 * n / 3;
  values[largest] = values[n - 1] = 9.0f;
  double sum = 0;
  for (const float value : values) sum += value;
  const float* const in = memory.in + offset;
  require(cudaMemcpy(memory.in + offset, values.data(), n * sizeof(float), cudaMemcpyHostToDevice),
          "copying");

  if (n <= alone_elements) {
    sum_alone<<<1, alone_threads>>>(in, memory.out, n);
    expect(value_at(memory.out), sum, "sum_alone", n, offset);
    max_alone<<<1, alone_threads>>>(in, memory.out, n);
    expect(value_at(memory.out), 9, "max_alone", n, offset);
    argmax_alone<<<1, alone_argmax_threads>>>(in, memory.out, memory.index, n);
    expect(value_at(memory.index), largest, "argmax_alone", n, offset);
  }
  const unsigned blocks = roof_grid(gpu_multiprocessors, n);
  sum_ticket_first<<<blocks, roof_threads>>>(in, memory.out, n, memory.posted, memory.ticket);
  expect(value_at(memory.out), sum, "sum_ticket_first", n, offset);
  max_ticket_first<<<blocks, roof_threads>>>(in, memory.out, n, memory.posted, memory.ticket);
  expect(value_at(memory.out), 9, "max_ticket_first", n, offset);
  expect(value_at(memory.ticket), 0, "the ticket", n, offset);
  for (unsigned b = 0; b < blocks; ++b)
    expect(static_cast<double>(value_at(memory.posted + b)), 0, "what is posted", n, offset);
}

}  // namespace

int main() {
  const Memory memory;
  for (const unsigned n : sizes)
    for (unsigned offset = 0; offset < 4; ++offset) check(memory, n, offset);
  std::puts("all given kernels are right");
}
