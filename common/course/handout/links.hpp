#pragma once
/// \file Links of a page to files that are not there.

#include <functional>
#include <string>
#include <string_view>

namespace warpwise::course {

/// `page` with the text alone of each `[text](target)` whose file `exists` denies; a picture becomes its
/// description, in italics, and loses the comment above it that says how to draw it. `exists` gets the target
/// without `#heading`, as it stands. Addresses (https://...), links within the page and blocks of code stay
/// as they are.
std::string without_dead_links(std::string_view page,
                               const std::function<bool(const std::string& target)>& exists);

}  // namespace warpwise::course
