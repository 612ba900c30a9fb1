# What the CMakeLists.txt of a chapter says: it declares the chapter, then the programs of its lesson and the test
# of the lesson's figures (AddLesson.cmake). The chapter's name is that of its folder, chNN_name.

# warpwise_add_chapter([CHECKS file.cpp...] [REDUCTIONS kernel...] [PAGES page.md...])
#
#   exercise.cu, solution.cu   each becomes one PTX module
#   kernels/NAME.md      of each kernel `# `KERNEL`` each wrong attempt `### WRONG` becomes a whole file,
#                        build/chNN_name/attempts/KERNEL_WRONG.cu, made from solution.cu, and one PTX module; each accepted
#                        solution likewise, accepted/KERNEL_NAME.cu
#   variants/NAME.md         another task for marks, with checks and a solution of its own (AddVariants.cmake)
#   checks/checks.cpp (or CHECKS, in checks/)  becomes the executable chNN_name, which runs a module
#   README.md                the lesson; its first heading is the chapter's title
#   PAGES                    the lesson's further pages
# and its tests, which hold the checks themselves to account:
#   chNN_name.skeleton        every kernel that still has a TODO fails a check (and the checks ran)
#   chNN_name/CASE            each test case of the checks by itself, on the solution
#   chNN_name.solution        of a chapter that is not in the course: the checks as one program. The others: cli/tour
#   chNN_name.attempts        every difference of the pages still applies to the solution
#   chNN_name.attempt.KERNEL_WRONG  the attempt is rejected by the check, and for the reason, that its paragraph names
#   chNN_name.accepted.KERNEL each accepted solution of the kernel passes: the checks ask for no more than the
#                             contract does
#   chNN_name.hardware        what the simulator counts for the solution is what a GPU's own counters said, where they
#                             were measured
#   chNN_name.frames          exercise.cu and solution.cu differ only inside the bodies of their functions
#   chNN_name.lesson          the code that the lesson shows is the code of the sources
#   chNN_name.prose           the lesson reads as docs/style.md asks, and its links lead somewhere
#   chNN_name.commands        the commands that the lesson names run, and print what it shows
#   chNN_name.pictures        the pictures of the chapter's pages are those of runs as they are now
#   chNN_name.trace           the steps of a trace cost what the report counts, and the trees that it follows give
#                             the results (of the kernels in REDUCTIONS: those that reduce by add, mul, min or max)
# Without a solution.cu, as in a handout, there are those of the exercise and of the lesson alone.
# None of them uses WILL_FAIL: a crash or an unreadable module must not count as a rejection.
function(warpwise_add_chapter)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "CHECKS;REDUCTIONS;PAGES")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "warpwise_add_chapter([CHECKS file.cpp...] [REDUCTIONS kernel...] [PAGES page.md...])")
  endif()
  set(pages README.md ${arg_PAGES})
  set_property(DIRECTORY PROPERTY warpwise_pages ${pages})
  if(NOT arg_CHECKS)
    set(arg_CHECKS checks.cpp)
  endif()
  list(TRANSFORM arg_CHECKS PREPEND checks/)
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME chapter)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}")

  warpwise_add_chapter_executable(${chapter} CHAPTER ${chapter} SOURCE_DIR "${CMAKE_CURRENT_SOURCE_DIR}"
    BINARY_DIR "${folder}" CHECKS ${arg_CHECKS})

  warpwise_add_ptx(NAME ${chapter}.exercise SOURCE exercise.cu)
  warpwise_is_listed(is_listed)
  if(is_listed)
    add_dependencies(tour ${chapter})
  endif()

  add_test(NAME ${chapter}.skeleton COMMAND ${chapter} "${folder}/exercise.ptx" --device sim --expect-failure)
  set_tests_properties(${chapter}.skeleton PROPERTIES RESOURCE_LOCK ${chapter}.exercise)
  set(tests ${chapter}.skeleton)
  set(pages_with_code "")  # a handout's lesson may show none
  foreach(page IN LISTS pages)
    file(STRINGS ${page} code REGEX "^<!-- code: " LIMIT_COUNT 1)
    if(code)
      list(APPEND pages_with_code ${page})
    endif()
  endforeach()
  if(pages_with_code)
    add_test(NAME ${chapter}.lesson COMMAND warpwise_course lesson ${pages_with_code}
      WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
    list(APPEND tests ${chapter}.lesson)
  endif()
  if(EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/solution.cu")
    warpwise_add_solution(solution_tests ${arg_REDUCTIONS})
    warpwise_add_kernel_pages(page_tests)
    warpwise_add_task_variants(variant_tests CHECKS ${arg_CHECKS} PAGES ${pages})
  endif()
  set_tests_properties(${tests} ${solution_tests} ${page_tests} ${variant_tests} PROPERTIES
    LABELS ${chapter} TIMEOUT 120)
endfunction()

# warpwise_add_chapter_executable(target CHAPTER name SOURCE_DIR folder BINARY_DIR folder CHECKS file.cpp...)
#
# A chapter's executable. Where it is not told, it takes the modules in BINARY_DIR, made from the files in SOURCE_DIR.
function(warpwise_add_chapter_executable target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "CHAPTER;SOURCE_DIR;BINARY_DIR" "CHECKS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_CHAPTER OR NOT arg_SOURCE_DIR OR NOT arg_BINARY_DIR OR NOT arg_CHECKS)
    message(FATAL_ERROR "warpwise_add_chapter_executable(target CHAPTER name SOURCE_DIR folder BINARY_DIR folder CHECKS file.cpp...)")
  endif()
  add_executable(${target} ${arg_CHECKS})
  target_link_libraries(${target} PRIVATE warpwise_harness warpwise_options)
  target_precompile_headers(${target} REUSE_FROM warpwise_catch_header)
  target_compile_definitions(${target} PRIVATE
    "WARPWISE_CHAPTER=\"${arg_CHAPTER}\"")
  # Where it finds exercise.ptx.
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${arg_BINARY_DIR}")
endfunction()

# warpwise_add_solution(result [kernel...]): the solution's module and tests, whose names go to `result`. The kernels are
# the REDUCTIONS above.
function(warpwise_add_solution result)
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME chapter)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}")
  warpwise_add_ptx(NAME ${chapter}.solution SOURCE solution.cu)
  warpwise_is_listed(is_listed)
  set(tests frames)
  if(NOT is_listed OR NOT WARPWISE_CLI OR NOT WARPWISE_TESTS)
    add_test(NAME ${chapter}.solution COMMAND ${chapter} "${folder}/solution.ptx" --device sim)
    list(APPEND tests solution)
  endif()
  if(WARPWISE_TESTS)
    set(cases "${CMAKE_CURRENT_BINARY_DIR}/${chapter}.tests.cmake")
    warpwise_discover_cases(${chapter} "${cases}" ${chapter} 120 "${folder}/solution.ptx" --device sim)
    file(CONFIGURE OUTPUT "${chapter}.include.cmake" @ONLY CONTENT "include([==[${cases}]==] OPTIONAL)\n")
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${CMAKE_CURRENT_BINARY_DIR}/${chapter}.include.cmake")
  endif()
  warpwise_is_measured(is_measured)
  if(is_measured)
    add_test(NAME ${chapter}.hardware
      COMMAND ${chapter} "${folder}/solution.ptx" --device sim --n 32768
              --expect-counters "${PROJECT_SOURCE_DIR}/docs/results/h200/counters.tsv" "[safety]")
    list(APPEND tests hardware)
  endif()
  add_test(NAME ${chapter}.frames COMMAND warpwise_course frames exercise.cu solution.cu
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
  get_property(pages DIRECTORY PROPERTY warpwise_pages)
  add_test(NAME ${chapter}.prose COMMAND warpwise_course prose ${pages}
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
  list(APPEND tests prose)
  if(WARPWISE_CLI AND is_listed)
    list(TRANSFORM pages PREPEND ${chapter}/)
    warpwise_add_pages(${chapter}.commands ${chapter} ${chapter} ${pages})
  endif()
  if(TARGET warpwise_cli AND is_listed AND NOT WARPWISE_IS_HANDOUT)
    warpwise_add_pictures(${chapter}.pictures "${CMAKE_CURRENT_SOURCE_DIR}")
    list(APPEND tests pictures)
  endif()
  if(TARGET trace_check AND is_listed)  # an example's blocks may be larger than what is recorded in full
    add_test(NAME ${chapter}.trace COMMAND "${PROJECT_SOURCE_DIR}/common/report/tests/trace_check.sh"
      $<TARGET_FILE:${chapter}> "${folder}/solution.ptx" $<TARGET_FILE:trace_check> "${folder}/trace.json" ${ARGN})
    list(APPEND tests trace)
  endif()
  list(TRANSFORM tests PREPEND ${chapter}.)
  set(${result} ${tests} PARENT_SCOPE)
endfunction()

# Whether the calling folder is a chapter of the course goes to `result`: examples lie elsewhere (docs/example_chapter).
function(warpwise_is_listed result)
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR PARENT_PATH parent)
  set(${result} FALSE PARENT_SCOPE)
  if(parent STREQUAL PROJECT_SOURCE_DIR)
    set(${result} TRUE PARENT_SCOPE)
  endif()
endfunction()

# Whether there are counters of a GPU for the chapter's solution goes to `result`. They are those of the public one, not
# of a variant's.
function(warpwise_is_measured result)
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME chapter)
  set(table "${PROJECT_SOURCE_DIR}/docs/results/h200/counters.tsv")
  set(rows "")
  if(EXISTS "${table}" AND NOT EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/variant.md")
    file(STRINGS "${table}" rows REGEX "^${chapter}\t" LIMIT_COUNT 1)
  endif()
  set(${result} FALSE PARENT_SCOPE)
  if(rows)
    set(${result} TRUE PARENT_SCOPE)
  endif()
endfunction()

# What the pages kernels/NAME.md say: the whole files of their wrong attempts and accepted solutions, in attempts/ and
# accepted/ of the build tree, with a module each, and their tests, whose names go to `result`. CMake looks again whenever a
# page is edited, added or removed.
function(warpwise_add_kernel_pages result)
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME chapter)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}")
  file(GLOB pages RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" kernels/*.md)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS kernels ${pages})
  add_test(NAME ${chapter}.attempts COMMAND warpwise_course apply solution.cu ${pages}
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
  set(tests ${chapter}.attempts)
  warpwise_add_whole_files(${pages})

  foreach(page IN LISTS pages)
    warpwise_read_kernel_page(${page} kernels)
    foreach(kernel IN LISTS kernels)
      foreach(name IN LISTS ${kernel}_attempts)
        set_property(DIRECTORY APPEND PROPERTY warpwise_attempts attempt.${name})
        add_test(NAME ${chapter}.attempt.${name}
          COMMAND ${chapter} "${folder}/attempts/${name}.ptx" --device sim --threads 1  # the same order of blocks each time
            --expect-rejection "${folder}/attempts/${name}.cu")
        list(APPEND tests ${chapter}.attempt.${name})
      endforeach()
      # One test for all of the kernel's accepted solutions: each is judged in a fifth of a second, and what fails is named.
      if(${kernel}_accepted)
        list(TRANSFORM ${kernel}_accepted REPLACE "(.+)" "${folder}/accepted/\\1.ptx" OUTPUT_VARIABLE modules)
        add_test(NAME ${chapter}.accepted.${kernel} COMMAND warpwise_course accepts $<TARGET_FILE:${chapter}> ${modules})
        list(APPEND tests ${chapter}.accepted.${kernel})
      endif()
    endforeach()
  endforeach()
  set(${result} ${tests} PARENT_SCOPE)
endfunction()

# The kernels that the page is about go to `kernels`; the names KERNEL_NAME of its wrong attempts and accepted solutions to
# KERNEL_attempts and KERNEL_accepted.
function(warpwise_read_kernel_page page kernels)
  set(names "")
  set(section others)
  file(STRINGS ${page} headings REGEX "^##?#? ")
  foreach(heading IN LISTS headings)
    if(heading MATCHES "^# `(.+)`$")
      set(kernel ${CMAKE_MATCH_1})
      list(APPEND names ${kernel})
      set(${kernel}_attempts "")
      set(${kernel}_accepted "")
    elseif(heading STREQUAL "## Wrong attempts")
      set(section attempts)
    elseif(heading STREQUAL "## Other correct solutions")
      set(section accepted)
    elseif(heading MATCHES "^### (.+)")
      list(APPEND ${kernel}_${section} ${kernel}_${CMAKE_MATCH_1})
      set(${kernel}_${section} ${${kernel}_${section}} PARENT_SCOPE)
    endif()
  endforeach()
  set(${kernels} ${names} PARENT_SCOPE)
endfunction()

# chNN_name.implementations makes the whole files of all pages from the solution, in one go, and a module of each.
function(warpwise_add_whole_files)
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME chapter)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}")
  file(RELATIVE_PATH path "${PROJECT_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}")
  file(MAKE_DIRECTORY "${folder}/attempts" "${folder}/accepted")
  file(GLOB headers *.hpp *.cuh)
  set(pages ${ARGN})
  list(TRANSFORM pages PREPEND "${path}/" OUTPUT_VARIABLE shown_pages)
  add_custom_command(OUTPUT "${folder}/implementations.stamp"
    COMMAND warpwise_course implementations "${path}/solution.cu" "${folder}" ${shown_pages}
    COMMAND kernel_compiler "-I${PROJECT_SOURCE_DIR}" "-I${CMAKE_CURRENT_SOURCE_DIR}" "${folder}/attempts" "${folder}/accepted"
    COMMAND "${CMAKE_COMMAND}" -E touch "${folder}/implementations.stamp"
    DEPENDS warpwise_course kernel_compiler solution.cu ${headers} ${pages}
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"  # so that a message names the page as one would type it
    COMMENT "Making what the pages of ${path}/kernels describe"
    VERBATIM)
  add_custom_target(${chapter}.implementations ALL DEPENDS "${folder}/implementations.stamp")
endfunction()
