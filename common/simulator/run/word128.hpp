#pragma once
/// \file Sixteen bytes of memory at once, while other host threads use them.

#include <cstddef>

namespace warpwise::simulator::run {

__extension__ using Word128 = unsigned __int128;

/// Stores `wanted` where `place` (a multiple of 16) holds `expected`; returns what it held. x86-64 has had
/// the instruction since its second generation, and GCC uses it only where an option allows it.
#ifdef __x86_64__
__attribute__((target("cx16")))
#endif
inline Word128
compare_and_swap(std::byte* place, Word128 expected, Word128 wanted) {
  return __sync_val_compare_and_swap(reinterpret_cast<Word128*>(place), expected, wanted);
}

/// Stores `wanted`; returns what `place` held.
inline Word128 exchange(std::byte* place, Word128 wanted) {
  Word128 old = 0;
  for (;;) {
    const Word128 found = compare_and_swap(place, old, wanted);
    if (found == old) return found;
    old = found;
  }
}

}  // namespace warpwise::simulator::run
