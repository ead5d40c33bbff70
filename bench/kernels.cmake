# GFLOP/s of the convolutions and the whole YOLOv8n beside the core's FMA peak.
find_package(nlohmann_json REQUIRED)
add_executable(bench_kernels kernels.cpp kernels_model.cpp kernels_peak.cpp kernels_yolov8n.cpp)
target_link_libraries(bench_kernels PRIVATE detent_options detent_harness detent_models detent_runtime
  nlohmann_json::nlohmann_json)
