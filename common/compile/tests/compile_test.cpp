#include "common/compile/compile.hpp"

#include "common/compile/host_names.hpp"
#include "common/compile/nvrtc.hpp"
#include "common/testing/catch.hpp"
#include "common/text/files.hpp"

using namespace warpwise::compile;
using warpwise::testing::ContainsSubstring;
using warpwise::text::Installation;
using warpwise::text::read_text;
using warpwise::text::TemporaryFolder;
using warpwise::text::write_text;
namespace fs = std::filesystem;

namespace {

const std::string kernel = "extern \"C\" __global__ void k(int* out) { out[0] = 1; }\n";
const std::string host_code = "#include <vector>\n" + kernel + "std::vector<int> host() { return {1}; }\n";

Installation without_nvcc() {
  Installation installation = warpwise::text::installation();
  installation.nvcc.clear();
  return installation;
}

Installation without_nvrtc() {
  Installation installation = warpwise::text::installation();
  installation.nvrtc.clear();
  return installation;
}

/// A folder with a source k.cu and what else is written into it.
struct Folder : TemporaryFolder {
  explicit Folder(const std::string& source) { write("k.cu", source); }

  void write(const std::string& name, const std::string& text) const { write_text(path() / name, text); }
  Kernels kernels() const { return {.source = path() / "k.cu", .include_folders = {path() / "more"}}; }
  Compiled compiled(const Installation& installation = warpwise::text::installation()) const {
    return to_ptx(kernels(), installation);
  }
  Made made() const { return make_module(kernels(), module, warpwise::text::installation()); }

  fs::path module = path() / "made" / "k.ptx";
};

bool has_nvcc() { return !warpwise::text::installation().nvcc.empty(); }

}  // namespace

TEST_CASE("a kernel file becomes PTX for the usual architecture, or for another") {
  const Folder folder(kernel);
  const Compiled usual = folder.compiled();
  REQUIRE(usual.is_compiled);
  CHECK(usual.messages.empty());
  CHECK_THAT(usual.ptx, ContainsSubstring(".target sm_75"));
  CHECK_THAT(usual.ptx, ContainsSubstring(".entry k("));
  Kernels other = folder.kernels();
  other.architecture = "compute_90";
  CHECK_THAT(to_ptx(other, warpwise::text::installation()).ptx, ContainsSubstring(".target sm_90"));
}

TEST_CASE("options reach the compiler") {
  const Folder folder("extern \"C\" __global__ void k(int* out) { out[0] = N; }\n");
  CHECK_FALSE(folder.compiled().is_compiled);
  Kernels with = folder.kernels();
  with.options = {"-DN=1234"};
  CHECK_THAT(to_ptx(with, warpwise::text::installation()).ptx, ContainsSubstring("1234"));
}

TEST_CASE("one kernel is compiled without the others, as far as nothing is to be said of it") {
  const std::string other = "extern \"C\" __global__ void other(int* out) { out[0] = nothing; }\n";
  const Folder folder(kernel + other);
  Kernels wanted = folder.kernels();
  wanted.kernel = "k";
  const Compiled alone = to_ptx(wanted, without_nvcc());
  CHECK(alone.is_compiled);
  CHECK_THAT(alone.ptx, ContainsSubstring(".entry k("));
  CHECK(alone.ptx.find("other") == std::string::npos);
  CHECK_FALSE(folder.compiled(without_nvcc()).is_compiled);
  for (const char* const name : {"other", "renamed"}) {
    wanted.kernel = name;
    CHECK_THAT(to_ptx(wanted, without_nvcc()).messages,
               ContainsSubstring("(2): error: identifier \"nothing\""));
  }
  folder.write("k.cu", "static __device__ int half(int x) { return x / 2; }\n" + kernel +
                           "extern \"C\" __global__ void other(int* out) { out[0] = half(out[1]); }\n");
  wanted.kernel = "k";  // by itself it would leave half() unused, which is worth a warning
  const Compiled whole = to_ptx(wanted, without_nvcc());
  CHECK(whole.messages.empty());
  CHECK_THAT(whole.ptx, ContainsSubstring(".entry other("));
}

