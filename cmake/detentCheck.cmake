# detent_add_check: a test of a project that asks Detent about a network. find_package(detent) brings it.

# detent_add_check(NAME MODEL
#                  [CHECK]             # detent check instead of detent verify: runs and simulates, too
#                  [BASELINE FILE]     # findings that are known, as an earlier --json or --sarif wrote them
#                  [SARIF FILE]        # of verify; check writes DIR/findings.sarif
#                  [JUNIT FILE] [OUT DIR]
#                  [OPTIONS WORD...])  # further options of the command
#
# Adds the test NAME, which passes where the command ends with exit code 0: every law holds, or nothing is new. MODEL is
# an op graph, a package or a name of the zoo; files that do not begin with / stand in the current source directory,
# files that are written in the current binary directory.
function(detent_add_check name model)
  cmake_parse_arguments(PARSE_ARGV 2 check "CHECK" "BASELINE;SARIF;JUNIT;OUT" "OPTIONS")
  if(check_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "detent_add_check(${name}): unknown words: ${check_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT TARGET detent::detent)
    message(FATAL_ERROR "detent_add_check(${name}): the program detent is not installed beside this package")
  endif()
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${model})
    set(model ${CMAKE_CURRENT_SOURCE_DIR}/${model})
  endif()
  set(words verify ${model} --reproducible)
  if(check_CHECK)
    if(NOT check_OUT)
      set(check_OUT ${name})
    endif()
    cmake_path(ABSOLUTE_PATH check_OUT BASE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
    set(words check ${model} --reproducible --out ${check_OUT})
  elseif(check_OUT)
    message(FATAL_ERROR "detent_add_check(${name}): OUT goes with CHECK alone")
  endif()
  if(check_CHECK AND check_SARIF)
    message(FATAL_ERROR "detent_add_check(${name}): SARIF goes without CHECK; OUT has findings.sarif")
  endif()
  if(check_BASELINE)
    cmake_path(ABSOLUTE_PATH check_BASELINE BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    list(APPEND words --baseline ${check_BASELINE})
  endif()
  foreach(file SARIF JUNIT)
    if(check_${file})
      cmake_path(ABSOLUTE_PATH check_${file} BASE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
      string(TOLOWER ${file} option)
      list(APPEND words --${option} ${check_${file}})
    endif()
  endforeach()
  add_test(NAME ${name} COMMAND $<TARGET_FILE:detent::detent> ${words} ${check_OPTIONS})
  set_tests_properties(${name} PROPERTIES LABELS detent)
endfunction()
