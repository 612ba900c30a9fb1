# Programs for the GPU of this machine: a chapter's own, and those that hold its kernels against CUB. Nothing here is
# built unless it is asked for: `./warpwise bench` asks for the latter.
set(WARPWISE_BENCH_ARCH native CACHE STRING "nvcc's -arch for programs that run on the GPU of this machine")

# warpwise_compile_for_gpu(name output source [option...]): the target `name` makes `output`. Both paths are absolute.
function(warpwise_compile_for_gpu name output source)
  string(REPLACE " " "\\ " output_in_depfile "${output}")  # nvcc writes what -MT says as it is
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${CUDAToolkit_NVCC_EXECUTABLE}" ${ARGN} "-arch=${WARPWISE_BENCH_ARCH}" -std=c++17 -O3
            ${WARPWISE_NVCC_HOST} "-I${PROJECT_SOURCE_DIR}"
            -MMD -MF "${output}.d" -MT "${output_in_depfile}" -o "${output}" "${source}"
    DEPENDS "${source}" "${CUDAToolkit_NVCC_EXECUTABLE}"
    DEPFILE "${output}.d"
    COMMENT "Compiling ${name} for the GPU"
    VERBATIM)
  add_custom_target(${name} DEPENDS "${output}")
endfunction()

# warpwise_add_gpu_object(NAME name SOURCE file.cu)
#
# One object file; the target `name` builds it, its property OBJECT_FILE is the path.
function(warpwise_add_gpu_object)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;SOURCE" "")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_NAME OR NOT arg_SOURCE)
    message(FATAL_ERROR "warpwise_add_gpu_object(NAME name SOURCE file.cu)")
  endif()
  cmake_path(ABSOLUTE_PATH arg_SOURCE BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
  set(object "${CMAKE_CURRENT_BINARY_DIR}/${arg_NAME}.o")
  warpwise_compile_for_gpu(${arg_NAME} "${object}" "${arg_SOURCE}" -c)
  set_target_properties(${arg_NAME} PROPERTIES OBJECT_FILE "${object}")
endfunction()

# warpwise_add_gpu_program(NAME name SOURCE folder/file.cu)
#
# A program that runs on the GPU of this machine, built on request only: cmake --build build --target name puts it
# into build/chNN_name/folder/file. None where the file is left out.
function(warpwise_add_gpu_program)
  if(NOT WARPWISE_HAS_TOOLKIT)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;SOURCE" "")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_NAME OR NOT arg_SOURCE)
    message(FATAL_ERROR "warpwise_add_gpu_program(NAME name SOURCE folder/file.cu)")
  endif()
  if(NOT EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${arg_SOURCE}")
    return()
  endif()
  cmake_path(REMOVE_EXTENSION arg_SOURCE OUTPUT_VARIABLE program)
  cmake_path(ABSOLUTE_PATH program BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
  cmake_path(GET program PARENT_PATH folder)
  file(MAKE_DIRECTORY "${folder}")
  cmake_path(ABSOLUTE_PATH arg_SOURCE BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
  warpwise_compile_for_gpu(${arg_NAME} "${program}" "${arg_SOURCE}")
endfunction()

# warpwise_add_comparisons(CUB family...)
#
# bench/comparisons.cu of the calling chapter says which kernels are held against which of CUB's algorithms
# (common/measuring/cub_FAMILY.cu). The targets chNN_name.bench.exercise and chNN_name.bench.solution make
# build/chNN_name/bench/exercise and .../solution.
function(warpwise_add_comparisons)
  if(NOT WARPWISE_HAS_TOOLKIT)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "CUB")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_CUB)
    message(FATAL_ERROR "warpwise_add_comparisons(CUB family...)")
  endif()
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME chapter)
  file(MAKE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/bench")
  warpwise_add_gpu_object(NAME ${chapter}.comparisons SOURCE bench/comparisons.cu)
  set(parts warpwise_comparison ${chapter}.comparisons)
  foreach(algorithm IN LISTS arg_CUB)
    list(APPEND parts warpwise_cub_${algorithm})
  endforeach()
  foreach(kernels IN ITEMS exercise solution)
    warpwise_add_gpu_object(NAME ${chapter}.${kernels}.object SOURCE ${kernels}.cu)
    set(objects "")
    foreach(part IN LISTS parts ITEMS ${chapter}.${kernels}.object)
      get_target_property(object ${part} OBJECT_FILE)
      list(APPEND objects "${object}")
    endforeach()
    set(program "${CMAKE_CURRENT_BINARY_DIR}/bench/${kernels}")
    add_custom_command(
      OUTPUT "${program}"
      COMMAND "${CUDAToolkit_NVCC_EXECUTABLE}" "-arch=${WARPWISE_BENCH_ARCH}" ${WARPWISE_NVCC_HOST} -o "${program}"
              ${objects}
      DEPENDS ${objects} ${parts} ${chapter}.${kernels}.object
      COMMENT "Linking the bench of ${chapter}/${kernels}.cu"
      VERBATIM)
    add_custom_target(${chapter}.bench.${kernels} DEPENDS "${program}")
  endforeach()
endfunction()
