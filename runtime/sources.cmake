# Engine, bind, ports, policies. Kernels stand in ops/sources.cmake.
target_sources(detent_runtime PRIVATE
  arena.cpp
  backends/cpu.cpp
  byte_set.cpp
  check.cpp
  check_alias.cpp
  check_graph.cpp
  check_overlap.cpp
  check_schedules.cpp
  check_steps.cpp
  check_tables.cpp
  check_tensors.cpp
  check_uses.cpp
  log.cpp
  policy.cpp
  policy_graph.cpp
  ports/posix.cpp
  ports/single.cpp
  status.cpp
)
