# Processor time of the simulator: per task beside a bare SystemC closed loop, per run of a network on the whole chip
# model, and its growth with ops and cores. bench_simgrid compares with SimGrid.
find_package(nlohmann_json REQUIRED)
add_executable(bench_sim ${CMAKE_CURRENT_LIST_DIR}/sim.cpp ${CMAKE_CURRENT_LIST_DIR}/sim_chip.cpp
  ${CMAKE_CURRENT_LIST_DIR}/sim_graph.cpp ${CMAKE_CURRENT_LIST_DIR}/sim_growth.cpp
  ${CMAKE_CURRENT_LIST_DIR}/sim_session.cpp)
target_link_libraries(bench_sim PRIVATE detent_options detent_sim detent_sim_bare detent_harness detent_models
  detent_runtime nlohmann_json::nlohmann_json)
include(${CMAKE_CURRENT_LIST_DIR}/simgrid.cmake)
