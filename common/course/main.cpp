// The course's own tool, for its build and its tests: see usage() below.
#include <exception>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "../text/files.hpp"
#include "../text/kernel_page.hpp"
#include "lesson.hpp"
#include "page_commands.hpp"
#include "variant.hpp"

namespace {

namespace fs = std::filesystem;
using namespace warpwise;
using text::read_text;
using Arguments = std::vector<std::string>;

constexpr const char* usage = R"(usage:
  warpwise_course implementations SOLUTION.cu FOLDER PAGE.md...   writes FOLDER/attempts/NAME.cu and
       FOLDER/accepted/NAME.cu, the whole file of each implementation on the pages (common/text/kernel_page.hpp)
  warpwise_course apply SOLUTION.cu PAGE.md...             the same, writing nothing: does every one apply?
  warpwise_course accepts CHAPTER FILE.ptx...              does this executable accept them, as their .cu files say?
  warpwise_course variant CHAPTER PAGE.md FOLDER           a copy of the chapter's sources, changed as the page says
  warpwise_course variants CHAPTER                         the same for each of its pages, writing nothing that stays
  warpwise_course frames EXERCISE.cu SOLUTION.cu           do they differ only inside the bodies of functions?
  warpwise_course lesson PAGE.md...                        is the code they show that of the sources?
  warpwise_course output PROGRAM PAGE.md...                does one of them show what PROGRAM prints?
  warpwise_course prose PAGE.md...                         do they read as docs/style.md asks? lead the links somewhere?
  warpwise_course columns PAGE.md...                       can they be read in a terminal of 80 columns?
  warpwise_course commands HOW WHICH WARPWISE BUILD PAGE.md...   do the commands they name run, and print what is shown?
       HOW: check; words (of another compiler: the figures may differ, and nothing else). WHICH: quick; compiled (`exec`, build/...)
  warpwise_course walk HOW WARPWISE PAGE.md PROGRAMS COPY  the same as the reader does it, who copies the folder PROGRAMS
       to COPY and changes what lies there as the page says, step by step
  warpwise_course pictures HOW WARPWISE FOLDER             are the pictures of its pages those of runs as they are now?
       HOW: check; draw (of another compiler: can they be drawn at all?); renew (writes those that are stale or missing)
)";

/// Runs `$0 LINE` as a shell takes the line: `words` are the shell's own $0, $1 ..., whatever they hold. How
/// a build went on belongs to no page.
process::Result run_in_shell(std::vector<std::string> words, const std::string& line,
                             const fs::path& folder = {}) {
  std::vector<std::string> command = {"sh", "-c", "WARPWISE_PROGRESS=no \"$0\"" + line};
  command.insert(command.end(), words.begin(), words.end());
  return process::run({command, folder, process::Keeps::output});
}

/// Leaves a file that holds `text` already as it is, so that what is made from it is not made again.
void write_text(const fs::path& path, const std::string& text) {
  if (!fs::exists(path) || read_text(path) != text) text::write_text(path, text);
}

/// Makes the whole file of every implementation on the pages, and says of each that does not apply why.
void make_implementations(
    const std::string& solution_file, const Arguments& pages,
    const std::function<void(const text::Implementation& implementation, const std::string& text)>& take) {
  const text::Source solution(read_text(solution_file));
  std::string problems;
  for (const std::string& page : pages) {
    for (const text::Implementation& implementation : text::implementations_on_page(read_text(page), page)) {
      try {
        take(implementation, text::whole_file(implementation, solution));
      } catch (const text::PageError& error) {
        problems += error.what() + std::string("\n");
      }
    }
  }
  if (!problems.empty()) throw std::runtime_error(problems.substr(0, problems.size() - 1));
}

