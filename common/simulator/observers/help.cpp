#include "help.hpp"

namespace warpwise::simulator {

std::string help_for(Situation situation) {
  switch (situation) {
    case Situation::race_in_warp:
      return "put __syncwarp() between the two if only lanes of one warp meet here, else __syncthreads()";
    case Situation::race_in_warp_volatile:
      return "volatile orders nothing between lanes: put __syncwarp() between reading and writing";
    case Situation::race_in_block:
      return "put __syncthreads() between the two, where every thread reaches it";
    case Situation::race_in_instruction:
      return "let one thread write, give each thread its own element, or use an atomic";
    case Situation::race_with_atomic:
      return "make both accesses atomic, or put __syncthreads() between the two";
    case Situation::race_in_block_global:
      return "put __syncthreads() between the two, or let each thread keep to its own elements";
    case Situation::race_between_blocks:
      return "end the kernel between the two, or write to another buffer than the one that is read; within "
             "one kernel only __threadfence() and an atomic flag or ticket give an order";
    case Situation::race_between_blocks_with_atomic:
      return "make both accesses atomic, or read the result after the kernel has ended";
    case Situation::race_between_blocks_update:
      return "use atomicAdd() or its like, or one element a block";
    case Situation::copy_under_way:
      return "wait for the copy, by __pipeline_wait_prior(0), cooperative_groups::wait() or the like, and "
             "put __syncthreads() behind that where other threads read it";
    case Situation::unwritten_shared:
      return "let each thread write its element, with the identity where there is no input, before any reads";
    case Situation::unwritten_global:
      return "initialise the buffer before the launch (cudaMemset, cudaMemcpy), or write it before it "
             "is read";
    case Situation::unwritten_local:
      return "give the variable a value first";
    case Situation::global_out_of_bounds:
      return "guard the access with a test such as if (i < n)";
    case Situation::shared_out_of_bounds:
      return "check the index against the size of the array, and the third argument of <<<>>> for extern "
             "arrays";
    case Situation::other_out_of_bounds:
      return "check the index against the size of the array";
    case Situation::null_pointer:
      return "pass a pointer that cudaMalloc gave, or test it where nullptr is allowed";
    case Situation::misaligned:
      return "an access of 8 or 16 bytes needs an address that is a multiple of its size: align the pointer, "
             "or read single elements";
    case Situation::read_only:
      return "constant memory is written by the host, with cudaMemcpyToSymbol";
    case Situation::barrier_not_reached:
      return "move the barrier out of the if or the loop, so that every thread of the block reaches it";
    case Situation::barriers_differ:
      return "let all threads of the block reach the same barrier: move it behind the branches";
    case Situation::mask_without_caller:
      return "name only lanes that execute the call, the calling one among them: take the mask from "
             "__ballot_sync() before the branch";
    case Situation::mask_with_absent:
      return "let all lanes reach the call, or name only those that do, by a mask from __ballot_sync() "
             "before the branch, and use no value of the others";
    case Situation::shuffle_from_absent:
      return "let the lane that is read from take part in the shuffle, or do not use its value";
    case Situation::deadlock:
      return "let no thread wait for one that waits for it";
    case Situation::budget:
      return "look for a loop whose condition never becomes false";
    case Situation::trap:
      return "look for what leads to __trap()";
    case Situation::assertion:
      return "look at why the condition does not hold";
    case Situation::stack:
      return "bound the recursion, or use less local memory";
    case Situation::unsupported:
      return "docs/simulator.md lists what the simulated GPU understands";
  }
  return {};
}

}  // namespace warpwise::simulator
