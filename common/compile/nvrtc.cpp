#include "nvrtc.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <vector>

namespace warpwise::compile {

namespace {

// The names of NVRTC's own header (nvrtc.h), which comes with no toolkit that is needed here.
using Program = void*;
constexpr int success = 0, compilation_error = 6;

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error("NVRTC " + what + "."); }

/// While it lives, CUDA's driver finds no GPU.
class HiddenGpus {
 public:
  HiddenGpus() {
    if (const char* const value = std::getenv(variable)) before_ = value;
    setenv(variable, "", 1);
  }
  ~HiddenGpus() { before_ ? setenv(variable, before_->c_str(), 1) : unsetenv(variable); }
  HiddenGpus(const HiddenGpus&) = delete;
  HiddenGpus& operator=(const HiddenGpus&) = delete;

 private:
  static constexpr const char* variable = "CUDA_VISIBLE_DEVICES";
  std::optional<std::string> before_;
};

/// A text whose size is asked for first, with the zero at its end.
template <class Size, class Get>
std::string text_of(Program program, Size* size_of, Get* get) {
  std::size_t size = 0;
  if (size_of(program, &size) != success || size == 0) return {};
  std::string text(size, '\0');
  if (get(program, text.data()) != success) return {};
  text.resize(size - 1);
  return text;
}

}  // namespace

template <class Function>
Function* Nvrtc::find(const char* name) const {
  void* const address = dlsym(library_, name);
  if (address == nullptr) fail(std::string("has no ") + name);
  return reinterpret_cast<Function*>(address);
}

Nvrtc::Nvrtc(const std::filesystem::path& library)
    : library_(dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (library_ == nullptr) fail("cannot be loaded (" + std::string(dlerror()) + ")");
  int major = 0, minor = 0;
  find<int(int*, int*)>("nvrtcVersion")(&major, &minor);
  version_ = std::to_string(major) + "." + std::to_string(minor);
  knows_minimal_ = major > 12 || (major == 12 && minor >= 4);
  // NVRTC opens its second library by name alone, and finds it beside itself; under a sanitizer, whose own
  // dlopen() asks instead, only if it is open already.
  dlopen((library.parent_path() / ("libnvrtc-builtins.so." + version_)).c_str(), RTLD_NOW | RTLD_LOCAL);
}

NvrtcResult Nvrtc::compile(const std::string& source, const std::string& name,
                           std::span<const NamedHeader> headers, std::span<const std::string> options) const {
  std::vector<const char*> texts, names, words;
  for (const NamedHeader& header : headers) {
    texts.push_back(header.text);
    names.push_back(header.name);
  }
  for (const std::string& option : options) words.push_back(option.c_str());
  Program program = nullptr;
  const auto create =
      find<int(Program*, const char*, const char*, int, const char* const*, const char* const*)>(
          "nvrtcCreateProgram");
  const auto describe = find<const char*(int)>("nvrtcGetErrorString");
  int status = create(&program, source.c_str(), name.c_str(), static_cast<int>(texts.size()), texts.data(),
                      names.data());
  if (status != success) fail(std::string("cannot read ") + name + ": " + describe(status));
  const auto compile = find<int(Program, int, const char* const*)>("nvrtcCompileProgram");
  const auto run = [&] { status = compile(program, static_cast<int>(words.size()), words.data()); };
  // The first time NVRTC starts NVIDIA's driver, which takes 0.2 s for a GPU, and asks it nothing.
  static std::once_flag first;
  bool has_run = false;
  std::call_once(first, [&] {
    const HiddenGpus hidden;
    run();
    has_run = true;
  });
  if (!has_run) run();
  NvrtcResult result;
  result.is_compiled = status == success;
  result.messages = text_of(program, find<int(Program, std::size_t*)>("nvrtcGetProgramLogSize"),
                            find<int(Program, char*)>("nvrtcGetProgramLog"));
  if (result.is_compiled)
    result.ptx = text_of(program, find<int(Program, std::size_t*)>("nvrtcGetPTXSize"),
                         find<int(Program, char*)>("nvrtcGetPTX"));
  find<int(Program*)>("nvrtcDestroyProgram")(&program);
  if (status != success && status != compilation_error)
    fail(version_ + " failed: " + describe(status) + (result.messages.empty() ? "" : ": " + result.messages));
  return result;
}

bool Nvrtc::install_headers(const std::filesystem::path& folder) const {
  const auto install = reinterpret_cast<int (*)(const char*, unsigned, const char**)>(
      dlsym(library_, "nvrtcInstallBundledHeaders"));
  if (install == nullptr) return false;
  const char* why = nullptr;
  constexpr unsigned unless_there = 0;
  if (install(folder.c_str(), unless_there, &why) != success)
    fail("cannot write its headers to " + folder.string() + (why == nullptr ? "" : std::string(": ") + why));
  return true;
}

}  // namespace warpwise::compile
