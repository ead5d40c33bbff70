# Compile options that every target shares, as the interface target detent_options.
add_library(detent_options INTERFACE)
add_library(detent::options ALIAS detent_options)
target_include_directories(detent_options INTERFACE $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}>
  $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/runtime/include>)
# -Wrestrict: gcc 12 reports std::string's own copies at -O3 (gcc bug 105651).
# -Wdeprecated-declarations: clang reports the buffer of std::stable_sort inside libstdc++ itself.
target_compile_options(detent_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wswitch-enum -Werror $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations> -ffp-contract=off
  -fmacro-prefix-map=${CMAKE_SOURCE_DIR}/=)  # __FILE__ of an assertion names no place of the machine that built it
# What is instrumented is the product. Code of tests is too where threads are watched: an access to memory that nobody saw
# orders nothing. Elsewhere it would cost four tenths of its compile time and find faults of tests alone.
set(detent_instruments_target 1)
if(NOT DETENT_SANITIZE MATCHES thread AND CMAKE_CXX_COMPILER_ID MATCHES Clang)
  set(detent_instruments_target $<NOT:$<BOOL:$<TARGET_PROPERTY:DETENT_TEST_CODE>>>)
endif()
if(DETENT_SANITIZE)
  target_compile_options(detent_options INTERFACE
    $<${detent_instruments_target}:-fsanitize=${DETENT_SANITIZE}$<SEMICOLON>-fno-omit-frame-pointer$<SEMICOLON>-fno-sanitize-recover=all>)
  target_link_options(detent_options INTERFACE -fsanitize=${DETENT_SANITIZE})
  # Tests start many processes: relocating a sanitized program takes longer than what most of them do.
  set(detent_shared_object $<IN_LIST:$<TARGET_PROPERTY:TYPE>,MODULE_LIBRARY$<SEMICOLON>SHARED_LIBRARY>)
  set(detent_in_program $<NOT:$<OR:${detent_shared_object},$<BOOL:$<TARGET_PROPERTY:POSITION_INDEPENDENT_CODE>>>>)
  target_compile_options(detent_options INTERFACE $<${detent_in_program}:-fno-pie>)
  target_link_options(detent_options INTERFACE $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang AND DETENT_SANITIZE MATCHES address)
    target_compile_definitions(detent_options INTERFACE __SANITIZE_ADDRESS__=1)  # gcc defines it itself
    # The stack pointer tells the sanitizer which locals on its own heap are dead; coroutines switch it, theirs live on.
    target_compile_options(detent_options INTERFACE
      $<${detent_instruments_target}:-fsanitize-address-use-after-return=never>)
    # Of what both product and tests instantiate the linker keeps one copy, perhaps the tests': it checks indices itself.
    target_compile_definitions(detent_options INTERFACE _GLIBCXX_ASSERTIONS)
  endif()
endif()
if(DETENT_COVERAGE)
  # Counters are plain words, atomic only where several native threads count: runtime/ and harness/.
  # What headers of the system define is not counted: every process that ends writes all counters.
  # A target with DETENT_UNCOUNTED has no counters.
  target_compile_options(detent_options INTERFACE
    $<$<AND:${detent_instruments_target},$<NOT:$<BOOL:$<TARGET_PROPERTY:DETENT_UNCOUNTED>>>>:--coverage$<$<CXX_COMPILER_ID:Clang>:$<SEMICOLON>-fprofile-exclude-files=^/usr/>>)
  target_link_options(detent_options INTERFACE --coverage)
  set(detent_atomic_counters -fprofile-update=atomic)
endif()
set(detent_instrumented OFF)
if(DETENT_SANITIZE OR DETENT_COVERAGE)
  set(detent_instrumented ON)
endif()
if(detent_instrumented OR DETENT_FUZZ)
  find_program(DETENT_LLD ld.lld)
  if(DETENT_LLD)  # a third of the time of GNU's for programs of this size
    add_link_options(-fuse-ld=lld)
  endif()
endif()

# Linked into every program of a build with the address sanitizer.
set(detent_sanitizer_options)
if(DETENT_SANITIZE MATCHES address)
  add_library(detent_sanitizer_options OBJECT ${CMAKE_CURRENT_LIST_DIR}/sanitizer_options.cpp)
  set(detent_sanitizer_options detent_sanitizer_options)
