# Gates on what the runtime library is made of, and the C example.

# Instrumentation adds symbols of its own, so the gate speaks for plain builds only.
if(NOT DETENT_SANITIZE AND NOT DETENT_COVERAGE)
  add_test(NAME runtime_symbols COMMAND ${CMAKE_COMMAND} -D NM=${CMAKE_NM} -D LIBRARY=$<TARGET_FILE:detent_runtime>
    -P ${CMAKE_CURRENT_LIST_DIR}/symbols_gate.cmake)
  # The gate itself: a library that calls malloc must fail it.
  add_library(runtime_symbols_bad STATIC symbols_bad.cpp)
  add_test(NAME runtime_symbols_finds_heap COMMAND ${CMAKE_COMMAND} -D NM=${CMAKE_NM}
    -D LIBRARY=$<TARGET_FILE:runtime_symbols_bad> -P ${CMAKE_CURRENT_LIST_DIR}/symbols_gate.cmake)
  set_tests_properties(runtime_symbols_finds_heap PROPERTIES WILL_FAIL TRUE)
endif()

add_executable(c_example c_example.c)
target_compile_options(c_example PRIVATE -std=c11 -Wall -Wextra -pedantic -Werror)
target_link_libraries(c_example PRIVATE detent_runtime m)
# Linked as C: the runtime needs no C++ library.
set_target_properties(c_example PROPERTIES LINKER_LANGUAGE C)
set_target_properties(c_example PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
add_dependencies(thread_tests c_example)
add_test(NAME c_example COMMAND c_example)
set_tests_properties(c_example PROPERTIES LABELS threads
  PASS_REGULAR_EXPRESSION "run 0, 3 ops: 0 4 12 24\nrun 1, 3 ops: 4 12 24 40")
