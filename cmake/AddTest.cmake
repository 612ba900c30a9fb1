# warpwise_add_test(NAME name SOURCES file... [LIBRARIES target...] [PTX target...] [DEFINITIONS definition...]
#                   [LABEL label] [TIMEOUT seconds])
#
# One Catch2 executable; each of its test cases is a test of CTest called `name/case`. The PTX targets are
# built before it. Two macros tell it where files lie:
#   WARPWISE_SOURCE_DIR   the folder of the calling CMakeLists.txt
#   WARPWISE_BINARY_DIR   the same place in the build tree, where the .ptx of its .cu files are
# LABEL: for `ctest -L`; where none is given, the folder under common/. The target tests_of_LABEL builds them all. What has the
# label `long` is no part of `all`: .ci/long builds it. Its files are compiled as one, in a third of the time, and so call no
# two helpers alike.
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
  target_link_libraries(${arg_NAME} PRIVATE ${arg_LIBRARIES} warpwise_options warpwise_catch_main)
  warpwise_compile_as_test(${arg_NAME})
  target_compile_definitions(${arg_NAME} PRIVATE
    "WARPWISE_SOURCE_DIR=\"${CMAKE_CURRENT_SOURCE_DIR}\""
    "WARPWISE_BINARY_DIR=\"${CMAKE_CURRENT_BINARY_DIR}\""
    ${arg_DEFINITIONS})
  if(NOT TARGET tests_of_${arg_LABEL})
    add_custom_target(tests_of_${arg_LABEL})
  endif()
  add_dependencies(tests_of_${arg_LABEL} ${arg_NAME})
  if(arg_LABEL STREQUAL long)
    set_target_properties(${arg_NAME} PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
  if(arg_PTX)
    add_dependencies(${arg_NAME} ${arg_PTX})
  endif()

  set(tests "${CMAKE_CURRENT_BINARY_DIR}/${arg_NAME}.tests.cmake")
  warpwise_discover_cases(${arg_NAME} "${tests}" ${arg_LABEL} ${arg_TIMEOUT})
  # Until it is built there is one test, which fails.
  file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/${arg_NAME}.include.cmake" @ONLY CONTENT
    "if(EXISTS [==[${tests}]==])
  include([==[${tests}]==])
else()
  add_test(${arg_NAME}.is_not_built ${arg_NAME}.is_not_built)
  set_tests_properties(${arg_NAME}.is_not_built PROPERTIES LABELS ${arg_LABEL})
endif()
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES
    "${CMAKE_CURRENT_BINARY_DIR}/${arg_NAME}.include.cmake")
endfunction()

# A test asserts for milliseconds; what it tests is optimised. All programs lie in build/tests: beside its .ptx files a test
# could meet a folder of its own name.
function(warpwise_compile_as_test target)
  target_compile_options(${target} PRIVATE -O0)
  target_precompile_headers(${target} REUSE_FROM warpwise_test_header)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE 0 RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
endfunction()

# warpwise_add_fuzzer(NAME fuzz_subject SOURCE file.cpp LIBRARIES target... TIMEOUT seconds MEGABYTES memory)
#
# With WARPWISE_FUZZ: a libFuzzer executable, and the test `fuzz/NAME` with the label `long`. It starts from the
# texts of common/simulator/ptx/tests/corpus.txt and looks for new ones for a minute; a text that crashes, leaks,
# or takes more than TIMEOUT or MEGABYTES fails the test and stays in build-fuzz/fuzz/NAME/. What it found new
# stays there too, in found/, and the next run goes on from it.
set(WARPWISE_FUZZ_SECONDS 60 CACHE STRING "How long each fuzzer runs as a test")
if(WARPWISE_FUZZ AND NOT (CMAKE_CXX_COMPILER_ID STREQUAL Clang AND WARPWISE_SANITIZE))
  message(FATAL_ERROR "The fuzzers need clang and WARPWISE_SANITIZE: cmake --preset fuzz")
endif()

function(warpwise_add_fuzzer)
  if(NOT WARPWISE_FUZZ)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;SOURCE;TIMEOUT;MEGABYTES" "LIBRARIES")
  add_executable(${arg_NAME} ${arg_SOURCE})
  target_link_libraries(${arg_NAME} PRIVATE ${arg_LIBRARIES} warpwise_options)
  target_link_options(${arg_NAME} PRIVATE -fsanitize=fuzzer)

  set(folder "${PROJECT_BINARY_DIR}/fuzz/${arg_NAME}")
  file(MAKE_DIRECTORY "${folder}/found")
  add_test(NAME fuzz/${arg_NAME}.seeds
    COMMAND unpack_fuzz_corpus "${PROJECT_SOURCE_DIR}/common/simulator/ptx/tests/corpus.txt" "${folder}/seeds")
  add_test(NAME fuzz/${arg_NAME}
    COMMAND ${arg_NAME} -max_total_time=${WARPWISE_FUZZ_SECONDS} -timeout=${arg_TIMEOUT}
            -rss_limit_mb=${arg_MEGABYTES} -print_final_stats=1 found seeds
    WORKING_DIRECTORY "${folder}")
  set_tests_properties(fuzz/${arg_NAME}.seeds PROPERTIES FIXTURES_SETUP ${arg_NAME} LABELS long)
  set_tests_properties(fuzz/${arg_NAME} PROPERTIES FIXTURES_REQUIRED ${arg_NAME} LABELS long)
endfunction()

# warpwise_discover_cases(target file label timeout [argument...]): whenever the Catch2 executable is built, `file` gets a
# test of CTest for each of its test cases, called `target/case` and run with the arguments.
function(warpwise_discover_cases target file label timeout)
  set(discover "${PROJECT_SOURCE_DIR}/cmake/DiscoverTests.cmake")
  set_target_properties(${target} PROPERTIES LINK_DEPENDS "${discover}")
  add_custom_command(TARGET ${target} POST_BUILD
    COMMAND ${CMAKE_COMMAND} -DEXECUTABLE=$<TARGET_FILE:${target}> -DNAME=${target} -DVERSION=${Catch2_VERSION}
            "-DLABEL=${label}" -DTIMEOUT=${timeout} "-DOUTPUT=${file}" "-DARGUMENTS=${ARGN}" -P "${discover}"
    BYPRODUCTS "${file}"
    VERBATIM)
endfunction()
