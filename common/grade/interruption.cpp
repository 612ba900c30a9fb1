#include "interruption.hpp"

#include <atomic>
#include <cstdlib>

namespace warpwise::grade {
namespace {

/// Written by the handler, read by every thread; 0: none has come.
std::atomic<int> received{0};
static_assert(std::atomic<int>::is_always_lock_free, "or a handler could not write it");

void remember(int signal) { received = signal; }

}  // namespace

SignalsRemembered::SignalsRemembered() {
  received = 0;
  struct sigaction action {};
  action.sa_handler = remember;
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // the second one is in earnest
  for (std::size_t i = 0; i < signals_.size(); ++i) {
    sigaction(signals_[i], nullptr, &before_[i]);
    if (before_[i].sa_handler != SIG_IGN) sigaction(signals_[i], &action, nullptr);
  }
}

SignalsRemembered::~SignalsRemembered() {
  for (std::size_t i = 0; i < signals_.size(); ++i) sigaction(signals_[i], &before_[i], nullptr);
}

bool is_interrupted() { return received != 0; }

void stop_if_interrupted() {
  if (const int signal = received; signal != 0) throw Interrupted{signal};
}

void end_by(const Interrupted& interrupted) {
  std::signal(interrupted.signal, SIG_DFL);
  std::raise(interrupted.signal);
  std::_Exit(128 + interrupted.signal);  // not reached, unless the signal is blocked
}

}  // namespace warpwise::grade
