#pragma once
/// \file Runs other programs, several at once too: the one place of the repository that starts a process and
/// waits for it.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::process {

/// For a program that nobody here has written.
struct Limits {
  unsigned seconds = 60;            ///< of a processor, for each process
  std::uint64_t memory_mib = 4096;  ///< of data (RLIMIT_DATA), for each process
  std::uint64_t file_mib = 64;      ///< for each file that is written
  unsigned spare_seconds = 10;      ///< by the clock there are four times `seconds`, and these
  std::uint64_t output_kib = 256;   ///< of its output the beginning is kept, and the rest is lost
};

/// What becomes of a program's output. What is not kept goes where ours goes, but for `errors`.
enum class Keeps {
  nothing,
  output,
  errors,  ///< and nobody sees the output
  all      ///< both, as they came
};

/// Hears each piece of what is kept as it comes, and an empty one at least every 0.2 s. False: it is stopped.
using Listener = std::function<bool(std::string_view piece)>;

struct Command {
  std::vector<std::string> words;     ///< the first is a path, or found on PATH
  std::filesystem::path folder = {};  ///< in which it runs; empty: ours
  Keeps keeps = Keeps::nothing;
  Listener listener = {};
  std::optional<std::vector<std::string>> environment = {};  ///< "NAME=value"; without: ours
  /// With them its input is empty, what it starts ends with it, and all of it with this process.
  std::optional<Limits> limits = {};
  /// SIGINT, SIGTERM and SIGHUP are handed on to it, and it is waited for: it has something to do when it is
  /// ended. It is ended with this process, whatever ends that. For one command at a time.
  bool takes_our_signals = false;
};

struct Result {
  int status = 0;           ///< exit status, or 128 + signal
  int signal = 0;           ///< that ended it; 0: none
  bool is_stopped = false;  ///< by the listener, or it came to its limit by the clock
  std::string output = {};  ///< what was kept

  /// "was ended by signal 11 (Segmentation fault)" or "ended with status 3".
  std::string how_it_ended() const;
  /// Why it did not end by itself: "it used up its 60 s"; empty if it did.
  std::string why_ended(const Limits& limits) const;
};

/// Runs it and waits until it ends; what it leaves running is not waited for, though it holds the output
/// open. Throws std::runtime_error if it cannot be started.
Result run(const Command& command);

/// Does `work(i)` for each i below `count`, `jobs` at a time, or as many as threads can be started; throws
/// what one of them has thrown first.
void for_all(std::size_t count, std::size_t jobs, const std::function<void(std::size_t)>& work);

/// `word` as a shell takes it for one word.
std::string quoted_for_shell(const std::string& word);

}  // namespace warpwise::process
