# The engine: examples on one thread belong to runtime_tests; what needs real threads is a program of its own.
target_sources(runtime_tests PRIVATE
  bind_test.cpp
  bound_context_test.cpp
  engine_graph.cpp
  engine_ports.cpp
  engine_test.cpp
  list_layout_test.cpp
  whole_run_test.cpp
  queue_test.cpp
)
detent_test(runtime_thread_tests
  engine_graph.cpp
  engine_ports.cpp
  engine_stress_thread_test.cpp
  engine_table_test.cpp
  engine_thread_test.cpp
  fault_thread_test.cpp
  LINK detent_runtime
  LABELS threads
)
