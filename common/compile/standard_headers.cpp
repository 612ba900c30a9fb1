#include "standard_headers.hpp"

#include <iterator>
#include <span>

namespace warpwise::compile {

namespace {

/// nvcc 13.0 compiles device code with these names and no `#include` at all (tried one by one), because its
/// cuda_runtime.h includes <climits>, <cmath>, <cstdlib> and <sys/types.h> of the host.
constexpr const char* implicit = R"(
#ifndef WARPWISE_IMPLICIT_H
#define WARPWISE_IMPLICIT_H
#include <climits>
#define RAND_MAX 2147483647
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define INFINITY __builtin_bit_cast(float, 0x7f800000)
#define NAN __builtin_bit_cast(float, 0x7fc00000)
#define HUGE_VALF INFINITY
#define HUGE_VAL __builtin_bit_cast(double, 0x7ff0000000000000LL)
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#include <warpwise/signed_integers.h>
typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;
namespace std {
using ::ptrdiff_t;
using ::size_t;
using nullptr_t = decltype(nullptr);
using ::abs, ::acos, ::acosh, ::asin, ::asinh, ::atan, ::atan2, ::atanh, ::cbrt, ::ceil, ::copysign, ::cos, ::cosh, ::erf,
    ::erfc, ::exp, ::exp2, ::expm1, ::fabs, ::fdim, ::floor, ::fma, ::fmax, ::fmin, ::fmod, ::frexp, ::hypot, ::ilogb,
    ::isfinite, ::isinf, ::isnan, ::ldexp, ::lgamma, ::llrint, ::llround, ::log, ::log10, ::log1p, ::log2, ::logb, ::lrint,
    ::lround, ::memcpy, ::memset, ::modf, ::nearbyint, ::nextafter, ::pow, ::remainder, ::rint, ::round, ::scalbn, ::signbit,
    ::sin, ::sinh, ::sqrt, ::tan, ::tanh, ::tgamma, ::trunc;
}
#endif
)";

constexpr const char* limits = R"(
#ifndef WARPWISE_CLIMITS
#define WARPWISE_CLIMITS
#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define CHAR_MIN SCHAR_MIN
#define CHAR_MAX SCHAR_MAX
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX 4294967295u
#define LONG_MAX 9223372036854775807L
#define LONG_MIN (-LONG_MAX - 1L)
#define ULONG_MAX 18446744073709551615UL
#define LLONG_MAX 9223372036854775807LL
#define LLONG_MIN (-LLONG_MAX - 1LL)
#define ULLONG_MAX 18446744073709551615ULL
#endif
)";

constexpr const char* signed_integers = R"(
#ifndef WARPWISE_SIGNED_INTEGERS
#define WARPWISE_SIGNED_INTEGERS
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
#endif
)";

constexpr const char* integers = R"(
#ifndef WARPWISE_CSTDINT
#define WARPWISE_CSTDINT
#include <warpwise/signed_integers.h>
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
typedef long intmax_t;
typedef unsigned long uintmax_t;
#define INT8_MIN SCHAR_MIN
#define INT8_MAX SCHAR_MAX
#define INT16_MIN SHRT_MIN
#define INT16_MAX SHRT_MAX
#define INT32_MIN INT_MIN
#define INT32_MAX INT_MAX
#define INT64_MIN LONG_MIN
#define INT64_MAX LONG_MAX
#define UINT8_MAX UCHAR_MAX
#define UINT16_MAX USHRT_MAX
#define UINT32_MAX UINT_MAX
#define UINT64_MAX ULONG_MAX
#define SIZE_MAX ULONG_MAX
namespace std {
using ::int8_t, ::int16_t, ::int32_t, ::int64_t, ::uint8_t, ::uint16_t, ::uint32_t, ::uint64_t, ::intptr_t, ::uintptr_t,
    ::intmax_t, ::uintmax_t;
}
#endif
)";

constexpr const char* floats = R"(
#ifndef WARPWISE_CFLOAT
#define WARPWISE_CFLOAT
#define FLT_RADIX 2
#define FLT_MANT_DIG 24
#define FLT_DIG 6
#define FLT_MIN_EXP (-125)
#define FLT_MAX_EXP 128
#define FLT_MIN 1.17549435082228750797e-38f
#define FLT_MAX 3.40282346638528859812e+38f
#define FLT_EPSILON 1.19209289550781250000e-07f
#define DBL_MANT_DIG 53
#define DBL_DIG 15
#define DBL_MIN_EXP (-1021)
#define DBL_MAX_EXP 1024
#define DBL_MIN 2.22507385850720138309e-308
#define DBL_MAX 1.79769313486231570815e+308
#define DBL_EPSILON 2.22044604925031308085e-16
#endif
)";

