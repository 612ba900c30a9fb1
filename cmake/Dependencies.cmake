# Everything that the project takes from elsewhere. Each is looked for on the system first; where there is a
# network, FetchContent gets a pinned release of what is missing.
include(FetchContent)

# --- CUDA toolkit: nvcc, headers, static runtime ------------------------------------------------------
# The project's language stays C++ alone: enable_language(CUDA) compiles and links test programs for
# seconds, and needs a GPU architecture that nobody here runs on. AddPtx.cmake calls nvcc itself.
find_package(CUDAToolkit 12 REQUIRED)
if(NOT CUDAToolkit_NVCC_EXECUTABLE)
  message(FATAL_ERROR "The CUDA toolkit in ${CUDAToolkit_LIBRARY_ROOT} has no nvcc.")
endif()
find_package(Threads REQUIRED)

# --- Catch2: 3 where installed, else 2.13; common/testing/catch.hpp hides the difference ---------------
find_package(Catch2 3 QUIET)
if(NOT Catch2_FOUND)
  find_package(Catch2 2.13 QUIET)
endif()
if(NOT Catch2_FOUND)
  FetchContent_Declare(Catch2
    GIT_REPOSITORY https://github.com/catchorg/Catch2.git
    GIT_TAG v3.7.1
    GIT_SHALLOW ON)
  FetchContent_MakeAvailable(Catch2)
  set(Catch2_VERSION 3.7.1)
endif()

# warpwise_catch_main: Catch2 with its main. Version 2 compiles it from one header, which takes 8 s: once,
# here, for all tests.
if(Catch2_VERSION VERSION_LESS 3)
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/catch_main.cpp" CONTENT
    "#define CATCH_CONFIG_MAIN\n#include <catch2/catch.hpp>\n")
  add_library(warpwise_catch_main STATIC EXCLUDE_FROM_ALL "${PROJECT_BINARY_DIR}/catch_main.cpp")
  target_compile_features(warpwise_catch_main PRIVATE cxx_std_20)  # as its users: it knows std::string_view then
  target_compile_options(warpwise_catch_main PRIVATE -O0)  # halves those 8 s; it runs no test's own code
  target_link_libraries(warpwise_catch_main PUBLIC Catch2::Catch2)
else()
  add_library(warpwise_catch_main INTERFACE)
  target_link_libraries(warpwise_catch_main INTERFACE Catch2::Catch2WithMain)
endif()

# --- nlohmann-json: reports --------------------------------------------------------------------------------
if(NOT TARGET nlohmann_json::nlohmann_json)  # of a project that has added this one
  find_package(nlohmann_json 3.10 QUIET)
endif()
if(NOT TARGET nlohmann_json::nlohmann_json)
  FetchContent_Declare(nlohmann_json
    GIT_REPOSITORY https://github.com/nlohmann/json.git
    GIT_TAG v3.11.3
    GIT_SHALLOW ON)
  FetchContent_MakeAvailable(nlohmann_json)
endif()

# --- The command line only: chapters, harness and simulator build without it ---------------------------
option(WARPWISE_CLI "Build the command line (CLI11)" ON)
if(WARPWISE_CLI)
  find_package(CLI11 2 QUIET)
  if(NOT CLI11_FOUND)
    FetchContent_Declare(CLI11
      GIT_REPOSITORY https://github.com/CLIUtils/CLI11.git
      GIT_TAG v2.4.2
      GIT_SHALLOW ON)
    FetchContent_MakeAvailable(CLI11)
  endif()
endif()
