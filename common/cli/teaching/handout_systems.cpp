#include "handout.hpp"

#include "../clone.hpp"
#include "../failure.hpp"
#include "../process.hpp"

#include "../../grade/copies.hpp"
#include "../../text/files.hpp"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

/// Copies `from` to `to`, with `value` for each `@NAME@`.
struct Value {
  std::string name, value;
};
void fill_in(const fs::path& from, const fs::path& to, const std::vector<Value>& values) {
  fs::create_directories(to.parent_path());
  fs::copy_file(from, to);  // and its permissions
  std::string text = read_text(from);
  for (const auto& [name, value] : values)
    for (std::size_t at = text.find("@" + name + "@"); at != text.npos; at = text.find("@" + name + "@"))
      text.replace(at, name.size() + 2, value);
  text::write_text(to, text);
}

/// OWNER/NAME of git@github.com:OWNER/NAME.git and https://github.com/OWNER/NAME; empty for another address.
std::string github_name(std::string address) {
  while (address.ends_with('\n') || address.ends_with('/')) address.pop_back();
  if (address.ends_with(".git")) address.resize(address.size() - 4);
  const std::size_t host = address.find("github.com");
  return host == address.npos ? "" : address.substr(host + std::string_view("github.com/").size());
}

fs::path templates(const course::CourseFiles& course) { return course.folder / "common/course/handout"; }

}  // namespace

course::SolutionLines write_grader(const course::CourseFiles& course, const course::HandoutPlan& plan,
                                   const fs::path& files) {
  course::SolutionLines held_back = write_handout(course, plan, course::Purpose::autograder, files);
  fs::remove(files / course::handout_plan_file);  // it is the instructor's
  for (const std::string& chapter : plan.chapters) {
    const fs::path solution = fs::path(chapter) / "solution.cu";  // as handed in here, and the course's own
    const ProcessResult own =
        capture_process({"git", "show", plan.commit + ":" + solution.string()}, root_folder(), false);
    const grade::PublicWork work = grade::public_work_of(
        {text::Source(read_text(course.folder / solution)), text::Source(own.status == 0 ? own.output : "")},
        {Chapter(chapter, files / chapter), files, fs::path()});
    text::write_text(files / chapter / grade::PublicWork::file, grade::spelled(work));
  }
  return held_back;
}

void make_autograder(const course::CourseFiles& course, const course::HandoutPlan& plan,
                     const std::string& chapter, const std::string& points, const WorkFolder& work,
                     const fs::path& folder) {
  const fs::path files = work.path() / ("autograder-" + chapter);
  course::HandoutPlan alone = plan;
  alone.chapters = {chapter};
  const course::SolutionLines held_back = write_grader(course, alone, files / "course");
  for (const char* name : {"setup.sh", "run_autograder"})
    fill_in(templates(course) / "gradescope" / name, files / name, {{"CHAPTER", chapter}});
  if (!points.empty()) fs::copy_file(points, files / "points.json");  // read_points() has been through it
  make_repository(files, "An autograder for " + chapter);
  expect_no_leak(files, held_back);
  git(files, {"archive", "--format=zip", "--output=" + (folder / (chapter + ".zip")).string(), "HEAD"});
}

void add_workflow(const course::CourseFiles& course, const course::HandoutPlan& plan,
                  const std::string& repository, const fs::path& files) {
  std::string name = repository;
  if (name.empty()) {
    const ProcessResult url = try_git(root_folder(), {"remote", "get-url", "origin"});
    if (url.status == 0) name = github_name(url.output);
  }
  if (name.empty())
    throw Failure(
        "name the course's repository on GitHub, from which the workflow takes the checks: --checks-from "
        "OWNER/NAME",
        wrong_usage);
  std::string chapters;
  for (const std::string& chapter : plan.chapters) chapters += (chapters.empty() ? "" : ",") + chapter;
  fill_in(templates(course) / "github/grade.yml", files / ".github/workflows/grade.yml",
          {{"COURSE", name}, {"COMMIT", plan.commit}, {"CHAPTERS", chapters}});
}

}  // namespace warpwise::cli
