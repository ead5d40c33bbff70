# Laws of models/: readers, lowering, memory plans and what other folders' checkers say about them.
detent_test(models_properties
  models/lower_law.cpp
  models/memory_plan_law.cpp
  models/plan_verdict_law.cpp
  models/readers_law.cpp
  LINK detent_laws detent_verify nlohmann_json::nlohmann_json LABELS properties)
# Laws of the TVM import, against the tests' interpreter of C.
detent_test(tvm_properties
  models/footprint_law.cpp
  models/overwrite_law.cpp
  ${CMAKE_SOURCE_DIR}/tests/models/tvm/footprint/access_interpreter.cpp
  ${CMAKE_SOURCE_DIR}/tests/models/tvm/footprint/c_cell.cpp
  ${CMAKE_SOURCE_DIR}/tests/models/tvm/footprint/random_operator.cpp
  ${CMAKE_SOURCE_DIR}/tests/models/tvm/footprint/random_overwrite.cpp
  LINK detent_laws detent_tvm LABELS properties)
