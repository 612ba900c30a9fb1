#include "../device_code.hpp"

#include <cstring>
#include <string>

#include "common/testing/catch.hpp"

using namespace warpwise::runtime;

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
