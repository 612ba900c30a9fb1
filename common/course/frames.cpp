#include "frames.hpp"

#include <algorithm>
#include <stdexcept>

#include "../text/source.hpp"

namespace warpwise::course {
namespace {

using text::Function;
using text::Source;

/// The name of a function that is somebody's own work; empty where there is none.
std::string written_function(const Source& exercise, const Source& solution) {
  for (const Function& function : exercise.functions()) {
    const auto same = std::find_if(solution.functions().begin(), solution.functions().end(),
                                   [&](const Function& other) { return other.name == function.name; });
    if (same != solution.functions().end() && same->code != function.code && !function.has_todo)
      return function.name;
  }
  return {};
}

std::string_view line_at(std::string_view text, std::size_t at) {
  const std::size_t start = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  return text.substr(start, text.find('\n', start) - start);
}

std::string first_difference(std::string_view exercise, std::string_view solution) {
  const auto places = std::mismatch(exercise.begin(), exercise.end(), solution.begin(), solution.end());
  const auto at = static_cast<std::size_t>(places.first - exercise.begin());
  return "the exercise has\n  " + std::string(line_at(exercise, at)) + "\nand the solution\n  " +
         std::string(line_at(solution, at));
}

}  // namespace

std::string frame_of(const Source& source) {
  std::string frame;
  std::size_t at = 0;
  for (const Function& function : source.functions()) {
    const std::size_t body = function.start + function.body + 1;
    frame += source.text().substr(at, body - at);
    at = function.start + function.code.size() - 1;
  }
  return frame += source.text().substr(at);
}

std::string compare_frames(const Source& exercise, const Source& solution,
                           const std::function<std::string()>& committed) {
  const std::size_t bodies = exercise.functions().size();
  if (bodies == 0) throw std::runtime_error("the exercise has no function: nothing was checked");
  const std::string frame = frame_of(solution);
  if (frame_of(exercise) == frame) return std::to_string(bodies) + " bodies, the same frame";
  if (const std::string name = written_function(exercise, solution); !name.empty())
    return "no skeleton any more: somebody has written " + name;
  const std::string before = committed();
  if (!before.empty() && before != exercise.text() && frame_of(Source(before)) == frame)
    return "the exercise was changed; git's version of it has the solution's frame";
  throw std::runtime_error("exercise and solution differ outside the bodies of their functions: " +
                           first_difference(frame_of(exercise), frame));
}

}  // namespace warpwise::course
