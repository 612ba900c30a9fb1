# cmake -DPROGRAM=build/ch01_naive/museum -DLESSON=ch01_naive/README.md -P CheckOutput.cmake
#
# What a lesson shows under `$ build/.../PROGRAM` is, to the character, what PROGRAM prints when it is run in
# the root of the repository.
cmake_minimum_required(VERSION 3.24)
execute_process(COMMAND "${PROGRAM}" OUTPUT_VARIABLE output RESULT_VARIABLE status)
if(NOT status EQUAL 0 OR output STREQUAL "")
  message(FATAL_ERROR "${PROGRAM} ended with ${status} and printed:\n${output}")
endif()
file(READ "${LESSON}" lesson)
cmake_path(GET PROGRAM FILENAME name)
string(FIND "${lesson}" "/${name}\n${output}```" place)
if(place LESS 0)
  message(FATAL_ERROR "${LESSON} does not show what ${PROGRAM} prints:\n${output}")
endif()
