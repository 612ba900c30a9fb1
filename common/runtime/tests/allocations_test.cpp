#include "../allocations.hpp"

#include "common/testing/catch.hpp"

using namespace warpwise;
using runtime::Allocations, runtime::HostTooSmall, runtime::Origin;

TEST_CASE("memory that this machine does not have is refused, and what is released can be had again") {
  simulator::GlobalMemory memory;
  Allocations allocations(memory, std::uint64_t{3} << 20);
  void* const first = allocations.allocate(Origin::device, std::uint64_t{2} << 20);
  CHECK(allocations.bytes_available() == std::uint64_t{1} << 20);
  CHECK_THROWS_AS(allocations.allocate(Origin::managed, std::uint64_t{2} << 20), HostTooSmall);
  CHECK(allocations.allocate(Origin::pinned, std::uint64_t{2} << 20) != nullptr);  // the host's own
  CHECK(allocations.bytes_available() == std::uint64_t{1} << 20);
  REQUIRE(allocations.release(first, false));
  CHECK(allocations.allocate(Origin::managed, std::uint64_t{2} << 20) != nullptr);
  allocations.release_all();
}

TEST_CASE("the refusal names the limit, and more than the simulated GPU has is refused as by hardware") {
  CHECK(std::string(
            HostTooSmall(std::uint64_t{3} << 30, std::uint64_t{5} << 29, std::uint64_t{5} << 30).what()) ==
        "no room for 3.0 GiB: the simulated GPU takes at most a third of this machine's memory, 5.0 GiB, of "
        "which "
        "2.5 GiB are in use. The call returns cudaErrorMemoryAllocation, as on a GPU of that size.");
  simulator::GlobalMemory memory;
  Allocations allocations(memory);
  CHECK(allocations.bytes_available() > std::uint64_t{64} << 20);
  try {
    allocations.allocate(Origin::device, runtime::device_bytes + 1);
    FAIL("more than the device has");
  } catch (const HostTooSmall&) {
    FAIL("this machine is not to blame");
  } catch (const std::bad_alloc&) {
  }
}
