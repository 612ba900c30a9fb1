#pragma once
/// \file The table of instructions: what each is, a row each. A row is all that the simulator knows of an
/// opcode; what is not in here is refused, with its line.
///
/// Sections are those of the PTX ISA manual, release 9.0 (8.x numbers some of 9.7.4 and later one lower, for
/// want of the mixed-precision section 9.7.5).
///
/// LANE(opcode, section, result, finder): each lane computes for itself. `finder` is the function of
/// decode/instructions that knows the forms, and is declared from here. OTHER(opcode, section, what, access,
/// then, destination, decoder): anything else. `decoder` is the method of decode/decoder.hpp that knows the
/// forms. The columns are those of InstructionRow (ptx.hpp).

#include <cstddef>

namespace warpwise::simulator::ptx {

struct InstructionRow;  // ptx.hpp
/// The place of a row in the table; behind the last one for an opcode that is not known.
std::size_t index_of(const InstructionRow& row);

}  // namespace warpwise::simulator::ptx

#define WARPWISE_INSTRUCTIONS(LANE, OTHER)                                                           \
  /* Integers (9.7.1), extended precision (9.7.2), floating point (9.7.3), half precision (9.7.4) */ \
  LANE("add", "9.7.1.1, 9.7.2.1, 9.7.3.3, 9.7.4.1", added, find_add)                                 \
  LANE("sub", "9.7.1.2, 9.7.2.3, 9.7.3.4, 9.7.4.2", subtracted, find_sub)                            \
  LANE("mul", "9.7.1.3, 9.7.3.5, 9.7.4.3", multiplied, find_mul)                                     \
  LANE("mad", "9.7.1.4, 9.7.2.5, 9.7.3.7", multiplied_and_added, find_mad)                           \
  LANE("mul24", "9.7.1.5", computed, find_mul24)                                                     \
  LANE("mad24", "9.7.1.6", computed, find_mad24)                                                     \
  LANE("sad", "9.7.1.7", computed, find_sad)                                                         \
  LANE("div", "9.7.1.8, 9.7.3.8", computed, find_div)                                                \
  LANE("rem", "9.7.1.9", computed, find_rem)                                                         \
  LANE("abs", "9.7.1.10, 9.7.3.9, 9.7.4.6", computed, find_abs)                                      \
  LANE("neg", "9.7.1.11, 9.7.3.10, 9.7.4.5", negated, find_neg)                                      \
  LANE("min", "9.7.1.12, 9.7.3.11, 9.7.4.7", extreme, find_min)                                      \
  LANE("max", "9.7.1.13, 9.7.3.12, 9.7.4.8", extreme, find_max)                                      \
  LANE("popc", "9.7.1.14", computed, find_popc)                                                      \
  LANE("clz", "9.7.1.15", computed, find_clz)                                                        \
  LANE("bfind", "9.7.1.16", computed, find_bfind)                                                    \
  LANE("fns", "9.7.1.17", computed, find_fns)                                                        \
  LANE("brev", "9.7.1.18", reversed, find_brev)                                                      \
  LANE("bfe", "9.7.1.19", extracted, find_bfe)                                                       \
  LANE("bfi", "9.7.1.20", inserted, find_bfi)                                                        \
  LANE("szext", "9.7.1.21", extended, find_szext)                                                    \
  LANE("bmsk", "9.7.1.22", computed, find_bmsk)                                                      \
  LANE("dp4a", "9.7.1.23", computed, find_dp4a)                                                      \
  LANE("dp2a", "9.7.1.24", computed, find_dp2a)                                                      \
  LANE("addc", "9.7.2.2", computed, find_addc)                                                       \
  LANE("subc", "9.7.2.4", computed, find_subc)                                                       \
  LANE("madc", "9.7.2.6", computed, find_madc)                                                       \
  LANE("testp", "9.7.3.1", computed, find_testp)                                                     \
  LANE("copysign", "9.7.3.2", computed, find_copysign)                                               \
  LANE("fma", "9.7.3.6, 9.7.4.4", multiplied_and_added, find_fma)                                    \
  LANE("rcp", "9.7.3.13, 9.7.3.14", computed, find_rcp)                                              \
  LANE("sqrt", "9.7.3.15", computed, find_sqrt)                                                      \
  LANE("rsqrt", "9.7.3.16, 9.7.3.17", computed, find_rsqrt)                                          \
  LANE("sin", "9.7.3.18", computed, find_sin)                                                        \
  LANE("cos", "9.7.3.19", computed, find_cos)                                                        \
  LANE("lg2", "9.7.3.20", computed, find_lg2)                                                        \
  LANE("ex2", "9.7.3.21, 9.7.4.10", computed, find_ex2)                                              \
  LANE("tanh", "9.7.3.22, 9.7.4.9", computed, find_tanh)                                             \
  /* Comparison and selection (9.7.6, 9.7.7), logic and shifts (9.7.8) */                            \
  LANE("set", "9.7.6.1, 9.7.7.1", computed, find_set)                                                \
  LANE("setp", "9.7.6.2, 9.7.7.2", compared, find_setp)                                              \
  LANE("selp", "9.7.6.3", selected, find_selp)                                                       \
  LANE("slct", "9.7.6.4", computed, find_slct)                                                       \
  LANE("and", "9.7.8.1", conjunction, find_and)                                                      \
  LANE("or", "9.7.8.2", disjunction, find_or)                                                        \
  LANE("xor", "9.7.8.3", exclusive_or, find_xor)                                                     \
  LANE("not", "9.7.8.4", complement, find_not)                                                       \
  LANE("cnot", "9.7.8.5", computed, find_cnot)                                                       \
  LANE("lop3", "9.7.8.6", looked_up, find_lop3)                                                      \
  LANE("shf", "9.7.8.7", funnelled, find_shf)                                                        \
  LANE("shl", "9.7.8.8", shifted, find_shl)                                                          \
  LANE("shr", "9.7.8.9", shifted, find_shr)                                                          \
  /* Data movement and conversion (9.7.9) */                                                         \
  LANE("mov", "9.7.9.3, 9.7.9.4", copied, find_mov)                                                  \
  LANE("prmt", "9.7.9.7", permuted, find_prmt)                                                       \
  LANE("isspacep", "9.7.9.19", computed, find_isspacep)                                              \
  LANE("cvta", "9.7.9.20", computed, find_cvta)                                                      \
  LANE("mapa", "9.7.9.24", computed, find_mapa)                                                      \
  LANE("cvt", "9.7.9.21", converted, find_cvt)                                                       \
  LANE("vabsdiff4", "9.7.17.2", computed, find_vabsdiff4)                                            \
  OTHER("shfl", "9.7.9.6", shuffle, none, next, first, decode_shuffle)                               \
  OTHER("ld", "9.7.9.8", memory, load, next, first, decode_load_store)                               \
  OTHER("ldu", "9.7.9.10", memory, read_only_load, next, first, decode_load_store)                   \
  OTHER("st", "9.7.9.11", memory, store, next, none, decode_load_store)                              \
  OTHER("prefetch", "9.7.9.15", other, none, next, none, decode_nothing)                             \
  OTHER("prefetchu", "9.7.9.15", other, none, next, none, decode_nothing)                            \
  OTHER("discard", "9.7.9.17", other, none, next, none, decode_nothing)                              \
  OTHER("cp", "9.7.9.25", memory, copy, next, none, decode_async_copy)                               \
  /* Control flow (9.7.12) */                                                                        \
  OTHER("bra", "9.7.12.3", branch, none, label, none, decode_branch)                                 \
  OTHER("brx", "9.7.12.4", branch, none, table, none, decode_branch_table)                           \
  OTHER("call", "9.7.12.5", call, none, next, results, decode_call)                                  \
  OTHER("ret", "9.7.12.6", exit, none, end, none, decode_return)                                     \
  OTHER("exit", "9.7.12.7", exit, none, end, none, decode_exit)                                      \
  /* Synchronisation and communication (9.7.13) */                                                   \
  OTHER("bar", "9.7.13.1", block_barrier, none, next, of_red, decode_block_barrier)                  \
  OTHER("barrier", "9.7.13.1", block_barrier, none, next, of_red, decode_block_barrier)              \
  OTHER("membar", "9.7.13.4", fence, none, next, none, decode_fence)                                 \
  OTHER("fence", "9.7.13.4", fence, none, next, none, decode_fence)                                  \
  OTHER("atom", "9.7.13.5", memory, atomic, next, first, decode_atomic)                              \
  OTHER("red", "9.7.13.7", memory, reduction, next, none, decode_atomic)                             \
  OTHER("vote", "9.7.13.9", vote, none, next, first, decode_vote)                                    \
  OTHER("match", "9.7.13.10", match, none, next, first, decode_match)                                \
  OTHER("activemask", "9.7.13.11", vote, none, next, first, decode_active_mask)                      \
  OTHER("redux", "9.7.13.12", warp_reduce, none, next, first, decode_redux)                          \
  OTHER("griddepcontrol", "9.7.13.13", other, none, next, none, decode_nothing)                      \
  OTHER("elect", "9.7.13.14", other, none, next, first, decode_elect)                                \
  /* Miscellaneous (9.7.19) */                                                                       \
  OTHER("brkpt", "9.7.19.1", other, none, next, none, decode_nothing)                                \
  OTHER("nanosleep", "9.7.19.2", other, none, next, none, decode_sleep)                              \
  OTHER("pmevent", "9.7.19.3", other, none, next, none, decode_nothing)                              \
  OTHER("trap", "9.7.19.4", other, none, end, none, decode_trap)                                     \
  OTHER("setmaxnreg", "9.7.19.5", other, none, next, none, decode_nothing)                           \
  OTHER("pragma", "11.5.1", other, none, next, none, decode_nothing)
