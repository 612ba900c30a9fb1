#include "command_line.hpp"

#include <algorithm>
#include <utility>

#include "../print/terminal.hpp"
#include "failure.hpp"
#include "suggestion.hpp"

namespace warpwise::cli {
namespace {

/// The help of commands in lines of 80 columns.
class NarrowFormatter : public CLI::Formatter {
 public:
  NarrowFormatter() { narrow(*this); }
  std::string make_option_desc(const CLI::Option* option) const override {
    return print::wrapped_text(CLI::Formatter::make_option_desc(option), 0, 0, 80 - get_column_width());
  }

 private:
  /// From 2.5 on CLI11 breaks lines by itself, at 95 columns.
  template <class Formatter>
  static void narrow(Formatter& formatter) {
    if constexpr (requires { formatter.right_column_width(50); })
      formatter.right_column_width(80 - formatter.get_column_width());
  }
};

}  // namespace

CommandLine::CommandLine(Words words) : words_(std::move(words)) {
  app_.require_subcommand(1);
  app_.formatter(std::make_shared<NarrowFormatter>());
}

void CommandLine::add(const char* name, const char* purpose, int (*command)()) {
  app_.add_subcommand(name, purpose)->callback([this, command] { chosen_ = command; });
}

void CommandLine::add(const char* name, const char* purpose, const char* footer,
                      std::function<int(const Words&)> command) {
  CLI::App* reader = app_.add_subcommand(name, purpose)->prefix_command();
  reader->footer(footer);
  reader->callback([this, reader, command = std::move(command)] {
    chosen_ = [reader, command] { return command(reader->remaining()); };
  });
}

void CommandLine::add_foreign(const char* name, const char* purpose, std::function<int()> command) {
  app_.add_subcommand(name, purpose)->prefix_command()->callback([this, command] { chosen_ = command; });
  foreign_[name] = std::move(command);
}

/// Unknown commands are kept apart from wrong options, so that the nearest command can be named.
void CommandLine::expect_known_command() const {
  if (words_.empty() || words_[0].starts_with('-')) return;
  Words names;
  for (const CLI::App* command : app_.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  names.emplace_back("doctor");  // the script's own
  if (std::find(names.begin(), names.end(), words_[0]) == names.end())
    throw Failure("there is no command '" + words_[0] + "'" + suggestion(words_[0], names), wrong_usage);
}

/// "; did you mean --lines?", where one of the words is nearly an option of the command; else empty.
std::string CommandLine::meant_option() const {
  const auto commands = app_.get_subcommands();
  if (commands.empty()) return {};
  Words names;
  for (const CLI::Option* option : commands.front()->get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  for (const std::string& word : words_) {
    const std::string option = word.substr(0, word.find('='));
    const bool is_known = std::find(names.begin(), names.end(), option) != names.end();
    if (!option.starts_with("--") || is_known) continue;
    if (const std::string near = nearest(option, names); !near.empty()) return "; did you mean " + near + "?";
  }
  return {};
}

int CommandLine::run() {
  expect_known_command();
  if (const auto foreign = foreign_.find(words_.empty() ? "" : words_[0]); foreign != foreign_.end())
    return foreign->second();
  try {
    app_.parse(Words(words_.rbegin(), words_.rend()));  // CLI11 takes a vector from its end
  } catch (const CLI::Success& asked_for_help) {
    return app_.exit(asked_for_help);
  } catch (const CLI::ParseError& error) {
    const bool names_command = !words_.empty() && !words_[0].starts_with('-');
    throw Failure(error.what() + meant_option() + " (see ./warpwise " +
                      (names_command ? words_[0] + " " : "") + "--help)",
                  wrong_usage);
  }
  return chosen_();
}

}  // namespace warpwise::cli
