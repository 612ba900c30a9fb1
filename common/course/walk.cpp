#include "walk.hpp"

#include <stdexcept>

#include "../text/files.hpp"
#include "page.hpp"

namespace warpwise::course {
namespace {

constexpr std::string_view comment_start = "<!-- mends: ", comment_end = " -->";

bool is_mending(const Block& block) {
  return block.kind == BlockKind::comment && block.text.starts_with(comment_start);
}

bool is_difference(const Block& block) { return block.kind == BlockKind::code && block.info == "diff"; }

void mend(const Mending& mending, const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / mending.file;
  text::write_text(file, with_difference(mending.difference, text::read_text(file)));
}

}  // namespace

std::vector<Mending> mendings_in(std::string_view page, const std::string& path) {
  std::vector<Mending> mendings;
  const std::vector<Block> blocks = read_page(page);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const Block& block = blocks[i];
    const bool is_below = i != 0 && is_mending(blocks[i - 1]);
    if (is_mending(block) && (i + 1 == blocks.size() || !is_difference(blocks[i + 1])))
      throw text::error_at(path, block.line, "no ```diff block stands below the comment");
    if (!is_difference(block)) continue;
    if (!is_below) throw text::error_at(path, block.line, "no `<!-- mends: FILE -->` stands above the block");
    const std::string& comment = blocks[i - 1].text;
    const std::string file =
        comment.substr(comment_start.size(), comment.size() - comment_start.size() - comment_end.size());
    mendings.push_back({file,
                        {.page = path,
                         .name = "the difference",
                         .against = file,
                         .line = block.line + 1,
                         .lines = text::lines_of(block.text)}});
  }
  return mendings;
}

std::size_t check_walk(std::string_view page, const std::string& path, const std::filesystem::path& folder,
                       const std::function<ProcessOutput(const std::string& command)>& run, Figures figures) {
  const std::vector<Mending> mendings = mendings_in(page, path);
  if (mendings.empty()) throw std::runtime_error(path + " has nothing to mend: nothing was walked through");
  const std::vector<NamedCommand> commands = commands_in(page);
  std::string faults;
  auto next = mendings.begin();
  const auto mend_until = [&](std::size_t line) {
    for (; next != mendings.end() && next->difference.line < line; ++next) mend(*next, folder);
  };
  for (const NamedCommand& command : commands) {
    mend_until(command.line);
    faults += fault_of(command, run(harmless(command.command)), figures);
  }
  mend_until(static_cast<std::size_t>(-1));
  if (!faults.empty()) throw std::runtime_error(faults);
  return mendings.size() + commands.size();
}

}  // namespace warpwise::course
