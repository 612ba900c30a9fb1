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
