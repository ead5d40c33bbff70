# install(): the runtime as detent::runtime with its C API, and the program.
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
install(EXPORT detentTargets NAMESPACE detent:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/detent)
configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/detentConfig.cmake.in ${CMAKE_BINARY_DIR}/detentConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/detent)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/detentConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_BINARY_DIR}/detentConfig.cmake ${CMAKE_BINARY_DIR}/detentConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/detent)
