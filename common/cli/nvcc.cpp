/// \file `./warpwise nvcc`: takes the place of nvcc in somebody's build. What it makes runs on the simulated
/// GPU by itself.
///
/// A build may link with g++, and look for the toolkit beside nvcc. So there is a folder that looks like a
/// toolkit: all of the real one, but that its bin/nvcc is this command, and its libcudart the simulated GPU.

#include <unistd.h>

#include <filesystem>
#include <iostream>

#include "../process/process.hpp"
#include "../text/installation.hpp"
#include "build.hpp"
#include "commands.hpp"
#include "nvcc_words.hpp"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

/// Before words of which even --help is nvcc's: CLI11 hands on what follows a word that it does not know.
const std::string all_for_nvcc = "args:";

/// Several compilers may do the same at the same time.
void write_if_new(const fs::path& file, const std::string& text, fs::perms permissions) {
  if (!fs::is_symlink(file) && text::text_or_nothing(file) == text) return;
  const fs::path part = file.string() + "." + std::to_string(getpid());
  text::write_text(part, text);
  fs::permissions(part, permissions);
  fs::rename(part, file);
}

/// Everything that `real` has, as links in `folder`; what is there already stays.
void link_all(const fs::path& real, const fs::path& folder) {
  fs::create_directories(folder);
  std::error_code exists;
  for (const fs::directory_entry& entry : fs::directory_iterator(real))
    if (!entry.path().filename().string().starts_with("libcudart"))
      fs::create_symlink(entry.path(), folder / entry.path().filename(), exists);
}

/// The folder that looks like a toolkit; made where it is not there, or is another toolkit's.
fs::path simulated_toolkit() {
  const text::Installation& here = text::installation();
  const fs::path folder = here.build / "cuda";
  const fs::path real = fs::canonical(here.nvcc).parent_path().parent_path();
  const fs::path program = fs::read_symlink("/proc/self/exe");
  const std::string script =
      "#!/bin/sh\n# nvcc of " + real.string() +
      ", for the simulated GPU: docs/run-without-gpu.md\nexec \"$(dirname \"$(readlink -f \"$0\")\")/" +
      program.lexically_relative(folder / "bin").string() + "\" nvcc " + all_for_nvcc + " \"$@\"\n";
  const fs::path nvcc = folder / "bin" / "nvcc";
  if (text::text_or_nothing(nvcc) != script) {
    fs::remove_all(folder);
    link_all(real, folder);
    // Of lib and targets nothing, where the same libraries lie once more.
    for (const char* part : {"bin", "lib64", "lib", "targets"}) fs::remove(folder / part);
    link_all(real / "bin", folder / "bin");
    link_all(fs::exists(real / "lib64") ? real / "lib64" : real / "lib", folder / "lib64");
    fs::remove(nvcc);
  }
  // ld takes a text for what it says. The runtime is C++, and whoever links may not be.
  const std::string library = "INPUT(" + here.runtime_bundle.string() + " -lstdc++ -lm -lpthread)\n";
  const fs::perms readable =
      fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read | fs::perms::others_read;
  for (const char* name : {"libcudart_static.a", "libcudart.so"})
    write_if_new(folder / "lib64" / name, library, readable);
  write_if_new(folder / "lib64" / "libcuda.so", "INPUT(-lm)\n",
               readable);  // many link it and call nothing of it
  const fs::perms executable = fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
  write_if_new(nvcc, script, readable | executable);  // last: now all is there
  return folder;
}

/// Where it says in which toolkit it is, it says ours: CMake looks for libraries there.
int run_verbosely(const Words& words, const fs::path& toolkit) {
  const process::Result result = process::run({.words = words, .keeps = process::Keeps::all});
  std::string text = result.output;
  constexpr std::string_view start = "#$ TOP=";
  if (const std::size_t at = text.find(start); at != text.npos) {
    const std::size_t from = at + start.size();
    text.replace(from, text.find('\n', from) - from, toolkit.string());
  }
  std::cerr << text << std::flush;
  return result.status;
}

constexpr const char* nvcc_help =
    "ARGS... | --folder\n"
    "ARGS are those of nvcc, whose place this takes. Programs and libraries that\n"
    "it makes run on the simulated GPU by themselves: findings on stderr, and exit\n"
    "status 3 where there were some (docs/run-without-gpu.md).\n"
    "  --folder  where there is a folder that looks like a CUDA toolkit, with this as\n"
    "            its bin/nvcc. For a build that somebody else has written:\n"
    "              cmake -DCMAKE_CUDA_COMPILER=$(./warpwise nvcc --folder)/bin/nvcc\n"
    "              make NVCC=$(./warpwise nvcc --folder)/bin/nvcc\n"
    "Relocatable device code (-rdc=true) is compiled as if it were not; what needs\n"
    "it does not compile.";

struct NvccOptions {
  Words words;
  bool asks_folder = false;
  TypedLine line = {};
};

int nvcc(const NvccOptions& options) {
  if (!fs::exists(text::installation().runtime_bundle)) build_or_fail({"warpwise_runtime_bundle"});
  if (text::installation().nvcc.empty())
    throw Failure("nvcc: there is no nvcc here; `./warpwise exec` downloads it.", wrong_usage);
  const fs::path toolkit = simulated_toolkit();
  if (options.asks_folder) {
    std::cout << toolkit.string() << '\n';
    return all_well;
  }
  Words given(options.line.words.begin() + 1, options.line.words.end());  // as they were typed, with any `--`
  if (!given.empty() && given.front() == all_for_nvcc) given.erase(given.begin());
  const NvccCall call = call_for_simulated_gpu(given, toolkit / "lib64");
  Words words = {text::installation().nvcc.string()};
  words.insert(words.end(), call.words.begin(), call.words.end());
  if (call.is_verbose) return run_verbosely(words, toolkit);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execv(arguments.front(), arguments.data());
  throw Failure("nvcc: " + words.front() + " could not be started.", wrong_usage);
}

void add_arguments(Arguments& arguments, NvccOptions& options) {
  arguments.flag("--folder", options.asks_folder, "");
  arguments.rest(options.words);
  arguments.footer(nvcc_help);
}

const RegisterCommand nvcc_command("nvcc", with_options<NvccOptions>(add_arguments, nvcc));

}  // namespace
}  // namespace warpwise::cli
