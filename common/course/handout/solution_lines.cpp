#include "solution_lines.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

#include "../../text/source.hpp"

namespace warpwise::course {
namespace {

constexpr std::size_t trivial_length = 12;

/// Declarations, barriers and conditions with which any kernel may begin, of whatever it computes.
constexpr std::array idioms = {
    std::string_view("const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;"),
    std::string_view("const unsigned i = threadIdx.x;"),
    std::string_view("const unsigned tid = threadIdx.x;"),
    std::string_view("const unsigned lane = threadIdx.x;"),
    std::string_view("const unsigned lane = threadIdx.x % 32;"),
    std::string_view("const unsigned warp = threadIdx.x / 32;"),
    std::string_view("const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;"),
    std::string_view("if (threadIdx.x == 0) {"),
    std::string_view("if (tid < 32) {"),
    std::string_view("if (lane == 0) {"),
    std::string_view("if (lane < 16) {"),
    std::string_view("if (warp == 0) {"),
    std::string_view("if (i < n) {"),
    std::string_view("for (unsigned c = 0; c < 32; ++c) {"),
    std::string_view("if (tid == 0) out[blockIdx.x] = partial[0];"),
    std::string_view("__syncthreads();"),
    std::string_view("__syncwarp();"),
    std::string_view("__threadfence();"),
    std::string_view("#pragma unroll"),
    std::string_view("asm volatile("),
    std::string_view("float sum = 0.0f;"),
    std::string_view("unsigned first = 0;"),
    std::string_view("int ahead = 0;"),
    std::string_view("return peers;"),
};

/// One blank for many, none at the ends.
std::string spaced(std::string_view line) {
  std::string text;
  for (const char c : line) {
    const bool is_blank = c == ' ' || c == '\t' || c == '\r';
    if (!is_blank)
      text += c;
    else if (!text.empty() && text.back() != ' ')
      text += ' ';
  }
  if (text.ends_with(' ')) text.pop_back();
  return text;
}

bool is_anchor(std::string_view line) { return line.starts_with("// [") && line.ends_with(']'); }

template <class Visit>
void for_each_line(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    visit(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// Without what a reading may leave out at the start of a line.
std::string without_marks(std::string characters) {
  return characters.erase(0, std::min(characters.find_first_not_of("/+->*|#"), characters.size()));
}

/// `characters` has as many at least.
using Beginning = std::uint64_t;
Beginning beginning_of(std::string_view characters) {
  Beginning beginning = 0;
  std::memcpy(&beginning, characters.data(), sizeof beginning);
  return beginning;
}

/// Which two characters these are, as a number below 65536.
std::size_t first_two(std::string_view characters) {
  return static_cast<unsigned char>(characters[0]) * 256u + static_cast<unsigned char>(characters[1]);
}

}  // namespace

std::string code_of(std::string_view line) {
  const std::string text = spaced(line);
  if (is_anchor(text)) return {};
  if (text.starts_with("//")) return text;
  return spaced(std::string_view(text).substr(0, text.find("//")));
}

std::string spelled(const Leak& leak) {
  return std::to_string(leak.line) + " shows a line of " + leak.source + " (" + leak.code + ")";
}

void SolutionLines::add_given(std::string_view text) {
  given_ += read_as(Reading::as_written, text).characters + '\n';
}

bool SolutionLines::is_trivial(const std::string& code, const std::string& characters) const {
  return code.size() < trivial_length || characters.size() < sizeof(Beginning) ||
         given_.find(characters) != given_.npos ||
         std::find(idioms.begin(), idioms.end(), code) != idioms.end();
}

void SolutionLines::add_solution(const std::string& source, std::string_view text) {
  for (const std::string& kernel : text::Source(std::string(text)).kernels()) kernels_.insert(kernel);
  for_each_line(text, [&](std::string_view line) {
    std::string code = code_of(line);
    std::string characters = without_marks(read_as(Reading::as_written, code).characters);
    const bool is_known = std::any_of(secrets_.begin(), secrets_.end(),
                                      [&](const Secret& secret) { return secret.characters == characters; });
    if (is_known || is_trivial(code, characters)) return;
    begins_[first_two(characters)] = true;
    by_beginning_.emplace(beginning_of(characters), secrets_.size());
    secrets_.push_back({std::move(characters), std::move(code), source});
  });
}

std::optional<Leak> SolutionLines::find_in(const ReadText& text) const {
  const std::string_view characters = text.characters;
  for (std::size_t at = 0; at + sizeof(Beginning) <= characters.size(); ++at) {
    if (!begins_[first_two(characters.substr(at))]) continue;
    const auto [first, last] = by_beginning_.equal_range(beginning_of(characters.substr(at)));
    for (auto each = first; each != last; ++each) {
      const Secret& secret = secrets_[each->second];
      if (characters.substr(at).starts_with(secret.characters))
        return Leak{text.line_of(at), secret.code, secret.source};
    }
  }
  return std::nullopt;
}

std::optional<Leak> SolutionLines::find_in(std::string_view text) const {
  for (const Reading reading : readings)
    if (auto leak = find_in(read_as(reading, text))) return leak;
  return std::nullopt;
}

}  // namespace warpwise::course
