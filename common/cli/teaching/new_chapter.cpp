// new-chapter: a chapter to be filled in, and what one lacks.

#include <iostream>
#include <optional>
#include <stdexcept>

#include "../../course/new_chapter/chapter_template.hpp"
#include "../build.hpp"
#include "../clone.hpp"
#include "../commands.hpp"

namespace warpwise::cli {
namespace {

struct NewChapterOptions {
  std::string name;
  bool only_checks = false;  ///< of one that there is
};

int check_chapter(const std::string& name) {
  const ChapterFolder chapter = chapter_named(name, text::find_chapters(root_folder(), build_folder()));
  const BuildResult built = build_targets({chapter.name});
  std::optional<report::Report> declared;
  if (built.is_built) declared = declared_by(chapter);
  std::vector<std::string> lacking = course::what_it_lacks(chapter, declared ? &*declared : nullptr);
  if (!built.is_built)
    lacking.push_back("Nothing is known of its checks, because their program does not build:\n" +
                      built.messages);
  for (const std::string& sentence : lacking) std::cout << sentence << '\n';
  if (!lacking.empty()) return failed;
  std::cout << chapter.name
            << " has everything that a chapter needs. To see whether it is right: ./warpwise test -- -L "
            << chapter.name << '\n';
  return all_well;
}

int make_new_chapter(const std::string& name) {
  try {
    const course::NewChapter chapter = course::name_chapter(name, root_folder());
    course::make_chapter(chapter, root_folder());
    const std::string number = report::short_name(chapter.name);
    std::cout
        << chapter.name << "/ has one kernel, " << chapter.kernel
        << ", and everything that a kernel needs; CMakeLists.txt lists it.\n"
           "Replace everything that says TEMPLATE (docs/instructors.md, \"Changing the course\"). Then:\n"
           "  ./warpwise run "
        << number << " --solution       # does the solution pass?\n"
        << "  ./warpwise test -- -L " << chapter.name << "\n"
        << "  ./warpwise new-chapter --check " << number << "   # what does it still lack?\n";
    return all_well;
  } catch (const std::invalid_argument& error) {
    throw Failure(error.what(), wrong_usage);
  }
}

/// Makes a chapter of that name, to be filled in; or, of one that there is, says what it lacks (exit status 1
/// if anything).
int new_chapter(const NewChapterOptions& options) {
  return options.only_checks ? check_chapter(options.name) : make_new_chapter(options.name);
}

void add_arguments(Arguments& arguments, NewChapterOptions& options) {
  arguments.option("name", options.name, "stencil, or ch08_stencil").required();
  arguments.flag("--check", options.only_checks, "make nothing, but say what this chapter still lacks");
}

const RegisterCommand new_chapter_command("new-chapter",
                                          with_options<NewChapterOptions>(add_arguments, new_chapter));

}  // namespace
}  // namespace warpwise::cli
