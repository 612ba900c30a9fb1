// One file of a submission: compiled and judged in the sandbox, and what it earns.
#include "judge.hpp"

#include <algorithm>
#include <cctype>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "../report/json.hpp"
#include "../text/files.hpp"
#include "similarity.hpp"
#include "untrusted.hpp"

namespace warpwise::grade {
namespace {

namespace fs = std::filesystem;
using Kind = JudgedFile::Kind;

/// The folders of one submission, filled: /course with the file and what it may include, /out, /tmp.
class Workspace {
 public:
  Workspace(const Assignment& assignment, const std::string& source) : chapter_(assignment.name()) {
    for (const fs::path& folder : {folders_.course / chapter_, folders_.out, folders_.tmp})
      fs::create_directories(folder);
    for (const Header& header : assignment.headers()) {
      fs::create_directories((folders_.course / header.name).parent_path());
      write(folders_.course / header.name, header.text);
    }
    write(this->source(), source);
  }
  const SandboxFolders& folders() const { return folders_; }
  fs::path source() const { return folders_.course / name(); }
  fs::path module() const { return folders_.out / "exercise.ptx"; }
  fs::path report() const { return folders_.out / "report.json"; }
  /// As a student knows it: ch01_naive/exercise.cu.
  fs::path name() const { return fs::path(chapter_) / "exercise.cu"; }

 private:
  static void write(const fs::path& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary);
    if (!(file << text << std::flush)) throw GraderFailure("cannot write " + path.string() + ".");
  }

