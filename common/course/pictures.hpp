#pragma once
/// \file The pictures of lessons are drawn from runs (docs/show.md), and drawn again by the tests.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::course {

/// A picture as a page shows it: a comment with what draws it, and the image below.
///     <!-- picture: show ch03 reduce_sequential --solution --svg banks -->
///     ![What is to be seen](pictures/sequential.svg)
struct Picture {
  std::size_t line = 0;  ///< of the comment, from 1
  std::string command;   ///< "show ch03 reduce_sequential --solution --svg banks", "exec prog.cu --svg lanes"
  std::string file;      ///< "pictures/sequential.svg", beside the page
};

/// Throws std::runtime_error, "line 12: sentence", for a comment without its image, an image in pictures/
/// without its comment or without words, and a command that draws a student's exercise or no picture.
std::vector<Picture> pictures_in(std::string_view page);

/// The command in the `metadata` of an SVG that `show` has drawn; empty where there is none.
std::string command_in(std::string_view svg);

}  // namespace warpwise::course
