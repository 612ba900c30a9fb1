#include "exec.hpp"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "../print/recorded_run.hpp"
#include "../process/process.hpp"
#include "../report/ci_formats.hpp"
#include "../report/json.hpp"
#include "../runtime/device_code.hpp"
#include "../runtime/run_report.hpp"
#include "../text/chapter_folder.hpp"
#include "../text/files.hpp"
#include "../text/installation.hpp"
#include "build.hpp"
#include "commands.hpp"
#include "progress_line.hpp"
#include "show.hpp"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

/// Why the linker failed, in one sentence, where it is something that the runtime lacks.
std::string reason_not_to_link(const std::string& messages) {
  if (messages.find("__cudaRegisterLinkedBinary") != messages.npos)
    return "relocatable device code is not supported by the simulated GPU; compile without -rdc=true.";
  constexpr std::string_view before = "undefined reference to `";
  for (std::string_view rest = messages; rest.find(before) != rest.npos;) {
    rest.remove_prefix(rest.find(before) + before.size());
    const bool is_cuda = rest.starts_with("cu") || rest.starts_with("__cuda");
    if (is_cuda)
      return std::string(rest.substr(0, rest.find_first_of("'(\n"))) +
             " is not supported by the simulated GPU.";
  }
  return {};
}

/// One program from all inputs, linked with the simulated GPU in place of CUDA's runtime.
fs::path compile_program(const ExecRequest& request, const fs::path& folder) {
  build_or_fail({"warpwise_runtime_bundle"});
  if (text::installation().nvcc.empty())
    throw Failure(
        "a whole program is compiled by NVIDIA's nvcc, which is not here: pip install 'warpwise[exec]'.",
        wrong_usage);
  const fs::path program = folder / "program";
  std::vector<std::string> command = {text::installation().nvcc.string(), "-cudart=none", "--no-compress",
                                      "-lineinfo"};
  const auto is_optimisation = [](const std::string& option) {
    return option.starts_with("-O") || option.starts_with("--optimize");
  };
  if (std::none_of(request.nvcc_options.begin(), request.nvcc_options.end(), is_optimisation))
    command.push_back("-O3");
  command.insert(command.end(), request.nvcc_options.begin(), request.nvcc_options.end());
  command.insert(command.end(), request.inputs.begin(), request.inputs.end());
  const fs::path runtime = text::installation().runtime_bundle;
  command.insert(command.end(), {"-o", program.string(), runtime.string()});
  if (runtime.extension() == ".so") command.push_back("-Xlinker=-rpath=" + runtime.parent_path().string());
  ProgressLine progress(ProgressLine::Elsewhere::now_and_then);
  const process::Result result = process::run(
      {.words = command, .keeps = process::Keeps::all, .listener = [&](std::string_view) {
         const auto seconds = progress.elapsed().count();
         if (seconds >= 1)
           progress.show("compiling " + joined(request.inputs) + " (" + std::to_string(seconds) + " s)");
         return true;
       }});
  progress.end();
  if (result.status == 0) {
    if (!request.is_quiet && !result.output.empty())
      std::cerr << "warpwise: nvcc warns about " << joined(request.inputs) << ":\n" << result.output;
    return program;
  }
  if (const std::string reason = reason_not_to_link(result.output); !reason.empty())
    throw Failure(joined(request.inputs) + ": " + reason, wrong_usage);
  std::cerr << result.output;
  throw Failure(joined(request.inputs) + " does not compile; " + text::error_to_mend(result.output),
                wrong_usage);
}

/// The program to run: compiled, or given as it is.
fs::path program_of(const ExecRequest& request, const fs::path& folder) {
  const fs::path first = request.inputs.front();
  const bool is_linked = request.inputs.size() == 1 && runtime::is_elf(first) && runtime::is_program(first);
  const fs::path program = is_linked ? fs::absolute(first) : compile_program(request, folder);
  // A linked program says itself what it lacks; before that it must be ours to run.
  if (is_linked && !runtime::has_runtime(program))
    throw Failure(first.string() +
                      " is linked with another CUDA runtime or none; link it with -cudart none and " +
                      shown_path(text::installation().runtime_bundle) + ".",
                  wrong_usage);
  if (const std::string reason = runtime::reason_not_to_run(program); !reason.empty())
    throw Failure(joined(request.inputs) + ": " + reason, wrong_usage);
  return program;
}