  text::TemporaryFolder folder_;
  SandboxFolders folders_{folder_.path() / "course", folder_.path() / "out", folder_.path() / "tmp"};
  const std::string chapter_;
};

std::vector<std::string> compile_command(const Workspace& workspace, const Grading& grading) {
  const auto on = [&](const fs::path& path) { return grading.sandbox.on(workspace.folders(), path); };
  return {grading.course.compiler.string(), "-I" + on(workspace.folders().course), "-o",
          on(workspace.module()), workspace.name().string()};
}

std::vector<std::string> judge_command(const Assignment& assignment, const Workspace& workspace,
                                       const Grading& grading, const std::string& kernel) {
  const auto on = [&](const fs::path& path) { return grading.sandbox.on(workspace.folders(), path); };
  std::vector<std::string> command = {assignment.chapter.executable().string(),
                                      on(workspace.module()),
                                      "--device",
                                      "sim",
                                      "--threads",
                                      "1",  // the same findings every time
                                      "--quiet",
                                      "--budget",
                                      std::to_string(grading.kernel_budget),
                                      "--report",
                                      on(workspace.report())};
  if (grading.points.seed != 0)
    command.insert(command.end(), {"--seed", std::to_string(grading.points.seed)});
  if (!kernel.empty()) command.insert(command.end(), {"--kernel", kernel});
  return command;
}

/// Messages about other files than the submission's own, or the course's, are none of the student's business:
/// what a file says that it includes stands in them.
std::string own_messages(const std::string& messages, const std::string& chapter) {
  std::string own, line;
  bool is_own = false;
  for (std::size_t at = 0; at < messages.size(); at += line.size()) {
    const std::size_t end = messages.find('\n', at);
    line = messages.substr(at, end == messages.npos ? end : end - at + 1);
    const std::size_t place = line.find_first_of("(: ");
    const bool names_file = place != line.npos && line.find_first_not_of(' ') == 0 &&
                            (line.find("): ") != line.npos || line[place] == ':');
    if (names_file) is_own = line.starts_with(chapter + "/") || line.starts_with("nvcc error");
    if (is_own) own += line;
  }
  return own;
}

/// The signal that ended one of nvcc's programs, of which nvcc's own status says nothing; 0: none did.
int signal_of_part(const std::string& messages) {
  constexpr std::string_view words = "died due to signal ";
  const std::size_t at = messages.find(words);
  return at == messages.npos ? 0 : std::atoi(messages.c_str() + at + words.size());
}

/// Whether a compiler's messages tell of the machine. A submission can make them say so: then it is tried
/// again.
bool tell_of_machine(const std::string& messages) {
  constexpr std::string_view words[] = {"No space left on device",
                                        "Disk quota exceeded",
                                        "Input/output error",
                                        "Read-only file system",
                                        "Killed",
                                        "Cannot allocate memory",
                                        "out of memory",
                                        "memory exhausted",
                                        "Resource temporarily unavailable"};
  return std::any_of(std::begin(words), std::end(words),
                     [&](std::string_view each) { return messages.find(each) != messages.npos; });
}

bool is_own_limit(int signal) { return signal == SIGXCPU || signal == SIGXFSZ; }

/// Throws GraderFailure unless it is certain that the submission is to blame for `problem`.
void expect_settled(const std::string& problem, const Grading& grading, OnDoubt on_doubt) {
  if (on_doubt == OnDoubt::try_again) throw GraderFailure(problem);
  if (!compiler_problem(grading).empty())
    throw GraderFailure(problem + " A contract of the course by itself does not compile either.");
}

/// Throws where a compiler or a judge was killed by somebody else: of a submission's limits, only the one by
/// the clock kills (process::Result::is_stopped).
void expect_not_killed(const char* who, int signal, bool is_stopped) {
  if (signal == SIGKILL && !is_stopped)
    throw GraderFailure(std::string(who) +
                        " was killed (signal 9), as the system does when memory runs out.");
}

JudgedFile unusable(std::string problem) {
  JudgedFile judged;
  judged.kind = Kind::unusable;
  judged.problem = std::move(problem);
  return judged;
}

/// Compiles; what became of the file, if there is nothing to judge then.
std::optional<JudgedFile> compile(const Assignment& assignment, const Workspace& workspace,
                                  const Grading& grading, OnDoubt on_doubt) {
  const process::Result result = run_confined(
      grading.sandbox.around(compile_command(workspace, grading), workspace.folders()), grading.limits);
  const int signal_inside = signal_of_part(result.output);
  expect_not_killed("the compiler", result.signal, result.is_stopped);
  expect_not_killed("a part of the compiler", signal_inside, result.is_stopped);
  if (const std::string why = result.why_ended(grading.limits); !why.empty()) {
    JudgedFile judged = unusable("the compiler was stopped: " + why + ".");
    if (!result.is_stopped && !is_own_limit(result.signal)) expect_settled(judged.problem, grading, on_doubt);
    return judged;
  }
  if (signal_inside != 0) {
    JudgedFile judged =
        unusable("the compiler was stopped by a limit (" + std::to_string(grading.limits.seconds) + " s, " +
                 std::to_string(grading.limits.memory_mib) + " MiB of memory, files of " +
                 std::to_string(grading.limits.file_mib) + " MiB), or ended by itself.");
    if (!is_own_limit(signal_inside)) expect_settled(judged.problem, grading, on_doubt);
    return judged;
  }
  if (result.status != 0) {
    const std::string own = own_messages(result.output, assignment.name());
    if (own.find("error") == own.npos || tell_of_machine(result.output))
      expect_settled("the compiler failed, and names no error in the submission: " +
                         visible_line(at_most(400, result.output)),
                     grading, on_doubt);
    JudgedFile judged;
    judged.kind = Kind::does_not_compile;
    judged.messages = at_most(8 * 1024, visible(own));
    if (judged.messages.empty()) judged.messages = "What the compiler says is about other files.\n";
    return judged;
  }
  if (!fs::is_regular_file(fs::symlink_status(workspace.module())))
    throw GraderFailure("the compiler left no module.");
  return std::nullopt;
}

/// What the checks say of a module that they cannot use, the same whoever asks, wherever the sandbox lies.
std::string said_of(const Workspace& workspace, const Grading& grading, std::string text) {
  const std::string folder = grading.sandbox.on(workspace.folders(), workspace.folders().out / "x");
  const std::string_view prefix = std::string_view(folder).substr(0, folder.size() - 1);
  for (std::size_t at = text.find(prefix); at != text.npos; at = text.find(prefix))
    text.erase(at, prefix.size());
  text = visible(at_most(4096, std::move(text)));
  text.erase(text.find_last_not_of('\n') + 1);
  return text;
}

/// Addresses of the host, which are those of the simulated GPU, are others on another machine:
/// `0x5559559729fc`, of more digits than a mask has, becomes `0x...`.
std::string without_addresses(const std::string& text) {
  constexpr std::size_t digits_of_mask = 8;
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 2;
    if (text.compare(at, 2, "0x") == 0)
      while (end < text.size() && std::isxdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
    if (end - at > 2 + digits_of_mask) {
      result += "0x...";
      at = end;
    } else {
      result += text[at++];
    }
  }
  return result;
}

constexpr int status_cannot_run = 127;  ///< of a shell or a sandbox that does not find its program

struct JudgeRun {
  std::optional<report::Report> report;
  std::string problem;  ///< if there is no report
};

JudgeRun run_judge(const Assignment& assignment, const Workspace& workspace, const Grading& grading,
                   const std::string& kernel, OnDoubt on_doubt) {
  fs::remove(workspace.report());
  process::Command confined =
      grading.sandbox.around(judge_command(assignment, workspace, grading, kernel), workspace.folders());
  confined.keeps = process::Keeps::errors;
  const process::Result result = run_confined(confined, grading.limits);
  expect_not_killed("the program of the checks", result.signal, result.is_stopped);
  if (const std::string why = result.why_ended(grading.limits); !why.empty()) {
    const std::string problem = "its checks were stopped: " + why + ".";
    if (!result.is_stopped && !is_own_limit(result.signal)) expect_settled(problem, grading, on_doubt);
    return {{}, problem};
  }
  if (result.status == status_cannot_run)
    throw GraderFailure("the checks cannot be run: " + visible_line(result.output));
  if (result.status > 1) return {{}, said_of(workspace, grading, result.output)};
  const FileText report = read_plain_file(workspace.report(), grading.limits.file_mib << 20);
  if (!report.problem.empty()) {
    const std::string problem = "the report of the checks " + report.problem + ".";
    expect_settled(problem, grading, on_doubt);
    return {{}, problem};
  }
  return {report::report_from(without_addresses(report.text)), {}};
}

/// Whether it is one problem, of the module, that each kernel has met.
bool is_same(const std::map<std::string, std::string>& problems) {
  for (const auto& [kernel, problem] : problems)
    if (problem != problems.begin()->second) return false;
  return true;
}

/// One kernel after the other, where together they came to nothing: one that is missing, or eats all memory,
/// does not cost the others their points.
JudgedFile judge_one_by_one(const Assignment& assignment, const Workspace& workspace, const Grading& grading,
                            OnDoubt on_doubt) {
  JudgedFile judged;
  bool has_report = false;
  for (const std::string& kernel : assignment.kernels) {
    JudgeRun run = run_judge(assignment, workspace, grading, kernel, on_doubt);
    if (!run.report) {
      judged.unjudged[kernel] = run.problem;
      continue;
    }
    if (has_report) run.report->chapters.clear();
    judged.report.append(std::move(*run.report));
    has_report = true;
  }
  if (has_report || !is_same(judged.unjudged)) return judged;
  judged.kind = Kind::unusable;
  judged.problem = judged.unjudged.begin()->second;
  return judged;
}

/// A check that broke off says nothing of a kernel, unless the kernel has eaten all memory.
bool has_broken(const report::Report& report) {
  for (const report::Verdict& verdict : report.verdicts)
    for (const report::Failure& failure : verdict.failures)
      if (failure.is_broken && !failure.is_out_of_memory) return true;
  return false;
}

JudgedFile judge_in(const Workspace& workspace, const Assignment& assignment, const Grading& grading,
                    OnDoubt on_doubt) {
  if (auto ended = compile(assignment, workspace, grading, on_doubt)) return std::move(*ended);
  JudgeRun run = run_judge(assignment, workspace, grading, {}, on_doubt);
  if (!run.report) return judge_one_by_one(assignment, workspace, grading, on_doubt);
  if (run.report->chapters.empty() || run.report->chapters.front().name != assignment.name())
    throw GraderFailure("the report is about another chapter: build the checks again.");
  if (has_broken(*run.report))
    throw GraderFailure("a check itself stopped, which says nothing about the kernel.");
  JudgedFile judged;
  judged.report = std::move(*run.report);
  return judged;
}

std::string word_for(Kind kind) {
  return kind == Kind::judged ? "graded" : kind == Kind::does_not_compile ? "does not compile" : "unusable";
}

/// Judges a file that could be read, and writes down all but the points.
JudgedFile judge_into(ChapterResult& result, const HandedIn& file, const Assignment& assignment,
                      const Grading& grading, OnDoubt on_doubt) {
  const Workspace workspace(assignment, file.source);
  JudgedFile judged = judge_in(workspace, assignment, grading, on_doubt);
  result.verdict = word_for(judged.kind);
  if (judged.kind != Kind::judged) judged.report = {};
  result.fingerprints = fingerprints_of(file.source, assignment);
  result.feedback = feedback_on(judged, assignment, grading.points.hides_sizes, workspace.folders().course);
  return judged;
}

}  // namespace

