#pragma once
/// \file Who adds: how often each thread of a launch executes an instruction that combines two floats, and
/// who reads which array. Counters are sums over a launch; a tree and one thread that adds everything can
/// have the same ones.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../../simulator/machine/observer.hpp"
#include "../device/simulated_device.hpp"

namespace warpwise::harness {

/// Which instructions are counted.
using IsCounted = bool (*)(const simulator::machine::Program&, simulator::machine::Pc);
/// Every arithmetic instruction on f32 or f64 that combines two values: add, sub, fma, mad, max, min, and a
/// comparison (setp), which a maximum may be made of.
bool is_addition(const simulator::machine::Program& program, simulator::machine::Pc pc);

/// The work of one launch: its additions, or what else is counted.
struct Additions {
  struct Thread {
    std::uint64_t block = 0;
    std::uint32_t number = 0;  ///< in the block
    std::uint64_t additions = 0;
  };
  struct Reader {
    std::uint64_t block = 0;
    std::uint32_t number = 0;  ///< in the block
    std::uint64_t words = 0;   ///< of 4 bytes, loaded from shared and global memory
  };
  Thread busiest;                       ///< a thread that adds most often; the first of several
  Reader busiest_reader;                ///< likewise one that reads most: it may add in integers, unseen
  std::uint64_t by_all_threads = 0;     ///< additions, summed over the threads
  std::uint64_t warp_instructions = 0;  ///< additions, counted once for all lanes that make them together
  /// Instructions that add up 32 values of a bit, or integers, at once, counted once for a warp: votes,
  /// __syncthreads_count(), __reduce_add_sync().
  std::uint64_t collective = 0;

  std::vector<std::uint64_t> by_warp;  ///< the same of each warp: blocks one behind the other

  /// What is read from one array in global memory.
  struct Reads {
    std::uint64_t requests = 0, sectors = 0;
  };
  std::map<std::string, Reads> reads;  ///< by the name of the buffer

  /// Who writes to one array in global memory, as numbers in the block.
  struct Writers {
    std::uint32_t lowest = ~0u, highest = 0;
  };
  std::map<std::string, Writers> writers;  ///< by the name of the buffer
};

/// Attached to `device` while it lives; `take()` after a launch gives that launch's work.
class CountingAdditions {
 public:
  explicit CountingAdditions(Device& device, IsCounted is_counted = is_addition);
  ~CountingAdditions();
  Additions take();

 private:
  class Counter;
  class Observation;
  std::unique_ptr<Observation> observation_;
  Attached attached_;
};

struct CountedLaunch {
  Launch launch;
  Additions additions;
};

/// `run()` launches once on the simulated GPU and returns the Launch.
template <class Run>
CountedLaunch count_additions(Run run, IsCounted is_counted = is_addition) {
  CountingAdditions counting(simulated_device(), is_counted);
  Launch launch = run();
  return {std::move(launch), counting.take()};
}

}  // namespace warpwise::harness
