// What .vscode/tasks.json underlines is what ./warpwise and the compilers print.
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include <nlohmann/json.hpp>

#include "common/compile/compile.hpp"
#include "common/process/process.hpp"
#include "common/testing/catch.hpp"
#include "common/testing/temporary_folder.hpp"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using testing::TemporaryFolder;

/// The task whose label begins with `name`.
Json task(const std::string& name) {
  const Json tasks = Json::parse(std::ifstream(WARPWISE_ROOT_DIR "/.vscode/tasks.json")).at("tasks");
  for (const Json& task : tasks) {
    if (task.at("label").get<std::string>().starts_with(name + ":")) return task;
  }
  FAIL("no task " << name);
  return {};
}

/// The matcher of `owner` in that task.
Json matcher(const std::string& name, const std::string& owner) {
  const Json matchers = task(name).at("problemMatcher");
  for (const Json& matcher : matchers) {
    if (matcher.is_object() && matcher.at("owner") == owner) return matcher;
  }
  FAIL("task " << name << " has no matcher " << owner);
  return {};
}

struct Problem {
  std::string file, line, code, message;
};

/// What an editor makes of `output`, with VS Code's meaning of the fields.
std::vector<Problem> problems(const Json& matcher, const std::string& output) {
  const Json& pattern = matcher.at("pattern");
  const std::regex expression(pattern.at("regexp").get<std::string>());
  const auto group = [&](const std::smatch& match, const char* field) {
    return match[pattern.at(field).get<std::size_t>()].str();
  };
  std::vector<Problem> found;
  std::istringstream lines(output);
  std::smatch match;
  for (std::string line; std::getline(lines, line);) {
    if (!std::regex_match(line, match, expression)) continue;
    found.push_back(
        {group(match, "file"), group(match, "line"), group(match, "code"), group(match, "message")});
  }
  return found;
}

TEST_CASE("a finding is underlined where it happened") {
  const process::Result run = process::run(
      {{WARPWISE_CLI, "run", "ch01", "--device", "sim", "--attempt", "reduce_naive_no_barrier_in_loop"},
       WARPWISE_ROOT_DIR,
       process::Keeps::all});
  INFO(run.output);
  for (const char* name : {"run", "watch"}) {
    const auto found = problems(matcher(name, "warpwise"), run.output);
    REQUIRE(found.size() == 1);
    CHECK(found[0].file == "build/ch01_naive/attempts/reduce_naive_no_barrier_in_loop.cu");
    CHECK(found[0].code == "race");
    CHECK(found[0].message.find("partial[") != std::string::npos);
    std::ifstream source(std::string(WARPWISE_ROOT_DIR "/") + found[0].file);
    std::string line;
    for (int i = 0; i < std::stoi(found[0].line); ++i) std::getline(source, line);
    CHECK(line.find("partial[tid] +=") != std::string::npos);
  }
}

TEST_CASE("a finding of exec is underlined, as the first page shows it") {
  const std::string page = text::read_text(WARPWISE_ROOT_DIR "/docs/first-kernel.md");
  const auto found = problems(matcher("exec", "warpwise"), page);
  REQUIRE(found.size() == 5);
  CHECK(found[0].file == "mine/2_twice.cu");
  CHECK(found[0].line == "7");
  CHECK(found[0].code == "race");
  CHECK(found[0].message.starts_with("thread 0 of block 1 reads element 0"));
  CHECK(found[1].code == "out-of-bounds");
  CHECK(matcher("exec", "compiler").at("pattern") == matcher("run", "compiler").at("pattern"));
}

TEST_CASE("what a compiler rejects is underlined, and what it warns of") {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "a kernel.cu";
  text::Installation without_nvcc = text::installation(), without_nvrtc = text::installation();
  without_nvcc.nvcc.clear();
  without_nvrtc.nvrtc.clear();
  for (const text::Installation& compiler : {without_nvcc, without_nvrtc}) {
    if (compiler.nvrtc.empty() && compiler.nvcc.empty()) continue;
    const auto messages = [&](const std::string& source) {
      text::write_text(file, source);
      return compile::to_ptx({.source = file, .include_folders = {}}, compiler).messages;
    };
    const std::string said = messages("__global__ void k(int* p) {\n  int unused = 3;\n  p[0] = q;\n}\n");
    INFO(said);
    for (const char* name : {"run", "watch"}) {
      const auto found = problems(matcher(name, "compiler"), said);
      REQUIRE(found.size() == 2);
      CHECK(found[0].file == file);
      CHECK(found[0].line == "3");
      CHECK(found[0].message == "identifier \"q\" is undefined");
      CHECK(found[1].line == "2");
      CHECK(found[1].code == "177-D");
      CHECK(problems(matcher(name, "warpwise"), said).empty());
    }
    if (compiler.nvrtc.empty()) continue;  // of nvcc this is the C++ compiler's
    const auto found = problems(matcher("run", "compiler"), messages("\n#include \"not_there.hpp\"\n"));
    REQUIRE(found.size() == 1);
    CHECK(found[0].line == "2");
    CHECK(found[0].message == "cannot open source file \"not_there.hpp\"");
  }
}

TEST_CASE("the lines of watch tell the rounds apart") {
  const Json background = matcher("watch", "warpwise").at("background");
  const auto fits = [&](const char* field, const std::string& line) {
    return std::regex_search(line, std::regex(background.at(field).get<std::string>()));
  };
  const std::string source = text::read_text(WARPWISE_ROOT_DIR "/common/cli/watch.cpp");
  for (const char* text : {"\"Judging \"", "Watching \"", "\"; save a file to run again"})
    CHECK(source.find(text) != std::string::npos);
  CHECK(fits("beginsPattern", "Judging ch01_naive/"));
  CHECK(fits("endsPattern", "Watching ch01_naive/; save a file to run again, Ctrl-C to end."));
  CHECK(fits("endsPattern",
             "Watching ch01_naive/, ch02_divergence/; save a file to run again, Ctrl-C to end."));
  CHECK_FALSE(fits("beginsPattern", "Watching ch01_naive/; save a file to run again, Ctrl-C to end."));
}

TEST_CASE("every command of a task is one that ./warpwise has") {
  const std::string help =
      process::run({.words = {WARPWISE_CLI, "--help"}, .keeps = process::Keeps::all}).output;
  const Json tasks = Json::parse(std::ifstream(WARPWISE_ROOT_DIR "/.vscode/tasks.json")).at("tasks");
  for (const Json& task : tasks) {
    const std::string command = task.at("args").at(0);
    INFO(command);
    CHECK(std::regex_search(help, std::regex("(^|\n) *" + command + " ")));
  }
}

}  // namespace
}  // namespace warpwise::cli