void implementations(const Arguments& arguments) {
  const fs::path folder = arguments.at(1);
  make_implementations(arguments.at(0), Arguments(arguments.begin() + 2, arguments.end()),
                       [&](const text::Implementation& implementation, const std::string& text) {
                         const fs::path kind = folder / (implementation.is_right() ? "accepted" : "attempts");
                         fs::create_directories(kind);
                         write_text(kind / (implementation.name + ".cu"), text);
                       });
}

void apply(const Arguments& arguments) {
  std::size_t count = 0;
  make_implementations(arguments.at(0), Arguments(arguments.begin() + 1, arguments.end()),
                       [&](const text::Implementation&, const std::string&) { ++count; });
  std::cout << count << " differences apply to " << arguments.at(0) << '\n';
}

/// Each module is judged by itself, and each of its kernels: one that is rejected must not hide the next.
void accepts(const Arguments& arguments) {
  std::string rejected;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const fs::path module = arguments.at(i), source = fs::path(module).replace_extension(".cu");
    const std::vector<std::string> kernels = text::accepted_kernels(read_text(source));
    if (kernels.empty())
      throw std::runtime_error(source.string() + ":1: does not say '// accepted: KERNEL: why'");
    for (const std::string& kernel : kernels) {
      const process::Result result =
          process::run({.words = {arguments.at(0), module.string(), "--device", "sim", "--kernel", kernel},
                        .keeps = process::Keeps::all});
      const std::string name = module.stem().string() + (kernels.size() == 1 ? "" : ": " + kernel);
      std::cout << name
                << (result.status == 0 ? ": accepted\n" : ": rejected, and is right:\n" + result.output);
      if (result.status != 0) rejected += (rejected.empty() ? "" : ", ") + name;
    }
  }
  if (!rejected.empty()) throw std::runtime_error("rejected, though right: " + rejected);
}

