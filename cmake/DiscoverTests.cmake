# cmake -DEXECUTABLE=path -DNAME=name -DVERSION=2.13.10 -DLABEL=label -DTIMEOUT=seconds -DOUTPUT=file.cmake
#       [-DARGUMENTS=words] -P DiscoverTests.cmake
#
# Writes a file for CTest with one add_test for each test case of a Catch2 executable, which gets the ARGUMENTS, a list, too. Catch2 comes with such a
# script; that of version 2 keeps the names in lists, and a name with an unpaired bracket, as in "[-1, 1)",
# swallows those that follow. This one never makes a list of names.
cmake_minimum_required(VERSION 3.24)

if(VERSION VERSION_LESS 3)
  set(list_arguments --list-test-names-only)
  # Version 2 passes where a name finds no test case, and takes one --warn only; version 3 fails anyway.
  set(no_match "FAIL_REGULAR_EXPRESSION [==[No test cases matched]==]")
else()
  set(list_arguments --list-tests --verbosity quiet)
  set(no_match "")
endif()
execute_process(COMMAND "${EXECUTABLE}" ${list_arguments}
  OUTPUT_VARIABLE rest ERROR_VARIABLE error RESULT_VARIABLE status)
# Version 2 exits with the number of test cases, so that only "none" and a signal (a word) tell of failure.
if(NOT status MATCHES "^[0-9]+$" OR rest STREQUAL "")
  message(FATAL_ERROR "${EXECUTABLE} does not list its test cases: ${status}\n${error}")
endif()

string(REPLACE ";" " " ARGUMENTS "${ARGUMENTS}")
set(text "")
while(NOT rest STREQUAL "")
  string(FIND "${rest}" "\n" end)
  if(end LESS 0)
    string(LENGTH "${rest}" end)
  endif()
  string(SUBSTRING "${rest}" 0 ${end} case)
  string(LENGTH "${rest}" length)
  math(EXPR next "${end} + 1")
  if(next LESS length)
    string(SUBSTRING "${rest}" ${next} -1 rest)
  else()
    set(rest "")
  endif()
  if(case STREQUAL "")
    continue()
  endif()
  # What means something in Catch2's filters; the backslash first.
  set(filter "${case}")
  foreach(character IN ITEMS "\\" "," "[")
    string(REPLACE "${character}" "\\${character}" filter "${filter}")
  endforeach()
  string(APPEND text
    "add_test([==[${NAME}/${case}]==] [==[${EXECUTABLE}]==] [==[${filter}]==] --warn NoAssertions ${ARGUMENTS})\n"
    "set_tests_properties([==[${NAME}/${case}]==] PROPERTIES LABELS [==[${LABEL}]==] TIMEOUT ${TIMEOUT} ${no_match})\n")
endwhile()
file(WRITE "${OUTPUT}" "${text}")
