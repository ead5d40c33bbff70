# Laws of models/: readers and lowering; the memory plan's laws stand beside them.
detent_test(models_properties
  models/lower_law.cpp
  models/memory_plan_law.cpp
  models/readers_law.cpp
  LINK detent_models detent_runtime rapidcheck rapidcheck_gtest nlohmann_json::nlohmann_json LABELS properties)
