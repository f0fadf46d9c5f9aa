# What `cmake --install` copies: the programs (tools/CMakeLists.txt), the device profiles
# and the runtime library (lib/CMakeLists.txt), the schemas, and the CMake package. The tree may be moved as a
# whole.

include(CMakePackageConfigHelpers)

set(PackageDir ${CMAKE_INSTALL_LIBDIR}/cmake/clopt)

install(DIRECTORY docs/schema/ DESTINATION ${CMAKE_INSTALL_DATADIR}/clopt/schema
        FILES_MATCHING PATTERN "*.json")

configure_package_config_file(tools/cmake/cloptConfig.cmake.in
  ${CMAKE_BINARY_DIR}/package/cloptConfig.cmake INSTALL_DESTINATION ${PackageDir})
# While the version is 0.x, another minor version may change options and formats.
write_basic_package_version_file(
  ${CMAKE_BINARY_DIR}/package/cloptConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_BINARY_DIR}/package/cloptConfig.cmake
  ${CMAKE_BINARY_DIR}/package/cloptConfigVersion.cmake
  tools/cmake/CloptOptimizeKernels.cmake tools/cmake/CloptCheckArguments.cmake
  tools/cmake/CloptEmbed.cmake
  DESTINATION ${PackageDir})
get_property(CloptTools GLOBAL PROPERTY CLOPT_TOOLS)
if(CloptTools)
  install(EXPORT cloptTargets NAMESPACE clopt:: DESTINATION ${PackageDir})
endif()
install(EXPORT cloptRuntimeTargets NAMESPACE clopt:: DESTINATION ${PackageDir})
