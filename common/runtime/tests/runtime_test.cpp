#include <stdlib.h>

#include <cstring>
#include <string>

#include "../context.hpp"
#include "../device_code.hpp"
#include "common/testing/catch.hpp"

using namespace warpwise;
using namespace warpwise::runtime;
using testing::ContainsSubstring;

// ---- Memory

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
    allocations.allocate(Origin::device, device_bytes + 1);
    FAIL("more than the device has");
  } catch (const HostTooSmall&) {
    FAIL("this machine is not to blame");
  } catch (const std::bad_alloc&) {
  }
}

TEST_CASE("a copy to the host of words that nobody has written is remarked on, and no other copy") {
  simulator::GlobalMemory memory;
  simulator::Allocation& from = memory.allocate(64);
  char host[64];
  std::uint64_t source = 0;
  const auto remark = [&](std::uint64_t at, std::uint64_t bytes) {
    return remark_on_unwritten(memory, "cudaMemcpy", host, reinterpret_cast<void*>(from.base + at), bytes,
                               source);
  };
  CHECK(
      remark(0, 64) ==
      "cudaMemcpy copies 64 bytes to the host, of which none has ever been written: they are 0xCD here, and "
      "anything on a GPU, often 0");
  from.mark_written(0, 40);
  CHECK(source == from.id);
  CHECK(remark(0, 40).empty());
  CHECK_THAT(remark(0, 64),
             ContainsSubstring("of which 24 have never been written, from byte 40 of the allocation"));
  from.mark_written(41, 3);  // padding
  CHECK(remark(0, 44).empty());
  simulator::Allocation& to = memory.allocate(64);
  CHECK(remark_on_unwritten(memory, "cudaMemcpy", reinterpret_cast<void*>(to.base),
                            reinterpret_cast<void*>(from.base), 64, source)
            .empty());
}

// ---- Device code

namespace {

template <class T>
void put(std::string& bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

/// An entry as nvcc writes it: a header of 64 bytes, then the text padded to 8.
std::string entry(std::uint16_t kind, std::uint32_t arch, std::uint64_t flags, std::string text) {
  text.resize((text.size() + 8) / 8 * 8);
  std::string header(64, '\0');
  put<std::uint16_t>(header, 0, kind);
  put<std::uint32_t>(header, 4, 64);
  put<std::uint64_t>(header, 8, text.size());
  put<std::uint32_t>(header, 28, arch);
  put<std::uint64_t>(header, 40, flags);
  return header + text;
}

std::string container(const std::string& entries) {
  std::string header(16, '\0');
  put<std::uint32_t>(header, 0, container_magic);
  put<std::uint16_t>(header, 4, 1);
  put<std::uint16_t>(header, 6, 16);
  put<std::uint64_t>(header, 8, entries.size());
  return header + entries;
}

std::vector<FatbinaryEntry> read(const std::string& bytes) {
  return read_container(std::as_bytes(std::span(bytes)));
}

std::string complaint(const std::vector<FatbinaryEntry>& entries) {
  try {
    choose_ptx(entries);
  } catch (const DeviceCodeError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("the entries of a container are read") {
  const std::string bytes = container(entry(2, 80, 0x11, "machine") + entry(1, 75, 0x11, ".version 9.0"));
  const auto entries = read(bytes);
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].kind == FatbinaryEntry::Kind::machine_code);
  CHECK(entries[0].arch == 80);
  CHECK(entries[0].text.empty());
  CHECK(entries[1].kind == FatbinaryEntry::Kind::ptx);
  CHECK(entries[1].text == ".version 9.0");
}

TEST_CASE("the newest PTX up to 9.0 is chosen, else the oldest beyond") {
  const std::string all = container(entry(1, 75, 0, "a") + entry(1, 90, 0, "b") + entry(1, 100, 0, "c"));
  CHECK(choose_ptx(read(all)).arch == 90);
  const std::string beyond = container(entry(1, 120, 0, "a") + entry(1, 100, 0, "b"));
  CHECK(choose_ptx(read(beyond)).arch == 100);
}

TEST_CASE("what cannot be run is refused with what to do") {
  const std::string machine = container(entry(2, 80, 0, "m") + entry(2, 90, 0, "m"));
  CHECK(complaint(read(machine)).find("only machine code (sm_80, sm_90)") != std::string::npos);
  const std::string zstd = container(entry(1, 75, 0x8000, "?")), lz4 = container(entry(1, 75, 0x2000, "?"));
  CHECK(complaint(read(zstd)).find("--no-compress") != std::string::npos);
  CHECK(complaint(read(lz4)).find("--no-compress") != std::string::npos);
  CHECK(complaint({}).find("no device code") != std::string::npos);
}

TEST_CASE("a container that is cut short is refused, wherever it is cut") {
  const std::string whole = container(entry(1, 75, 0, ".version 9.0"));
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
    INFO(bytes << " bytes");
    const std::string part = whole.substr(0, bytes);
    CHECK_THROWS_AS(read(part), DeviceCodeError);
  }
}

TEST_CASE("a section holds one container behind the other") {
  const std::string section =
      container(entry(1, 75, 0, "first")) + std::string(8, '\0') + container(entry(1, 80, 0, "second"));
  const auto entries = read_section(std::as_bytes(std::span(section)));
  REQUIRE(entries.size() == 2);
  CHECK(entries[1].text == "second");
}

// ---- Progress

TEST_CASE("a launch that takes long is told with an estimate from the blocks that have ended") {
  CHECK(
      progress_sentence("sum",
                        {.seconds = 20, .warp_instructions = 7000, .blocks_ended = 100, .blocks = 400}) ==
      "sum has run for 20 s: 100 of its 400 blocks have ended, about 60 s are left (7000 warp instructions; "
      "--budget N ends a launch after N)");
  CHECK_THAT(progress_sentence("sum", {.seconds = 160, .blocks_ended = 1, .blocks = 16}),
             ContainsSubstring("has run for 3 minutes: 1 of its 16 blocks have ended, about "
                               "40 minutes are left"));
}

TEST_CASE("where no block has ended there is nothing to estimate from") {
  CHECK_THAT(progress_sentence("sum", {.seconds = 10.2, .blocks = 16}),
             ContainsSubstring("sum has run for 11 s: none of its 16 blocks has ended yet"));
  CHECK_THAT(progress_sentence("sum", {.seconds = 10, .blocks = 1}),
             ContainsSubstring("its block has not ended yet"));
}

TEST_CASE("hundreds of short launches say how far the program is, ever more seldom") {
  using namespace std::chrono_literals;
  const ProgramProgress::Clock::time_point start;
  ProgramProgress progress(start);
  std::vector<std::string> said;
  for (int i = 1; i <= 404; ++i)
    if (const auto sentence = progress.launch_ended("scan", start + i * 400ms)) said.push_back(*sentence);
  CHECK(said == std::vector<std::string>{
                    "the program has run for 10 s: 25 launches have ended, the last one of scan",
                    "the program has run for 20 s: 50 launches have ended, the last one of scan",
                    "the program has run for 40 s: 100 launches have ended, the last one of scan",
                    "the program has run for 80 s: 200 launches have ended, the last one of scan",
                    "the program has run for 3 minutes: 400 launches have ended, the last one of scan"});
}

TEST_CASE("a program that a long launch has told of is silent at its end") {
  using namespace std::chrono_literals;
  const ProgramProgress::Clock::time_point start;
  ProgramProgress progress(start);
  progress.was_told(start + 20s);
  CHECK_FALSE(progress.launch_ended("sum", start + 39s));
  CHECK(progress.launch_ended("sum", start + 40s) ==
        "the program has run for 40 s: 2 launches have ended, the last one of sum");
}

// ---- Settings and names

namespace {

/// Sets a variable for one test case.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~Environment() { unsetenv(name_); }
  Environment(const Environment&) = delete;  ///< one owner unsets it
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
};

}  // namespace