endif()

# detent_alias(detent_NAME): detent::NAME, by which others link it. A misspelt alias fails when the build is configured,
# where a misspelt target would be looked for by the linker.
function(detent_alias name)
  string(REGEX REPLACE "^detent_" "detent::" alias ${name})
  add_library(${alias} ALIAS ${name})
endfunction()

# detent_cached(TARGET): the tests of a release compile it again, alone and installed (tests/install): once, by ccache,
# where CCACHE_DIR names a cache for it (tools/test.sh).
find_program(DETENT_CCACHE ccache)
function(detent_cached target)
  if(DETENT_CCACHE AND DEFINED ENV{CCACHE_DIR} AND DETENT_BUILD_TESTS AND CMAKE_BUILD_TYPE STREQUAL Release
     AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER ${DETENT_CCACHE})
  endif()
endfunction()

# The sources that planted faults change (tests/mutants/planted), from the root.
set(detent_planted_sources)
file(GLOB planted_lists CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/mutants/planted/*.json)
foreach(list ${planted_lists})
  set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
  file(STRINGS ${list} rows REGEX "\"file\": ")
  foreach(row ${rows})
    string(REGEX REPLACE ".*\"file\": \"([^\"]*)\".*" "\\1" source "${row}")
    list(APPEND detent_planted_sources ${source})
  endforeach()
endforeach()

# detent_folder(NAME sources... [COLD] [THREADS] [LINK targets...]): the static library of one folder.
#   COLD     no loop of it matters: compiled with little optimisation always, none when instrumented
#   THREADS  native threads run its code
# Other folders are optimised a little even when instrumented, or their tests take minutes. A release compiles several
# sources at once, as instrumented builds do: most of their compile time is headers that they share. One in which a fault
# is planted stands alone where tests are built, if functions of it may be copied into others: each fault compiles what
# stands with it (tests/mutants/build_tree.py).
function(detent_folder name)
  cmake_parse_arguments(ARG "COLD;THREADS" "" "LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  detent_alias(${name})
  target_link_libraries(${name} PUBLIC detent::options ${ARG_LINK})
  if(ARG_THREADS)
    target_compile_options(${name} PRIVATE ${detent_atomic_counters})
  endif()
  if(detent_instrumented AND NOT ARG_COLD)
    target_compile_options(${name} PRIVATE -O1)
  elseif(CMAKE_BUILD_TYPE STREQUAL Release)
    target_compile_options(${name} PRIVATE $<IF:$<BOOL:${ARG_COLD}>,-O1,-O2>)  # -O3: a third more to compile, no faster
  endif()
  if(ARG_COLD)
    set_target_properties(${name} PROPERTIES UNITY_BUILD_BATCH_SIZE 64)
  endif()
  if(CMAKE_BUILD_TYPE STREQUAL Release)
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON)
    if(DETENT_BUILD_TESTS AND NOT ARG_COLD)
      set_target_properties(${name} PROPERTIES UNITY_BUILD_BATCH_SIZE 8)  # a random mutant compiles all of them
      file(RELATIVE_PATH folder ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
      foreach(source ${ARG_UNPARSED_ARGUMENTS})
        if("${folder}/${source}" IN_LIST detent_planted_sources)
          set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
        endif()
      endforeach()
    endif()
  endif()
endfunction()

# detent_module(NAME sources... LINK targets...): a shared object NAME.so that the program loads when it is needed, by its
# name alone: programs of the build look for it in modules/, the installed one in its library directory (their RPATH).
set(CMAKE_BUILD_RPATH ${CMAKE_BINARY_DIR}/modules)
# RPATH, not RUNPATH: a sanitizer's dlopen() calls the real one from its own library, whose RUNPATH would count.
add_link_options(LINKER:--disable-new-dtags)
function(detent_module name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_library(${name} MODULE ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE detent::options ${ARG_LINK})
  set_target_properties(${name} PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/modules BUILD_RPATH "")
  if(detent_instrumented)
    target_compile_options(${name} PRIVATE -O1)
  endif()
  install(TARGETS ${name} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/detent)
endfunction()

# All tests that start native threads: what the thread sanitizer runs.
add_custom_target(thread_tests)

# detent_test(NAME sources... [LINK targets...] [LABELS labels...] [TIMEOUT seconds] [ALONE]): one GoogleTest program, run by
# ctest as a whole. ALONE: no other build compiles it in the same way. Labels: threads (starts native threads), properties,
# plain (its subject is not our compiled code, so instrumented builds do not repeat it), cold (its subject is a COLD folder, and
# it takes the same inputs in every build, so that tools/test.sh runs it in one: cov). tests/build.hpp tells it to take smaller
# inputs where size is the subject.
# detent_test_library(NAME sources... [LINK targets...]): what several test programs test with, compiled as they are.
# In a release and in instrumented builds tests are the same code, so one of these builds compiles them for all, where
# CCACHE_DIR names a cache (tools/test.sh). Not where threads are watched, which instruments tests too.
set(detent_compile_as ${CMAKE_CURRENT_LIST_DIR}/compile_as.sh)
set(detent_compile_once ${CMAKE_CURRENT_LIST_DIR}/compile_once.sh)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  find_program(DETENT_TEST_COMPILER clang++-19 DOC "What compiles the tests of a release, for which GCC takes twice as long")
endif()
set(detent_test_compiler ${DETENT_TEST_COMPILER})
if(CMAKE_CXX_COMPILER_ID MATCHES Clang AND detent_instrumented AND NOT DETENT_SANITIZE MATCHES thread)
  set(detent_test_compiler ${CMAKE_CXX_COMPILER})
endif()
set(detent_test_cache OFF)
if(DETENT_CCACHE AND DEFINED ENV{CCACHE_DIR} AND detent_test_compiler AND NOT CMAKE_CXX_COMPILER_LAUNCHER
   AND (detent_instrumented OR CMAKE_BUILD_TYPE STREQUAL Release))
  set(detent_test_cache ON)
endif()
function(detent_test_options name)
  cmake_parse_arguments(ARG "ALONE" "" "" ${ARGN})
  set_target_properties(${name} PROPERTIES DETENT_TEST_CODE ON UNITY_BUILD_BATCH_SIZE 64)
  target_compile_definitions(${name} PRIVATE DETENT_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE detent_test_build)
  set(is_cached OFF)
  if(detent_test_cache AND NOT ARG_ALONE)
    set(is_cached ON)
  elseif(TARGET detent_test_headers AND NOT name STREQUAL detent_test_headers)
    target_precompile_headers(${name} REUSE_FROM detent_test_headers)
  endif()
  if(CMAKE_BUILD_TYPE STREQUAL Release)
    target_compile_options(${name} PRIVATE -O0)  # what is tested is optimised; half of all compile time
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON)  # as instrumented builds; half of what is left
    if(DETENT_TEST_COMPILER)
      set_target_properties(${name} PROPERTIES CXX_COMPILER_LAUNCHER
        "${detent_compile_as};${DETENT_TEST_COMPILER}")  # half of that again
      target_compile_options(${name} PRIVATE -Wno-unknown-warning-option -Wno-deprecated-declarations)
    endif()
  endif()
  if(is_cached)
    set_target_properties(${name} PROPERTIES CXX_COMPILER_LAUNCHER
      "${detent_compile_once};${DETENT_CCACHE};${detent_test_compiler}")
  endif()
endfunction()
function(detent_test_library name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  detent_alias(${name})
  target_link_libraries(${name} PUBLIC detent::options GTest::gtest ${ARG_LINK})
  detent_test_options(${name})
endfunction()
function(detent_test name)
  cmake_parse_arguments(ARG "ALONE" "TIMEOUT" "LINK;LABELS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE detent::options ${detent_sanitizer_options} GTest::gtest_main GTest::gtest ${ARG_LINK})
  if(ARG_ALONE)
    detent_test_options(${name} ALONE)
  else()
    detent_test_options(${name})
  endif()
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${CMAKE_BINARY_DIR})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 900)
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}")
  if("threads" IN_LIST ARG_LABELS)
    add_dependencies(thread_tests ${name})
  endif()
endfunction()
