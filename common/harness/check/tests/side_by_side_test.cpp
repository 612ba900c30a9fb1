#include "common/harness/check/side_by_side.hpp"

#include <unistd.h>

#include <csignal>
#include <stdexcept>

#include "common/testing/catch.hpp"

using warpwise::harness::side_by_side;
using warpwise::testing::ContainsSubstring;

TEST_CASE("results come in the order of their numbers, however long each takes") {
  const auto results = side_by_side(5, 3, [](std::size_t index) {
    usleep(static_cast<useconds_t>(5 - index) * 5'000);
    return std::to_string(index) + std::string(100'000, 'x');  // more than a pipe holds
  });
  REQUIRE(results.size() == 5);
  for (std::size_t i = 0; i < results.size(); ++i) {
    CHECK(results[i].substr(0, 2) == std::to_string(i) + "x");
    CHECK(results[i].size() == 100'001);
  }
  CHECK(side_by_side(0, 3, [](std::size_t) { return std::string("never"); }).empty());
}

TEST_CASE("each has a process of its own") {
  const int ours = getpid();
  int changed = 0;
  for (const std::string& pid : side_by_side(3, 2, [&](std::size_t) {
         changed = 1;
         return std::to_string(getpid());
       }))
    CHECK(pid != std::to_string(ours));
  CHECK(changed == 0);
}

TEST_CASE("what one throws is thrown here, and one that is killed is told") {
  CHECK_THROWS_WITH(side_by_side(3, 2,
                                 [](std::size_t index) -> std::string {
                                   if (index == 1) throw std::runtime_error("kernel 1 has no source");
                                   return "fine";
                                 }),
                    "kernel 1 has no source");
  CHECK_THROWS_WITH(side_by_side(2, 2,
                                 [](std::size_t index) -> std::string {
                                   if (index == 1) raise(SIGKILL);
                                   return "fine";
                                 }),
                    ContainsSubstring("number 2 was ended by signal 9"));
}
