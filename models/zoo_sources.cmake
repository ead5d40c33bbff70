# Planner, builder and zoo.
target_sources(detent_models PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/assign.cpp
  ${CMAKE_CURRENT_LIST_DIR}/builder.cpp
  ${CMAKE_CURRENT_LIST_DIR}/builder_views.cpp
  ${CMAKE_CURRENT_LIST_DIR}/dag.cpp
  ${CMAKE_CURRENT_LIST_DIR}/figures.cpp
  ${CMAKE_CURRENT_LIST_DIR}/memory_plan.cpp
  ${CMAKE_CURRENT_LIST_DIR}/memory_plan_bound.cpp
  ${CMAKE_CURRENT_LIST_DIR}/memory_plan_check.cpp
  ${CMAKE_CURRENT_LIST_DIR}/memory_plan_handover.cpp
  ${CMAKE_CURRENT_LIST_DIR}/memory_plan_local.cpp
  ${CMAKE_CURRENT_LIST_DIR}/memory_plan_place.cpp
  ${CMAKE_CURRENT_LIST_DIR}/memory_plan_precedence.cpp
  ${CMAKE_CURRENT_LIST_DIR}/random_model.cpp
  ${CMAKE_CURRENT_LIST_DIR}/random_race.cpp
  ${CMAKE_CURRENT_LIST_DIR}/split.cpp
  ${CMAKE_CURRENT_LIST_DIR}/weights.cpp
  ${CMAKE_CURRENT_LIST_DIR}/zoo/bad.cpp
  ${CMAKE_CURRENT_LIST_DIR}/zoo/calibration.cpp
  ${CMAKE_CURRENT_LIST_DIR}/zoo/classifiers.cpp
  ${CMAKE_CURRENT_LIST_DIR}/zoo/graphs.cpp
  ${CMAKE_CURRENT_LIST_DIR}/zoo/yolov8n.cpp
  ${CMAKE_CURRENT_LIST_DIR}/zoo/zoo.cpp
)