KernelResult earned(const std::string& kernel, const std::string& chapter, const JudgedFile& judged,
                    const Points& points) {
  using report::Aspect;
  using report::Outcome;
  KernelResult result{kernel, {}, {}};
  if (const auto found = judged.unjudged.find(kernel); found != judged.unjudged.end())
    result.problem = found->second;
  const bool is_right = judged.report.outcome(chapter, kernel, Aspect::result) == Outcome::passed;
  for (const Aspect aspect : report::all_aspects) {
    AspectResult& one = result.aspects.emplace_back();
    one.aspect = aspect;
    one.outcome = judged.report.outcome(chapter, kernel, aspect);
    one.most = points.of(chapter, kernel).of(aspect);
    one.points = is_right && one.outcome == Outcome::passed ? one.most : 0;
    const report::Verdict* const failed = judged.report.verdict(chapter, kernel, aspect);
    if (failed != nullptr && !failed->failures.empty())
      one.sentence = visible(failed->failures.front().sentence);
    one.told = points.hides_sizes ? without_numbers(one.sentence) : one.sentence;
  }
  return result;
}

ChapterResult grade(const HandedIn& file, const Grading& grading, OnDoubt on_doubt) {
  ChapterResult result;
  result.chapter = file.chapter;
  result.file = file.file;
  if (file.is_missing)
    result.verdict = nothing_handed_in;
  else
    result.problem = file.problem;
  result.feedback = file.problem + "\n";
  const Assignment* const assignment = grading.course.find(file.chapter);
  if (assignment == nullptr) return result;
  const JudgedFile judged =
      file.problem.empty() ? judge_into(result, file, *assignment, grading, on_doubt) : JudgedFile{};
  for (const std::string& kernel : assignment->kernels)
    result.kernels.push_back(earned(kernel, assignment->name(), judged, grading.points));
  result.feedback += points_table(result);
  return result;
}

std::string compiler_problem(const Grading& grading) {
  for (const Assignment& assignment : grading.course.assignments) {
    if (assignment.kernels.empty()) continue;
    try {
      const Workspace workspace(assignment, "#include \"kernels.hpp\"\n");
      const auto ended = compile(assignment, workspace, grading, OnDoubt::try_again);
      return ended ? visible_line(ended->problem + ended->messages) : "";
    } catch (const GraderFailure& failure) {
      return failure.what();
    }
  }
  return "no chapter is built";
}

}  // namespace warpwise::grade
