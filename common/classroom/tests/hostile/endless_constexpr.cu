// hostile: the compiler is to count for years
// earns: 0
constexpr unsigned long long count(unsigned long long n) {
  unsigned long long sum = 0;
  for (unsigned long long i = 0; i < n; ++i)
    for (unsigned long long j = 0; j < n; ++j) sum += i ^ j;
  return sum;
}
static_assert(count(1ull << 40) != 1, "");
//@ solution
