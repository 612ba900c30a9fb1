# What the CMakeLists.txt of a chapter says: it declares the chapter, then the programs of its lesson and the test
# of the lesson's figures. The chapter's name is that of its folder, chNN_name.

# warpwise_add_chapter([CHECKS file.cpp...] [REDUCTIONS kernel...])
#
#   exercise.cu, solution.cu, accepted/RIGHT.cu   each becomes one PTX module
#   attempts/KERNEL.md   each paragraph `## WRONG` becomes a whole file, build/chNN_name/attempts/KERNEL_WRONG.cu, made
#                        from solution.cu, and one PTX module
#   accepted/KERNEL.md   likewise each paragraph `## RIGHT`
#   checks.cpp (or CHECKS)   becomes the executable chNN_name, which runs a module
#   README.md                the lesson; its first heading is the chapter's title
# and its tests, which hold the checks themselves to account:
#   chNN_name.skeleton        every kernel that still has a TODO fails a check (and the checks ran)
#   chNN_name.solution        every kernel of the solution passes
#   chNN_name.attempts        every difference of the pages still applies to the solution
#   chNN_name.attempt.KERNEL_WRONG  the attempt is rejected by the check, and for the reason, that its paragraph names
#   chNN_name.accepted.RIGHT  another right way to write all kernels: it passes, so that checks ask for no more
#                             than the contract does
#   chNN_name.accepted.KERNEL each right way on the kernel's page passes
#   chNN_name.hardware        what the simulator counts for the solution is what a GPU's own counters said
#   chNN_name.frames          exercise.cu and solution.cu differ only inside the bodies of their functions
#   chNN_name.lesson          the code that README.md shows is the code of the sources
#   chNN_name.trace           the steps of a trace cost what the report counts, and the trees that it follows give
#                             the results (of the kernels in REDUCTIONS: those that reduce by add, mul, min or max)
# None of them uses WILL_FAIL: a crash or an unreadable module must not count as a rejection.
function(warpwise_add_chapter)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "CHECKS;REDUCTIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "warpwise_add_chapter([CHECKS file.cpp...] [REDUCTIONS kernel...])")
  endif()
  if(NOT arg_CHECKS)
    set(arg_CHECKS checks.cpp)
  endif()
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME chapter)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}")

  add_executable(${chapter} ${arg_CHECKS})
  target_link_libraries(${chapter} PRIVATE warpwise_harness warpwise_options)
  target_precompile_headers(${chapter} REUSE_FROM warpwise_catch_header)
  # Where a chapter's executable looks if it is not told: its exercise, and where that comes from.
  target_compile_definitions(${chapter} PRIVATE
    "WARPWISE_CHAPTER=\"${chapter}\""
    "WARPWISE_SOURCE_DIR=\"${CMAKE_CURRENT_SOURCE_DIR}\""
    "WARPWISE_BINARY_DIR=\"${folder}\"")

  warpwise_add_ptx(NAME ${chapter}.exercise SOURCE exercise.cu)
  warpwise_add_ptx(NAME ${chapter}.solution SOURCE solution.cu)
  add_dependencies(tour ${chapter} ${chapter}.solution)

  add_test(NAME ${chapter}.skeleton COMMAND ${chapter} "${folder}/exercise.ptx" --device sim --expect-failure)
  add_test(NAME ${chapter}.solution COMMAND ${chapter} "${folder}/solution.ptx" --device sim)
  add_test(NAME ${chapter}.hardware
    COMMAND ${chapter} "${folder}/solution.ptx" --device sim --n 32768
            --expect-counters "${PROJECT_SOURCE_DIR}/docs/results/h200/counters.tsv" -- "[safety]")
  add_test(NAME ${chapter}.frames COMMAND warpwise_course frames exercise.cu solution.cu
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
  add_test(NAME ${chapter}.lesson COMMAND warpwise_course lesson README.md
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
  add_test(NAME ${chapter}.trace COMMAND "${PROJECT_SOURCE_DIR}/common/report/tests/trace_check.sh"
    $<TARGET_FILE:${chapter}> "${folder}/solution.ptx" $<TARGET_FILE:trace_check> "${folder}/trace.json"
    ${arg_REDUCTIONS})
  set(tests skeleton solution hardware frames lesson trace)
  list(TRANSFORM tests PREPEND ${chapter}.)

  warpwise_add_attempts(attempt_tests)
  warpwise_add_accepted(accepted_tests)
  set_tests_properties(${tests} ${attempt_tests} ${accepted_tests} PROPERTIES LABELS ${chapter} TIMEOUT 120)
endfunction()

# Makes the whole files of a page, attempts/KERNEL.md or accepted/KERNEL.md, and their modules, in the same folder of the
# build tree. Their names, KERNEL_HEADING, go to `result`. CMake looks again whenever the page is edited.
function(warpwise_add_variants page result)
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME chapter)
  cmake_path(GET page STEM kernel)
  cmake_path(GET page PARENT_PATH kind)  # attempts or accepted
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${kind}")
  file(MAKE_DIRECTORY "${folder}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page})

  file(STRINGS ${page} names REGEX "^## ")
  list(TRANSFORM names REPLACE "^## " "${kernel}_")
  set(sources ${names})
  list(TRANSFORM sources REPLACE "(.+)" "${folder}/\\1.cu")
  add_custom_command(OUTPUT ${sources}
    COMMAND warpwise_course attempts ${chapter}/solution.cu "${folder}" ${chapter}/${page}
    DEPENDS warpwise_course solution.cu ${page}
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"  # so that a message names the page as one would type it
    COMMENT "Making what ${page} describes"
    VERBATIM)
  string(REGEX REPLACE "s$" "" word ${kind})  # the target of one is chNN_name.attempt.NAME, chNN_name.accepted.NAME
  foreach(name IN LISTS names)
    warpwise_add_ptx(NAME ${chapter}.${word}.${name} SOURCE "${folder}/${name}.cu" OUTPUT ${kind}/${name}.ptx
      OPTIONS "-I${CMAKE_CURRENT_SOURCE_DIR}")
  endforeach()
  set(${result} ${names} PARENT_SCOPE)
endfunction()

# The attempts of the calling folder; their tests' names go to `result`. CMake looks again whenever a page is added or
# removed.
function(warpwise_add_attempts result)
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME chapter)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/attempts")
  file(GLOB pages RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" attempts/*.md)
  file(GLOB accepted_pages RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" accepted/*.md)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS attempts)
  add_test(NAME ${chapter}.attempts COMMAND warpwise_course apply solution.cu ${pages} ${accepted_pages}
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
  set(tests ${chapter}.attempts)

  foreach(page IN LISTS pages)
    warpwise_add_variants(${page} names)
    foreach(name IN LISTS names)
      add_test(NAME ${chapter}.attempt.${name}
        COMMAND ${chapter} "${folder}/${name}.ptx" --device sim --expect-rejection "${folder}/${name}.cu")
      list(APPEND tests ${chapter}.attempt.${name})
    endforeach()
  endforeach()
  set(${result} ${tests} PARENT_SCOPE)
endfunction()

# The same for accepted/*.cu, which have all kernels, and accepted/*.md, by one test a page: a right kernel is judged in
# a fifth of a second, and what fails is named.
function(warpwise_add_accepted result)
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME chapter)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/accepted")
  file(GLOB sources RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" accepted/*.cu)
  file(GLOB pages RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" accepted/*.md)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS accepted)
  set(tests "")
  foreach(source IN LISTS sources)
    cmake_path(GET source STEM name)
    warpwise_add_ptx(NAME ${chapter}.accepted.${name} SOURCE ${source})
    add_test(NAME ${chapter}.accepted.${name} COMMAND ${chapter} "${folder}/${name}.ptx" --device sim)
    list(APPEND tests ${chapter}.accepted.${name})
  endforeach()
  foreach(page IN LISTS pages)
    cmake_path(GET page STEM kernel)
    warpwise_add_variants(${page} names)
    list(TRANSFORM names REPLACE "(.+)" "${folder}/\\1.ptx" OUTPUT_VARIABLE modules)
    add_test(NAME ${chapter}.accepted.${kernel}
      COMMAND warpwise_course accepts $<TARGET_FILE:${chapter}> ${modules})
    list(APPEND tests ${chapter}.accepted.${kernel})
  endforeach()
  set(${result} ${tests} PARENT_SCOPE)
endfunction()

# warpwise_add_program(NAME name [SOURCE file.cpp] [OUTPUT path] [MODULES file.cu|solution|attempt.NAME...] [SHOWN])
#
# A program of the lesson, to be run by hand: build/chNN_name/OUTPUT (by default the name) from SOURCE (by default
# name.cpp). MODULES are built with it: a kernel file of its own, or what the chapter has. WARPWISE_BINARY_DIR tells the
# program where they lie. Its test runs it; SHOWN: and holds what it prints against what README.md shows.
function(warpwise_add_program)
  cmake_parse_arguments(PARSE_ARGV 0 arg "SHOWN" "NAME;SOURCE;OUTPUT" "MODULES")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_NAME)
    message(FATAL_ERROR "warpwise_add_program(NAME name [SOURCE file.cpp] [OUTPUT path] [MODULES module...] [SHOWN])")
  endif()
  if(NOT arg_SOURCE)
    set(arg_SOURCE ${arg_NAME}.cpp)
  endif()
  if(NOT arg_OUTPUT)
    set(arg_OUTPUT ${arg_NAME})
  endif()
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME chapter)
  cmake_path(GET arg_OUTPUT FILENAME output_name)
  cmake_path(ABSOLUTE_PATH arg_OUTPUT BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
  cmake_path(GET arg_OUTPUT PARENT_PATH output_folder)

  set(program ${chapter}.${arg_NAME})
  add_executable(${program} ${arg_SOURCE})
  target_link_libraries(${program} PRIVATE warpwise_harness_parts warpwise_options)
  target_compile_definitions(${program} PRIVATE "WARPWISE_BINARY_DIR=\"${CMAKE_CURRENT_BINARY_DIR}\"")
  set_target_properties(${program} PROPERTIES OUTPUT_NAME ${output_name}
    RUNTIME_OUTPUT_DIRECTORY "${output_folder}")
  foreach(module IN LISTS arg_MODULES)
    cmake_path(GET module EXTENSION extension)
    if(extension STREQUAL .cu)
      cmake_path(GET module STEM name)
      warpwise_add_ptx(NAME ${program}.${name} SOURCE ${module})
      set(module ${arg_NAME}.${name})
    endif()
    add_dependencies(${program} ${chapter}.${module})
  endforeach()
  warpwise_build_at_first_use(${program})

  if(arg_SHOWN)
    add_test(NAME ${program} COMMAND warpwise_course output ${chapter}/README.md $<TARGET_FILE:${program}>
      WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  else()
    add_test(NAME ${program} COMMAND ${program})
  endif()
  set_tests_properties(${program} PROPERTIES LABELS ${chapter} TIMEOUT 120)
endfunction()

# warpwise_add_figures([SOURCES file.cpp...] [MODULES attempt.NAME...])
#
# The test that measures the figures of the lesson anew: tests/figures.cpp (or SOURCES), on the solution's module and on
# MODULES.
function(warpwise_add_figures)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "SOURCES;MODULES")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "warpwise_add_figures([SOURCES file.cpp...] [MODULES module...])")
  endif()
  if(NOT arg_SOURCES)
    set(arg_SOURCES tests/figures.cpp)
  endif()
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME chapter)
  set(modules solution ${arg_MODULES})
  list(TRANSFORM modules PREPEND ${chapter}.)
  warpwise_add_test(NAME ${chapter}.figures LABEL ${chapter} SOURCES ${arg_SOURCES} LIBRARIES warpwise_harness_parts
    PTX ${modules})
endfunction()

# warpwise_add_gpu_program(NAME name SOURCE folder/file.cu)
#
# A program that runs on the GPU of this machine, built on request only: cmake --build build --target name puts it
# into build/chNN_name/folder/file.
function(warpwise_add_gpu_program)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;SOURCE" "")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_NAME OR NOT arg_SOURCE)
    message(FATAL_ERROR "warpwise_add_gpu_program(NAME name SOURCE folder/file.cu)")
  endif()
  cmake_path(REMOVE_EXTENSION arg_SOURCE OUTPUT_VARIABLE program)
  cmake_path(ABSOLUTE_PATH program BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
  cmake_path(GET program PARENT_PATH folder)
  file(MAKE_DIRECTORY "${folder}")
  add_custom_command(
    OUTPUT "${program}"
    COMMAND "${CUDAToolkit_NVCC_EXECUTABLE}" "-arch=${WARPWISE_BENCH_ARCH}" -std=c++17 -O3
            ${WARPWISE_NVCC_HOST} "-I${PROJECT_SOURCE_DIR}"
            -MMD -MF "${program}.d" -MT "${program}" -o "${program}" "${CMAKE_CURRENT_SOURCE_DIR}/${arg_SOURCE}"
    DEPENDS ${arg_SOURCE}
    DEPFILE "${program}.d"
    COMMENT "Compiling ${arg_SOURCE} for the GPU"
    VERBATIM)
  add_custom_target(${arg_NAME} DEPENDS "${program}")
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
  file(RELATIVE_PATH root "${folder}" "${PROJECT_SOURCE_DIR}")
  file(RELATIVE_PATH build "${folder}" "${PROJECT_BINARY_DIR}")
  file(RELATIVE_PATH program "${folder}" "${CMAKE_CURRENT_BINARY_DIR}/programs/${name}")
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/programs")
  file(MAKE_DIRECTORY "${folder}")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/first-use.sh.in" "${folder}/${name}" @ONLY
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endfunction()
