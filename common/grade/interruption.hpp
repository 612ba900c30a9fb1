#pragma once
/// \file Ctrl-C, if there is something to clear away first.

#include <array>
#include <csignal>

namespace warpwise::grade {

/// Thrown in place of dying: folders go with the objects that own them. It is not a std::exception, so
/// that it is not mistaken for the fault of one submission.
struct Interrupted {
  int signal;
};

/// While one lives, the first SIGINT, SIGTERM or SIGHUP is only remembered, and stop_if_interrupted() throws;
/// a second one ends the process at once. A signal that was ignored before (nohup) still is. One at a time.
class SignalsRemembered {
 public:
  SignalsRemembered();
  ~SignalsRemembered();
  SignalsRemembered(const SignalsRemembered&) = delete;  ///< what was there before is put back once
  SignalsRemembered& operator=(const SignalsRemembered&) = delete;

 private:
  static constexpr std::array signals_{SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, signals_.size()> before_{};
};

/// Throws Interrupted if a signal has come; to be called wherever it is good to stop.
void stop_if_interrupted();
bool is_interrupted();

/// Ends the process as the signal would have, so that a shell's loop ends, too.
[[noreturn]] void end_by(const Interrupted& interrupted);

}  // namespace warpwise::grade
