# Laws of verify/: closure, races, schedules, bounds, determinism, exploration. One OS thread.
detent_test(verify_properties
  verify/bounds_law.cpp
  verify/determinism_law.cpp
  verify/explore_ops_law.cpp
  verify/explore_threads_law.cpp
  verify/plan_law.cpp
  verify/race_law.cpp
  LINK detent_laws detent_verify LABELS properties)
