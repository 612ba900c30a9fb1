#include "help.hpp"

namespace warpwise::simulator::observe {

std::string help_for(Situation situation) {
#define WARPWISE_HELP(situation, help) help,
  static constexpr const char* texts[] = {WARPWISE_SITUATIONS(WARPWISE_HELP)};
#undef WARPWISE_HELP
  return texts[static_cast<std::size_t>(situation)];
}

}  // namespace warpwise::simulator::observe
