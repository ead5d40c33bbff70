# Laws of runtime/ and of native runs: queues, policies, ring log, artifact checks, one digest however executed, faults.
# On the single port: no threads.
detent_test(runtime_properties
  runtime/check_law.cpp
  runtime/fault_law.cpp
  runtime/log_law.cpp
  runtime/native_law.cpp
  runtime/policy_law.cpp
  runtime/queue_law.cpp
  LINK detent_laws LABELS properties)
