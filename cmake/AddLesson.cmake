# What a lesson shows is held to what there is: its commands, pictures, programs and figures.

# How a lesson's figures and pictures are held goes to `result`: `check` where they are of this compiler, else `otherwise`.
function(warpwise_how_lessons_are_held result otherwise)
  set(${result} ${otherwise} PARENT_SCOPE)
  if(WARPWISE_NVRTC MATCHES "/nvrtc-${WARPWISE_PINNED_NVRTC}/")
    set(${result} check PARENT_SCOPE)
  endif()
endfunction()

# The test `name`: draws the pictures of a folder's pages again. Of another compiler than the lessons' they may differ, and must
# only be drawn.
function(warpwise_add_pictures name folder)
  if(NOT TARGET warpwise_cli)
    return()  # docs/results/measure.sh builds without
  endif()
  warpwise_how_lessons_are_held(how draw)
  add_test(NAME ${name} COMMAND warpwise_course pictures ${how} $<TARGET_FILE:warpwise_cli> "${folder}"
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
endfunction()

# warpwise_add_walk(name page programs copy)
#
# For a page whose reader copies the folder `programs` to `copy`, and runs and mends what lies there: the test NAME.walk does
# the same, NAME.lesson holds the code that the page shows against the programs, NAME.prose its words against docs/style.md.
function(warpwise_add_walk name page programs copy)
  warpwise_how_lessons_are_held(how words)
  add_test(NAME ${name}.walk COMMAND warpwise_course walk ${how} $<TARGET_FILE:warpwise_cli> ${page} ${programs} ${copy})
  add_test(NAME ${name}.lesson COMMAND warpwise_course lesson ${page})
  add_test(NAME ${name}.prose COMMAND warpwise_course prose ${page})
  set_tests_properties(${name}.walk PROPERTIES LABELS long)  # `exec`, of which nvcc makes half a minute
  set_tests_properties(${name}.lesson ${name}.prose PROPERTIES LABELS docs)
  set_tests_properties(${name}.walk ${name}.lesson ${name}.prose PROPERTIES TIMEOUT 600
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" ENVIRONMENT LC_ALL=C.UTF-8)
endfunction()

# warpwise_add_pages(name label chapter page...): the test `name` runs the commands that pages name, and holds the output that they
# show; NAME.compiled, with the label `long`, those that nvcc or the host's compiler makes a program for, if there are any.
# One may build the chapter's exercise, which the test of its skeleton reads.
function(warpwise_add_pages name label chapter)
  warpwise_how_lessons_are_held(how words)
  foreach(which IN ITEMS quick compiled)
    set(test ${name})
    set(labels ${label})
    if(which STREQUAL compiled)
      set(test ${name}.compiled)
      set(labels long)
      set(named "")
      foreach(page IN LISTS ARGN)
        file(STRINGS "${PROJECT_SOURCE_DIR}/${page}" lines REGEX "(^[$] build/|[.]/warpwise exec )")
        list(APPEND named ${lines})
      endforeach()
      if(NOT named)
        return()
      endif()
    endif()
    add_test(NAME ${test}
      COMMAND warpwise_course commands ${how} ${which} $<TARGET_FILE:warpwise_cli> "${PROJECT_BINARY_DIR}" ${ARGN})
    set_tests_properties(${test} PROPERTIES LABELS ${labels} TIMEOUT 600 RESOURCE_LOCK ${chapter}.exercise
      WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" ENVIRONMENT LC_ALL=C.UTF-8)  # marks are shown as they are where they can be
  endforeach()
endfunction()

# warpwise_add_program(NAME name [SOURCE file.cpp] [OUTPUT path] [MODULES file.cu|solution|attempt.NAME...] [SHOWN])
#
# A program of the lesson, to be run by hand: build/chNN_name/OUTPUT (by default the name) from SOURCE (by default
# lesson/name.cpp). MODULES are built with it: a kernel file of its own, or what the chapter has. WARPWISE_BINARY_DIR tells the
# program where they lie. Its test runs it; SHOWN: and holds what it prints against what the lesson shows. Where MODULES
# are left out, as a handout leaves out what shows the solution, there is no program.
function(warpwise_add_program)
  cmake_parse_arguments(PARSE_ARGV 0 arg "SHOWN" "NAME;SOURCE;OUTPUT" "MODULES")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_NAME)
    message(FATAL_ERROR "warpwise_add_program(NAME name [SOURCE file.cpp] [OUTPUT path] [MODULES module...] [SHOWN])")
  endif()
  if(NOT arg_SOURCE)
    set(arg_SOURCE lesson/${arg_NAME}.cpp)
  endif()
  if(NOT arg_OUTPUT)
    set(arg_OUTPUT ${arg_NAME})
  endif()
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME chapter)
  cmake_path(GET arg_OUTPUT FILENAME output_name)
  cmake_path(ABSOLUTE_PATH arg_OUTPUT BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
  cmake_path(GET arg_OUTPUT PARENT_PATH output_folder)

  warpwise_has_modules(is_complete ${arg_MODULES})
  if(NOT is_complete)
    return()
  endif()

  set(program ${chapter}.${arg_NAME})
  add_executable(${program} ${arg_SOURCE})
  target_link_libraries(${program} PRIVATE warpwise_check warpwise_options)
  target_precompile_headers(${program} REUSE_FROM warpwise_catch_header)
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
    if(module MATCHES "^attempt[.]")
      set(module implementations)
    endif()
    add_dependencies(${program} ${chapter}.${module})
  endforeach()
  warpwise_build_at_first_use(${program})

  if(arg_SHOWN)
    file(RELATIVE_PATH path "${PROJECT_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}")
    get_property(pages DIRECTORY PROPERTY warpwise_pages)
    list(TRANSFORM pages PREPEND "${path}/")
    add_test(NAME ${program} COMMAND warpwise_course output $<TARGET_FILE:${program}> ${pages}
      WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  else()
    add_test(NAME ${program} COMMAND ${program})
  endif()
  set_tests_properties(${program} PROPERTIES LABELS ${chapter} TIMEOUT 120)
endfunction()

# Whether all of the modules can be built here goes to `result`: file.cu, or what is made from the solution, of which a
# handout may lack an attempt. A lesson shows what the public solution does, not that of a variant.
function(warpwise_has_modules result)
  set(all TRUE)
  foreach(module IN LISTS ARGN)
    if(NOT module MATCHES "[.]cu$")
      cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME chapter)
      get_property(attempts DIRECTORY PROPERTY warpwise_attempts)
      if(NOT TARGET ${chapter}.${module} AND NOT module IN_LIST attempts)
        set(all FALSE)
      endif()
      set(module solution.cu)
      if(EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/variant.md")
        set(all FALSE)
      endif()
    endif()
    if(NOT EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${module}")
      set(all FALSE)
    endif()
  endforeach()
  set(${result} ${all} PARENT_SCOPE)
endfunction()

# warpwise_add_figures([SOURCES file.cpp...] [MODULES attempt.NAME...])
#
# The test that measures the figures of the lesson anew: checks/tests/figures.cpp (or SOURCES), on the solution's module and on
# MODULES.
function(warpwise_add_figures)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "SOURCES;MODULES")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "warpwise_add_figures([SOURCES file.cpp...] [MODULES module...])")
  endif()
  if(NOT arg_SOURCES)
    set(arg_SOURCES checks/tests/figures.cpp)
  endif()
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME chapter)
  set(modules solution ${arg_MODULES})
  list(TRANSFORM modules REPLACE "^attempt[.].*" implementations)
  list(REMOVE_DUPLICATES modules)
  list(TRANSFORM modules PREPEND ${chapter}.)
  warpwise_add_test(NAME ${chapter}.figures LABEL ${chapter} SOURCES ${arg_SOURCES} LIBRARIES warpwise_check
    PTX ${modules})
endfunction()

# warpwise_build_at_first_use(target)
#
# For a program that a lesson shows: where the lesson says that it lies there is a script, which builds it when
# it is first run. `./warpwise tour` needs none of these programs.
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
