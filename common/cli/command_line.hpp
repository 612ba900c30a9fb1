#pragma once
/// \file The words behind ./warpwise: which command they name, and what it is told.

#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "main_program.hpp"

namespace warpwise::cli {

/// A program's commands, and which of them was given.
class CommandLine {
 public:
  explicit CommandLine(Words words);

  /// Returns the options that the command will be called with: its line is read into them.
  template <class Options>
  Options& add(const char* name, const char* purpose, int (*command)(const Options&)) {
    const auto options = std::make_shared<Options>();
    CLI::App& reader = *app_.add_subcommand(name, purpose);
    add_arguments(reader, *options);
    reader.callback([this, command, options] { chosen_ = [=] { return command(*options); }; });
    return *options;
  }
  /// One that is told nothing.
  void add(const char* name, const char* purpose, int (*command)());
  /// One that reads its own words; `footer` is its help.
  void add(const char* name, const char* purpose, const char* footer,
           std::function<int(const Words&)> command);
  /// One that is known, and that no words are read for: `command` is called as soon as it is named.
  void add_foreign(const char* name, const char* purpose, std::function<int()> command);

  /// Reads the words and calls the command. Throws Failure, a sentence, where they name none or are wrong.
  int run();

 private:
  void expect_known_command() const;
  std::string meant_option() const;

  CLI::App app_{"Warpwise: learn parallel reduction in CUDA C++, with or without a GPU.", "./warpwise"};
  Words words_;
  std::function<int()> chosen_;  ///< the command, called once the whole line has been read
  std::map<std::string, std::function<int()>> foreign_;
};

}  // namespace warpwise::cli
