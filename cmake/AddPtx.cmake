# warpwise_add_ptx(NAME name SOURCE file.cu [ARCH compute_80] [OUTPUT path] [OPTIONS option...])
#
# Compiles one kernel file to one PTX module: the unit that the simulator and the GPU both load. The module
# lies in the build tree where the source lies in the repository: ch01_naive/exercise.cu gives
# build/ch01_naive/exercise.ptx. The target `name` builds it; its property PTX_FILE is the path.
# kernel_compiler (common/compile) compiles it, as the commands do it themselves.
function(warpwise_add_ptx)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;SOURCE;ARCH;OUTPUT" "OPTIONS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_NAME OR NOT arg_SOURCE)
    message(FATAL_ERROR "warpwise_add_ptx(NAME name SOURCE file.cu [ARCH compute_80] [OUTPUT path] [OPTIONS option...])")
  endif()
  if(arg_ARCH)
    list(APPEND arg_OPTIONS "-arch=${arg_ARCH}")
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

  add_custom_command(
    OUTPUT "${ptx}"
    COMMAND kernel_compiler "-I${PROJECT_SOURCE_DIR}" ${arg_OPTIONS} --depfile "${ptx}.d" -o "${ptx}" "${arg_SOURCE}"
    DEPENDS "${arg_SOURCE}"
    DEPFILE "${ptx}.d"
    COMMENT "Compiling ${arg_NAME} to PTX"
    VERBATIM)
  add_custom_target(${arg_NAME} ALL DEPENDS "${ptx}")
  add_dependencies(${arg_NAME} kernel_compiler)
  set_target_properties(${arg_NAME} PROPERTIES PTX_FILE "${ptx}")
endfunction()
