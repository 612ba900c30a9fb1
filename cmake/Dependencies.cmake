# Everything that the project takes from elsewhere. Each is looked for on the system first; where there is a
# network, FetchContent gets a pinned release of what is missing.
include(FetchContent)

# A release of `name`, by the tag of its repository on GitHub. A macro: what its project sets is for who includes this file.
macro(warpwise_fetch_release name repository tag)
  FetchContent_Declare(${name} GIT_REPOSITORY https://github.com/${repository}.git GIT_TAG ${tag} GIT_SHALLOW ON)
  FetchContent_MakeAvailable(${name})
endmacro()

# --- CUDA toolkit: nvcc, headers, static runtime: for whole programs and for a GPU --------------------
# The project's language stays C++ alone: enable_language(CUDA) compiles and links test programs for
# seconds, and needs a GPU architecture that nobody here runs on.
option(WARPWISE_TOOLKIT "Use a CUDA toolkit, for `exec`, `bench` and a GPU" ON)
set(WARPWISE_HAS_TOOLKIT FALSE)
if(WARPWISE_TOOLKIT)
  find_package(CUDAToolkit 12 REQUIRED)
  if(NOT CUDAToolkit_NVCC_EXECUTABLE)
    message(FATAL_ERROR "The CUDA toolkit in ${CUDAToolkit_LIBRARY_ROOT} has no nvcc.")
  endif()
  set(WARPWISE_HAS_TOOLKIT TRUE)
endif()
find_package(Threads REQUIRED)

# --- NVRTC: compiles kernels (common/compile). The same on every machine, as far as it can be had -------
# ./warpwise fetches the wheel that cmake/nvrtc-wheel.txt pins; else the toolkit's own does it, and what it counts may
# differ from the lessons.
file(STRINGS "${PROJECT_SOURCE_DIR}/cmake/nvrtc-wheel.txt" wheel REGEX "^nvidia-cuda-nvrtc==")
string(REGEX REPLACE "^nvidia-cuda-nvrtc==([0-9]+[.][0-9]+).*" "\\1" WARPWISE_PINNED_NVRTC "${wheel}")
set(pinned "${PROJECT_SOURCE_DIR}/.toolkit/nvrtc-${WARPWISE_PINNED_NVRTC}")
set(WARPWISE_NVRTC "${pinned}/lib/libnvrtc.so.13")
set(WARPWISE_DEVICE_HEADERS "${pinned}/headers")
if(CMAKE_CROSSCOMPILING OR NOT EXISTS "${WARPWISE_NVRTC}")  # it is a library of this machine
  set(WARPWISE_NVRTC "")
  set(WARPWISE_DEVICE_HEADERS "")
  if(TARGET CUDA::nvrtc AND NOT CMAKE_CROSSCOMPILING)
    set(WARPWISE_NVRTC "${CUDA_nvrtc_LIBRARY}")
    list(GET CUDAToolkit_INCLUDE_DIRS 0 WARPWISE_DEVICE_HEADERS)
  elseif(NOT WARPWISE_HAS_TOOLKIT)
    message(FATAL_ERROR "Nothing here compiles kernels: neither NVRTC nor a CUDA toolkit. ./warpwise fetches NVRTC.")
  endif()
endif()

# --- Catch2: 3 where installed, else 2.13; common/testing/catch.hpp hides the difference ---------------
find_package(Catch2 3 QUIET)
if(NOT Catch2_FOUND)
  find_package(Catch2 2.13 QUIET)
endif()
if(NOT Catch2_FOUND)
  warpwise_fetch_release(Catch2 catchorg/Catch2 v3.7.1)
  set(Catch2_VERSION 3.7.1)
endif()

# Version 2 is one header, and its own code takes 10 s to compile. Distributions bring it compiled, with its
# main; under another name for that main, chapters can call it from theirs.
if(Catch2_VERSION VERSION_LESS 3)
  set(library "${PROJECT_BINARY_DIR}/lib/libcatch.a")
  if(TARGET Catch2::Catch2WithMain AND CMAKE_OBJCOPY)
    add_custom_command(
      OUTPUT "${library}"
      COMMAND "${CMAKE_OBJCOPY}" --redefine-sym main=warpwise_run_catch "$<TARGET_FILE:Catch2::Catch2WithMain>" "${library}"
      DEPENDS "$<TARGET_FILE:Catch2::Catch2WithMain>"
      COMMENT "Taking over the distribution's Catch2"
      VERBATIM)
    add_custom_target(warpwise_catch_library DEPENDS "${library}")
    add_library(warpwise_catch INTERFACE)
    add_dependencies(warpwise_catch warpwise_catch_library)
    target_link_libraries(warpwise_catch INTERFACE "${library}" Catch2::Catch2)
  else()
    file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/catch.cpp" CONTENT [[
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
extern "C" int warpwise_run_catch(int count, char** words) { return Catch::Session().run(count, words); }
]])
    add_library(warpwise_catch STATIC "${PROJECT_BINARY_DIR}/catch.cpp")
    target_compile_features(warpwise_catch PRIVATE cxx_std_20)  # as its users: it knows std::string_view then
    target_compile_options(warpwise_catch PRIVATE -O0)  # half the time to compile; it runs no test's own code
    target_link_libraries(warpwise_catch PUBLIC Catch2::Catch2)
  endif()
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/catch_main.cpp" CONTENT [[
extern "C" int warpwise_run_catch(int count, char** words);
int main(int count, char** words) { return warpwise_run_catch(count, words); }
]])
  add_library(warpwise_catch_main STATIC EXCLUDE_FROM_ALL "${PROJECT_BINARY_DIR}/catch_main.cpp")
  target_link_libraries(warpwise_catch_main PUBLIC warpwise_catch)
