#pragma once
/// \file Who did how much of a launch: whether the work is shared out, or one warp, one block or one lane
/// does it all.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "../device/launch.hpp"

namespace warpwise::harness {

/// What one warp of a launch did.
struct WarpWork {
  std::uint64_t block = 0;  ///< linear
  std::uint32_t warp = 0;   ///< in the block
  std::uint64_t instructions = 0;
  std::uint64_t lonely_instructions = 0;  ///< of them, those that one lane executed alone
  std::uint64_t loaded_bytes = 0;         ///< from global memory, summed over its lanes
  std::uint64_t widest_load = 0;  ///< bytes from the first to the last that one load of its lanes touches
};

/// What each warp of a launch did, by block, then warp. Of a launch on the simulated GPU, of which no block
/// ended early.
class Work {
 public:
  explicit Work(std::vector<WarpWork> warps) : warps_(std::move(warps)) {}
  const std::vector<WarpWork>& warps() const { return warps_; }
  /// The largest of any warp: of its instructions, or of those that one lane executed alone.
  std::uint64_t most_instructions() const;
  std::uint64_t most_lonely_instructions() const;
  std::uint64_t widest_load() const;
  std::uint64_t loaded_bytes() const;  ///< of all warps together

 private:
  std::vector<WarpWork> warps_;
};

namespace detail {
/// Observes the launches of the simulated GPU while it lives; takes the last one's work.
class WorkRecorder {
 public:
  WorkRecorder();
  ~WorkRecorder();
  Work take();

 private:
  struct State;
  std::unique_ptr<State> state_;
};
}  // namespace detail

/// Who did what in the launch that `run()` makes on the simulated GPU; of several, in the last.
template <class Run>
Work work_of(Run run) {
  detail::WorkRecorder recorder;
  run();
  return recorder.take();
}

struct LaunchAndWork {
  Launch launch;
  Work work;
};
/// The launch that `run()` makes on the simulated GPU, and who did what in it.
///
///     const auto [launch, work] = launch_and_work([&] { return device.launch(...); });
template <class Run>
LaunchAndWork launch_and_work(Run run) {
  detail::WorkRecorder recorder;
  Launch launch = run();
  return {std::move(launch), recorder.take()};
}

/// Every warp of every block loads a share: at least a quarter of an even one, and at most twice as much.
/// `bytes` is what all of them together must load: an even share of it counts, so that what is loaded twice
/// does not make the others' look small. Nothing is asked of what it loads or when.
void expect_shared_out(const Work& work, double bytes);
/// The same of whole blocks, for kernels in which not each warp of a block has to load.
void expect_shared_out_to_blocks(const Work& work, double bytes);

/// No warp leaves more than `limit` instructions to one of its lanes, while the others wait.
void expect_lanes_work_together(const Work& work, std::uint64_t limit, std::string_view why);

}  // namespace warpwise::harness
