# cmake -DEXERCISE=exercise.cu -DSOLUTION=solution.cu -P CheckFrames.cmake
#
# A solution differs from its exercise only inside the bodies of functions: what stands around them (comments,
# includes, signatures) is the same text. A body is what lies between a line that ends in `{` and the next
# line that is `}` alone at the left margin, which is how .clang-format lays out every function.
cmake_minimum_required(VERSION 3.24)

# The text of `file` with every body emptied; `count` is how many there were.
function(frame_of file result count)
  file(READ "${file}" rest)
  set(frame "")
  set(bodies 0)
  while(TRUE)
    string(FIND "${rest}" "{\n" open)
    if(open LESS 0)
      break()
    endif()
    string(SUBSTRING "${rest}" ${open} -1 body)
    string(FIND "${body}" "\n}\n" close)
    if(close LESS 0)
      message(FATAL_ERROR "${file}: a body that no line `}` closes")
    endif()
    math(EXPR open "${open} + 1")
    math(EXPR close "${close} + 1")
    string(SUBSTRING "${rest}" 0 ${open} before)
    string(SUBSTRING "${body}" ${close} -1 rest)
    string(APPEND frame "${before}")
    math(EXPR bodies "${bodies} + 1")
  endwhile()
  set(${result} "${frame}${rest}" PARENT_SCOPE)
  set(${count} ${bodies} PARENT_SCOPE)
endfunction()

frame_of("${EXERCISE}" exercise exercise_bodies)
frame_of("${SOLUTION}" solution solution_bodies)
if(exercise_bodies EQUAL 0)
  message(FATAL_ERROR "${EXERCISE} has no function: nothing was checked")
endif()
if(NOT exercise STREQUAL solution)
  message(FATAL_ERROR "${EXERCISE} and ${SOLUTION} differ outside the bodies of their functions:\n"
                      "${exercise}\n--- but the solution has\n${solution}\n---")
endif()
message(STATUS "${EXERCISE} and ${SOLUTION}: ${exercise_bodies} bodies, the same frame")
