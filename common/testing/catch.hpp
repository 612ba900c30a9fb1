#pragma once
/// \file Catch2 2.13 and 3 behind one include. Tests include this and nothing of Catch2 itself.

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_approx.hpp>
#include <catch2/catch_message.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_adapters.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <catch2/matchers/catch_matchers_templated.hpp>
namespace warpwise::testing {
using Catch::Matchers::ContainsSubstring;
using Matcher = Catch::Matchers::MatcherGenericBase;
template <class T>
Catch::Generators::GeneratorWrapper<T> generator_of(Catch::Generators::IGenerator<T>* generator) {
  return {generator};
}
}  // namespace warpwise::testing
using Catch::Approx;
#else
#define CATCH_CONFIG_EXTERNAL_INTERFACES  // of version 2, which is one header
#include <catch2/catch.hpp>
namespace warpwise::testing {
inline auto ContainsSubstring(const std::string& text) { return Catch::Matchers::Contains(text); }
using Matcher = Catch::Matchers::Impl::MatcherUntypedBase;
template <class T>
Catch::Generators::GeneratorWrapper<T> generator_of(Catch::Generators::IGenerator<T>* generator) {
  return {std::unique_ptr<Catch::Generators::IGenerator<T> >(generator)};
}
}  // namespace warpwise::testing
#endif

// As Catch2 has it, but with a function for the lambda: all GENERATEs of a type then share what is compiled.
#undef GENERATE
#define GENERATE(...)                                                                                 \
  Catch::Generators::generate(                                                                        \
      INTERNAL_CATCH_STRINGIZE(INTERNAL_CATCH_UNIQUE_NAME(generator)), CATCH_INTERNAL_LINEINFO, +[] { \
        using namespace Catch::Generators; /* NOLINT: as in Catch2 */                                 \
        return makeGenerators(__VA_ARGS__);                                                           \
      })

/// Ends the test case, which cannot be tried on this machine, and warns of it.
#define WARPWISE_NOT_CHECKED(reason)   \
  do {                                 \
    WARN("not checked: " << (reason)); \
    SUCCEED();                         \
    return;                            \
  } while (false)
