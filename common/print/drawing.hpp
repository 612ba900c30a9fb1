#pragma once
/// \file A picture as it grows downwards, and the SVG file that becomes of it; and text as HTML and SVG write
/// it.

#include <cstdint>
#include <string>
#include <string_view>

namespace warpwise::print {

/// The content of an element that says `text`. XML has no control characters but tabs and ends of lines:
/// others are left out. Nor may content say "]]>", which ends a CDATA section.
std::string markup_of(std::string_view text);

enum class Anchor { start, middle, end };

/// Units are pixels where the picture stands as wide as it is. Classes are those of picture.css. Each call
/// adds one thing, above what was drawn before.
class Drawing {
 public:
  static constexpr double width = 720;  ///< of every picture: a lesson's column

  void rect(std::string_view style, double x, double y, double w, double h);
  void line(std::string_view style, double x1, double y1, double x2, double y2);
  /// `steps`: what the attribute `d` says; where it is empty nothing is drawn.
  void path(std::string_view style, const std::string& steps);
  /// `y` is where the letters stand.
  void text(std::string_view style, double x, double y, std::string_view words,
            Anchor anchor = Anchor::start);
  /// Broken into lines between blanks, none wider than the picture; where the last of them stands.
  double paragraph(std::string_view style, double x, double y, const std::string& words);
  /// Source text, cut where the room ends.
  void code(double x, double y, const std::string& words, double room = width);
  /// The height so far.
  double height() const { return height_; }
  void reach(double y);

  /// The whole file. `title` and `description` are for those who cannot see it; `command` is what draws it
  /// again.
  std::string file(const std::string& title, const std::string& description,
                   const std::string& command) const;

 private:
  std::string body_;
  double height_ = 0;
};

/// Of a path: a rectangle, so that many of them are one element.
std::string box(double x, double y, double w, double h);

/// "12.5": as short as it can be said, to a tenth of a pixel.
std::string number(double value);

// --- The 32 lanes of a warp in a row, each with its number; columns of 32 words stand below them ----------

inline constexpr double row_left = 64;  ///< room for the row's name
inline constexpr double lane_width = 20;

inline double column_of(std::uint64_t number) { return row_left + lane_width * static_cast<double>(number); }
inline double middle_of(std::uint64_t number) { return column_of(number) + lane_width / 2 - 0.5; }

/// Lanes of the mask are filled, others pale.
void draw_lane_row(Drawing& drawing, double y, std::string_view name, std::uint32_t lanes);

}  // namespace warpwise::print
