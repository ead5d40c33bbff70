# Laws of sim/: times, orders, bounds, accounts, campaigns, faults in simulated time.
detent_test(sim_properties
  sim/campaign_law.cpp
  sim/chip_bounds_law.cpp
  sim/fault_law.cpp
  sim/random_chip.cpp
  sim/simulated.cpp
  sim/times_law.cpp
  ${CMAKE_SOURCE_DIR}/app/check/bounds.cpp
  ${CMAKE_SOURCE_DIR}/tests/sim/graph.cpp
  ${CMAKE_SOURCE_DIR}/tests/sim/list_schedule.cpp
  LINK detent_laws detent_sim detent_verify fmt::fmt LABELS properties)
