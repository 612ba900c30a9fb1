#include "../report.hpp"

namespace warpwise::simulator {

double Counters::lane_utilisation() const {
  if (warp_instructions == 0) return 0;
  return static_cast<double>(thread_instructions) / (32.0 * static_cast<double>(warp_instructions));
}

Counters& Counters::operator+=(const Counters& other) {
  for (const CounterField& field : counter_fields) this->*field.member += other.*field.member;
  return *this;
}

}  // namespace warpwise::simulator
