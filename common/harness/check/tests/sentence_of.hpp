#pragma once
/// \file What an expectation says when it fails.

#include <string>

#include "common/harness/check/expectations.hpp"
#include "common/testing/catch.hpp"

namespace warpwise::harness {

/// The sentence with which `check` fails; empty where it passes. Takes it out of the process's record.
template <class Check>
std::string sentence_of(Check check) {
  try {
    check();
  } catch (const CheckFailed& failed) {
    const auto stray = record().take_stray();
    REQUIRE(stray);
    CHECK(stray->sentence == failed.what());
    return stray->sentence;
  }
  CHECK_FALSE(record().take_stray());
  return {};
}

}  // namespace warpwise::harness
