#include "host.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <new>
#include <thread>
#include <utility>
#include <vector>

namespace warpwise::simulator::host {

std::optional<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::string text;
  constexpr std::size_t piece = 1 << 16;
  for (std::size_t read = piece; read == piece;) {
    const std::size_t size = text.size();
    text.resize(size + piece);
    read = static_cast<std::size_t>(file.read(text.data() + size, piece).gcount());
    text.resize(size + read);
  }
  return file.bad() ? std::nullopt : std::optional(std::move(text));  // bad: a folder, say
}

std::string short_path(const std::string& path) {
  std::error_code error;
  const std::filesystem::path here = std::filesystem::current_path(error);
  if (error || path.empty()) return path;
  const std::filesystem::path relative = std::filesystem::path(path).lexically_proximate(here);
  return relative.empty() || *relative.begin() == ".." ? path : relative.string();
}

void write_to_stdout(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::uint64_t memory_bytes() {
  static const std::uint64_t found = [] {
    auto bytes = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                 static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    for (const char* file : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
      std::uint64_t limit = 0;
      if (std::ifstream(file) >> limit) bytes = std::min(bytes, limit);  // a word such as "max" is none
    }
    return bytes;
  }();
  return found;
}

void* map_zeros(std::uint64_t bytes) {
  void* const begin =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (begin == MAP_FAILED) throw std::bad_alloc();
  return begin;
}

void unmap(void* begin, std::uint64_t bytes) { munmap(begin, bytes); }

std::uint32_t core_count() { return std::max(1u, std::thread::hardware_concurrency()); }

void run_threads(std::size_t count, const std::function<void(std::size_t)>& work) {
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < count; ++i) threads.emplace_back(work, i);
  work(0);
}

void yield() { std::this_thread::yield(); }

}  // namespace warpwise::simulator::host
