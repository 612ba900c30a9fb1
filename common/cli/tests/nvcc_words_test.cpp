#include "common/cli/nvcc_words.hpp"

#include <string>

#include "common/testing/catch.hpp"

using warpwise::cli::call_for_simulated_gpu;
using warpwise::cli::Words;

namespace {

/// What the real nvcc is given, one blank between words.
std::string words_of(const Words& given) {
  std::string text;
  for (const std::string& word : call_for_simulated_gpu(given, "/gpu/lib64").words)
    text += (text.empty() ? "" : " ") + word;
  return text;
}

/// The same of a compilation, without what every call gets.
std::string changed(const Words& given) {
  const std::string text = words_of(given), start = "-arch=compute_75 --no-compress -lineinfo -L/gpu/lib64";
  REQUIRE(text.starts_with(start));
  return text.size() == start.size() ? "" : text.substr(start.size() + 1);
}

std::string architecture_of(const Words& given) {
  const std::string text = words_of(given);
  return text.substr(0, text.find(' '));
}

}  // namespace

TEST_CASE("nvcc: what does not choose device code is handed on as it is") {
  CHECK(changed({"-c", "a.cu", "-o", "a.o", "-Xcompiler", "-fPIC,-Wall", "-O2", "-std=c++17", "-DX=-G"}) ==
        "-c a.cu -o a.o -Xcompiler -fPIC,-Wall -O2 -std=c++17 -DX=-G");
  CHECK(changed({"--version"}) == "--version");
  CHECK(changed({"-shared", "a.o", "b.o", "-lcudart", "-o", "lib.so"}) ==
        "-shared a.o b.o -lcudart -o lib.so");
  CHECK(changed({}).empty());
}

TEST_CASE("nvcc: the value of an option is no option, whatever it looks like") {
  CHECK(changed({"-Xcompiler", "-G", "-o", "-dc", "-MF", "-rdc=true", "a.cu"}) ==
        "-Xcompiler -G -o -dc -MF -rdc=true a.cu");
}

TEST_CASE("nvcc: of several architectures the simulated GPU's own, or the nearest, is made as PTX") {
  CHECK(architecture_of({"-gencode", "arch=compute_80,code=sm_80",
                         "-gencode=arch=compute_90,code=[compute_90,sm_90]", "-gencode",
                         "arch=compute_120,code=sm_120"}) == "-arch=compute_90");
  CHECK(architecture_of({"-arch=sm_86", "-code", "sm_86"}) == "-arch=compute_86");
  CHECK(architecture_of({"-arch", "sm_100"}) == "-arch=compute_100");
  CHECK(architecture_of({"-arch", "native"}) == "-arch=compute_75");
  CHECK(architecture_of({"--generate-code=arch=compute_60,code=sm_60"}) ==
        "-arch=compute_75");  // CUDA 13 has none
}

TEST_CASE("nvcc: options about the runtime, debugging and compression are ours") {
  CHECK(changed({"-cudart", "none", "-G", "-lineinfo", "--compress-mode=size", "a.cu", "-cudart=shared"}) ==
        "a.cu");
}

TEST_CASE(
    "nvcc: relocatable device code is compiled as a whole program, and linking it makes an empty object") {
  CHECK(changed({"-rdc=true", "-c", "a.cu"}) == "-diag-error=20044 -c a.cu");
  CHECK(changed({"-dc", "a.cu"}) == "-diag-error=20044 -c a.cu");
  CHECK(changed({"--relocatable-device-code", "false", "-c", "a.cu"}) == "-c a.cu");
  CHECK(words_of({"-arch=sm_80", "-dlink", "a.o", "b.o", "-o", "link.o"}) == "-c -x c++ /dev/null -o link.o");
}

TEST_CASE("nvcc: machine code is no part of a program, and is made as it was asked for") {
  CHECK(words_of({"-cubin", "-arch=sm_80", "a.cu"}) == "-cubin -arch=sm_80 a.cu");
}

TEST_CASE("nvcc: what says where the toolkit is, is known") {
  CHECK(call_for_simulated_gpu({"-v", "x"}, "/gpu/lib64").is_verbose);
  CHECK(call_for_simulated_gpu({"--dryrun", "x"}, "/gpu/lib64").is_verbose);
  CHECK_FALSE(call_for_simulated_gpu({"-Xptxas", "-v"}, "/gpu/lib64").is_verbose);
}
