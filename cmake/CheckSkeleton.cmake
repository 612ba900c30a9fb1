# cmake -DCHAPTER=path/to/ch01_naive -DEXERCISE=exercise.cu -DMODULE=exercise.ptx -P CheckSkeleton.cmake
#
# Every kernel of the exercise that still has a TODO must fail a check. A kernel that a student has written is
# no skeleton any more, and not judged here. The chapter's executable does the judging: it tells a check that
# fails from one that could not run.
cmake_minimum_required(VERSION 3.24)

file(READ "${EXERCISE}" source)
execute_process(COMMAND "${CHAPTER}" --list OUTPUT_VARIABLE kernels COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE ";" "," kernels "${kernels}")
string(REGEX MATCHALL "[^\n]+" kernels "${kernels}")
set(judged 0)
foreach(line IN LISTS kernels)
  string(REGEX REPLACE "\t.*" "" kernel "${line}")
  if(NOT line MATCHES "^[a-z_0-9]+\texercise\t")
    continue()
  endif()
  math(EXPR judged "${judged} + 1")
  # The body: from the kernel's name to the first line that is `}` alone.
  string(FIND "${source}" " ${kernel}(" begin)
  if(begin LESS 0)
    message(FATAL_ERROR "${EXERCISE} has no kernel ${kernel}")
  endif()
  string(SUBSTRING "${source}" ${begin} -1 body)
  string(FIND "${body}" "\n}" end)
  string(SUBSTRING "${body}" 0 ${end} body)
  string(FIND "${body}" "TODO" todo)
  if(todo LESS 0)
    message(STATUS "${kernel}: written, no skeleton any more")
    continue()
  endif()
  execute_process(COMMAND "${CHAPTER}" "${MODULE}" --device sim --kernel ${kernel} --expect-failure
    RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${kernel} has a TODO, but its checks do not fail as they must (status ${status})")
  endif()
endforeach()
if(judged EQUAL 0)
  message(FATAL_ERROR "${CHAPTER} lists no exercise")
endif()