TEST_CASE("what most files are compiled without is there for those that need it") {
  const char* const sources[] = {
      "extern \"C\" __global__ void k(cudaError_t* out) { out[0] = cudaErrorNotSupported; }\n",
      "#include <cooperative_groups.h>\n"  // and with it comes libcu++
      "extern \"C\" __global__ void k(cuda::std::size_t* out) { out[0] = 1; }\n"};
  for (const char* const source : sources) {
    const Folder folder(source);
    const Compiled compiled = folder.compiled(without_nvcc());
    INFO(compiled.messages);
    CHECK(compiled.is_compiled);
  }
}

TEST_CASE("errors and warnings begin with the file as it was given, and the line") {
  const Folder folder("extern \"C\" __global__ void k(int* out) {\n  int unused;\n  out[0] = nothing;\n}\n");
  const Compiled refused = folder.compiled(without_nvcc());
  const std::string file = (folder.path() / "k.cu").string();
  CHECK_FALSE(refused.is_compiled);
  CHECK(refused.ptx.empty());
  CHECK_THAT(refused.messages, ContainsSubstring(file + "(3): error: identifier \"nothing\" is undefined"));
  CHECK(refused.messages.find("CUDA toolkit") == std::string::npos);

  folder.write("k.cu", "#include \"h.hpp\"\n" + kernel);
  folder.write("h.hpp", "\n__device__ int h() { int unused; return 1; }\n");
  CHECK_THAT(folder.compiled().messages,
             ContainsSubstring((folder.path() / "h.hpp").string() + "(2): warning #"));
}

TEST_CASE("a source that is not there, and a library that is not there, are one sentence each") {
  const Folder folder(kernel);
  CHECK_THROWS_WITH(
      to_ptx({.source = folder.path() / "other.cu", .include_folders = {}}, warpwise::text::installation()),
      (folder.path() / "other.cu").string() + " cannot be read.");
  Installation wrong = warpwise::text::installation();
  wrong.nvrtc = folder.path() / "libnvrtc.so";
  CHECK_THROWS_WITH(
      folder.compiled(wrong),
      ContainsSubstring("NVRTC cannot be loaded (" + wrong.nvrtc.string() + ": cannot open shared object"));
}

TEST_CASE("an option that NVRTC does not know is a sentence with its name") {
  const Folder folder(kernel);
  Kernels with = folder.kernels();
  with.options = {"--no-such-option"};
  CHECK_THROWS_WITH(to_ptx(with, without_nvcc()), ContainsSubstring("--no-such-option"));
}

TEST_CASE("the mark of UTF-8 in front of a source is no error") {
  const Folder folder("\xEF\xBB\xBF" + kernel);
  const Compiled compiled = folder.compiled(without_nvcc());
  INFO(compiled.messages);
  CHECK(compiled.is_compiled);
}

TEST_CASE("a file with host code is nvcc's, and where there is none a sentence says so") {
  const Folder folder(host_code);
  const Compiled alone = folder.compiled(without_nvcc());
  CHECK_FALSE(alone.is_compiled);
  CHECK_THAT(alone.messages, ContainsSubstring("namespace \"std\" has no member \"vector\""));
  CHECK_THAT(alone.messages, ContainsSubstring("there is no CUDA toolkit here"));
  if (has_nvcc()) {
    const Compiled together = folder.compiled();
    INFO(together.messages);
    CHECK(together.is_compiled);
    CHECK_THAT(together.ptx, ContainsSubstring(".entry k("));
  }
}

