#include "nvrtc.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <vector>

namespace warpwise::compile {

namespace {

// The names of NVRTC's own header (nvrtc.h), which comes with no toolkit that is needed here.
using Program = void*;
constexpr int success = 0, compilation_error = 6;

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error("NVRTC " + what + "."); }

/// NVRTC starts NVIDIA's driver, if there is one, which takes 0.2 s where it sees a GPU, and asks it nothing.
/// So it is started here, once a process, without a GPU in sight.
void start_driver_without_gpus() {
  constexpr const char* variable = "CUDA_VISIBLE_DEVICES";
  void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  const auto start =
      driver == nullptr ? nullptr : reinterpret_cast<int (*)(unsigned)>(dlsym(driver, "cuInit"));
  if (start == nullptr) return;
  const char* const value = std::getenv(variable);
  const std::optional<std::string> before =
      value == nullptr ? std::nullopt : std::optional<std::string>(value);
  setenv(variable, "", 1);
  start(0);
  before ? setenv(variable, before->c_str(), 1) : unsetenv(variable);
}

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
  start_driver_without_gpus();
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
  status = find<int(Program, int, const char* const*)>("nvrtcCompileProgram")(
      program, static_cast<int>(words.size()), words.data());
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
