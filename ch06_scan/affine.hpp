#pragma once
/// \file Given, not an exercise: the elements of reduce_affine.

/// The map x -> scale * x + shift, in unsigned arithmetic (mod 2^32) and so exact. Applying one map and then
/// another is again a map of this kind, so composition is an operator on maps. It is associative, has the
/// identity {1, 0}, and is not commutative: doubling and then adding 1 turns 1 into 3, but adding 1 and then
/// doubling turns it into 4.
struct alignas(8) Affine {  // one load takes both
  unsigned scale, shift;
};
