# Variants of a chapter's task, for marks: chNN_name/variants/NAME.md (common/course/variant.hpp).

# Each has an executable of its own, and they change seldom: `.ci/long variants`.
option(WARPWISE_VARIANTS "Build and judge the variants of the tasks" OFF)

# warpwise_add_task_variants(result CHECKS file.cpp... PAGES page.md...)
#
# For each page of the calling folder, a copy of the chapter's sources that the page has changed, in
# build/chNN_name/variants/NAME/chNN_name/; its executable chNN_name.variant.NAME, its modules, and the tests
#   chNN_name.variants              every difference of the pages still applies (the others: with WARPWISE_VARIANTS)
#   chNN_name.variant.NAME.solution every kernel of the variant's solution passes
#   chNN_name.variant.NAME.skeleton every kernel that still has a TODO fails a check
#   chNN_name.variant.NAME.frames   its exercise and its solution differ only inside the bodies of their functions
#   chNN_name.variant.NAME.lesson   its lesson shows the code of its sources
#   chNN_name.variant.NAME.public.KERNEL  the public solution is rejected, by the check and for the reason of the page
# Their names go to `result`. CMake looks again whenever a page is added, removed or edited.
function(warpwise_add_task_variants result)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "CHECKS;PAGES")
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME chapter)
  file(GLOB pages RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" variants/*.md)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS variants ${pages})
  file(RELATIVE_PATH path "${PROJECT_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}")
  set(tests "")
  if(pages AND WARPWISE_TESTS)
    add_test(NAME ${chapter}.variants COMMAND warpwise_course variants "${path}"
      WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
    set(tests ${chapter}.variants)
    if(NOT WARPWISE_VARIANTS)
      set(pages "")
    endif()
    foreach(page IN LISTS pages)
      warpwise_add_task_variant(${page} of_page CHECKS ${arg_CHECKS} PAGES ${arg_PAGES})
      list(APPEND tests ${of_page})
    endforeach()
  endif()
  set(${result} ${tests} PARENT_SCOPE)
endfunction()

function(warpwise_add_task_variant page result)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "CHECKS;PAGES")
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME chapter)
  file(RELATIVE_PATH path "${PROJECT_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}")
  cmake_path(GET page STEM name)
  set(variant ${chapter}.variant.${name})
  set(include_folder "${CMAKE_CURRENT_BINARY_DIR}/variants/${name}")
  set(folder "${include_folder}/${chapter}")  # so that #include "chNN_name/kernels.hpp" finds the changed one

  file(READ ${page} text)  # and not its lines: a list of lines is none where one has a '[' without its ']'
  string(REGEX MATCHALL "\n- rejected by: [a-z0-9_]+" kernels "${text}")
  list(TRANSFORM kernels REPLACE "\n- rejected by: " "")
  list(TRANSFORM kernels REPLACE "(.+)" "${folder}/public/\\1.cu" OUTPUT_VARIABLE public)
  set(checks ${arg_CHECKS})
  list(TRANSFORM checks PREPEND "${folder}/")
  file(GLOB sources *.hpp *.cu *.cuh *.md checks/*.cpp checks/*.hpp)
  add_custom_command(OUTPUT ${checks} ${public} "${folder}/exercise.cu" "${folder}/solution.cu" "${folder}/README.md"
    COMMAND warpwise_course variant "${path}" "${path}/${page}" "${folder}"
    DEPENDS warpwise_course ${page} ${sources}
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"  # so that a message names the page as one would type it
    COMMENT "Making what ${page} describes"
    VERBATIM)

  foreach(module IN ITEMS exercise solution)
    warpwise_add_ptx(NAME ${variant}.${module} SOURCE "${folder}/${module}.cu"
      OUTPUT variants/${name}/${chapter}/${module}.ptx)
  endforeach()
  warpwise_add_chapter_executable(${variant} CHAPTER ${chapter} SOURCE_DIR "${folder}" BINARY_DIR "${folder}"
    CHECKS ${checks})
  target_include_directories(${variant} BEFORE PRIVATE "${include_folder}")

  add_test(NAME ${variant}.solution COMMAND ${variant} "${folder}/solution.ptx" --device sim)
  add_test(NAME ${variant}.skeleton COMMAND ${variant} "${folder}/exercise.ptx" --device sim --expect-failure)
  add_test(NAME ${variant}.frames COMMAND warpwise_course frames exercise.cu solution.cu WORKING_DIRECTORY "${folder}")
  add_test(NAME ${variant}.lesson COMMAND warpwise_course lesson ${arg_PAGES} WORKING_DIRECTORY "${folder}")
  set(tests ${variant}.solution ${variant}.skeleton ${variant}.frames ${variant}.lesson)
  foreach(kernel IN LISTS kernels)
    add_test(NAME ${variant}.public.${kernel} COMMAND ${variant} "${CMAKE_CURRENT_BINARY_DIR}/solution.ptx"
      --device sim --expect-rejection "${folder}/public/${kernel}.cu")
    list(APPEND tests ${variant}.public.${kernel})
  endforeach()
  set(${result} ${tests} PARENT_SCOPE)
endfunction()
