# cmake -DEXERCISE=exercise.cu -DSOLUTION=solution.cu -P CheckFrames.cmake
#
# A solution differs from its exercise only inside the bodies of functions: what stands around them (comments,
# includes, signatures) is the same text. A body is what lies between a line that ends in `{` and the next
# line that is `}` alone at the left margin, which is how .clang-format lays out every function.
#
# An exercise that somebody has begun to write may have functions of its own, and is not judged. It is known by
# a function of the solution whose body has neither a TODO nor the solution's text; or else git's version of the
# file, where that differs, is judged in its place.
cmake_minimum_required(VERSION 3.24)

# Of `text` (name: for errors): all but the bodies; how many those were; a function that somebody has written,
# empty where there is none. `solution_text` may be the same text.
function(frame_of name text solution_text result count written)
  set(rest "${text}")
  set(frame "")
  set(bodies 0)
  set(somebodys "")
  while(TRUE)
    string(FIND "${rest}" "{\n" open)
    if(open LESS 0)
      break()
    endif()
    string(SUBSTRING "${rest}" ${open} -1 body)
    string(FIND "${body}" "\n}\n" close)
    if(close LESS 0)
      message(FATAL_ERROR "${name}: a body that no line `}` closes")
    endif()
    math(EXPR open "${open} + 1")
    math(EXPR close "${close} + 1")
    string(SUBSTRING "${rest}" 0 ${open} before)
    string(SUBSTRING "${body}" ${close} -1 rest)
    string(SUBSTRING "${body}" 0 ${close} body)
    string(APPEND frame "${before}")
    math(EXPR bodies "${bodies} + 1")

    string(FIND "${before}" "\n" last_line REVERSE)
    string(SUBSTRING "${before}" ${last_line} -1 head)
    string(FIND "${solution_text}" "${head}" in_solution)
    string(FIND "${solution_text}" "${body}" is_given)
    if(in_solution GREATER_EQUAL 0 AND is_given LESS 0 AND NOT body MATCHES "TODO")
      string(STRIP "${head}" somebodys)
    endif()
  endwhile()
  set(${result} "${frame}${rest}" PARENT_SCOPE)
  set(${count} ${bodies} PARENT_SCOPE)
  set(${written} "${somebodys}" PARENT_SCOPE)
endfunction()

file(READ "${EXERCISE}" exercise_text)
file(READ "${SOLUTION}" solution_text)
frame_of("${EXERCISE}" "${exercise_text}" "${solution_text}" exercise exercise_bodies written)
frame_of("${SOLUTION}" "${solution_text}" "${solution_text}" solution solution_bodies nobody)
if(exercise_bodies EQUAL 0)
  message(FATAL_ERROR "${EXERCISE} has no function: nothing was checked")
endif()
if(exercise STREQUAL solution)
  message(STATUS "${EXERCISE} and ${SOLUTION}: ${exercise_bodies} bodies, the same frame")
  return()
endif()
if(NOT written STREQUAL "")
  message(STATUS "${EXERCISE}: no skeleton any more, somebody has written `${written} ... }`")
  return()
endif()
execute_process(COMMAND git show "HEAD:./${EXERCISE}"
  OUTPUT_VARIABLE committed ERROR_QUIET RESULT_VARIABLE status)
if(status EQUAL 0 AND NOT committed STREQUAL exercise_text)
  frame_of("git's ${EXERCISE}" "${committed}" "${solution_text}" frame bodies written)
  if(frame STREQUAL solution)
    message(STATUS "${EXERCISE} was changed; git's version of it and ${SOLUTION}: ${bodies} bodies, the same frame")
    return()
  endif()
endif()
message(FATAL_ERROR "${EXERCISE} and ${SOLUTION} differ outside the bodies of their functions:\n"
                    "${exercise}\n--- but the solution has\n${solution}\n---")
