# What laws stand on: shrinking, replay lines (executed with the program), refusal of RC_PARAMS with reproduce=.
detent_test(law_tests
  graph_law.cpp
  law_test.cpp
  sim/random_chip.cpp
  sim/simulated.cpp
  ${CMAKE_SOURCE_DIR}/tests/e2e/program.cpp
  ${CMAKE_SOURCE_DIR}/tests/sim/graph.cpp
  LINK detent_laws detent_sim detent_verify fmt::fmt nlohmann_json::nlohmann_json LABELS properties)
add_dependencies(law_tests detent)
target_compile_definitions(law_tests PRIVATE DETENT_PROGRAM="$<TARGET_FILE:detent>")

# RapidCheck passes every law that reproduce= does not name without a single value; this string names one of sim/.
set(reproduce "RC_PARAMS=reproduce=CgSQjN2b15GdMF2dvE0QvJXZJNnQ1NXeBNHTv52ZBNXS0N3TwNHVhtWZmnOgptuArYv5pDYarLwK2be6Am26Csi9mnOgptuArYPgACIgQAQIgAAAAIBAAEQABEgACIgACIgACMwADMwKPJHZlJHThd3LFF2YoNFbvR3UlJndlN3TuV2QsF2cz9kbl9EcBRXQUlWblZe6Am26Csi9mnOgptuArYv5pDYarLwK2be6Am26Csi9ACIgACBAhACAAAgDAAQABEQABEQABIgACIA")
add_test(NAME law_reproduce_refused COMMAND law_tests --gtest_filter=GraphCaseLaw.*)
set_tests_properties(law_reproduce_refused PROPERTIES ENVIRONMENT "${reproduce}" LABELS properties
  PASS_REGULAR_EXPRESSION "reproduce=, which does not name GraphCaseLaw/.*it would pass without a single value")
add_test(NAME law_reproduce_fails COMMAND law_tests --gtest_filter=GraphCaseLaw.*)
set_tests_properties(law_reproduce_fails PROPERTIES ENVIRONMENT "${reproduce}" LABELS properties WILL_FAIL TRUE)
