# Engine, bind, policies, the port without threads: needs nothing of an operating system (docs/PORTING.md, "What it links
# to"). Kernels stand in ops/sources.cmake.
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
  ports/single.cpp
  bind.cpp
  detent.cpp
  engine/fixed.cpp
  engine/layered.cpp
  engine/list_layout.cpp
  engine/static_lists.cpp
  engine/closed_loop.cpp
  engine/execute.cpp
  engine/schedule.cpp
  engine/serial.cpp
  engine/streak.cpp
  engine/worker.cpp
  layout.cpp
  queue.cpp
  ranks.cpp
  status.cpp
)

# For POSIX hosts: threads, a clock, the environment.
set(detent_runtime_host_sources
  ports/host_workers.cpp
  ports/posix.cpp
  ports/single_host.cpp
)
