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

# The example in detent.h is a whole program: taken out of the comment, compiled as the strictest C, run.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(example_header ${CMAKE_SOURCE_DIR}/runtime/include/detent/detent.h)
add_custom_command(OUTPUT header_example.c
  COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/extract_example.py ${example_header} header_example.c
  DEPENDS ${example_header} ${CMAKE_CURRENT_LIST_DIR}/extract_example.py)
add_executable(header_example ${CMAKE_CURRENT_BINARY_DIR}/header_example.c)
target_compile_options(header_example PRIVATE -std=c11 -Wall -Wextra -pedantic -Werror)
target_link_libraries(header_example PRIVATE detent_runtime m)
set_target_properties(header_example PROPERTIES LINKER_LANGUAGE C RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
add_test(NAME header_example COMMAND header_example)
set_tests_properties(header_example PROPERTIES PASS_REGULAR_EXPRESSION "^0 0 1 2\n$")
