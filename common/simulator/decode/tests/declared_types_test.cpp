#include "../declared_types.hpp"

#include "common/testing/catch.hpp"

namespace warpwise::simulator::decode {

TEST_CASE("the source says what the elements of an array are") {
  const Declarations all(R"(
    // __shared__ double s[64];
    #define DATA __shared__ double s[64]
    template <class T> __global__ void k(float* g) {
      __shared__ __align__(16) float s[64];
      __shared__ Particle seven[7], *places[2];
      __shared__ unsigned long long a[4], b[SIZE];
      __shared__ T any[N];
      __shared__ typename Reduce<T, 4>::TempStorage storage;
      extern __shared__ volatile int dynamic[];
    }
    __constant__ std::uint16_t table[] = {1, 2, 3};
    __device__ float f(int x[4]);)");
  CHECK(all.element_bytes("s", 256) == 4);
  CHECK(all.element_bytes("s", 512) == 0);
  CHECK(all.element_bytes("seven", 7 * 28) == 28);
  CHECK(all.element_bytes("places", 16) == 8);
  CHECK(all.element_bytes("a", 32) == 8);
  CHECK(all.element_bytes("b", 80) == 8);
  CHECK(all.element_bytes("any", 80) == 0);
  CHECK(all.element_bytes("storage", 144) == 144);
  CHECK(all.element_bytes("dynamic", 0) == 4);
  CHECK(all.element_bytes("table", 6) == 2);
  CHECK(all.element_bytes("x", 16) == 0);
}

TEST_CASE("where two declarations could be meant and differ, nothing is known") {
  const Declarations all("__shared__ float s[64]; __shared__ char s[256]; __shared__ double s[8];");
  CHECK(all.element_bytes("s", 256) == 0);
  CHECK(all.element_bytes("s", 64) == 8);
}

TEST_CASE("types that always mean the same have a size, others have none") {
  for (const char* type : {"unsigned int", "float", "const int", "uchar4", "std::int32_t", "half2"})
    CHECK(bytes_of_type(type) == 4);
  for (const char* type : {"long", "unsigned long long", "double", "int2", "Any*"})
    CHECK(bytes_of_type(type) == 8);
  CHECK(bytes_of_type("float4") == 16);
  CHECK(bytes_of_type("unsigned char") == 1);
  for (const char* type : {"T", "void", "real", "unsigned T", "float5", "Pair<int>"})
    CHECK(bytes_of_type(type) == 0);
}

TEST_CASE("a kernel's name tells what its pointers point to") {
  using Bytes = std::vector<std::uint32_t>;
  CHECK(pointee_bytes("_Z1kPKfPdiPv") == Bytes{4, 8, 0, 0});
  CHECK(pointee_bytes("_Z1kIfEvPT_i") == Bytes{4, 0});
  CHECK(pointee_bytes("k").empty());
}

}  // namespace warpwise::simulator::decode
