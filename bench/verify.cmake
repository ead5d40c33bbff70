# Draws its graphs with the fixture of the tests, so it exists only where they do.
if(TARGET detent_verify_fixture)
  add_executable(bench_verify ${CMAKE_CURRENT_LIST_DIR}/verify/bench_verify.cpp)
  target_link_libraries(bench_verify PRIVATE detent_options detent_verify_fixture detent_verify)
endif()
