# Engine, bind, policies, the port without threads: needs nothing of an operating system (docs/PORTING.md, "What it links
# to"). Kernels stand in kernels/CMakeLists.txt.
target_sources(detent_runtime PRIVATE
  api/detent.cpp
  api/extents.cpp
  api/log.cpp
  api/memory_pool.cpp
  api/status.cpp
  api/worker_pool.cpp
  backends/cpu.cpp
  backends/device.cpp
  backends/npu_layout.cpp
  backends/npu_prepared.cpp
  backends/software_npu.cpp
  base/arena.cpp
  base/byte_set.cpp
  base/fingerprint.cpp
  bind/bind.cpp
  bind/costs.cpp
  bind/layout.cpp
  bind/ranks.cpp
  bind/regions.cpp
  check/alias.cpp
  check/check.cpp
  check/failures.cpp
  check/graph.cpp
  check/guards.cpp
  check/overlap.cpp
  check/schedules.cpp
  check/tables.cpp
  check/tensors.cpp
  check/uses.cpp
  engine/closed_loop.cpp
  engine/execute.cpp
  engine/guard.cpp
  engine/no_scheduler.cpp
  engine/layered.cpp
  engine/list_layout.cpp
  engine/op_progress.cpp
  engine/queue.cpp
  engine/schedule.cpp
  engine/serial.cpp
  engine/static_lists.cpp
  engine/run_inline.cpp
  engine/worker.cpp
  engine/worker_pool.cpp
  policies/policy.cpp
  policies/policy_graph.cpp
  ports/single.cpp
)

# For POSIX hosts: threads, a clock, the environment, files.
set(detent_runtime_host_sources
  ports/host_workers.cpp
  ports/pool_file.cpp
  ports/posix.cpp
  ports/single_host.cpp
)