void set_environment(const ExecRequest& request, const fs::path& report_file, const fs::path& trace_file) {
  const auto set = [](const char* name, const std::string& value) {
    if (!value.empty()) setenv(name, value.c_str(), 1);
  };
  set("WARPWISE_SCHEDULE", request.schedule);
  set("WARPWISE_THREADS", request.threads);
  set("WARPWISE_BUDGET", request.budget);
  set("WARPWISE_STRICT", request.is_strict ? "yes" : "");
  set("WARPWISE_QUIET", request.is_quiet ? "yes" : "");
  set("WARPWISE_TRACE", trace_file.string());
  set("WARPWISE_REPORT", report_file.string());
}

/// A pipe cannot be rewritten after each launch: it gets the report at the end.
bool can_be_rewritten(const fs::path& file) { return !fs::exists(file) || fs::is_regular_file(file); }

/// What the program wrote, as it is: a program of thousands of launches writes hundreds of megabytes.
void hand_over(const fs::path& report_file, const std::string& target) {
  std::ifstream from(report_file, std::ios::binary);
  std::ofstream to(target, std::ios::binary | std::ios::trunc);
  if (!(to << from.rdbuf() << std::flush)) throw Failure("exec: cannot write " + target + ".", wrong_usage);
}

/// Made of what the process reported, so that one that crashed leaves them too.
void write_ci_files(const ExecRequest& request, const report::Report& report, const std::string& failure) {
  const report::RunOfProgram run{request.inputs.front(), fs::current_path(), failure};
  if (!request.sarif.empty()) text::write_text(request.sarif, report::sarif_of(report, run));
  if (!request.junit.empty()) text::write_text(request.junit, report::junit_of(report, run));
}

/// What went wrong but for the findings; empty where nothing did.
std::string failure_of(const process::Result& result) {
  if (result.signal != 0) return result.how_it_ended();
  const bool is_well = result.status == 0 || result.status == runtime::status_findings;
  return is_well ? "" : "ended with status " + std::to_string(result.status);
}

/// How ./warpwise is called from the current folder.
std::string command_from_here() {
  std::error_code none;
  return fs::equivalent(fs::current_path(none), root_folder(), none)
             ? "./warpwise"
             : process::quoted_for_shell((root_folder() / "warpwise").string());
}

/// The launches that the program came to, drawn as it is asked for; on stderr, because what the program
/// writes to stdout is its own. A picture shows the first.
void draw_launches(const ExecRequest& request, const fs::path& trace_file) {
  if (!fs::exists(trace_file) || fs::file_size(trace_file) == 0) {
    std::cerr << "warpwise: " << joined(request.inputs) << " launched nothing that could be drawn.\n";
    return;
  }
  const std::string stem = fs::path(request.inputs.front()).stem().string();
  draw(std::cerr, request.drawing, stem, {{joined(request.inputs), report::read_trace_file(trace_file)}},
       stem);
}

