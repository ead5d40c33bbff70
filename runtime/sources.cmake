# Engine, bind, ports, policies. Kernels stand in ops/sources.cmake.
target_sources(detent_runtime PRIVATE
  arena.cpp
  backends/cpu.cpp
  log.cpp
  policy.cpp
  policy_graph.cpp
  ports/posix.cpp
  ports/single.cpp
  status.cpp
)
