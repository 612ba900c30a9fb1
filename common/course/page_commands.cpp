#include "page_commands.hpp"

#include <algorithm>
#include <map>
#include <regex>
#include <stdexcept>

#include "../text/files.hpp"
#include "lesson.hpp"

namespace warpwise::course {

namespace {

constexpr std::string_view script = "./warpwise ", programs = "build/";

/// Without the blanks at their ends.
text::Lines lines_of(std::string_view text) {
  text::Lines lines = text::lines_of(text);
  for (std::string& line : lines) line.erase(line.find_last_not_of(' ') + 1);
  return lines;
}

bool has_placeholder(const std::string& command) {
  static const std::regex capitals(R"([\s\[][A-Z]{2,}|\.\.\.|…)");
  return std::regex_search(command, capitals);
}

/// Without what explains it on the same line.
std::string without_remark(std::string_view line) {
  std::string command(line.substr(0, std::min({line.find("  "), line.find(" #"), line.size()})));
  command.erase(command.find_last_not_of(' ') + 1);
  return command;
}

void take_code(const Block& block, std::vector<NamedCommand>& commands) {
  std::size_t number = block.line;
  bool shows_output = false;
  for (const std::string& line : lines_of(block.text)) {
    ++number;
    const bool is_prompt = line.starts_with("$ ");
    const std::string_view text = std::string_view(line).substr(is_prompt ? 2 : 0);
    if (text.starts_with(script) || (is_prompt && text.starts_with(programs)))
      commands.push_back({number, without_remark(text), {}});
    else if (is_prompt)
      throw std::runtime_error("line " + std::to_string(number) + ": `" + std::string(text) +
                               "` begins with neither ./warpwise nor build/, and no test runs it");
    else if (shows_output)
      commands.back().output += line + '\n';
    shows_output = is_prompt || shows_output;
  }
}

void take_prose(const Block& block, std::vector<NamedCommand>& commands) {
  static const std::regex span("`(\\./warpwise [^`]+)`");
  for (std::sregex_iterator at(block.text.begin(), block.text.end(), span), end; at != end; ++at) {
    std::string text = (*at)[1];
    std::replace(text.begin(), text.end(), '\n', ' ');
    commands.push_back({block.line, without_remark(text), {}});
  }
}

}  // namespace

std::vector<NamedCommand> commands_in(std::string_view page) {
  std::vector<NamedCommand> commands;
  bool needs_gpu = false;
  for (const Block& block : read_page(page)) {
    if (block.kind != BlockKind::code)
      take_prose(block, commands);
    else if (!needs_gpu)
      take_code(block, commands);
    needs_gpu = block.kind == BlockKind::comment && block.text == "<!-- needs a GPU -->";
  }
  std::erase_if(commands, [](const NamedCommand& command) { return has_placeholder(command.command); });
  return commands;
}

bool shows(std::string_view shown, std::string_view printed) {
  const std::vector<std::string> wanted = lines_of(shown), given = lines_of(printed);
  auto at = given.begin();
  bool may_skip = false;
  for (auto part = wanted.begin(); part != wanted.end();) {
    if (*part == "...") {
      may_skip = true;
      ++part;
      continue;
    }
    const auto end = std::find(part, wanted.end(), "...");
    const auto found = std::search(at, given.end(), part, end);
    if (found == given.end() || (!may_skip && found != at)) return false;
    at = found + (end - part);
    part = end;
    may_skip = false;
  }
  return may_skip || at == given.end();
}

std::string without_numbers(const std::string& text) {
  static const std::regex number("[0-9]+([.][0-9]+)?"), spaces(" +");
  return std::regex_replace(std::regex_replace(text, number, "#"), spaces, " ");
}

std::string harmless(const std::string& command) {
  if (command.starts_with(programs)) return command;
  const std::string word = command.substr(script.size(), command.find(' ', script.size()) - script.size());
  for (const char* reads : {"run", "show", "exec", "list", "solution"})
    if (word == reads) return command;
  return std::string(script) + word + " --help";
}

bool is_compiled(const std::string& command) {
  return command.starts_with(programs) || command.starts_with("./warpwise exec ");
}

std::string fault_of(const NamedCommand& command, const process::Result& output, Figures figures) {
  const std::string place = "line " + std::to_string(command.line) + ": " + command.command;
  if (output.status != 0 && output.status != 1 && output.status != 3)
    return place + " ends with " + std::to_string(output.status) + ":\n" + output.output;
  const bool agrees = figures == Figures::as_shown
                          ? shows(command.output, output.output)
                          : shows(without_numbers(command.output), without_numbers(output.output));
  if (command.output.empty() || agrees) return {};
  return place + " is shown with other output than it has:\n" + output.output;
}

std::size_t check_commands(std::string_view page,
                           const std::function<process::Result(const std::string& command)>& run,
                           Figures figures, Which which) {
  std::map<std::string, process::Result> outputs;
  std::string faults;
  std::vector<NamedCommand> commands = commands_in(page);
  std::erase_if(commands, [&](const NamedCommand& command) {
    return is_compiled(command.command) != (which == Which::compiled);
  });
  for (const NamedCommand& command : commands) {
    const std::string line = harmless(command.command);
    const auto known = outputs.find(line);
    const process::Result& output =
        known != outputs.end() ? known->second : outputs.emplace(line, run(line)).first->second;
    faults += fault_of(command, output, figures);
  }
  if (!faults.empty()) throw std::runtime_error(faults);
  return commands.size();
}

namespace {

constexpr std::string_view mends_start = "<!-- mends: ", mends_end = " -->";

bool is_mending(const Block& block) {
  return block.kind == BlockKind::comment && block.text.starts_with(mends_start);
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
      throw text::error_at(path, block.line, "no ```diff block is below the comment");
    if (!is_difference(block)) continue;
    if (!is_below) throw text::error_at(path, block.line, "no `<!-- mends: FILE -->` is above the block");
    const std::string& comment = blocks[i - 1].text;
    const std::string file =
        comment.substr(mends_start.size(), comment.size() - mends_start.size() - mends_end.size());
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
                       const std::function<process::Result(const std::string& command)>& run,
                       Figures figures) {
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
