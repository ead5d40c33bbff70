# bench_simgrid: only where SimGrid is installed (Debian: libsimgrid-dev). Nothing depends on it.
find_package(PkgConfig REQUIRED)
pkg_check_modules(SIMGRID QUIET IMPORTED_TARGET simgrid)
if(SIMGRID_FOUND)
  add_executable(bench_simgrid ${CMAKE_CURRENT_LIST_DIR}/simgrid.cpp ${CMAKE_CURRENT_LIST_DIR}/simgrid_loop.cpp
    ${CMAKE_CURRENT_LIST_DIR}/sim_graph.cpp ${CMAKE_CURRENT_LIST_DIR}/sim_session.cpp)
  # Its headers are not clean under our warnings.
  get_target_property(simgrid_includes PkgConfig::SIMGRID INTERFACE_INCLUDE_DIRECTORIES)
  if(simgrid_includes)
    target_include_directories(bench_simgrid SYSTEM PRIVATE ${simgrid_includes})
  endif()
  target_link_libraries(bench_simgrid PRIVATE detent_options detent_sim detent_harness detent_runtime
    PkgConfig::SIMGRID nlohmann_json::nlohmann_json)
endif()
