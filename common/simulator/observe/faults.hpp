#pragma once
/// \file The faults that the machine runs into, as findings.

#include "../machine/observer.hpp"
#include "findings.hpp"
#include "naming.hpp"

namespace warpwise::simulator {

/// As what a fault is reported.
FindingKind kind_of(machine::FaultKind kind);

/// For one host thread. `launch`, `naming` and `log` outlive it.
class Faults final : public machine::Observer {
 public:
  Faults(const machine::LaunchContext& launch, const Naming& naming, FindingLog& log)
      : launch_(launch), naming_(naming), log_(log) {}

  void on_fault(const machine::WarpContext& warp, const machine::Fault& fault) override;

 private:
  const machine::LaunchContext& launch_;
  const Naming& naming_;
  FindingLog& log_;
};

}  // namespace warpwise::simulator
