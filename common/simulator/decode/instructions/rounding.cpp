// Compiled with -frounding-math: the compiler may neither fold nor move these operations.
#include "rounding.hpp"

#include <cfenv>
#include <cmath>

namespace warpwise::simulator::decode::instructions {
namespace {

/// Sets the processor's rounding mode for its lifetime.
class ModeScope {
 public:
  explicit ModeScope(Rounding rounding) : before_(std::fegetround()) {
    std::fesetround(rounding == Rounding::nearest ? FE_TONEAREST
                    : rounding == Rounding::zero  ? FE_TOWARDZERO
                    : rounding == Rounding::down  ? FE_DOWNWARD
                                                  : FE_UPWARD);
  }
  ~ModeScope() { std::fesetround(before_); }
  ModeScope(const ModeScope&) = delete;  ///< the mode is restored once

 private:
  int before_;
};

/// Keeps a value where it is: neither its operands nor its result move across a change of the mode.
template <class T>
T pinned(T value) {
  volatile T kept = value;
  return kept;
}

}  // namespace

template <class T>
T add_rounded(T a, T b, Rounding rounding) {
  const ModeScope scope(rounding);
  return pinned(pinned(a) + pinned(b));
}

template <class T>
T multiply_rounded(T a, T b, Rounding rounding) {
  const ModeScope scope(rounding);
  return pinned(pinned(a) * pinned(b));
}

template <class T>
T divide_rounded(T a, T b, Rounding rounding) {
  const ModeScope scope(rounding);
  return pinned(pinned(a) / pinned(b));
}

template <class T>
T fma_rounded(T a, T b, T c, Rounding rounding) {
  const ModeScope scope(rounding);
  return pinned(std::fma(pinned(a), pinned(b), pinned(c)));
}

template <class T>
T sqrt_rounded(T a, Rounding rounding) {
  const ModeScope scope(rounding);
  return pinned(std::sqrt(pinned(a)));
}

float narrow_rounded(double a, Rounding rounding) {
  const ModeScope scope(rounding);
  return pinned(static_cast<float>(pinned(a)));
}

template <class To, class From>
To convert_rounded(From a, Rounding rounding) {
  const ModeScope scope(rounding);
  return pinned(static_cast<To>(pinned(a)));
}

template <class T>
T to_integral(T a, Rounding rounding) {
  switch (rounding) {
    case Rounding::zero:
      return std::trunc(a);
    case Rounding::down:
      return std::floor(a);
    case Rounding::up:
      return std::ceil(a);
    case Rounding::nearest:
      break;
  }
  return std::nearbyint(a);
}

#define WARPWISE_INSTANTIATE(T)                           \
  template T add_rounded(T, T, Rounding);                 \
  template T multiply_rounded(T, T, Rounding);            \
  template T divide_rounded(T, T, Rounding);              \
  template T fma_rounded(T, T, T, Rounding);              \
  template T sqrt_rounded(T, Rounding);                   \
  template T convert_rounded<T>(std::int64_t, Rounding);  \
  template T convert_rounded<T>(std::uint64_t, Rounding); \
  template T to_integral(T, Rounding)
WARPWISE_INSTANTIATE(float);
WARPWISE_INSTANTIATE(double);
#undef WARPWISE_INSTANTIATE

}  // namespace warpwise::simulator::decode::instructions
