# WARPWISE_NVCC_HOST: what nvcc is told of a host compiler.
#
# nvcc compiles host code, and reads the C++ library's headers, with a host compiler. Each nvcc
# refuses those that are newer than it ("unsupported GNU version": 12.0 takes g++ up to 12, clang up to 14), and
# the one that compiles the project's own C++ may be such a one. So they are tried, until one compiles a file:
# the project's own, nvcc's own (a distribution's package names the right one), others that are installed, and at
# last the project's own against nvcc's advice. Where CMake compiles for another machine, "the project's own" is
# that of this one: nvcc runs here.
if(CMAKE_CROSSCOMPILING)
  find_program(WARPWISE_OWN_COMPILER NAMES g++ clang++ REQUIRED)
else()
  set(WARPWISE_OWN_COMPILER "${CMAKE_CXX_COMPILER}")
endif()

function(warpwise_find_nvcc_host)
  set(found_for "${CUDAToolkit_NVCC_EXECUTABLE} ${CUDAToolkit_VERSION} ${WARPWISE_OWN_COMPILER} ${CMAKE_CXX_COMPILER_VERSION}")
  if(WARPWISE_NVCC_HOST_FOUND_FOR STREQUAL found_for)
    return()
  endif()
  set(folder "${PROJECT_BINARY_DIR}/nvcc_host")
  file(CONFIGURE OUTPUT "${folder}/probe.cu" CONTENT
    "#include <cstdint>\n#include <limits>\n#include <type_traits>\n#include <utility>
extern \"C\" __global__ void probe(int* out) { *out = 1; }\n")

  set(candidates "-ccbin|${WARPWISE_OWN_COMPILER}" "")
  foreach(name IN ITEMS g++-14 g++-13 g++-12 g++-11 clang++-18 clang++-17 clang++-16 clang++-15 clang++-14)
    find_program(compiler ${name} NO_CACHE)
    if(compiler)
      list(APPEND candidates "-ccbin|${compiler}")
    endif()
    unset(compiler)
  endforeach()
  list(APPEND candidates "-ccbin|${WARPWISE_OWN_COMPILER}|-allow-unsupported-compiler")

  foreach(candidate IN LISTS candidates)
    string(REPLACE "|" ";" arguments "${candidate}")
    execute_process(
      COMMAND "${CUDAToolkit_NVCC_EXECUTABLE}" -ptx -std=c++17 -arch=compute_75 ${arguments} -o "${folder}/probe.ptx"
              "${folder}/probe.cu"
      RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(status EQUAL 0)
      if(NOT candidate STREQUAL "-ccbin|${WARPWISE_OWN_COMPILER}")
        message(STATUS "nvcc ${CUDAToolkit_VERSION} refuses ${WARPWISE_OWN_COMPILER}; it is called with '${arguments}'")
      endif()
      set(WARPWISE_NVCC_HOST "${arguments}" CACHE INTERNAL "nvcc's host compiler")
      set(WARPWISE_NVCC_HOST_FOUND_FOR "${found_for}" CACHE INTERNAL "the compilers that this was tried with")
      return()
    endif()
    if(NOT DEFINED complaint)
      set(complaint "${output}")
    endif()
  endforeach()
  message(FATAL_ERROR
    "nvcc ${CUDAToolkit_VERSION} (${CUDAToolkit_NVCC_EXECUTABLE}) compiles with no host compiler that is installed. "
    "Install an older one, such as g++-12, or take a newer CUDA toolkit. Of ${WARPWISE_OWN_COMPILER} nvcc says:\n${complaint}")
endfunction()
if(WARPWISE_HAS_TOOLKIT)
  warpwise_find_nvcc_host()
endif()
