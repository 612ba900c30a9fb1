#include "../settings.hpp"

#include <stdlib.h>

#include "../modules.hpp"
#include "common/testing/catch.hpp"

using namespace warpwise::runtime;

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
