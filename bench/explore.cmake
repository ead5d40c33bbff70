# Op-level exploration: traces/s by enumeration, orders executed per second, hitting families, gates.
if(TARGET detent_verify_fixture)
  add_executable(bench_explore_ops ${CMAKE_CURRENT_LIST_DIR}/explore_ops.cpp)
  target_link_libraries(bench_explore_ops PRIVATE detent_options detent_verify_fixture detent_models detent_verify
    nlohmann_json::nlohmann_json)
endif()
# Thread level: ns per switch, schedules per second, full searches of a queue; of the engine. Figures: processor time.
if(TARGET detent_verify_fixture)
  add_executable(bench_explore_threads ${CMAKE_CURRENT_LIST_DIR}/explore_threads.cpp)
  target_link_libraries(bench_explore_threads PRIVATE detent_options detent_verify_fixture detent_verify)
  add_executable(bench_exhaust_threads ${CMAKE_CURRENT_LIST_DIR}/exhaust_threads.cpp)
  target_link_libraries(bench_exhaust_threads PRIVATE detent_options detent_verify_fixture detent_verify)
endif()
