# Laws of runtime/ and of native runs: policies, ring log, ready sets, artifact checks, one digest however executed.
detent_test(runtime_properties
  runtime/check_law.cpp
  runtime/log_law.cpp
  runtime/native_law.cpp
  runtime/policy_law.cpp
  runtime/queue_law.cpp
  LINK detent_harness rapidcheck rapidcheck_gtest LABELS properties threads)
