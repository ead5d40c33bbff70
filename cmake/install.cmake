# install(): the runtime as detent::runtime with its C API, the program, and what its commands do as detent::host.
include(CMakePackageConfigHelpers)
install(TARGETS detent_runtime EXPORT detentTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
set_target_properties(detent_runtime PROPERTIES EXPORT_NAME runtime)
target_include_directories(detent_runtime INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/runtime/include/detent DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET detent)
  # Its modules, detent_module() of options.cmake, wherever the prefix goes.
  file(RELATIVE_PATH modules_from_program ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR}/detent)
  set_target_properties(detent PROPERTIES INSTALL_RPATH $ORIGIN/${modules_from_program})
  install(TARGETS detent EXPORT detentTargets RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
if(TARGET detent_app)
  # One archive of everything between the runtime and the command line, from objects that are compiled anyway.
  set(host_folders base models tvm harness sim verify smt reports app)
  set(host_objects $<TARGET_OBJECTS:detent_runtime_text>)
  foreach(folder IN LISTS host_folders)
    list(APPEND host_objects $<TARGET_OBJECTS:detent_${folder}>)
  endforeach()
  add_library(detent_host STATIC ${host_objects})
  set_target_properties(detent_host PROPERTIES EXPORT_NAME host LINKER_LANGUAGE CXX)
  set(host_includes ${CMAKE_INSTALL_INCLUDEDIR}/detent-host)
  target_include_directories(detent_host INTERFACE $<INSTALL_INTERFACE:${host_includes}>)
  target_compile_features(detent_host INTERFACE cxx_std_20)
  target_link_libraries(detent_host INTERFACE detent_runtime fmt::fmt nlohmann_json::nlohmann_json xxhash z3
    ${CMAKE_DL_LIBS})
  # A program of the user finds SystemC's module where it is installed.
  target_link_options(detent_host INTERFACE
    $<INSTALL_INTERFACE:LINKER:-rpath,$<INSTALL_PREFIX>/${CMAKE_INSTALL_LIBDIR}/detent,--disable-new-dtags>)
  install(TARGETS detent_host EXPORT detentHostTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  foreach(folder base models harness sim verify reports app)
    install(DIRECTORY ${CMAKE_SOURCE_DIR}/${folder} DESTINATION ${host_includes} FILES_MATCHING PATTERN "*.hpp")
  endforeach()
  install(FILES ${CMAKE_SOURCE_DIR}/runtime/base/ids.h DESTINATION ${host_includes}/runtime/base)
  install(EXPORT detentHostTargets NAMESPACE detent:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/detent)
endif()
install(EXPORT detentTargets NAMESPACE detent:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/detent)
configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/detentConfig.cmake.in ${CMAKE_BINARY_DIR}/detentConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/detent)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/detentConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_BINARY_DIR}/detentConfig.cmake ${CMAKE_BINARY_DIR}/detentConfigVersion.cmake
  ${CMAKE_SOURCE_DIR}/cmake/detentCheck.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/detent)

# pkg-config: the runtime for C programs, wherever the prefix goes.
file(RELATIVE_PATH detent_prefix_from_pc ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(${CMAKE_SOURCE_DIR}/cmake/detent.pc.in ${CMAKE_BINARY_DIR}/detent.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/detent.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# The manual page and the completions of shells, as the program prints them from the table that it parses with.
if(TARGET detent AND NOT CMAKE_CROSSCOMPILING)
  set(detent_printed ${CMAKE_BINARY_DIR}/printed)
  file(MAKE_DIRECTORY ${detent_printed})
  foreach(file_and_words "detent.1;help;--man" "detent.bash;completion;bash" "_detent;completion;zsh")
    list(POP_FRONT file_and_words file)
    add_custom_command(OUTPUT ${detent_printed}/${file} COMMAND detent ${file_and_words} > ${detent_printed}/${file}
      DEPENDS detent VERBATIM)
    list(APPEND detent_printed_files ${detent_printed}/${file})
  endforeach()
  add_custom_target(detent_printed ALL DEPENDS ${detent_printed_files})
  install(FILES ${detent_printed}/detent.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${detent_printed}/detent.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
    RENAME detent)
  install(FILES ${detent_printed}/_detent DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
endif()

# Documents, the licence and examples: an op graph, C that TVM wrote, a program of the C API.
if(NOT DETENT_RUNTIME_ONLY)
  set(detent_documents ${CMAKE_INSTALL_DATADIR}/doc/detent)
  install(FILES ${CMAKE_SOURCE_DIR}/README.md ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION ${detent_documents})
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/docs DESTINATION ${detent_documents} PATTERN examples EXCLUDE)
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/docs/examples DESTINATION ${detent_documents})
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/tests/models/import/tvm/fixtures/usmp/ DESTINATION ${detent_documents}/examples/tvm)
  install(FILES ${CMAKE_SOURCE_DIR}/tests/runtime/c_example.c DESTINATION ${detent_documents}/examples RENAME runtime.c)
endif()
