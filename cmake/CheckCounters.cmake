# cmake -DPROGRAM=build/chNN_name/chNN_name -DMODULE=solution.ptx -DTABLE=counters.tsv -P CheckCounters.cmake
#
# What the simulator counts for the chapter's kernels is what a GPU's hardware counters said of them: TABLE is
# docs/results/h200/counters.tsv, which says how it was measured. Lines that do not end in `=` differ, and why is
# said in docs/results/README.md.
cmake_minimum_required(VERSION 3.24)
cmake_path(GET PROGRAM FILENAME chapter)
cmake_path(REPLACE_EXTENSION MODULE LAST_ONLY counters.report OUTPUT_VARIABLE report)
execute_process(
  COMMAND "${PROGRAM}" "${MODULE}" --device sim --n 32768 --report-lines "${report}" -- "[safety]"
  OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} ended with ${status} and printed:\n${output}")
endif()

set(kernel "")
file(STRINGS "${report}" lines REGEX "^(launch|counter)\t")
foreach(line IN LISTS lines)
  if(line MATCHES "^launch\t([A-Za-z0-9_]+)")
    set(kernel "${CMAKE_MATCH_1}")
  elseif(line MATCHES "^counter\t([a-z_]+)\t([0-9]+)")
    set("simulated_${kernel}_${CMAKE_MATCH_1}" "${CMAKE_MATCH_2}")
  endif()
endforeach()

set(compared 0)
set(differences "")
file(STRINGS "${TABLE}" lines REGEX "^${chapter}\t.*\t=$")
foreach(line IN LISTS lines)
  string(REPLACE "\t" ";" fields "${line}")
  list(GET fields 1 kernel)
  list(GET fields 2 counter)
  list(GET fields 4 hardware)
  set(simulated "${simulated_${kernel}_${counter}}")
  if(simulated STREQUAL "")
    set(simulated 0)
  endif()
  if(NOT simulated EQUAL hardware)
    string(APPEND differences "${kernel}, ${counter}: simulated ${simulated}, hardware ${hardware}\n")
  endif()
  math(EXPR compared "${compared} + 1")
endforeach()
if(compared EQUAL 0)
  message(FATAL_ERROR "${TABLE} has nothing of ${chapter}: nothing was compared")
endif()
if(NOT differences STREQUAL "")
  message(FATAL_ERROR "The simulator does not count what the hardware counted:\n${differences}")
endif()
message(STATUS "${compared} counters are those of the hardware")
