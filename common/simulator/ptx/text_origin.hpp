#pragma once
/// \file Where a line of PTX text comes from: for a text that is no module, so that an error in it can bear
/// the line that somebody wrote.

#include <cstdint>
#include <string_view>

#include "../ptx.hpp"

namespace warpwise::simulator::ptx {

struct TextOrigin {
  SourceLine source;           ///< as source_of(); line 0 where the text names none
  bool is_inline_asm = false;  ///< nvcc copied it from an `asm` statement, which it does not look into
  std::string_view text;       ///< the line itself, or the last one of that statement
};

/// Of line `line` of `text`, from 1, as the `.loc` and `.file` directives say that stand in it; nothing else
/// of the text is read. What stands right behind an `asm` counts as its own: there the reader notices that
/// something lacks.
TextOrigin origin_of(std::string_view text, std::uint32_t line);

}  // namespace warpwise::simulator::ptx
