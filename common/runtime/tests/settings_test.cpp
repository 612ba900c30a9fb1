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
  CHECK(settings.budget_of(1000) == 5000);
  CHECK(settings.is_quiet);
}

TEST_CASE("without a budget of the user's, larger launches get more") {
  const Settings settings = Settings::from_environment();
  CHECK(settings.budget_of(1) > 10'000'000);
  CHECK(settings.budget_of(100'000) > settings.budget_of(1));
  CHECK_FALSE(settings.is_quiet);
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
