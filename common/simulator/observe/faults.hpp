#pragma once
/// \file The faults that the machine runs into, as findings.

#include "../observer.hpp"
#include "findings.hpp"
#include "naming.hpp"

namespace warpwise::simulator::observe {

/// As what a fault is reported.
FindingKind kind_of(FaultKind kind);

/// For one host thread. `launch`, `naming` and `log` outlive it.
class Faults final : public Observer {
 public:
  Faults(const LaunchContext& launch, const Naming& naming, FindingLog& log)
      : launch_(launch), naming_(naming), log_(log) {}

  void on_fault(const WarpContext& warp, const Fault& fault) override;

 private:
  const LaunchContext& launch_;
  const Naming& naming_;
  FindingLog& log_;
};

}  // namespace warpwise::simulator::observe