// CCCL, NVIDIA's library of CUB and cuda::std, declares the same for device code alone, in its own words:
// with 64 bits in a long long, where nvcc's host has them in a long.
constexpr const char* limits_of_cccl = "#include <cuda/std/climits>\n";
constexpr const char* floats_of_cccl = "#include <cuda/std/cfloat>\n";
constexpr const char* integers_of_cccl = R"(
#ifndef WARPWISE_CSTDINT
#define WARPWISE_CSTDINT
#include <cuda/std/cstdint>
namespace std {
using ::int8_t, ::int16_t, ::int32_t, ::int64_t, ::uint8_t, ::uint16_t, ::uint32_t, ::uint64_t, ::intptr_t, ::uintptr_t,
    ::intmax_t, ::uintmax_t;
}
#endif
)";

constexpr const char* offsets = "#define offsetof(type, member) __builtin_offsetof(type, member)\n";

constexpr const char* nothing = "";

constexpr NamedHeader of_cccl[] = {
    {"warpwise/signed_integers.h", nothing},
    {"cstdint", integers_of_cccl},
    {"stdint.h", integers_of_cccl},
    {"cinttypes", integers_of_cccl},
    {"inttypes.h", integers_of_cccl},
    {"climits", limits_of_cccl},
    {"limits.h", limits_of_cccl},
    {"cfloat", floats_of_cccl},
    {"float.h", floats_of_cccl},
};

constexpr NamedHeader of_its_own[] = {
    {"warpwise/signed_integers.h", signed_integers},
    {"cstdint", integers},
    {"stdint.h", integers},
    {"cinttypes", integers},
    {"inttypes.h", integers},
    {"climits", limits},
    {"limits.h", limits},
    {"cfloat", floats},
    {"float.h", floats},
};

constexpr NamedHeader others[] = {
    {implicit_header, implicit},
    // What the implicit one has, or NVRTC itself: printf, assert, malloc, memcpy.
    {"cassert", nothing},
    {"assert.h", nothing},
    {"cmath", nothing},
    {"math.h", nothing},
    {"cstddef", offsets},
    {"stddef.h", offsets},
    {"cstdio", nothing},
    {"stdio.h", nothing},
    {"cstdlib", nothing},
    {"stdlib.h", nothing},
    {"cstring", nothing},
    {"string.h", nothing},
    {"new", nothing},
    {"cuda.h", nothing},
    {"cuda_runtime.h", nothing},
    {"cuda_runtime_api.h", nothing},
    {"cuda_device_runtime_api.h", nothing},
    {"device_launch_parameters.h", nothing},
    {"device_functions.h", nothing},
    {"device_atomic_functions.h", nothing},
    {"math_functions.h", nothing},
    {"sm_30_intrinsics.h", nothing},
    // Of these device code under nvcc can use next to nothing; whoever only includes them is not bothered.
    {"algorithm", nothing},
    {"array", nothing},
    {"chrono", nothing},
    {"ctime", nothing},
    {"fstream", nothing},
    {"functional", nothing},
    {"iomanip", nothing},
    {"iostream", nothing},
    {"limits", nothing},
    {"map", nothing},
    {"memory", nothing},
    {"numeric", nothing},
    {"random", nothing},
    {"set", nothing},
    {"sstream", nothing},
    {"stdexcept", nothing},
    {"string", nothing},
    {"time.h", nothing},
    {"tuple", nothing},
    {"type_traits", nothing},
    {"utility", nothing},
    {"vector", nothing},
};

}  // namespace

std::vector<NamedHeader> standard_headers(bool has_cccl) {
  const std::span<const NamedHeader> first = has_cccl ? std::span<const NamedHeader>(of_cccl) : of_its_own;
  std::vector<NamedHeader> headers(first.begin(), first.end());
  headers.insert(headers.end(), std::begin(others), std::end(others));
  return headers;
}

}  // namespace warpwise::compile
