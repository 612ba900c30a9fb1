#include <iostream>

#include "chapters.hpp"
#include "commands.hpp"
#include "failure.hpp"
#include "table.hpp"

#include "../harness/functions.hpp"

namespace warpwise::cli {

int list() {
  Table table({"chapter", "title", "to be written"}, 3);
  std::string next;
  for (const Chapter& chapter : chapters_of_this_clone()) {
    if (!std::filesystem::exists(chapter.exercise())) {
      table.add_row({chapter.name, chapter.title,
                     "exercise.cu is missing: ./warpwise reset " + chapter.name.substr(0, 4)});
      if (next.empty()) next = chapter.name;
      continue;
    }
    std::string open;
    std::size_t count = 0;
    const std::string source = read_text(chapter.exercise());
    for (const harness::FunctionText& kernel : harness::kernels_in(source)) {
      if (harness::is_skeleton(source, kernel.name) && ++count <= 3)
        open += (open.empty() ? "" : ", ") + kernel.name;
    }
    if (count > 3) open += " and " + std::to_string(count - 3) + " more";
    if (!open.empty() && next.empty()) next = chapter.name;
    table.add_row({chapter.name, chapter.title, open.empty() ? "nothing: run it" : open});
  }
  std::cout << table.text();
  if (!next.empty()) {
    std::cout << "\nNext: read " << next << "/README.md, write the kernels in " << next
              << "/exercise.cu, then\n"
              << "  ./warpwise run " << next.substr(0, 4) << "\n";
  }
  return all_well;
}

}  // namespace warpwise::cli