TEST_CASE("without NVRTC nvcc compiles, with messages of the same form") {
  if (!has_nvcc()) WARPWISE_NOT_CHECKED("there is no nvcc here");
  const Folder folder(kernel);
  CHECK_THAT(folder.compiled(without_nvrtc()).ptx, ContainsSubstring(".target sm_75"));
  folder.write("k.cu", "\n" + kernel + "__device__ int x = nothing;\n");
  const std::string message =
      (folder.path() / "k.cu").string() + "(3): error: identifier \"nothing\" is undefined\n";
  CHECK_THAT(folder.compiled(without_nvrtc()).messages, ContainsSubstring(message));
  CHECK_THAT(folder.compiled(without_nvcc()).messages, ContainsSubstring(message));
}

TEST_CASE("the files of a source are itself and what it includes in quotes, each once") {
  const Folder folder(
      "#include <cstdio>\n#include \"a.hpp\"\n  #  include \"b.hpp\"  // which has a.hpp\n"
      "#include \"not there.hpp\"\n#include \"c.hpp\"\n#define include\n#include \"open\n" +
      kernel);
  fs::create_directories(folder.path() / "more");
  folder.write("a.hpp", "#pragma once\n");
  folder.write("b.hpp", "#include \"a.hpp\"\n#include \"k.cu\"\n");
  folder.write("more/c.hpp", "#include \"../a.hpp\"\n#include \"d.hpp\"\n");
  folder.write("more/d.hpp", "");
  const fs::path& at = folder.path();
  CHECK(files_of(folder.kernels()) ==
        std::vector<fs::path>{at / "k.cu", at / "a.hpp", at / "b.hpp", at / "more/c.hpp", at / "more/d.hpp"});
}

TEST_CASE("a module of the same texts is left as it is") {
  const Folder folder("#include \"h.hpp\"\n" + kernel);
  folder.write("h.hpp", "\n__device__ int h() { int unused; return 1; }\n");
  const Made first = folder.made();
  REQUIRE(first.is_made);
  CHECK_THAT(first.messages, ContainsSubstring("h.hpp(2): warning #"));
  CHECK_THAT(read_text(folder.module), ContainsSubstring(".entry k("));

  write_text(folder.module, "as it was");
  const Made again = folder.made();
  CHECK(again.is_made);
  CHECK(again.messages == first.messages);
  CHECK(read_text(folder.module) == "as it was");

  SECTION("another header: made again") {
    folder.write("h.hpp", "__device__ int h() { return 1; }\n");
    const Made changed = folder.made();
    CHECK(changed.is_made);
    CHECK(changed.messages.empty());
  }
  SECTION("another source: made again") {
    folder.write("k.cu", kernel + "// more\n");
    CHECK(folder.made().is_made);
  }
  SECTION("no module, or nothing of what was said: made again") {
    fs::remove(GENERATE(true, false) ? folder.module
                                     : fs::path(folder.module).replace_extension(".messages"));
    CHECK(folder.made().messages == first.messages);
  }
  SECTION("other options: made again") {
    Kernels other = folder.kernels();
    other.options = {"-fmad=false"};
    CHECK(make_module(other, folder.module, warpwise::text::installation()).is_made);
  }
  SECTION("without nvcc: made again") {
    CHECK(make_module(folder.kernels(), folder.module, without_nvcc()).is_made);
  }
  CHECK_THAT(read_text(folder.module), ContainsSubstring(".entry k("));
}

TEST_CASE("of a source that is refused there is no new module, and the next build tries again") {
  const Folder folder(kernel);
  REQUIRE(folder.made().is_made);
  const std::string good = read_text(folder.module);
  folder.write("k.cu", "nonsense\n" + kernel);
  for (int i = 0; i < 2; ++i) {
    const Made refused = folder.made();
    CHECK_FALSE(refused.is_made);
    CHECK_THAT(refused.messages, ContainsSubstring("k.cu(1): error"));
  }
  CHECK(read_text(folder.module) == good);
  folder.write("k.cu", kernel);
  CHECK(folder.made().is_made);
}

