#pragma once
/// \file One sentence on how to mend each kind of defect.

#include <cstdint>
#include <string>

namespace warpwise::simulator::observe {

/// What went wrong, more finely than FindingKind, and what helps.
#define WARPWISE_SITUATIONS(X)                                                                            \
  X(race_in_warp,                                                                                         \
    "put a barrier between the two: __syncthreads(), or __syncwarp() where only lanes of one warp "       \
    "ever meet here")                                                                                     \
  X(race_in_warp_rounds,                                                                                  \
    "put a barrier between two rounds of the loop, or, where the two are in one round, between "          \
    "reading and writing: __syncthreads(), or __syncwarp() where only lanes of one warp ever meet "       \
    "here; where they are there already, look at the condition: a thread works that should not")          \
  X(race_in_warp_line,                                                                                    \
    "put a barrier between reading and writing: __syncthreads(), or __syncwarp() where only lanes of "    \
    "one warp ever meet here")                                                                            \
  X(race_in_warp_volatile,                                                                                \
    "volatile orders nothing between lanes: put __syncwarp() between reading and writing")                \
  X(race_in_block, "put __syncthreads() between the two, where every thread reaches it")                  \
  X(race_in_rounds,                                                                                       \
    "put __syncthreads() between two rounds of the loop; where the two are in one round, a guard is "     \
    "missing, such as if (threadIdx.x < stride), or a barrier between reading and writing")               \
  X(race_in_line,                                                                                         \
    "put __syncthreads() between reading and writing; or a guard is missing, such as if (threadIdx.x "    \
    "< n)")                                                                                               \
  X(race_in_next_round,                                                                                   \
    "one of the two is of the next round of the loop, which the barrier between the lines does not "      \
    "hold back: put another at the end of the loop's body")                                               \
  X(race_in_instruction, "let one thread write, give each thread its own element, or use an atomic")      \
  X(race_with_atomic,                                                                                     \
    "put __syncthreads() between the two: to set it, to add to it and to read the result are three "      \
    "steps; only where both add, let both be atomic")                                                     \
  X(race_in_block_update,                                                                                 \
    "use atomicAdd() or its like: a thread may add to a value that is out of date by the time it "        \
    "stores; or give each thread an element of its own")                                                  \
  X(race_in_block_global,                                                                                 \
    "put __syncthreads() between the two, or let each thread keep to its own elements")                   \
  X(race_between_blocks,                                                                                  \
    "end the kernel between the two, or write to another buffer than the one that is read; within "       \
    "one kernel only __threadfence() and an atomic flag or ticket give an order")                         \
  X(race_between_blocks_writes,                                                                           \
    "give each block an element of its own, as out[blockIdx.x], or use an atomic")                        \
  X(race_between_blocks_set_beside_atomic,                                                                \
    "set it before the launch, by cudaMemset() or a kernel of its own; only where both add, let both "    \
    "be atomic")                                                                                          \
  X(race_between_blocks_with_atomic,                                                                      \
    "read the result after the kernel has ended, or let the block that draws the last ticket read "       \
    "it, behind __threadfence()")                                                                         \
  X(race_between_blocks_in_block_scope,                                                                   \
    "use the form for the whole device: atomicAdd() in place of atomicAdd_block(), "                      \
    "thread_scope_device in place of thread_scope_block")                                                 \
  X(race_under_lock,                                                                                      \
    "put __threadfence() behind the loop that takes the lock, and another before the lock is given "      \
    "back; where one number is guarded, an atomic on it needs no lock")                                   \
  X(race_between_blocks_update,                                                                           \
    "give each thread an element of its own (is blockIdx.x in the index?), or use atomicAdd() or its "    \
    "like")                                                                                               \
  X(read_only_path, "read what the kernel writes by a plain load: without __ldg() or __restrict__")       \
  X(copy_under_way,                                                                                       \
    "wait for the copy, by __pipeline_wait_prior(0), cooperative_groups::wait() or the like, and put "    \
    "__syncthreads() behind that where other threads read it")                                            \
  X(unwritten_shared,                                                                                     \
    "let each thread write its element, with the identity where there is no input, before any reads")     \
  X(unwritten_global,                                                                                     \
    "initialise the buffer before the launch (cudaMemset, cudaMemcpy), or write it before it is read")    \
  X(unwritten_local, "give the variable a value first")                                                   \
  X(unset_variable, "give the variable a value where it is declared, or on every path that leads here")   \
  X(global_out_of_bounds,                                                                                 \
    "guard the access with a test such as if (i < n); where there is one, look at the index, and at "     \
    "the size of the allocation: cudaMalloc counts bytes")                                                \
  X(before_allocation,                                                                                    \
    "look for an index below 0, which a test of the upper end lets through, or for a pointer that "       \
    "cudaMalloc did not give")                                                                            \
  X(no_allocation,                                                                                        \
    "pass a pointer that cudaMalloc gave: one of the host, from malloc or new, is of no use on a "        \
    "GPU; where it is one, look at the index")                                                            \
  X(released, "free memory behind the last kernel that uses it, and let no pointer to it be used again")  \
  X(freed_what_the_host_gave,                                                                             \
    "free in a kernel only what malloc() in a kernel gave; the host frees its own memory, with cudaFree") \
  X(freed_in_the_middle, "pass the pointer that malloc() gave, not one that was moved on from it")        \
  X(freed_twice, "let one thread free the memory, once")                                                  \
  X(shared_out_of_bounds,                                                                                 \
    "check the index against the size of the array, and the third argument of <<<>>> for extern "         \
    "arrays")                                                                                             \
  X(other_out_of_bounds, "check the index against the size of the array")                                 \
  X(null_pointer, "pass a pointer that cudaMalloc gave, or test it where nullptr is allowed")             \
  X(misaligned,                                                                                           \
    "an access of 8 or 16 bytes needs an address that is a multiple of its size: align the pointer, "     \
    "or read single elements")                                                                            \
  X(read_only, "constant memory is written by the host, with cudaMemcpyToSymbol")                         \
  X(read_only_buffer, "leave inputs as they are: write to the output, to shared memory or to a register") \
  X(barrier_not_reached,                                                                                  \
    "move the barrier out of the if or the loop, so that every thread of the block reaches it")           \
  X(barriers_differ, "let all threads of the block reach the same barrier: move it behind the branches")  \
  X(mask_without_caller,                                                                                  \
    "name only lanes that execute the call, the calling one among them: take the mask from "              \
    "__ballot_sync() before the branch")                                                                  \
  X(mask_with_absent,                                                                                     \
    "let all lanes reach the call, or name only those that do, by a mask from __ballot_sync() before "    \
    "the branch, and use no value of the others")                                                         \
  X(shuffle_from_absent,                                                                                  \
    "let the lane that is read from take part in the shuffle, also where its value is thrown away")       \
  X(deadlock,                                                                                             \
    "look for what nobody is left to do: a lock that is not given back, a flag that is not set, "         \
    "threads that wait for each other")                                                                   \
  X(budget, "look for a loop whose condition never becomes false")                                        \
  X(trap, "look for what leads to __trap()")                                                              \
  X(assertion, "look at why the condition does not hold")                                                 \
  X(stack, "bound the recursion, or use less local memory")                                               \
  X(unsupported, "docs/simulator.md lists what the simulated GPU understands")

#define WARPWISE_ENUMERATOR(situation, help) situation,
enum class Situation : std::uint8_t { WARPWISE_SITUATIONS(WARPWISE_ENUMERATOR) };
#undef WARPWISE_ENUMERATOR

std::string help_for(Situation situation);

}  // namespace warpwise::simulator::observe
