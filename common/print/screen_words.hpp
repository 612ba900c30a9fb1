#pragma once
/// \file Sentences of the screen that explain what others have found.

#include <string>

#include "../report/report.hpp"

namespace warpwise::print {

/// What the schedule of a failure means, for a reader who meets its name in a sentence, and what helps; empty
/// for the usual one.
std::string help_on(const report::Failure& failure);
/// The same in a line, where findings below it say what to do.
std::string meaning_of(const std::string& schedule);

/// A contract's first sentences, where it is long: all of it stands at the place that is named with it. None
/// is cut: the second half may be what was not kept.
std::string first_sentences(const std::string& text);

/// The note of a race, below a wrong result: that the hardware of today would be right is no comfort there.
std::string without_excuse(std::string note);

}  // namespace warpwise::print
