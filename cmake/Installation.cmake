# Where things are, for every program of the build: common/text/installation.hpp. Relative where it lies in the clone, so
# that the clone can be moved.
set(lines "# Where Warpwise finds what it needs. CMake writes this file.\n")
foreach(row IN ITEMS "root;${PROJECT_SOURCE_DIR}" "nvrtc;${WARPWISE_NVRTC}" "device_headers;${WARPWISE_DEVICE_HEADERS}"
        "nvcc;${CUDAToolkit_NVCC_EXECUTABLE}" "runtime_bundle;${PROJECT_BINARY_DIR}/lib/libwarpwise_runtime.a")
  list(POP_FRONT row key)
  cmake_path(IS_PREFIX PROJECT_SOURCE_DIR "${row}" NORMALIZE is_inside)
  if(is_inside)
    cmake_path(RELATIVE_PATH row BASE_DIRECTORY "${PROJECT_BINARY_DIR}")
  endif()
  string(APPEND lines "${key} ${row}\n")
endforeach()
string(REPLACE ";" "|" options "${WARPWISE_NVCC_HOST}")
string(APPEND lines "nvcc_options ${options}\ntoolkit_version ${CUDAToolkit_VERSION}\n")
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/installation.txt" @ONLY CONTENT "${lines}")
