#include "report.hpp"

namespace warpwise::simulator {

double Counters::lane_utilisation() const {
  if (warp_instructions == 0) return 0;
  return static_cast<double>(thread_instructions) / (32.0 * static_cast<double>(warp_instructions));
}

Counters& Counters::operator+=(const Counters& other) {
  for (const auto& [name, member] : members()) this->*member += other.*member;
  return *this;
}

const std::vector<std::pair<std::string_view, std::uint64_t Counters::*>>& Counters::members() {
  static const std::vector<std::pair<std::string_view, std::uint64_t Counters::*>> list = {
      {"warp_instructions", &Counters::warp_instructions},
      {"thread_instructions", &Counters::thread_instructions},
      {"branches", &Counters::branches},
      {"divergent_branches", &Counters::divergent_branches},
      {"block_barriers", &Counters::block_barriers},
      {"warp_barriers", &Counters::warp_barriers},
      {"shuffles", &Counters::shuffles},
      {"votes", &Counters::votes},
      {"matches", &Counters::matches},
      {"warp_reductions", &Counters::warp_reductions},
      {"shared_load_requests", &Counters::shared_load_requests},
      {"shared_load_wavefronts", &Counters::shared_load_wavefronts},
      {"shared_load_bank_conflicts", &Counters::shared_load_bank_conflicts},
      {"shared_store_requests", &Counters::shared_store_requests},
      {"shared_store_wavefronts", &Counters::shared_store_wavefronts},
      {"shared_store_bank_conflicts", &Counters::shared_store_bank_conflicts},
      {"shared_atomic_requests", &Counters::shared_atomic_requests},
      {"shared_atomic_wavefronts", &Counters::shared_atomic_wavefronts},
      {"shared_atomic_bank_conflicts", &Counters::shared_atomic_bank_conflicts},
      {"global_load_requests", &Counters::global_load_requests},
      {"global_load_sectors", &Counters::global_load_sectors},
      {"global_store_requests", &Counters::global_store_requests},
      {"global_store_sectors", &Counters::global_store_sectors},
      {"global_atomic_requests", &Counters::global_atomic_requests},
      {"global_atomic_sectors", &Counters::global_atomic_sectors},
      {"local_load_requests", &Counters::local_load_requests},
      {"local_store_requests", &Counters::local_store_requests},
  };
  return list;
}

}  // namespace warpwise::simulator
