#include "schedules.hpp"

namespace warpwise::harness {

std::vector<std::string> every_schedule(unsigned seeds) {
  std::vector<std::string> all{"converged", "lockstep"};
  for (unsigned seed = 1; seed <= seeds; ++seed) all.push_back("split:" + std::to_string(seed));
  return all;
}

}  // namespace warpwise::harness
