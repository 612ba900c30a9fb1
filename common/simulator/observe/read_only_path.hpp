#pragma once
/// \file Words that a kernel reads through the read-only path (ld.global.nc: __ldg(), const __restrict__) and
/// writes as well. PTX asks that such memory is read-only for the whole launch (PTX ISA, "ld.global.nc"): a
/// load may give what a cache still holds, whatever barriers lie between.

#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "../observer.hpp"
#include "../program.hpp"
#include "findings.hpp"
#include "naming.hpp"

namespace warpwise::simulator::observe {

/// Whether `kernel`, or a device function, has such a load: the others need not be watched.
bool has_read_only_loads(const Program& program, const std::string& kernel);

/// For one host thread.
class ReadOnlyPath final : public Observer {
 public:
  explicit ReadOnlyPath(const Program& program);
  void on_access(const WarpContext& warp, const Access& access) override;

  /// Words of 4 bytes of one allocation: 0, or the number in places() of an access that touched it.
  struct Words {
    std::vector<std::uint8_t> loaded, stored;
  };
  const std::unordered_map<const Allocation*, Words>& words() const { return words_; }
  /// The instructions met, from 1 on; those beyond the 255th count as the last.
  const std::vector<Pc>& places() const { return places_; }

 private:
  std::uint8_t number_of(Pc pc);

  std::vector<bool> is_read_only_;     ///< by pc
  std::vector<std::uint8_t> numbers_;  ///< by pc; 0: not met
  std::vector<Pc> places_{0};
  std::unordered_map<const Allocation*, Words> words_;
};

/// Of a launch: adds to `log` a race for each instruction that loads so what any thread of the launch stores.
void report_read_only_path(const Naming& naming, const std::deque<ReadOnlyPath>& threads, FindingLog& log);

}  // namespace warpwise::simulator::observe
