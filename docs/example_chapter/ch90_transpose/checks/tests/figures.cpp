/// \file Compares the table of the lesson with the kernels that it is about.

#include <string>

#include "ch90_transpose/kernels.hpp"
#include "common/harness/check/inputs.hpp"
#include "common/harness/check/technique.hpp"
#include "common/harness/device/simulated_device.hpp"
#include "common/testing/catch.hpp"

using namespace warpwise::harness;

namespace {

/// Counters for a matrix of 256 x 256.
Counters counters_of(const std::string& module) {
  SimulatedDevice device(WARPWISE_BINARY_DIR "/" + module + ".ptx");
  constexpr unsigned side = 256;
  const auto in = device.upload("in", random_floats(side * side, 1));
  const auto out = device.poisoned<float>("out", side * side);
  return device.launch(transpose, {.grid = {8, 8}, .block = {32, 8}}, in, out, side, side).counters();
}

}  // namespace

TEST_CASE("the table: sectors and conflicts of three ways to transpose 256 x 256 elements") {
  const Counters plain = counters_of("attempts/transpose_without_tile");
  CHECK(plain.global_load_sectors == 8192);
  CHECK(plain.global_store_sectors == 65536);
  CHECK(shared_load_and_store_conflicts.in(plain) == 0);
  const Counters unpadded = counters_of("attempts/transpose_unpadded");
  CHECK(unpadded.global_store_sectors == 8192);
  CHECK(shared_load_and_store_conflicts.in(unpadded) == 63488);
  const Counters padded = counters_of("solution");
  CHECK(padded.global_load_sectors == 8192);
  CHECK(padded.global_store_sectors == 8192);
  CHECK(shared_load_and_store_conflicts.in(padded) == 0);
}