/// A copy of `chapter` in `folder`, and the public solution once for each kernel that the variant changes,
/// with the line that says how it is rejected.
void make_variant(const fs::path& chapter, const fs::path& page_path, const fs::path& folder) {
  const course::VariantPage page = course::read_variant(page_path);
  fs::create_directories(folder / "public");
  for (const auto& entry : fs::directory_iterator(chapter)) {
    const std::string name = entry.path().filename().string();
    if (name == "variants") continue;  // they are the public task's
    fs::copy(entry.path(), folder / name, fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  }
  course::apply_variant(page, folder);
  for (const course::ChangedKernel& changed : page.kernels)
    write_text(folder / "public" / (changed.kernel + ".cu"), "// rejected by: " + changed.kernel + ": " +
                                                                 changed.rejected_by + '\n' +
                                                                 read_text(chapter / "solution.cu"));
}

void variant(const Arguments& arguments) { make_variant(arguments.at(0), arguments.at(1), arguments.at(2)); }

/// Says of every page that does not apply why.
void variants(const Arguments& arguments) {
  std::string problems;
  std::size_t count = 0;
  for (const fs::path& page : course::variants_of(arguments.at(0))) {
    const text::TemporaryFolder folder;
    try {
      make_variant(arguments.at(0), page, folder.path());
      ++count;
    } catch (const std::exception& error) {
      problems += error.what() + std::string("\n");
    }
  }
  if (!problems.empty()) throw std::runtime_error(problems.substr(0, problems.size() - 1));
  std::cout << count << " variants apply to " << arguments.at(0) << '\n';
}

void frames(const Arguments& arguments) {
  const std::string& exercise = arguments.at(0);
  const auto committed = [&] {
    return run_in_shell({"git", fs::path(exercise).filename().string()}, " show \"HEAD:./$1\" 2>/dev/null")
        .output;
  };
  std::cout << course::compare_frames(text::Source(read_text(exercise)),
                                      text::Source(read_text(arguments.at(1))), committed)
            << '\n';
}

/// Of a file beside the page.
std::string read_beside(const std::string& page, const std::string& file) {
  return read_text((fs::path(page).parent_path() / file).string());
}

void lesson(const Arguments& arguments) {
  for (const std::string& page : arguments) {
    const std::size_t blocks = course::check_lesson(
        read_text(page), [&](const std::string& file) { return read_beside(page, file); });
    std::cout << page << ": " << blocks << " blocks of code agree with their sources\n";
  }
}

void output(const Arguments& arguments) {
  const process::Result result = process::run({.words = {arguments.at(0)}, .keeps = process::Keeps::output});
  std::string pages;
  for (std::size_t i = 1; i < arguments.size(); ++i) pages += read_text(arguments.at(i));
  course::check_output(pages, arguments.at(0), result);
  std::cout << "the lesson shows what " << arguments.at(0) << " prints\n";
}

void prose(const Arguments& arguments) {
  std::string breaches;
  for (const std::string& page : arguments) {
    const std::string text = read_text(page);
    std::vector<course::Breach> found = course::check_prose(text);
    const auto beside = [&](const std::string& file) {
      const bool is_folder = fs::is_directory(fs::path(page).parent_path() / file);
      return is_folder ? std::string() : read_beside(page, file);
    };
    for (course::Breach& breach : course::check_links(text, beside)) found.push_back(std::move(breach));
    const fs::path asked = fs::path(page).parent_path() / "lesson" / "predict.md";
    if (fs::exists(asked))
      for (course::Breach& breach :
           course::check_predictions(text, text::parse_predictions(read_text(asked), asked.string())))
        found.push_back(std::move(breach));
    for (const course::Breach& breach : found)
      breaches += page + ":" + std::to_string(breach.line) + ": " + breach.what + "\n";
  }
  if (!breaches.empty()) throw std::runtime_error(breaches.substr(0, breaches.size() - 1));
  std::cout << arguments.size() << " pages read as they should\n";
}

void columns(const Arguments& arguments) {
  std::string breaches;
  for (const std::string& page : arguments)
    for (const course::Breach& breach : course::check_columns(read_text(page)))
      breaches += page + ":" + std::to_string(breach.line) + ": " + breach.what + "\n";
  if (!breaches.empty()) throw std::runtime_error(breaches.substr(0, breaches.size() - 1));
}

course::Figures figures_named(const std::string& how) {
  if (how != "check" && how != "words") throw std::runtime_error("check or words, not '" + how + "'");
  return how == "check" ? course::Figures::as_shown : course::Figures::any;
}

void commands_of_pages(const Arguments& arguments) {
  const course::Figures figures = figures_named(arguments.at(0));
  const std::string& which = arguments.at(1);
  if (which != "quick" && which != "compiled")
    throw std::runtime_error("quick or compiled, not '" + which + "'");
  // `./warpwise` and `build/` are where the arguments say. What goes to standard error belongs to no output,
  // but for findings of `exec`.
  const auto run = [&](const std::string& command) {
    const bool is_program = command.starts_with("build/");
    const std::string& place = arguments.at(is_program ? 3 : 2);
    const std::string rest = command.substr(command.find(is_program ? '/' : ' '));
    const bool has_findings = command.starts_with("./warpwise exec ");
    return run_in_shell({place}, has_findings ? rest + " 2>&1" : rest);
  };
  std::size_t count = 0;
  for (std::size_t i = 4; i < arguments.size(); ++i)
    count += course::check_commands(read_text(arguments.at(i)), run, figures,
                                    which == "quick" ? course::Which::quick : course::Which::compiled);
  if (count == 0) throw std::runtime_error("these pages name no command of that kind");
  std::cout << count << " commands run, and print what the pages show\n";
}

/// In a copy of the programs, whose folder the page calls `copy`: the reader changes them on the way.
void walk(const Arguments& arguments) {
  const std::string &warpwise = arguments.at(1), &page = arguments.at(2);
  const fs::path programs = arguments.at(3), copy = arguments.at(4);
  const course::Figures figures = figures_named(arguments.at(0));
  const text::TemporaryFolder folder;
  fs::copy(programs, folder.path() / copy, fs::copy_options::recursive);
  const auto run = [&](const std::string& command) {
    return run_in_shell({fs::absolute(warpwise).string()}, command.substr(command.find(' ')) + " 2>&1",
                        folder.path());
  };
  const std::size_t steps = course::check_walk(read_text(page), page, folder.path(), run, figures);
  std::cout << page << ": " << steps << " steps lead where it says\n";
}

/// What the folder's pages show, and what else lies where its pictures do; by file.
std::map<std::string, std::string> commands_of_pictures(const fs::path& folder) {
  std::map<std::string, std::string> commands;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".md") continue;
    try {
      for (const course::Picture& picture : course::pictures_in(read_text(entry.path())))
        commands[picture.file] = picture.command;
    } catch (const std::runtime_error& error) {
      throw std::runtime_error(entry.path().string() + ": " + error.what());
    }
  }
  for (const std::string_view pictures : course::picture_folders) {
    if (!fs::exists(folder / pictures)) continue;
    for (const auto& entry : fs::directory_iterator(folder / pictures))
      if (entry.path().extension() == ".svg")
        commands.try_emplace(std::string(pictures) + entry.path().filename().string(),
                             course::command_in(read_text(entry.path())));
  }
  return commands;
}

