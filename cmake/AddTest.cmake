# warpwise_add_test(NAME name SOURCES file... [LIBRARIES target...] [PTX target...] [DEFINITIONS definition...]
#                   [LABEL label] [TIMEOUT seconds])
#
# One Catch2 executable; each of its test cases is a test of CTest called `name/case`. The PTX targets are
# built before it. Two macros tell it where files lie:
#   WARPWISE_SOURCE_DIR   the folder of the calling CMakeLists.txt
#   WARPWISE_BINARY_DIR   the same place in the build tree, where the .ptx of its .cu files are
# LABEL: for `ctest -L`; where none is given, the folder under common/. The target tests_of_LABEL builds them all.
function(warpwise_add_test)
  if(NOT WARPWISE_TESTS)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;LABEL;TIMEOUT" "SOURCES;LIBRARIES;PTX;DEFINITIONS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_NAME OR NOT arg_SOURCES)
    message(FATAL_ERROR "warpwise_add_test(NAME name SOURCES file... [LIBRARIES target...] ...)")
  endif()
  if(NOT arg_LABEL)
    file(RELATIVE_PATH arg_LABEL "${PROJECT_SOURCE_DIR}/common" "${CMAKE_CURRENT_SOURCE_DIR}")
    string(REGEX REPLACE "/.*" "" arg_LABEL "${arg_LABEL}")
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()

  add_executable(${arg_NAME} ${arg_SOURCES})
  set_target_properties(${arg_NAME} PROPERTIES UNITY_BUILD OFF)  # test files may call their helpers alike
  target_link_libraries(${arg_NAME} PRIVATE ${arg_LIBRARIES} warpwise_options warpwise_catch_main)
  target_compile_options(${arg_NAME} PRIVATE -O0)  # a test asserts for milliseconds; what it tests is optimised
  target_precompile_headers(${arg_NAME} REUSE_FROM warpwise_test_header)
  target_compile_definitions(${arg_NAME} PRIVATE
    "WARPWISE_SOURCE_DIR=\"${CMAKE_CURRENT_SOURCE_DIR}\""
    "WARPWISE_BINARY_DIR=\"${CMAKE_CURRENT_BINARY_DIR}\""
    ${arg_DEFINITIONS})
  # All together in build/tests: beside its .ptx files a test could meet a folder of its own name.
  set_target_properties(${arg_NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  if(NOT TARGET tests_of_${arg_LABEL})
    add_custom_target(tests_of_${arg_LABEL})
  endif()
  add_dependencies(tests_of_${arg_LABEL} ${arg_NAME})
  if(arg_PTX)
    add_dependencies(${arg_NAME} ${arg_PTX})
  endif()

  set(tests "${CMAKE_CURRENT_BINARY_DIR}/${arg_NAME}.tests.cmake")
  set(discover "${PROJECT_SOURCE_DIR}/cmake/DiscoverTests.cmake")
  set_target_properties(${arg_NAME} PROPERTIES LINK_DEPENDS "${discover}")
  add_custom_command(TARGET ${arg_NAME} POST_BUILD
    COMMAND ${CMAKE_COMMAND} -DEXECUTABLE=$<TARGET_FILE:${arg_NAME}> -DNAME=${arg_NAME}
            -DVERSION=${Catch2_VERSION} "-DLABEL=${arg_LABEL}" -DTIMEOUT=${arg_TIMEOUT} "-DOUTPUT=${tests}"
            -P "${discover}"
    BYPRODUCTS "${tests}"
    VERBATIM)
  # Until it is built there is one test, which fails.
  file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/${arg_NAME}.include.cmake" @ONLY CONTENT
    "if(EXISTS [==[${tests}]==])
  include([==[${tests}]==])
else()
  add_test(${arg_NAME}.is_not_built ${arg_NAME}.is_not_built)
endif()
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES
    "${CMAKE_CURRENT_BINARY_DIR}/${arg_NAME}.include.cmake")
endfunction()
