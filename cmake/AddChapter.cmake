# warpwise_add_chapter(NAME ch01_naive [ATTEMPTS name...] [ACCEPTED name...] [CHECKS file.cpp...])
#
# Declares the chapter in the calling folder:
#   exercise.cu, solution.cu, attempts/WRONG.cu, accepted/RIGHT.cu   each becomes one PTX module
#   checks.cpp (or CHECKS)   becomes the executable NAME, which runs a module
#   README.md                the lesson; its first heading is the chapter's title
# and its tests, which hold the checks themselves to account:
#   NAME.skeleton        every kernel that still has a TODO fails a check (and the checks ran)
#   NAME.solution        every kernel of the solution passes
#   NAME.attempt.WRONG   the attempt is rejected by the check, and for the reason, that its first line names
#   NAME.accepted.RIGHT  another right way to write the kernels: it passes, so that checks ask for no more
#                        than the contract does
#   NAME.hardware        what the simulator counts for the solution is what a GPU's own counters said
#   NAME.frames          exercise.cu and solution.cu differ only inside the bodies of their functions
#   NAME.lesson          the code that README.md shows is the code of the sources
# None of them uses WILL_FAIL: a crash or an unreadable module must not count as a rejection.
function(warpwise_add_chapter)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME" "ATTEMPTS;ACCEPTED;CHECKS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_NAME)
    message(FATAL_ERROR "warpwise_add_chapter(NAME chNN_name [ATTEMPTS name...] [ACCEPTED name...] [CHECKS file.cpp...])")
  endif()
  if(NOT arg_CHECKS)
    set(arg_CHECKS checks.cpp)
  endif()

  add_executable(${arg_NAME} ${arg_CHECKS})
  target_link_libraries(${arg_NAME} PRIVATE warpwise_harness warpwise_options)
  target_precompile_headers(${arg_NAME} REUSE_FROM warpwise_catch_header)
  # Where a chapter's executable looks if it is not told: its exercise, and where that comes from.
  target_compile_definitions(${arg_NAME} PRIVATE
    "WARPWISE_CHAPTER=\"${arg_NAME}\""
    "WARPWISE_SOURCE_DIR=\"${CMAKE_CURRENT_SOURCE_DIR}\""
    "WARPWISE_BINARY_DIR=\"${CMAKE_CURRENT_BINARY_DIR}\"")

  warpwise_add_ptx(NAME ${arg_NAME}.exercise SOURCE exercise.cu)
  warpwise_add_ptx(NAME ${arg_NAME}.solution SOURCE solution.cu)
  add_dependencies(tour ${arg_NAME} ${arg_NAME}.solution)

  set(folder "${CMAKE_CURRENT_BINARY_DIR}")
  set(scripts "${PROJECT_SOURCE_DIR}/cmake")
  add_test(NAME ${arg_NAME}.skeleton
    COMMAND ${CMAKE_COMMAND} -DCHAPTER=$<TARGET_FILE:${arg_NAME}> -DEXERCISE=exercise.cu
            "-DMODULE=${folder}/exercise.ptx" -P "${scripts}/CheckSkeleton.cmake"
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
  add_test(NAME ${arg_NAME}.solution
    COMMAND ${arg_NAME} "${folder}/solution.ptx" --device sim)
  add_test(NAME ${arg_NAME}.hardware
    COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:${arg_NAME}> "-DMODULE=${folder}/solution.ptx"
            "-DTABLE=${PROJECT_SOURCE_DIR}/docs/results/h200/counters.tsv" -P "${scripts}/CheckCounters.cmake")
  set(tests ${arg_NAME}.skeleton ${arg_NAME}.solution ${arg_NAME}.hardware)

  foreach(attempt IN LISTS arg_ATTEMPTS)
    set(name ${arg_NAME}.attempt.${attempt})
    warpwise_add_ptx(NAME ${name} SOURCE attempts/${attempt}.cu)
    add_test(NAME ${name}
      COMMAND ${arg_NAME} "${folder}/attempts/${attempt}.ptx" --device sim
              --expect-rejection "${CMAKE_CURRENT_SOURCE_DIR}/attempts/${attempt}.cu")
    list(APPEND tests ${name})
  endforeach()
  foreach(accepted IN LISTS arg_ACCEPTED)
    set(name ${arg_NAME}.accepted.${accepted})
    warpwise_add_ptx(NAME ${name} SOURCE accepted/${accepted}.cu)
    add_test(NAME ${name} COMMAND ${arg_NAME} "${folder}/accepted/${accepted}.ptx" --device sim)
    list(APPEND tests ${name})
  endforeach()

  add_test(NAME ${arg_NAME}.frames
    COMMAND ${CMAKE_COMMAND} -DEXERCISE=exercise.cu -DSOLUTION=solution.cu -P "${scripts}/CheckFrames.cmake"
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
  add_test(NAME ${arg_NAME}.lesson
    COMMAND ${CMAKE_COMMAND} -DLESSON=README.md -P "${scripts}/CheckLesson.cmake"
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
  list(APPEND tests ${arg_NAME}.frames ${arg_NAME}.lesson)
  set_tests_properties(${tests} PROPERTIES LABELS ${arg_NAME} TIMEOUT 120)
endfunction()

# warpwise_build_at_first_use(target)
#
# For a program that a lesson shows: where the lesson says that it lies there is a script, which builds it when
# it is first run. `./warpwise tour` needs none of these programs, and they take a fifth of its time to compile.
function(warpwise_build_at_first_use target)
  get_target_property(name ${target} OUTPUT_NAME)
  get_target_property(folder ${target} RUNTIME_OUTPUT_DIRECTORY)
  if(NOT folder)
    set(folder "${CMAKE_CURRENT_BINARY_DIR}")
  endif()
  # Relative, so that no character of this clone's path means something to the shell.
  file(RELATIVE_PATH build "${folder}" "${PROJECT_BINARY_DIR}")
  file(RELATIVE_PATH program "${folder}" "${CMAKE_CURRENT_BINARY_DIR}/programs/${name}")
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/programs")
  file(MAKE_DIRECTORY "${folder}")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/first-use.sh.in" "${folder}/${name}" @ONLY
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endfunction()