TEST_CASE("settings come from the environment") {
  const Environment schedule("WARPWISE_SCHEDULE", "split:7"), threads("WARPWISE_THREADS", "3"),
      budget("WARPWISE_BUDGET", "5000"), quiet("WARPWISE_QUIET", "yes");
  const Settings settings = Settings::from_environment();
  CHECK(settings.schedule.spelled() == "split:7");
  CHECK(settings.threads == 3);
  CHECK(settings.launch_options().budget == 5000);
  CHECK(settings.launch_options().most_idle_seconds == 0);
  CHECK(settings.is_quiet);
  CHECK_FALSE(settings.is_strict);
}

TEST_CASE("without a budget of the user's, a launch has ten minutes for a block") {
  const Settings settings = Settings::from_environment();
  CHECK(settings.launch_options().budget > 1'000'000'000'000);
  CHECK(settings.launch_options().most_idle_seconds == 600);
  CHECK_FALSE(settings.is_quiet);
}

TEST_CASE("lanes that take no part give what hardware gives, unless one asks for poison") {
  CHECK(Settings::from_environment().launch_options().are_absent_lanes_zero);
  const Environment strict("WARPWISE_STRICT", "yes");
  CHECK_FALSE(Settings::from_environment().launch_options().are_absent_lanes_zero);
}

TEST_CASE("values that cannot be read are refused") {
  for (const char* value : {"0", "many", "-1", "3x"}) {
    const Environment threads("WARPWISE_THREADS", value);
    CHECK_THROWS_AS(Settings::from_environment(), std::invalid_argument);
  }
}

TEST_CASE("kernels are called as in the source") {
  CHECK(source_name_of_kernel("reduce") == "reduce");
  CHECK(source_name_of_kernel("_Z6reducePfi") == "reduce");
  CHECK(source_name_of_kernel("_Z6reduceILj256EEvPfi") == "reduce<256u>");
  CHECK(source_name_of_kernel("_ZN2ns6reduceIfEEvPT_PFvS1_E") == "ns::reduce<float>");
}
