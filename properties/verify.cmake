# Laws of verify/: closure, races, schedules, bounds, determinism. No threads: worker counts 0 and 1 only.
detent_test(verify_properties
  ${CMAKE_CURRENT_LIST_DIR}/verify/bounds_law.cpp
  ${CMAKE_CURRENT_LIST_DIR}/verify/determinism_law.cpp
  ${CMAKE_CURRENT_LIST_DIR}/verify/explore_ops_law.cpp
  ${CMAKE_CURRENT_LIST_DIR}/verify/race_law.cpp
  LINK detent_verify_fixture detent_verify rapidcheck rapidcheck_gtest LABELS properties)
