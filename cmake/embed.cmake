# Files of the tree as string literals of a generated C++ file: a program that carries its own sources.
#
# detent_embed(OUTPUT file.cpp FUNCTION name ROOT dir FILES paths...): at build time writes OUTPUT, which defines
#   extern "C" const detent_source_file *name(uint32_t *count)
# over FILES in the order given; each file's path in the table is relative to ROOT. The text holds no machine path.
set(detent_embed_script ${CMAKE_CURRENT_LIST_DIR}/embed_write.cmake)
function(detent_embed)
  cmake_parse_arguments(ARG "" "OUTPUT;FUNCTION;ROOT" "FILES" ${ARGN})
  list(JOIN ARG_FILES "\n" lines)
  file(CONFIGURE OUTPUT ${ARG_OUTPUT}.list CONTENT "@lines@\n" @ONLY)
  add_custom_command(OUTPUT ${ARG_OUTPUT}
    COMMAND ${CMAKE_COMMAND} -D OUTPUT=${ARG_OUTPUT} -D FUNCTION=${ARG_FUNCTION} -D ROOT=${ARG_ROOT}
      -D LIST=${ARG_OUTPUT}.list -P ${detent_embed_script}
    DEPENDS ${ARG_FILES} ${ARG_OUTPUT}.list ${detent_embed_script}
    COMMENT "Embedding sources: ${ARG_FUNCTION}" VERBATIM)
endfunction()
