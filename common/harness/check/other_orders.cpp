#include "other_orders.hpp"

#include <new>
#include <utility>

#include "expectations.hpp"
#include "schedules.hpp"
#include "unread_launches.hpp"

namespace warpwise::harness {

namespace {

// What is tried in an order. An order goes wrong in few warps as it does in many.
constexpr unsigned seeds = 4;
constexpr std::size_t most_elements = 8192, most_threads = 2048;
constexpr unsigned most_launches = 6;

/// Thrown to end a check. No exception of the library: no check takes it for one of its own.
struct Tried {};

struct Order {
  std::optional<std::string> name;
  unsigned launches = 0;
};
Order& order() {
  static Order the_order;
  return the_order;
}

/// While it lives, checks are run in the order `name`.
class InOrder {
 public:
  explicit InOrder(const std::string& name)
      : options_([&](simulator::GpuOptions& options) {
          options.launch.schedule = simulator::machine::Schedule::parse(name);
          options.watch = simulator::Watch::counters;  // findings are those of any order
        }) {
    order() = {name};
  }
  ~InOrder() { order() = {}; }
  InOrder(const InOrder&) = delete;  ///< it would end twice
  InOrder& operator=(const InOrder&) = delete;

 private:
  OtherOptions options_;
};

}  // namespace

const std::optional<std::string>& other_order() { return order().name; }

void expect_small_in_other_orders(std::size_t elements) {
  if (order().name && elements > most_elements) throw Tried();
}

void begin_launch_in_other_orders(std::size_t threads) {
  if (order().name && (threads > most_threads || ++order().launches > most_launches)) throw Tried();
}

namespace {
/// While it lives, findings alone are looked for.
class LookingForFindings {
 public:
  LookingForFindings() { is_on = true; }
  ~LookingForFindings() { is_on = false; }
  LookingForFindings(const LookingForFindings&) = delete;  ///< it would end twice
  LookingForFindings& operator=(const LookingForFindings&) = delete;
  static inline bool is_on = false;
};

/// Runs the check once more for its findings, where a wrong result has ended it before it had any: they say
/// more than what is wrong, and may be of a later launch.
void look_for_findings(void (*check)()) {
  if (!record().is_in_case() || !record().has_failed_here()) return;
  Failure wrong = record().take_failure();
  if (!wrong.findings.empty() || wrong.is_broken) return record().add_again(std::move(wrong));
  const LookingForFindings looking;
  check();  // a failure with findings is recorded
  record().add_again(std::move(wrong));
}

void run_in_orders(Aspect aspect, void (*check)()) {
  try {
    check();
  } catch (const CheckFailed&) {
    if (aspect == Aspect::safety) look_for_findings(check);
    throw;
  }
  if (aspect != Aspect::result) return;
  for (const std::string& name : every_schedule(seeds)) {
    if (name == "converged") continue;  // as which it has run
    const InOrder in_order(name);
    const UnreadLaunches before = unread_launches();
    try {
      check();
    } catch (const Tried&) {
      unread_launches() = before;  // it had no time to look at the last
    }
  }
}
}  // namespace

bool looks_for_findings_alone() { return LookingForFindings::is_on; }

void run_check(Aspect aspect, void (*check)()) {
  try {
    run_in_orders(aspect, check);
  } catch (const std::bad_alloc& error) {
    record().add_out_of_memory(error.what());
    throw;
  }
}

}  // namespace warpwise::harness
