#pragma once
/// \file Launches whose results nobody has looked at: a check that counts what a kernel does must compare
/// what it has written, too, or a kernel that does nothing would be the best of all.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../device/launch.hpp"

namespace warpwise::harness {

/// The simulated launches since begin(), and what each of them has written. A launch is looked at where the
/// host reads one of the arrays that it may have written, or where a later launch reads one: that one's
/// result then depends on it.
class UnreadLaunches {
 public:
  void begin();  ///< forgets all

  /// `launch` has got the arrays at `written` to write to, and those at `read` to read from.
  void add(const Launch& launch, std::vector<std::uint64_t> written, const std::vector<std::uint64_t>& read);
  void on_read(std::uint64_t address);     ///< by the host: the array that begins there
  void on_release(std::uint64_t address);  ///< what lay there can no longer be read
  /// `launch` is judged by something else than what it wrote.
  void set_judged(const Launch& launch);

  /// One sentence about the first launch that wrote something of which nobody has read anything; empty where
  /// there is none.
  std::optional<std::string> complaint() const;

 private:
  struct Unread {
    std::shared_ptr<const simulator::LaunchReport> report;  ///< tells launches apart
    std::string name;                                       ///< "reduce<<<2, 32>>>"
    std::vector<std::uint64_t> written;                     ///< arrays that are still there
  };
  std::vector<Unread> unread_;
};

/// Those of this process.
UnreadLaunches& unread_launches();

}  // namespace warpwise::harness
