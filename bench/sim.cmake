find_package(nlohmann_json REQUIRED)
add_executable(bench_sim ${CMAKE_CURRENT_LIST_DIR}/sim.cpp ${CMAKE_CURRENT_LIST_DIR}/sim_graph.cpp
  ${CMAKE_CURRENT_LIST_DIR}/sim_session.cpp)
target_link_libraries(bench_sim PRIVATE detent_options detent_sim detent_sim_bare detent_harness detent_runtime
  nlohmann_json::nlohmann_json)
