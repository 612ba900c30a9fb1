// kernel_compiler: kernel files to PTX, for the build and in the sandbox of a submission.
#include <exception>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "../text/files.hpp"
#include "compile.hpp"

namespace {

namespace fs = std::filesystem;
using namespace warpwise;

constexpr const char* usage = R"(usage:
  kernel_compiler [options] -o MODULE.ptx FILE.cu   compiles one file, if the module is not up to date
  kernel_compiler [options] FOLDER...               every .cu file of the folders, each to a .ptx beside it
       -IFOLDER, -arch=compute_80, and others that NVRTC and nvcc both know
       --depfile FILE   writes what the file includes, for Ninja
)";

struct Arguments {
  compile::Kernels kernels;  ///< without the source
  fs::path module, depfile;
  std::vector<fs::path> sources;
};

Arguments read_arguments(int count, char** words) {
  Arguments arguments;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const auto value = [&] {
      if (i + 1 == count) throw std::invalid_argument(word + " needs a value after it");
      return words[++i];
    };
    if (word == "-o")
      arguments.module = value();
    else if (word == "--depfile")
      arguments.depfile = value();
    else if (word.starts_with("-I"))
      arguments.kernels.include_folders.push_back(word.substr(2));
    else if (word.starts_with("-arch="))
      arguments.kernels.architecture = word.substr(word.find('=') + 1);
    else if (word.starts_with("-"))
      arguments.kernels.options.push_back(word);
    else
      arguments.sources.push_back(word);
  }
  if (arguments.sources.empty()) throw std::invalid_argument(usage);
  if (!arguments.module.empty() && arguments.sources.size() != 1)
    throw std::invalid_argument("-o is for one file");
  return arguments;
}

/// As make reads it: a backslash before a blank.
std::string in_depfile(const fs::path& path) {
  std::string text;
  for (const char c : path.string()) text += c == ' ' ? "\\ " : c == '$' ? "$$" : std::string(1, c);
  return text;
}

bool make(compile::Kernels kernels, const fs::path& source, const fs::path& module, const fs::path& depfile) {
  kernels.source = source;
  const compile::Made made = compile::make_module(kernels, module, text::installation());
  std::cout << made.messages;
  if (made.is_made && !depfile.empty()) {
    std::string line = in_depfile(module) + ":";
    for (const fs::path& file : compile::files_of(kernels)) line += " " + in_depfile(file);
    text::write_text(depfile, line + "\n");
  }
  if (made.is_made)
    fs::last_write_time(module, fs::file_time_type::clock::now());  // for Ninja: it is looked at
  return made.is_made;
}

}  // namespace

int main(int count, char** words) {
  try {
    const Arguments arguments = read_arguments(count, words);
    if (!arguments.module.empty())
      return make(arguments.kernels, arguments.sources.front(), arguments.module, arguments.depfile) ? 0 : 1;
    bool is_well = true;
    for (const fs::path& folder : arguments.sources)
      for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".cu")
          is_well &=
              make(arguments.kernels, entry.path(), fs::path(entry.path()).replace_extension(".ptx"), {});
    return is_well ? 0 : 1;
  } catch (const std::invalid_argument& error) {
    std::cerr << error.what() << '\n';
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "kernel_compiler: " << error.what() << '\n';
    return 3;
  }
}
