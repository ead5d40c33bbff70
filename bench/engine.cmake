# Engine: ns per task of every mode beside oneTBB's flow graph and OpenMP tasks, where they are installed.
find_package(TBB QUIET)
find_package(OpenMP QUIET COMPONENTS CXX)
add_executable(bench_engine
  ${CMAKE_CURRENT_LIST_DIR}/engine.cpp
  ${CMAKE_CURRENT_LIST_DIR}/engine_contenders.cpp
  ${CMAKE_CURRENT_LIST_DIR}/engine_detent.cpp
  ${CMAKE_CURRENT_LIST_DIR}/engine_graphs.cpp
  ${CMAKE_CURRENT_LIST_DIR}/engine_kernel.cpp
)
target_link_libraries(bench_engine PRIVATE detent_options detent_models detent_runtime)
if(TBB_FOUND)
  target_sources(bench_engine PRIVATE ${CMAKE_CURRENT_LIST_DIR}/engine_tbb.cpp)
  target_compile_definitions(bench_engine PRIVATE DETENT_BENCH_TBB=1)
  target_link_libraries(bench_engine PRIVATE TBB::tbb)
endif()
if(OpenMP_CXX_FOUND)
  target_sources(bench_engine PRIVATE ${CMAKE_CURRENT_LIST_DIR}/engine_openmp.cpp)
  target_compile_definitions(bench_engine PRIVATE DETENT_BENCH_OPENMP=1)
  target_link_libraries(bench_engine PRIVATE OpenMP::OpenMP_CXX)
endif()
