#The engine : what needs real threads is a program of its own, so that the thread sanitizer runs it alone.
detent_test(runtime_thread_tests engine_graph.cpp engine_thread_test.cpp LINK detent_runtime LABELS threads)
