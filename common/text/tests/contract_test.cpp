#include "common/text/contract.hpp"

#include "common/testing/catch.hpp"

using namespace warpwise::text;

namespace {

constexpr std::string_view text = R"(#pragma once
/// \file The contract.

#include "some/kernel.hpp"

/// Sums. Launch: any number of blocks.
///
/// Technique: a tree: at most log2(blockDim.x) + 1 block
/// barriers. Book: PMPP 4th ed., fig. 10.6.
WARPWISE_KERNEL(tree, (const float* in));

// --- The four shuffles.
// --- Technique of the first three: one shuffle a warp and
// --- no shared memory.

/// out[i] = the element of lane 0.
WARPWISE_KERNEL(broadcast,
                (const float* in));
WARPWISE_KERNEL(shift, (const float* in));
)";

}  // namespace

TEST_CASE("a contract says where a kernel is declared, and its technique") {
  const Contract tree = contract_of(contracts_in(text), "tree");
  CHECK(tree.line == 10);
  CHECK(tree.technique == "a tree: at most log2(blockDim.x) + 1 block barriers.");
}

TEST_CASE("kernels of a group have the group's technique") {
  for (const char* kernel : {"broadcast", "shift"})
    CHECK(contract_of(contracts_in(text), kernel).technique == "one shuffle a warp and no shared memory.");
  CHECK(contract_of(contracts_in(text), "broadcast").line == 17);
  CHECK(contract_of(contracts_in(text), "broadcast").declaration ==
        "WARPWISE_KERNEL(broadcast, (const float* in));");
  std::vector<std::string> names;
  for (const Contract& contract : contracts_in(text)) names.push_back(contract.kernel);
  CHECK(names == std::vector<std::string>{"tree", "broadcast", "shift"});
}

TEST_CASE("where there is no contract nothing is said") {
  CHECK(contract_of(contracts_in(text), "broad").line == 0);
  CHECK(contract_of(contracts_in("WARPWISE_KERNEL(k, ());\n"), "k").technique.empty());
  CHECK(read_contracts("/nonexistent/kernels.hpp").empty());
}
