# Laws of models/: readers and lowering; the memory plan's laws stand beside them.
detent_test(models_properties
  models/lower_law.cpp
  models/memory_plan_law.cpp
  models/readers_law.cpp
  LINK detent_models detent_runtime rapidcheck rapidcheck_gtest nlohmann_json::nlohmann_json LABELS properties)
# Laws of the TVM import, against the tests' interpreter of C.
detent_test(tvm_properties
  models/footprint_law.cpp
  ${CMAKE_SOURCE_DIR}/tests/models/tvm/access_interpreter.cpp
  ${CMAKE_SOURCE_DIR}/tests/models/tvm/random_operator.cpp
  LINK detent_tvm rapidcheck rapidcheck_gtest LABELS properties)
