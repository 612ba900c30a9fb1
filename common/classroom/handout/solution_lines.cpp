#include "solution_lines.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace warpwise::classroom {
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
    std::string_view("if (threadIdx.x == 0) {"),
    std::string_view("if (lane < 16) {"),
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

/// How SVG, HTML and the tables of Markdown write what a line of code says.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> escapes = {
    {{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}, {"\\|", "|"}, {"&amp;", "&"}}};

std::string unescaped(std::string text) {
  for (const auto& [written, meant] : escapes)
    for (std::size_t at = text.find(written); at != text.npos; at = text.find(written, at + meant.size()))
      text.replace(at, written.size(), meant);
  return text;
}

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

/// Calls `visit` for each line until it returns false.
template <class Visit>
void for_each_line(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (!visit(text.substr(0, end))) return;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

std::string code_of(std::string_view line) {
  const std::string text = spaced(line);
  if (is_anchor(text)) return {};
  if (text.starts_with("//")) return text;
  return spaced(std::string_view(text).substr(0, text.find("//")));
}

void SolutionLines::add_given(std::string_view text) {
  for_each_line(text, [&](std::string_view line) {
    given_ += spaced(line) + '\n';
    return true;
  });
}

bool SolutionLines::is_trivial(const std::string& code) const {
  return code.size() < trivial_length || given_.find(code) != given_.npos ||
         std::find(idioms.begin(), idioms.end(), code) != idioms.end();
}

void SolutionLines::add_solution(const std::string& source, std::string_view text) {
  for_each_line(text, [&](std::string_view line) {
    std::string code = code_of(line);
    const bool is_known = std::any_of(secrets_.begin(), secrets_.end(),
                                      [&](const Secret& secret) { return secret.code == code; });
    if (!is_known && !is_trivial(code)) secrets_.push_back({std::move(code), source});
    return true;
  });
}

std::optional<Leak> SolutionLines::find_in(std::string_view text) const {
  std::optional<Leak> leak;
  std::size_t number = 0;
  for_each_line(text, [&](std::string_view line) {
    ++number;
    if (line.size() < trivial_length) return true;
    const std::string shown = unescaped(spaced(line));
    const auto secret = std::find_if(secrets_.begin(), secrets_.end(),
                                     [&](const Secret& each) { return shown.find(each.code) != shown.npos; });
    if (secret != secrets_.end()) leak = Leak{number, secret->code, secret->source};
    return !leak;
  });
  return leak;
}

}  // namespace warpwise::classroom
