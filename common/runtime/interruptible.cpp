#include "interruptible.hpp"

#include <csignal>

namespace warpwise::runtime {

namespace {

constexpr int watched[] = {SIGINT, SIGTERM, SIGHUP};

std::atomic<bool> has_come{false};
volatile std::sig_atomic_t which = 0;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

extern "C" void interrupt(int signal) {
  which = signal;
  has_come = true;
}

/// Gives those that are handled by `from` to `to`.
void hand_over(void (*from)(int), void (*to)(int)) {
  for (const int signal : watched) {
    struct sigaction action {};
    if (sigaction(signal, nullptr, &action) != 0 || (action.sa_flags & SA_SIGINFO) != 0 ||
        action.sa_handler != from)
      continue;
    action = {};
    action.sa_handler = to;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    sigaction(signal, &action, nullptr);
  }
}

}  // namespace

Interruptible::Interruptible() {
  has_come = false;
  hand_over(SIG_DFL, interrupt);
}

Interruptible::~Interruptible() {
  hand_over(interrupt, SIG_DFL);
  if (has_come) raise(which);
}

const std::atomic<bool>& Interruptible::is_interrupted() const { return has_come; }

}  // namespace warpwise::runtime
