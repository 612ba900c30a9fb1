#pragma once
/// \file What becomes of a launch when somebody ends the program.

#include <atomic>

namespace warpwise::runtime {

/// While it lives, SIGINT, SIGTERM and SIGHUP end the launch in progress, so that what it has found is
/// reported. When it goes, the signal that came takes its course and ends the program. Signals that the
/// program handles itself, or ignores, stay as they are. There is one at a time.
class Interruptible {
 public:
  Interruptible();
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;  ///< two would restore different handlers
  Interruptible& operator=(const Interruptible&) = delete;
  const std::atomic<bool>& is_interrupted() const;
};

}  // namespace warpwise::runtime
