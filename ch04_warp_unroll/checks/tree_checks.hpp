#pragma once
/// \file What the checks of chapter 4 share.

#include "common/harness/check/technique.hpp"

namespace warpwise::ch04 {

/// What holds for all kernels of the chapter. Of the n elements, a thread has `own`. A tree has `values`
/// values.
inline void expect_plain_loads_and_a_tree(const harness::LaunchAndWork& run, unsigned n, unsigned values,
                                          unsigned own) {
  using namespace harness;
  expect_each_element_is_read_once(run, n);
  expect_at_most("bank conflicts", run.launch.count(shared_load_and_store_conflicts), 0,
                 "neighbouring lanes use neighbouring words, so each lane has its own bank");
  expect_no_atomics(run.launch);
  expect_a_tree(run, values, own);
}

}  // namespace warpwise::ch04
