# How the project's own C++ is compiled: two interface targets, linked by every library and executable.
include(CheckCXXCompilerFlag)

option(WARPWISE_SANITIZE "AddressSanitizer and UndefinedBehaviorSanitizer" OFF)
option(WARPWISE_FUZZ "Build the fuzzers (clang only; with WARPWISE_SANITIZE)" OFF)

# warpwise_options: the language, the warnings, and the repository root as the one include path.
add_library(warpwise_options INTERFACE)
target_compile_features(warpwise_options INTERFACE cxx_std_20)
target_include_directories(warpwise_options INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_options(warpwise_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow
  $<$<BOOL:${WARPWISE_WERROR}>:-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 sees overlapping copies in `"text" + std::string`, and copies past its end, that are not there (GCC bug
  # 105651); and strings without a value where an object is made member by member.
  target_compile_options(warpwise_options INTERFACE -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow
                         -Wno-maybe-uninitialized)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # A twelfth of its time goes to collecting garbage in the largest files, which need 750 MB where it does not.
  target_compile_options(warpwise_options INTERFACE --param=ggc-min-expand=300 --param=ggc-min-heapsize=600000)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  target_compile_options(warpwise_options INTERFACE -Wno-unknown-pragmas)  # GCC's own, about loops
endif()
if(WARPWISE_SANITIZE)
  set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    list(APPEND sanitizers -Wno-maybe-uninitialized)  # false alarms in <regex> (GCC bug 105616)
  endif()
  if(WARPWISE_FUZZ)
    target_compile_options(warpwise_options INTERFACE -fsanitize=fuzzer-no-link)  # coverage, which guides them
  endif()
  target_compile_options(warpwise_options INTERFACE ${sanitizers})
  target_link_options(warpwise_options INTERFACE ${sanitizers})
endif()
# Everything, since the precompiled headers are shared: the runtime becomes part of other people's shared libraries, which
# Python may load. Without interposition a function is still inlined and called as in a program.
target_compile_options(warpwise_options INTERFACE -fPIC -fno-semantic-interposition)
set(CMAKE_CXX_EXTENSIONS OFF)

# warpwise_fast_options: for code that runs once a simulated instruction. Contraction is off because a*b+c
# rounds twice in PTX unless it says `fma`; the host compiler must not fuse what the kernel did not.
add_library(warpwise_fast_options INTERFACE)
target_compile_options(warpwise_fast_options INTERFACE -O3 -ffp-contract=off -fno-math-errno -fno-trapping-math)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  target_compile_options(warpwise_fast_options INTERFACE -mcx16)  # compare-and-swap of 128 bits
endif()
if(WARPWISE_NATIVE)
  check_cxx_compiler_flag(-march=native WARPWISE_HAS_MARCH_NATIVE)
  if(WARPWISE_HAS_MARCH_NATIVE)
    target_compile_options(warpwise_fast_options INTERFACE -march=native)
  endif()
endif()
