# The engine: examples on one thread belong to runtime_tests; what needs real threads is a program of its own.
target_sources(runtime_tests PRIVATE
  bind/bind_test.cpp
  bind/bound_context_test.cpp
  engine/graph.cpp
  engine/ports.cpp
  engine/engine_test.cpp
  engine/list_layout_test.cpp
  engine/whole_run_test.cpp
  engine/queue_test.cpp
)
detent_test(runtime_thread_tests
  engine/graph.cpp
  engine/ports.cpp
  engine/stress_thread_test.cpp
  engine/modes_thread_test.cpp
  engine/fault_thread_test.cpp
  LINK detent_runtime
  LABELS threads
)