TEST_CASE("what NVRTC lets pass and nvcc refuses is refused without nvcc, too, with its words") {
  const auto error = [](const std::string& source) {
    const Folder folder(source);
    const Compiled compiled = folder.compiled(without_nvcc());
    CHECK(compiled.is_compiled == compiled.messages.empty());
    return compiled.messages.empty() ? ""
                                     : compiled.messages.substr((folder.path() / "k.cu").string().size());
  };
  const std::string start = "__global__ void k(int* out, int i) {\n";
  const std::string undefined = "(3): error: identifier \"table\" is undefined in device code\n";
  CHECK(error("const int table[] = {1, 2};  // table\n" + start + "  out[0] = table[i];\n}\n") == undefined);
  CHECK(error("namespace a { constexpr int table[] = {1, 2}; }\n" + start + "  out[0] = a::table[i];\n}\n") ==
        undefined);
  CHECK(error("struct A { static constexpr int table[] = {1, 2}; };\n" + start +
              "  out[0] = A::table[i];\n}\n") == undefined);
  for (const char* declared : {"__device__ const int table[]", "static __constant__ int table[]",
                               "constexpr __device__ int table[]"})
    CHECK(error(declared + (" = {1, 2};\n" + start) + "  out[0] = table[i];\n}\n").empty());
  CHECK(error(start + "  const int table[] = {1, 2};\n  static const int more[] = {1, 2};\n"
                      "  out[0] = table[i] + more[i];\n  printf(\"table\");\n}\n")
            .empty());

  CHECK(error("__global__ void child(int* out) { out[0] = 1; }  // child(out)\n" + start +
              "  if (i > 0) child(out);\n}\n") ==
        "(3): error: a __global__ function call must be configured\n");
  CHECK(
      error("extern \"C\" __global__ void child(int*);\n" + start + "  const char* text = \"child(\";\n" +
            "  out[0] = text[i];\n}\nextern \"C\" __global__ void __launch_bounds__(32) child(int* out) {}\n")
          .empty());
}

TEST_CASE("a constant of the file is not that of a library's header with the same name") {
  const std::string source = "const int size = 1, value = 2;\n";
  const auto is_doubtful = [&](const std::string& name) {
    return doubt_about(source, source, ".global .align 1 .b8 " + name + "[1];\nmov.u64 %rd1, " + name + ";\n")
        .is_there;
  };
  CHECK(is_doubtful("_ZN4mine4sizeE"));
  CHECK(is_doubtful("_ZN27_INTERNAL_00000000_4_k_cu_14mine4sizeE"));
  CHECK_FALSE(is_doubtful("_ZN4cuda3std3__417integral_constantIbLb0EE5valueE"));
  CHECK_FALSE(is_doubtful("_ZN27_INTERNAL_00000000_4_k_cu_14cuda3std6ranges3__45__cpo4sizeE"));
}

TEST_CASE("a second definition of what CUDA defines is refused where there is nvcc") {
  if (!has_nvcc()) WARPWISE_NOT_CHECKED("there is no nvcc here");
  const std::string definition =
      "__device__ double atomicAdd(double* address, double value) { return *address += value; }\n";
  CHECK_THAT(Folder(definition + kernel).compiled().messages, ContainsSubstring("has already been defined"));
  CHECK(Folder("#if __CUDA_ARCH__ < 600\n" + definition + "#endif\n" + kernel).compiled().is_compiled);
}

TEST_CASE("infinity and not-a-number are constants") {
  const Folder folder(
      "constexpr float most = INFINITY, none = NAN;\nconstexpr double wide = HUGE_VAL;\n"
      "static_assert(most > 3e38f && none != none && wide > 1e300 && -INFINITY < 0, \"\");\n" +
      kernel);
  const Compiled compiled = folder.compiled(without_nvcc());
  INFO(compiled.messages);
  CHECK(compiled.is_compiled);
}

TEST_CASE("a module may be in the current folder") {
  const Folder folder(kernel);
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  const Made made = make_module(folder.kernels(), "k.ptx", warpwise::text::installation());
  fs::current_path(before);
  CHECK(made.is_made);
  CHECK(fs::exists(folder.path() / "k.ptx"));
}
