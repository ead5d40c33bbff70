# Engine, bind, ports, policies. Kernels stand in ops/sources.cmake.
target_sources(detent_runtime PRIVATE
  status.cpp
)
