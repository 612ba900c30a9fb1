#include "judge.hpp"

#include <algorithm>
#include <cctype>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "../report/json.hpp"
#include "../text/temporary_folder.hpp"
#include "copies.hpp"
#include "feedback.hpp"
#include "files.hpp"
#include "plain_text.hpp"

namespace warpwise::classroom {
namespace {

namespace fs = std::filesystem;
using Kind = Verdict::Kind;

/// The folders of one submission: /course with the file and what it may include, /out, /tmp.
class LaidOut {
 public:
  LaidOut(const CourseChapter& chapter, const std::string& source, const Course& course) : chapter_(chapter) {
    for (const fs::path& folder : {desk_.course / chapter.name, desk_.out, desk_.tmp})
      fs::create_directories(folder);
    for (const fs::path& header : headers_of(chapter, course.root)) {
      fs::create_directories((desk_.course / header).parent_path());
      fs::copy_file(course.root / header, desk_.course / header, fs::copy_options::overwrite_existing);
    }
    std::ofstream file(this->source(), std::ios::binary);
    if (!(file << source << std::flush)) throw GraderFailure("cannot write " + this->source().string() + ".");
  }
  const Desk& desk() const { return desk_; }
  fs::path source() const { return desk_.course / name(); }
  fs::path module() const { return desk_.out / "exercise.ptx"; }
  fs::path report() const { return desk_.out / "report.json"; }
  /// As a student knows it: ch01_naive/exercise.cu.
  fs::path name() const { return fs::path(chapter_.name) / "exercise.cu"; }

