#pragma once
/// \file Given, not an exercise: the elements of reduce_affine.

/// The map x -> scale * x + shift, in unsigned arithmetic (mod 2^32) and so exact. Doing one map and then
/// another is a map of this kind again, so composition is an operator on them: associative, with the identity
/// {1, 0}, and not commutative. Doubling and then adding 1 makes 3 of 1; adding 1 and then doubling makes 4.
struct alignas(8) Affine {  // one load takes both
  unsigned scale, shift;
};
