#pragma once
/// \file All that the simulator asks of the machine it runs on: files, the clock, memory and threads. Where
/// one of them is missing, as in a browser, this is the one place to say so.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace warpwise::simulator::host {

/// The contents of the file at `path`; nothing where it cannot be read.
std::optional<std::string> read_file(const std::string& path);
/// `path` as short as it can be and still be opened from the current folder.
std::string short_path(const std::string& path);
void write_to_stdout(std::string_view text);

/// Of a clock that only goes forwards.
double seconds();

/// The memory of this machine, or what its container may use of it, in bytes.
std::uint64_t memory_bytes();

/// `bytes` of addresses that read as 0. Only the pages that are written to take
/// memory. They are no data of the process (RLIMIT_DATA, which `grade` sets): that would be all of them.
/// Throws std::bad_alloc where there are none left.
void* map_zeros(std::uint64_t bytes);
/// Gives them back.
void unmap(void* begin, std::uint64_t bytes);

/// How many threads can run at the same moment; at least 1.
std::uint32_t core_count();
/// Calls work(0) on the calling thread and work(1) … work(count - 1) each on one of its own, and waits for
/// all.
void run_threads(std::size_t count, const std::function<void(std::size_t)>& work);
/// Lets other threads go first.
void yield();

}  // namespace warpwise::simulator::host
