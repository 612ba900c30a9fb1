#include "unread_launches.hpp"

#include <algorithm>
#include <utility>

namespace warpwise::harness {

void UnreadLaunches::begin() { unread_.clear(); }

void UnreadLaunches::add(const Launch& launch, std::vector<std::uint64_t> written,
                         const std::vector<std::uint64_t>& read) {
  for (const std::uint64_t address : read) on_read(address);
  if (written.empty() || !launch.completed()) return;
  unread_.push_back({launch.shared_report(), launch.kernel() + spelled(launch.shape()), std::move(written)});
}

void UnreadLaunches::on_read(std::uint64_t address) {
  std::erase_if(unread_, [&](const Unread& launch) {
    return std::find(launch.written.begin(), launch.written.end(), address) != launch.written.end();
  });
}

void UnreadLaunches::on_release(std::uint64_t address) {
  for (Unread& launch : unread_) std::erase(launch.written, address);
}

void UnreadLaunches::set_judged(const Launch& launch) {
  std::erase_if(unread_, [&](const Unread& one) { return one.report == launch.shared_report(); });
}

std::optional<std::string> UnreadLaunches::complaint() const {
  if (unread_.empty()) return std::nullopt;
  return "nobody has looked at what " + unread_.front().name +
         " wrote: a check that launches compares the result, too";
}

UnreadLaunches& unread_launches() {
  static UnreadLaunches the_launches;
  return the_launches;
}

}  // namespace warpwise::harness