 private:
  text::TemporaryFolder folder_;
  Desk desk_{folder_.path() / "course", folder_.path() / "out", folder_.path() / "tmp"};
  const CourseChapter& chapter_;
};

std::vector<std::string> compile_command(const LaidOut& laid_out, const Grading& grading) {
  const Course& course = grading.course;
  const auto on = [&](const fs::path& path) { return grading.fence.on(laid_out.desk(), path); };
  std::vector<std::string> command = {course.nvcc.string()};
  command.insert(command.end(), course.kernel_options.begin(), course.kernel_options.end());
  command.insert(command.end(),
                 {"-I" + on(laid_out.desk().course), "-o", on(laid_out.module()), laid_out.name().string()});
  return command;
}

std::vector<std::string> judge_command(const CourseChapter& chapter, const LaidOut& laid_out,
                                       const Grading& grading, const std::string& kernel) {
  const auto on = [&](const fs::path& path) { return grading.fence.on(laid_out.desk(), path); };
  std::vector<std::string> command = {chapter.executable.string(),
                                      on(laid_out.module()),
                                      "--device",
                                      "sim",
                                      "--threads",
                                      "1",  // the same findings every time
                                      "--quiet",
                                      "--budget",
                                      std::to_string(grading.kernel_budget),
                                      "--report",
                                      on(laid_out.report())};
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

/// Throws where it is not settled that the submission brought `problem` about.
void expect_settled(const std::string& problem, const Grading& grading, Doubt doubt) {
  if (doubt == Doubt::is_thrown) throw GraderFailure(problem);
  if (!compiler_problem(grading).empty())
    throw GraderFailure(problem + " A contract of the course alone does not compile either.");
}

/// Throws where a compiler or a judge was killed: no limit of a submission's does that.
void expect_not_killed(const char* who, int signal) {
  if (signal == SIGKILL)
    throw GraderFailure(std::string(who) +
                        " was killed (signal 9), as the system does where memory runs out.");
}

Verdict unusable(std::string problem) {
  Verdict verdict;
  verdict.kind = Kind::unusable;
  verdict.problem = std::move(problem);
  return verdict;
}

/// Compiles; a verdict where there is nothing to judge then.
std::optional<Verdict> compile(const CourseChapter& chapter, const LaidOut& laid_out, const Grading& grading,
                               Doubt doubt) {
  const ConfinedResult result =
      run_confined(grading.fence.around(compile_command(laid_out, grading), laid_out.desk()), grading.limits);
  const int signal_inside = signal_of_part(result.output);
  expect_not_killed("the compiler", result.signal);
  expect_not_killed("a part of the compiler", signal_inside);
  if (const std::string why = result.why_ended(grading.limits); !why.empty()) {
    Verdict verdict = unusable("the compiler was stopped: " + why + ".");
    if (!result.is_stopped && !is_own_limit(result.signal)) expect_settled(verdict.problem, grading, doubt);
    return verdict;
  }
  if (signal_inside != 0) {
    Verdict verdict =
        unusable("the compiler was stopped by a limit (" + std::to_string(grading.limits.seconds) + " s, " +
                 std::to_string(grading.limits.memory_mib) + " MiB of memory, files of " +
                 std::to_string(grading.limits.file_mib) + " MiB), or ended by itself.");
    if (!is_own_limit(signal_inside)) expect_settled(verdict.problem, grading, doubt);
    return verdict;
  }
  if (result.status != 0) {
    const std::string own = own_messages(result.output, chapter.name);
    if (own.find("error") == own.npos || tell_of_machine(result.output))
      expect_settled("the compiler failed, and names no error in the submission: " +
                         visible_line(at_most(400, result.output)),
                     grading, doubt);
    Verdict verdict;
    verdict.kind = Kind::does_not_compile;
    verdict.messages = at_most(8 * 1024, visible(own));
    if (verdict.messages.empty()) verdict.messages = "What the compiler says is about other files.\n";
    return verdict;
  }
  if (!fs::is_regular_file(fs::symlink_status(laid_out.module())))
    throw GraderFailure("the compiler left no module.");
  return std::nullopt;
}

/// What the checks say of a module that they cannot use, the same whoever asks, wherever the desk stands.
std::string said_of(const LaidOut& laid_out, const Grading& grading, std::string text) {
  const std::string folder = grading.fence.on(laid_out.desk(), laid_out.desk().out / "x");
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

constexpr int status_cannot_run = 127;  ///< of a shell or a fence that does not find its program

struct JudgeRun {
  std::optional<report::Report> report;
  std::string problem;  ///< where there is no report
};

JudgeRun run_judge(const CourseChapter& chapter, const LaidOut& laid_out, const Grading& grading,
                   const std::string& kernel, Doubt doubt) {
  fs::remove(laid_out.report());
  Confined confined =
      grading.fence.around(judge_command(chapter, laid_out, grading, kernel), laid_out.desk());
  confined.keeps_stdout = false;
  const ConfinedResult result = run_confined(confined, grading.limits);
  expect_not_killed("the program of the checks", result.signal);
  if (const std::string why = result.why_ended(grading.limits); !why.empty()) {
    const std::string problem = "its checks were stopped: " + why + ".";
    if (!result.is_stopped && !is_own_limit(result.signal)) expect_settled(problem, grading, doubt);
    return {{}, problem};
  }
  if (result.status == status_cannot_run)
    throw GraderFailure("the checks cannot be run: " + visible_line(result.output));
  if (result.status > 1) return {{}, said_of(laid_out, grading, result.output)};
  const FileText report = read_plain_file(laid_out.report(), grading.limits.file_mib << 20);
  if (!report.problem.empty()) {
    const std::string problem = "the report of the checks " + report.problem + ".";
    expect_settled(problem, grading, doubt);
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
Verdict judge_one_by_one(const CourseChapter& chapter, const LaidOut& laid_out, const Grading& grading,
                         Doubt doubt) {
  Verdict verdict;
  bool has_report = false;
  for (const std::string& kernel : chapter.kernels) {
    JudgeRun run = run_judge(chapter, laid_out, grading, kernel, doubt);
    if (!run.report) {
      verdict.unjudged[kernel] = run.problem;
      continue;
    }
    if (has_report) run.report->chapters.clear();
    verdict.report.append(std::move(*run.report));
    has_report = true;
  }
  if (has_report || !is_same(verdict.unjudged)) return verdict;
  verdict.kind = Kind::unusable;
  verdict.problem = verdict.unjudged.begin()->second;
  return verdict;
}

/// A check that broke off says nothing of a kernel, unless the kernel has eaten all memory.
bool has_broken(const report::Report& report) {
  for (const report::Verdict& verdict : report.verdicts)
    for (const report::Failure& failure : verdict.failures)
      if (failure.is_broken && !failure.is_out_of_memory) return true;
  return false;
}

Verdict judge_on(const LaidOut& laid_out, const CourseChapter& chapter, const Grading& grading, Doubt doubt) {
  if (auto ended = compile(chapter, laid_out, grading, doubt)) return std::move(*ended);
  JudgeRun run = run_judge(chapter, laid_out, grading, {}, doubt);
  if (!run.report) return judge_one_by_one(chapter, laid_out, grading, doubt);
  if (run.report->chapters.empty() || run.report->chapters.front().name != chapter.name)
    throw GraderFailure("the report is of another chapter: build the checks again.");
  if (has_broken(*run.report))
    throw GraderFailure("a check itself broke off, which says nothing of the kernel.");
  Verdict verdict;
  verdict.report = std::move(*run.report);
  return verdict;
}

std::string word_for(Kind kind) {
  return kind == Kind::judged ? "graded" : kind == Kind::does_not_compile ? "does not compile" : "unusable";
}

}  // namespace

KernelResult earned(const std::string& kernel, const std::string& chapter, const Verdict& verdict,
                    const Points& points) {
  using report::Aspect;
  using report::Outcome;
  KernelResult result{kernel, {}, {}};
  if (const auto found = verdict.unjudged.find(kernel); found != verdict.unjudged.end())
    result.problem = found->second;
  const bool is_right = verdict.report.outcome(chapter, kernel, Aspect::result) == Outcome::passed;
  for (const Aspect aspect : report::all_aspects) {
    AspectResult& one = result.aspects.emplace_back();
    one.aspect = aspect;
    one.outcome = verdict.report.outcome(chapter, kernel, aspect);
    one.most = points.of(chapter, kernel).of(aspect);
    one.points = is_right && one.outcome == Outcome::passed ? one.most : 0;
    const report::Verdict* const failed = verdict.report.verdict(chapter, kernel, aspect);
    if (failed != nullptr && !failed->failures.empty())
      one.sentence = visible(failed->failures.front().sentence);
    one.told = points.hides_sizes ? without_numbers(one.sentence) : one.sentence;
  }
  return result;
}

namespace {

/// Judges a file that could be read, and writes down all but the points.
Verdict judge_into(ChapterResult& result, const HandedIn& file, const CourseChapter& chapter,
                   const Grading& grading, Doubt doubt) {
  const LaidOut laid_out(chapter, file.source, grading.course);
  Verdict verdict = judge_on(laid_out, chapter, grading, doubt);
  result.verdict = word_for(verdict.kind);
  if (verdict.kind != Kind::judged) verdict.report = {};
  result.fingerprints = fingerprints_of(file.source, chapter);
  result.feedback = feedback_on(verdict, chapter, grading.points.hides_sizes, laid_out.desk().course);
  return verdict;
}

}  // namespace

ChapterResult grade(const HandedIn& file, const Grading& grading, Doubt doubt) {
  ChapterResult result;
  result.chapter = file.chapter;
  result.file = file.file;
  if (file.is_missing)
    result.verdict = nothing_handed_in;
  else
    result.problem = file.problem;
  result.feedback = file.problem + "\n";
  const CourseChapter* const chapter = grading.course.find(file.chapter);
  if (chapter == nullptr) return result;
  const Verdict verdict =
      file.problem.empty() ? judge_into(result, file, *chapter, grading, doubt) : Verdict{};
  for (const std::string& kernel : chapter->kernels)
    result.kernels.push_back(earned(kernel, chapter->name, verdict, grading.points));
  result.feedback += points_table(result);
  return result;
}

std::string compiler_problem(const Grading& grading) {
  for (const CourseChapter& chapter : grading.course.chapters) {
    if (chapter.kernels.empty()) continue;
    try {
      const LaidOut laid_out(chapter, "#include \"kernels.hpp\"\n", grading.course);
      const auto ended = compile(chapter, laid_out, grading, Doubt::is_thrown);
      return ended ? visible_line(ended->problem + ended->messages) : "";
    } catch (const GraderFailure& failure) {
      return failure.what();
    }
  }
  return "no chapter is built";
}

}  // namespace warpwise::classroom
