# Emission of firmware directories: the emitter and the templates it carries.
include(${CMAKE_SOURCE_DIR}/cmake/embed.cmake)
file(GLOB detent_emit_templates CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/emit_c/*.in)
detent_embed(OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/emit_templates.cpp FUNCTION detent_emit_templates
  ROOT ${CMAKE_CURRENT_LIST_DIR}/emit_c FILES ${detent_emit_templates})
target_sources(detent_models PRIVATE
  ${CMAKE_CURRENT_BINARY_DIR}/emit_templates.cpp
  ${CMAKE_CURRENT_LIST_DIR}/emit_c.cpp
  ${CMAKE_CURRENT_LIST_DIR}/emit_c_desc.cpp
  ${CMAKE_CURRENT_LIST_DIR}/emit_c_table.cpp
  ${CMAKE_CURRENT_LIST_DIR}/emit_c_text.cpp
  ${CMAKE_CURRENT_LIST_DIR}/emit_c_weights.cpp
  ${CMAKE_CURRENT_LIST_DIR}/emit_directory.cpp
)
target_link_libraries(detent_models PUBLIC detent_runtime_text)
