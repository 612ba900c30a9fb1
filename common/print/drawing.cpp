#include "drawing.hpp"

#include <algorithm>
#include <cmath>

#include "terminal.hpp"

namespace warpwise::print {

// Generated from page/palette.css and page/picture.css by CMakeLists.txt.
extern const char* const palette_style;
extern const char* const picture_style;

namespace {

// Widths of letters differ from system to system: these are on the safe side.
constexpr double code_letter = 7.3, text_letter = 6.7, bold_letter = 7.6;

std::string attribute(std::string_view name, double value) {
  return ' ' + std::string(name) + "=\"" + number(value) + '"';
}

std::string class_of(std::string_view style) {
  return style.empty() ? "" : " class=\"" + std::string(style) + '"';
}

}  // namespace

std::string markup_of(std::string_view text) {
  std::string markup;
  for (const char c : text) {
    if (c == '&')
      markup += "&amp;";
    else if (c == '<')
      markup += "&lt;";
    else if (c == '>' && markup.ends_with("]]"))
      markup += "&gt;";
    else if (static_cast<unsigned char>(c) >= 0x20 || c == '\t' || c == '\n')
      markup += c;
  }
  return markup;
}

std::string number(double value) {
  const auto tenths = std::llround(value * 10);
  std::string text = std::to_string(std::llabs(tenths) / 10);
  if (tenths % 10 != 0) text += '.' + std::to_string(std::llabs(tenths) % 10);
  return (tenths < 0 ? "-" : "") + text;
}

std::string box(double x, double y, double w, double h) {
  return 'M' + number(x) + ' ' + number(y) + 'h' + number(w) + 'v' + number(h) + 'h' + number(-w) + 'z';
}

void Drawing::reach(double y) { height_ = std::max(height_, y); }

void Drawing::rect(std::string_view style, double x, double y, double w, double h) {
  body_ += "<rect" + class_of(style) + attribute("x", x) + attribute("y", y) + attribute("width", w) +
           attribute("height", h) + "/>\n";
  reach(y + h);
}

void Drawing::line(std::string_view style, double x1, double y1, double x2, double y2) {
  path(style, 'M' + number(x1) + ' ' + number(y1) + 'L' + number(x2) + ' ' + number(y2));
  reach(std::max(y1, y2));
}

void Drawing::path(std::string_view style, const std::string& steps) {
  if (steps.empty()) return;
  body_ += "<path" + class_of(style) + " d=\"" + steps + "\"/>\n";
}

void Drawing::text(std::string_view style, double x, double y, std::string_view words, Anchor anchor) {
  body_ += "<text" + class_of(style) + attribute("x", x) + attribute("y", y);
  if (anchor != Anchor::start)
    body_ += anchor == Anchor::end ? " text-anchor=\"end\"" : " text-anchor=\"middle\"";
  body_ += '>' + markup_of(words) + "</text>\n";
  reach(y + 4);
}

double Drawing::paragraph(std::string_view style, double x, double y, const std::string& words) {
  constexpr double line_height = 17;
  const bool is_bold = style.starts_with("sentence") || style == "missing";  // as picture.css says
  const double letter = is_bold ? bold_letter : text_letter;
  const auto most = static_cast<std::size_t>((width - x) / letter);
  std::string_view rest = words;
  while (columns_of(rest) > most) {
    const std::size_t end = std::min(first_columns(rest, most).rfind(' '), rest.size());
    text(style, x, y, rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    y += line_height;
  }
  text(style, x, y, rest);
  return y;
}

void Drawing::code(double x, double y, const std::string& words, double room) {
  const auto most = static_cast<std::size_t>(std::max(0.0, std::min(room, width - x) / code_letter));
  const bool fits = columns_of(words) <= most;
  text("code", x, y, fits ? words : std::string(first_columns(words, most > 0 ? most - 1 : 0)) + "…");
}

std::string Drawing::file(const std::string& title, const std::string& description,
                          const std::string& command) const {
  const std::string size = number(width) + ' ' + number(std::ceil(height_ + 4));
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + size + "\" width=\"" + number(width) +
         "\" height=\"" + number(std::ceil(height_ + 4)) +
         "\" role=\"img\" aria-labelledby=\"title description\">\n<title id=\"title\">" + markup_of(title) +
         "</title>\n<desc id=\"description\">" + markup_of(description) + "</desc>\n<metadata>" +
         markup_of(command) + "</metadata>\n<style>\n" + palette_style + picture_style +
         "</style>\n<defs>\n"
         "<pattern id=\"hatch\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" "
         "patternTransform=\"rotate(45)\"><path class=\"hatch\" d=\"M0 0V5\"/></pattern>\n"
         "<marker id=\"arrow\" viewBox=\"0 0 6 6\" refX=\"5\" refY=\"3\" markerWidth=\"6\" "
         "markerHeight=\"6\" "
         "orient=\"auto\" markerUnits=\"userSpaceOnUse\"><path class=\"arrow\" d=\"M0 0L6 3L0 "
         "6z\"/></marker>\n"
         "</defs>\n<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n" +
         body_ + "</svg>\n";
}

void draw_lane_row(Drawing& drawing, double y, std::string_view name, std::uint32_t lanes) {
  drawing.text("", 0, y + 14, name);
  std::string busy, idle;
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    (lanes >> lane & 1 ? busy : idle) += box(column_of(lane), y, lane_width - 1, lane_width - 1);
  drawing.path("lane", busy);
  drawing.path("idle", idle);
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    drawing.text(lanes >> lane & 1 ? "cell on" : "cell off", middle_of(lane), y + 14, std::to_string(lane));
}

}  // namespace warpwise::print