/// The picture as its run draws it now.
std::string drawn(const std::string& warpwise, const std::string& command) {
  const text::TemporaryFolder folder;
  const fs::path file = folder.path() / "picture.svg";
  const process::Result result =
      run_in_shell({warpwise, file.string()}, " " + command + " --output \"$1\" 2>&1");
  const bool has_findings =
      result.status == 3 && command.starts_with("exec ");  // a wrong program is drawn, too
  if (result.status != 0 && !has_findings)
    throw std::runtime_error("./warpwise " + command + "\n" + result.output);
  return read_text(file);
}

void pictures(const Arguments& arguments) {
  const std::string &how = arguments.at(0), &warpwise = arguments.at(1);
  const fs::path folder = arguments.at(2);
  constexpr std::size_t most_bytes = 60'000;
  const auto commands = commands_of_pictures(folder);
  std::string problems;
  for (const auto& [name, command] : commands) {
    const fs::path file = folder / name;
    const std::string now = drawn(warpwise, command);
    const bool is_fresh = fs::exists(file) && read_text(file) == now;
    if (now.size() > most_bytes)
      problems += file.string() + " has " + std::to_string(now.size()) + " bytes, more than 60 kB\n";
    if (is_fresh || how == "draw") continue;
    if (how == "renew") {
      fs::create_directories(file.parent_path());
      write_text(file, now);
      std::cout << file.string() << " is drawn\n";
    } else {
      problems +=
          file.string() + (fs::exists(file) ? " is stale" : " is missing") + ": ./warpwise " + command + "\n";
    }
  }
  if (!problems.empty()) throw std::runtime_error(problems + "renew pictures with: .ci/pictures");
  std::cout << commands.size() << " pictures\n";
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, std::pair<void (*)(const Arguments&), std::size_t>> commands = {
      {"implementations", {implementations, 2}},
      {"apply", {apply, 1}},
      {"accepts", {accepts, 2}},
      {"variant", {variant, 3}},
      {"variants", {variants, 1}},
      {"frames", {frames, 2}},
      {"lesson", {lesson, 1}},
      {"output", {output, 2}},
      {"prose", {prose, 1}},
      {"columns", {columns, 1}},
      {"commands", {commands_of_pages, 5}},
      {"pictures", {pictures, 3}},
      {"walk", {walk, 5}}};
  const Arguments arguments(argv + 1, argv + argc);
  const auto found = arguments.empty() ? commands.end() : commands.find(arguments[0]);
  if (found == commands.end() || arguments.size() <= found->second.second) {
    std::cerr << usage;
    return 2;
  }
  try {
    found->second.first(Arguments(arguments.begin() + 1, arguments.end()));
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