else()
  add_library(warpwise_catch INTERFACE)
  target_link_libraries(warpwise_catch INTERFACE Catch2::Catch2)
  add_library(warpwise_catch_main INTERFACE)
  target_link_libraries(warpwise_catch_main INTERFACE Catch2::Catch2WithMain)
endif()

# Catch2's header takes 2 s to read, and some ninety files include it; it brings the standard library's, which all files
# include. It is read once, and reused by
#   target_precompile_headers(TARGET REUSE_FROM warpwise_catch_header)
# and for unit tests, which are compiled without optimisation, from warpwise_test_header.
# Not beneath a compiler cache, which cannot see into it.
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
endif()
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/catch_header.cpp" CONTENT "")
foreach(header IN ITEMS warpwise_catch_header warpwise_test_header)
  add_library(${header} OBJECT EXCLUDE_FROM_ALL "${PROJECT_BINARY_DIR}/catch_header.cpp")
  target_link_libraries(${header} PRIVATE warpwise_options Catch2::Catch2)
  target_precompile_headers(${header} PRIVATE "${PROJECT_SOURCE_DIR}/common/testing/catch.hpp" <algorithm> <array>
    <bit> <cmath> <filesystem> <fstream> <functional> <iostream> <map> <optional> <set> <span> <sstream> <unordered_map>)
endforeach()
target_compile_options(warpwise_test_header PRIVATE -O0)
# warpwise_precompile_headers(FOLDER...): the first of them, for all targets of these folders that have none.
function(warpwise_precompile_headers)
  foreach(folder IN LISTS ARGN)
    get_property(targets DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
    foreach(target IN LISTS targets)
      get_target_property(type ${target} TYPE)
      get_target_property(header ${target} PRECOMPILE_HEADERS_REUSE_FROM)
      if(type MATCHES "^(STATIC_LIBRARY|EXECUTABLE)$" AND NOT header)
        target_precompile_headers(${target} REUSE_FROM warpwise_catch_header)
      endif()
    endforeach()
  endforeach()
endfunction()

# --- nlohmann-json: reports --------------------------------------------------------------------------------
if(NOT TARGET nlohmann_json::nlohmann_json)  # of a project that has added this one
  find_package(nlohmann_json 3.10 QUIET)
endif()
if(NOT TARGET nlohmann_json::nlohmann_json)
  warpwise_fetch_release(nlohmann_json nlohmann/json v3.11.3)
endif()

# --- The command line only: chapters, harness and simulator build without it ---------------------------
option(WARPWISE_CLI "Build the command line (CLI11)" ON)
if(WARPWISE_CLI)
  find_package(CLI11 2 QUIET)
  if(NOT CLI11_FOUND)
    warpwise_fetch_release(CLI11 CLIUtils/CLI11 v2.4.2)
  endif()
endif()
