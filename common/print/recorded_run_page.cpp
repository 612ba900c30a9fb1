#include "recorded_run.hpp"

#include <string_view>

#include "drawing.hpp"

namespace warpwise::print {

// Generated from page/ by CMakeLists.txt.
extern const char* const page_frame;
extern const char* const palette_style;
extern const char* const page_style;
extern const char* const page_script;

namespace {

/// JSON inside a <script>: whatever stands in it, "<" cannot end the element or begin a comment.
std::string inside_script(std::string_view json) {
  std::string safe;
  safe.reserve(json.size());
  for (const char c : json) {
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  }
  return safe;
}

}  // namespace

std::string page_of(const std::string& title, std::span<const NamedRun> runs, const std::string& start,
                    const std::string& measured) {
  std::string page;
  std::string_view rest = page_frame;
  const auto put = [&](std::string_view mark, std::string_view text) {
    const std::size_t at = rest.find(mark);
    page.append(rest.substr(0, at)).append(text);
    rest.remove_prefix(at + mark.size());
  };
  put("@TITLE@", markup_of(title));
  put("@STYLE@", std::string(palette_style) + page_style);
  put("@START@", markup_of(start));
  put("@MEASURED@", measured);
  put("@RUNS@", inside_script(page_data(runs)));
  put("@SCRIPT@", page_script);
  return page.append(rest);
}

}  // namespace warpwise::print
