#include "compile.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "../process/process.hpp"
#include "../text/files.hpp"
#include "../text/source.hpp"
#include "host_names.hpp"
#include "nvrtc.hpp"
#include "standard_headers.hpp"

namespace warpwise::compile {

namespace fs = std::filesystem;

namespace {

/// The options of both compilers: the language, and the lines for the findings.
std::vector<std::string> common_options(const Kernels& kernels) {
  std::vector<std::string> options = {"-std=c++17", "-lineinfo", "-arch=" + kernels.architecture};
  for (const fs::path& folder : kernels.include_folders) options.push_back("-I" + folder.string());
  options.insert(options.end(), kernels.options.begin(), kernels.options.end());
  return options;
}

/// Loaded once, since that takes longer than compiling a small file.
const Nvrtc& nvrtc_of(const fs::path& library) {
  static std::mutex mutex;
  static std::map<fs::path, std::unique_ptr<const Nvrtc>> loaded;
  const std::lock_guard lock(mutex);
  std::unique_ptr<const Nvrtc>& nvrtc = loaded[library];
  if (nvrtc == nullptr) nvrtc = std::make_unique<const Nvrtc>(library);
  return *nvrtc;
}

/// Calls `visit` with what stands behind each `#include` of the file, up to the end of its line.
template <class Visit>
void for_each_include(const std::string& text, Visit visit) {
  constexpr std::string_view directive = "include";
  for (std::size_t at = text.find('#'); at != text.npos; at = text.find('#', at + 1)) {
    const std::size_t word = std::min(text.find_first_not_of(" \t", at + 1), text.size());
    if (text.compare(word, directive.size(), directive) != 0) continue;
    const std::size_t name = std::min(text.find_first_not_of(" \t", word + directive.size()), text.size());
    visit(std::string_view(text).substr(name, std::min(text.find('\n', name), text.size()) - name));
  }
}

/// Whether one of the files includes `<NAME...`, of one of the names.
bool include(const std::vector<fs::path>& files, std::initializer_list<std::string_view> names) {
  bool found = false;
  for (const fs::path& file : files)
    for_each_include(text::read_text(file), [&](std::string_view included) {
      for (const std::string_view name : names) found |= included.starts_with(name);
    });
  return found;
}

/// An editor may have put the mark of UTF-8 in front, which NVRTC does not know.
std::string without_mark(std::string text) {
  return text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text;
}

/// `text`: the source, or what is wanted of it.
Compiled by_nvrtc(const Kernels& kernels, const std::string& text, const text::Installation& installation) {
  std::vector<std::string> options = common_options(kernels);
  options.push_back(std::string("-include=") + implicit_header);
  options.push_back("--device-int128");  // nvcc has it without being asked
  if (!installation.device_headers.empty())
    options.insert(options.end(), {"-I" + installation.device_headers.string(),
                                   "-I" + (installation.device_headers / "cccl").string()});
  const std::vector<fs::path> files = files_of(kernels);
  const bool has_groups = include(files, {"<cooperative_groups"});
  const bool has_cccl = include(files, {"<cub/", "<cuda/", "<thrust/"});
  const Nvrtc& nvrtc = nvrtc_of(installation.nvrtc);
  const auto compile = [&] {
    return nvrtc.compile(without_mark(text), kernels.source.string(),
                         standard_headers(has_cccl || has_groups), options);
  };
  // Without textures and the runtime's own names a small file takes half the time, and without libcu++
  // cooperative groups take a tenth. Few files need them, and the code is the same.
  const bool may_leave_out = nvrtc.knows_minimal() && !has_cccl;
  const std::size_t all = options.size();
  if (may_leave_out) options.emplace_back("-minimal");
  if (may_leave_out && has_groups) options.emplace_back("-D_CG_LIMIT_INCLUDED_DEPENDENCIES");
  NvrtcResult result = compile();
  if (may_leave_out && !result.is_compiled) {
    options.resize(all);
    result = compile();
  }
  return {result.is_compiled, std::move(result.ptx), std::move(result.messages)};
}

/// Whether NVRTC's messages are about code that a compiler for device code alone cannot know: functions of
/// the host, and what is not in the headers that it has.
bool needs_nvcc(std::string_view messages) {
  constexpr std::string_view signs[] = {
      "in JIT mode",      "cannot open source file",          "namespace \"std\" has no member",
      "#error directive", "identifier \"rand\" is undefined", "identifier \"__builtin_"};
  return std::any_of(std::begin(signs), std::end(signs),
                     [&](std::string_view sign) { return messages.find(sign) != messages.npos; });
}

Doubt doubt_of(const Kernels& kernels, std::string_view ptx) {
  const std::vector<fs::path> files = files_of(kernels);
  std::string texts;
  for (const fs::path& file : files) texts += text::read_text(file) + "\n";
  return doubt_about(text::read_text(kernels.source), texts, ptx);
}

Compiled by_nvcc(const Kernels& kernels, const text::Installation& installation) {
  const text::TemporaryFolder folder;
  const fs::path module = folder.path() / "module.ptx";
  std::vector<std::string> words = {installation.nvcc.string(), "-ptx", "-O3"};
  for (const auto& more : {common_options(kernels), installation.nvcc_options})
    words.insert(words.end(), more.begin(), more.end());
  words.insert(words.end(), {"-o", module.string(), kernels.source.string()});
  process::Result result = process::run({.words = words, .keeps = process::Keeps::all});
  if (result.signal != 0) throw std::runtime_error("nvcc " + result.how_it_ended() + ".");
  return {result.status == 0, text::text_or_nothing(module), std::move(result.output)};
}

// --- Whether a module is up to date -----------------------------------------------------------------------

void add_files(const fs::path& file, const std::vector<fs::path>& folders, std::vector<fs::path>& files) {
  if (std::find(files.begin(), files.end(), file) != files.end()) return;
  files.push_back(file);
  for_each_include(text::read_text(file), [&](std::string_view quoted) {
    if (!quoted.starts_with('"') || quoted.find('"', 1) == quoted.npos) return;
    const fs::path name = quoted.substr(1, quoted.find('"', 1) - 1);
    fs::path found = file.parent_path() / name;
    for (auto folder = folders.begin(); !fs::is_regular_file(found) && folder != folders.end(); ++folder)
      found = *folder / name;
    if (fs::is_regular_file(found)) add_files(found.lexically_normal(), folders, files);
  });
}

/// Of all that decides what the module is.
std::string key_of(const Kernels& kernels, const text::Installation& installation) {
  std::uint64_t hash = text::hash_of("4");  // the form of what is kept
  for (const NamedHeader& header : standard_headers(false)) hash = text::hash_of(header.text, hash);
  for (const fs::path& compiler : {installation.nvrtc, installation.nvcc}) {
    std::error_code none;
    hash = text::hash_of(compiler.string(), hash);
    const auto written = fs::last_write_time(compiler, none).time_since_epoch().count();
    hash = text::hash_of(std::to_string(static_cast<long long>(written)), hash);  // LLVM's library: 128 bits
  }
  for (const std::string& option : common_options(kernels)) hash = text::hash_of(option, hash);
  hash = text::hash_of(kernels.kernel, hash);
  for (const fs::path& file : files_of(kernels)) {
    hash = text::hash_of(file.string(), hash);
    hash = text::hash_of(text::read_text(file), hash);
  }
  return text::hexadecimal(hash);
}

/// The messages that were kept with `key`, if the module is of that key.
std::optional<std::string> kept(const fs::path& module, const fs::path& messages, const std::string& key) {
  if (!fs::exists(module) || !fs::exists(messages)) return std::nullopt;
  const std::string text = text::read_text(messages);
  if (!text.starts_with(key + "\n")) return std::nullopt;
  return text.substr(key.size() + 1);
}

}  // namespace

std::vector<fs::path> files_of(const Kernels& kernels) {
  std::vector<fs::path> files;
  add_files(kernels.source, kernels.include_folders, files);
  return files;
}

Compiled to_ptx(const Kernels& kernels, const text::Installation& installation) {
  if (installation.nvrtc.empty()) return by_nvcc(kernels, installation);
  const std::string source = text::read_text(kernels.source);
  const std::string alone = text::Source(source).with_kernel_alone(kernels.kernel);
  if (!alone.empty() && alone != source) {
    Compiled compiled = by_nvrtc(kernels, alone, installation);
    const bool has_kernel = compiled.ptx.find(".entry " + kernels.kernel + "(") != std::string::npos;
    if (has_kernel && compiled.messages.empty() && !doubt_of(kernels, compiled.ptx).is_there) return compiled;
  }
  Compiled compiled = by_nvrtc(kernels, source, installation);
  const bool has_nvcc = !installation.nvcc.empty();
  if (compiled.is_compiled) {
    const Doubt doubt = doubt_of(kernels, compiled.ptx);
    if (!doubt.is_there) return compiled;
    if (has_nvcc) {
      Compiled other = by_nvcc(kernels, installation);
      return other.is_compiled ? compiled : other;
    }
    if (!doubt.error.empty()) return {false, {}, kernels.source.string() + doubt.error};
    return compiled;
  }
  const bool is_nvccs = needs_nvcc(compiled.messages);
  if (has_nvcc) {
    Compiled other = by_nvcc(kernels, installation);
    // It takes more than NVRTC: GNU's extensions, functions of the host. Where both refuse a file for what
    // stands in it, everybody gets the same messages.
    return other.is_compiled || is_nvccs ? other : compiled;
  }
  if (is_nvccs)
    compiled.messages +=
        "\nThis file has code for the host, or a header that only nvcc has, and there is no CUDA toolkit "
        "here: leave it out, or\nrun once with WARPWISE_TOOLKIT=wheels, which downloads nvcc.\n";
  return compiled;
}

Made make_module(const Kernels& kernels, const fs::path& module, const text::Installation& installation) {
  const fs::path messages = fs::path(module).replace_extension(".messages");
  const std::string key = key_of(kernels, installation);
  if (auto said = kept(module, messages, key)) return {true, std::move(*said)};
  Compiled compiled = to_ptx(kernels, installation);
  if (!compiled.is_compiled) return {false, std::move(compiled.messages)};
  fs::create_directories(fs::absolute(module).parent_path());
  text::replace_text(module, compiled.ptx);
  text::replace_text(messages, key + "\n" + compiled.messages);
  return {true, std::move(compiled.messages)};
}

}  // namespace warpwise::compile