/// Compiles (unless there is nothing to compile), runs, reports. Returns the program's exit status, or 3
/// where it did well but findings were made.
int exec(const ExecRequest& request) {
  for (const std::string& file : {request.report, request.sarif, request.junit, request.trace})
    if (!file.empty() && !std::ofstream(file, std::ios::app))
      throw Failure("exec: cannot write " + file + ".", wrong_usage);
  if (!request.report.empty() && can_be_rewritten(request.report))
    report::write_file(request.report, report::Report{});  // an earlier run's is not this one's
  const bool is_for_ci = !request.sarif.empty() || !request.junit.empty();
  write_ci_files(request, {}, "was not run");  // it may not compile
  const text::TemporaryFolder folder;
  const fs::path program = program_of(request, folder.path());
  const bool is_direct = !request.report.empty() && can_be_rewritten(request.report);
  const fs::path report_file = is_direct ? fs::absolute(request.report) : folder.path() / "report.json";
  const fs::path trace_file =
      request.trace.empty() && request.is_shown ? folder.path() / "trace.json" : fs::path(request.trace);
  set_environment(request, report_file, trace_file);
  std::vector<std::string> command = {program.string()};
  command.insert(command.end(), request.arguments.begin(), request.arguments.end());
  const process::Result result = process::run({.words = command, .takes_our_signals = true});
  const bool has_report = fs::exists(report_file);
  if (!request.report.empty() && !is_direct && has_report) hand_over(report_file, request.report);
  if (is_for_ci) {
    const bool is_written = has_report && fs::file_size(report_file) != 0;
    write_ci_files(request, is_written ? report::read_file(report_file) : report::Report{},
                   failure_of(result));
  }
  if (request.is_shown) draw_launches(request, trace_file);
  if (result.status == runtime::status_findings && request.inputs.size() == 1 && !request.is_shown &&
      !request.is_quiet)
    std::cerr << "warpwise: see it: " << command_from_here() << " exec "
              << process::quoted_for_shell(request.inputs.front()) << " --show\n";
  if (result.signal == 0) return result.status;
  std::cerr << "warpwise: " << joined(request.inputs) << " " << result.how_it_ended() << ".\n";
  // A library such as Thrust throws at an error of the device, and abort() is what becomes of that.
  return result.signal == SIGABRT && has_report && report::read_file(report_file).has_ended_early()
             ? runtime::status_findings
             : result.status;
}

constexpr const char* exec_help =
    "FILE... [options] [nvcc's options] [-- the program's arguments]\n"
    "FILEs are .cu and .cpp sources and objects, or one program that was linked\n"
    "with the simulated GPU.\n"
    "  --report FILE      counters and findings of each launch, as JSON\n"
    "                     (docs/report.schema.json)\n"
    "  --sarif FILE       findings as SARIF 2.1.0, for the lines of a pull request\n"
    "  --junit FILE       kernels and their findings as JUnit's XML (docs/ci.md)\n"
    "  --show             draw the launches: a page for the browser, or\n"
    "    --text           ... for the terminal\n"
    "    --svg VIEW       ... one picture of the first: lanes, banks, sectors,\n"
    "                     shuffle, tree, finding, costs\n"
    "    --output FILE    where the page or picture goes (default: under build/show)\n"
    "    --at PLACE       the moment: a line, or words in it; --time K,\n"
    "                     --warp W, --of-block B (docs/show.md)\n"
    "  --trace FILE       what each lane did, step by step, as JSON\n"
    "                     (docs/trace.schema.json)\n"
    "  --schedule ORDER   converged (default), lockstep or split:SEED\n"
    "  --threads N        host threads (default: one per processor; 1 is\n"
    "                     deterministic)\n"
    "  --budget N         warp instructions that a launch may execute (default: no\n"
    "                     limit as long as a block finishes every ten minutes)\n"
    "  --strict           a shuffle from a lane that takes no part gives poison,\n"
    "                     instead of the 0 that hardware gives\n"
    "  --quiet            do not print findings\n"
    "Exit status: the program's; 3 for findings in an otherwise successful run;\n"
    "2 if it cannot be run.";

struct ExecOptions {
  Words words;  ///< FILE... and so on
  TypedLine line = {};
};

int exec(const ExecOptions& options) {
  ExecRequest request = read_exec_request(options.words);
  request.drawing.command = options.line.command();
  return exec(request);
}

void add_arguments(Arguments& arguments, ExecOptions& options) {
  arguments.rest(options.words);
  arguments.footer(exec_help);
}

const RegisterCommand exec_command("exec", with_options<ExecOptions>(add_arguments, exec));

}  // namespace
}  // namespace warpwise::cli
