#pragma once
/// \file A Markdown page as a row of blocks: what the rules of prose (prose.hpp) look at.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::course {

enum class BlockKind {
  heading,    ///< text without its marks
  paragraph,  ///< also a quotation
  item,       ///< of a list
  table,
  code,            ///< fenced or indented, without the fence
  comment,         ///< <!-- ... -->
  picture,         ///< a line ![...](...)
  details,         ///< <details>, perhaps with its <summary> on the same line
  summary,         ///< <summary> on a line of its own
  end_of_details,  ///< </details>
};

struct Block {
  BlockKind kind;
  std::size_t line = 0;   ///< in the page, from 1; of a fenced block that of the fence
  std::string text;       ///< lines joined by '\n'
  std::string info = {};  ///< of a heading its marks ("##"), of a fenced block its language
};

/// The blocks of a page, in order. What belongs to none of the kinds is a paragraph.
std::vector<Block> read_page(std::string_view page);

/// What a reader sees of prose: without the targets of links, HTML tags and marks of emphasis; code stays.
std::string visible(std::string_view prose);

/// `prose` with each code span as a single word, so that its signs are not taken for the sentence's.
std::string without_code(std::string_view prose);

/// What GitHub makes of a heading, for links: "2. Who adds?" is "2-who-adds".
std::string anchor_of(std::string_view heading);

}  // namespace warpwise::course
