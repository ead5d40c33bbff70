# detent_runtime_text: the texts of all files of the runtime, for host tools (runtime/sources_text.h).
include(${CMAKE_SOURCE_DIR}/cmake/embed.cmake)
file(GLOB_RECURSE detent_runtime_files CONFIGURE_DEPENDS
  ${CMAKE_CURRENT_SOURCE_DIR}/*.h ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
list(REMOVE_ITEM detent_runtime_files ${CMAKE_CURRENT_SOURCE_DIR}/sources_text.h)
list(SORT detent_runtime_files)
detent_embed(OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/sources_text.cpp FUNCTION detent_runtime_sources
  ROOT ${CMAKE_SOURCE_DIR} FILES ${detent_runtime_files})
add_library(detent_runtime_text STATIC ${CMAKE_CURRENT_BINARY_DIR}/sources_text.cpp)
detent_alias(detent_runtime_text)
target_link_libraries(detent_runtime_text PUBLIC detent::options)
