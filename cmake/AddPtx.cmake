# warpwise_add_ptx(NAME name SOURCE file.cu [ARCH compute_80] [OPTIONS option...] [HEADERS_OF module.ptx])
#
# Compiles one kernel file to one PTX module: the unit that the simulator and the GPU both load. The module
# lies in the build tree where the source lies in the repository: ch01_naive/exercise.cu gives
# build/ch01_naive/exercise.ptx. The target `name` builds it; its property PTX_FILE is the path.
#
# nvcc is called directly. CMake's own way (an object library with CUDA_PTX_COMPILATION) needs
# enable_language(CUDA), which costs seconds at the first configure and wants to link device code, and it
# hides each module behind an object library. One command with a dependency file says the same: an edit of a
# .cu, or of a header that it includes, rebuilds exactly that .ptx and relinks nothing. For its dependency file nvcc runs
# the preprocessor once more, a fourth of a small module's time: a source made from another one (HEADERS_OF: that one's
# module) includes the same headers, and is compiled again when that module is.
function(warpwise_add_ptx)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;SOURCE;ARCH;OUTPUT;HEADERS_OF" "OPTIONS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_NAME OR NOT arg_SOURCE)
    message(FATAL_ERROR
      "warpwise_add_ptx(NAME name SOURCE file.cu [ARCH compute_80] [OPTIONS option...] [HEADERS_OF module.ptx])")
  endif()
  if(NOT arg_ARCH)
    set(arg_ARCH ${WARPWISE_ARCH})
  endif()

  cmake_path(ABSOLUTE_PATH arg_SOURCE BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
  if(arg_OUTPUT)
    set(ptx "${CMAKE_CURRENT_BINARY_DIR}/${arg_OUTPUT}")
  else()
    cmake_path(RELATIVE_PATH arg_SOURCE BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" OUTPUT_VARIABLE ptx)
    cmake_path(REPLACE_EXTENSION ptx LAST_ONLY ptx)
    cmake_path(ABSOLUTE_PATH ptx BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
  endif()
  cmake_path(GET ptx PARENT_PATH folder)
  file(MAKE_DIRECTORY "${folder}")

  string(REPLACE " " "\\ " ptx_in_depfile "${ptx}")  # nvcc writes what -MT says as it is
  set(depfile_options -MMD -MF "${ptx}.d" -MT "${ptx_in_depfile}")
  set(depfile DEPFILE "${ptx}.d")
  if(arg_HEADERS_OF)
    unset(depfile_options)
    unset(depfile)
  endif()
  add_custom_command(
    OUTPUT "${ptx}"
    COMMAND "${CUDAToolkit_NVCC_EXECUTABLE}" ${WARPWISE_KERNEL_OPTIONS} "-arch=${arg_ARCH}"
            ${WARPWISE_NVCC_HOST} "-I${PROJECT_SOURCE_DIR}" ${arg_OPTIONS} ${depfile_options} -o "${ptx}" "${arg_SOURCE}"
    DEPENDS "${arg_SOURCE}" ${arg_HEADERS_OF} "${CUDAToolkit_NVCC_EXECUTABLE}"
    ${depfile}
    COMMENT "Compiling ${arg_NAME} to PTX"
    VERBATIM)
  add_custom_target(${arg_NAME} ALL DEPENDS "${ptx}")
  set_target_properties(${arg_NAME} PROPERTIES PTX_FILE "${ptx}")
endfunction()
