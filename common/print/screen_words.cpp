#include "screen_words.hpp"

#include <algorithm>

namespace warpwise::print {

std::string help_on(const report::Failure& failure) {
  const std::string& schedule = failure.schedule;
  const bool has_active_mask = std::any_of(failure.lines.begin(), failure.lines.end(), [](const auto& line) {
    return line.share == report::takes_who_is_there;
  });
  if (schedule == "lockstep")
    return "help: under lockstep the lanes of a warp move together, and both sides of a branch finish before "
           "any lane goes on, as on GPUs before Volta. Wait for the other lanes before you read what they "
           "wrote, and never wait for a lane on the other side of a branch";
  if (schedule.starts_with("split") && has_active_mask)
    return "help: under split:SEED the lanes of a warp arrive one by one, as CUDA allows, and __activemask() "
           "names those that happen to be there together. Name the lanes that are to take part: the mask "
           "that "
           "the contract gives, 0xffffffff where the whole warp comes, or one from __ballot_sync() in front "
           "of the branch";
  if (schedule.starts_with("split"))
    return "help: under split:SEED the lanes of a warp separate and overtake each other at random, wherever "
           "no barrier or exchange holds them together: CUDA allows it. Put __syncwarp() or __syncthreads() "
           "between a write and another lane's read of it";
  return {};
}

std::string meaning_of(const std::string& schedule) {
  if (schedule == "lockstep") return "lockstep: the lanes of a warp move together, as before Volta";
  if (schedule.starts_with("split")) return schedule + ": lanes overtake each other wherever CUDA allows it";
  return {};
}

std::string first_sentences(const std::string& text) {
  constexpr std::size_t most = 190;  // about three lines
  if (text.size() <= most) return text;
  std::size_t end = text.rfind(". ", most);
  if (end == text.npos) end = text.find(". ");
  return end == text.npos ? text : text.substr(0, end + 1);
}

std::string without_excuse(std::string note) {
  constexpr std::string_view excuse = "today's hardware cannot reorder the two, but ";
  if (const auto at = note.find(excuse); at != note.npos) note.erase(at, excuse.size());
  return note;
}

}  // namespace warpwise::print
