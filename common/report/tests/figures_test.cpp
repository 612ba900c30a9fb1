#include "common/report/figures.hpp"

#include "common/testing/catch.hpp"

using namespace warpwise::report;

TEST_CASE("figures add up what a launch did") {
  Launch launch;
  launch.elements = 1024;
  launch.report.grid = {2, 2, 1};
  auto& counters = launch.report.counters;
  counters.block_barriers = 38;
  counters.warp_instructions = 512;
  counters.thread_instructions = 512 * 8;
  counters.shared_load_wavefronts = 70;
  counters.shared_store_wavefronts = 7;
  counters.shared_atomic_bank_conflicts = 3;
  counters.global_atomic_sectors = 1;
  counters.global_load_sectors = 64;
  CHECK(block_barriers.of(launch) == 9.5);
  CHECK(shared_wavefronts.of(launch) == 77);
  CHECK(bank_conflicts.of(launch) == 3);
  CHECK(global_sectors.of(launch) == 65);
  CHECK(instructions_per_element.of(launch) == 0.5);
  CHECK(lanes_busy.of(launch) == 25);
}

TEST_CASE("only a launch that a GPU timed has a time") {
  const Kernel kernel{.bytes_per_element = 8};
  Launch launch;
  launch.elements = 1'000'000;
  launch.report.seconds = 0.001;
  CHECK(milliseconds(launch) == 0);
  CHECK(gigabytes_per_second(kernel, launch) == 0);
  launch.is_simulated = false;
  CHECK(milliseconds(launch) == Approx(1));
  CHECK(gigabytes_per_second(kernel, launch) == Approx(8));
}

TEST_CASE("powers of two are written as such where they are long") {
  CHECK(size_text(65536, "65 536") == "2^16");
  CHECK(size_text(1024, "1024") == "1024");
  CHECK(size_text(65537, "65 537") == "65 537");
}
