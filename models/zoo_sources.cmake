# Planner, builder and zoo.
target_sources(detent_models PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/dag.cpp
  ${CMAKE_CURRENT_LIST_DIR}/weights.cpp
)
