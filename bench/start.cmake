# Wall and processor time of one start of `detent verify` on a graph of two ops, beside other programs' starts.
find_package(nlohmann_json REQUIRED)
add_executable(bench_start ${CMAKE_CURRENT_LIST_DIR}/start.cpp)
target_link_libraries(bench_start PRIVATE detent_options nlohmann_json::nlohmann_json)
target_compile_definitions(bench_start PRIVATE DETENT_PROGRAM="$<TARGET_FILE:detent>")
add_dependencies(bench_start detent)
