# What `cmake --install` copies: the programs, their manual pages and the completion of shells
# (tools/CMakeLists.txt), the device profiles, the layer and the runtime library
# (lib/CMakeLists.txt), and, from here, the schemas, the documentation and the CMake package.
# The tree may be moved as a whole. Each component is a package of CloptPackages.cmake.

include(CMakePackageConfigHelpers)

set(PackageDir ${CMAKE_INSTALL_LIBDIR}/cmake/clopt)

install(DIRECTORY docs/schema/ DESTINATION ${CMAKE_INSTALL_DATADIR}/clopt/schema
        COMPONENT clopt FILES_MATCHING PATTERN "*.json")

# For loaders that read the folder /etc/OpenCL/layers. They need a path that is absolute.
install(CODE "file(WRITE
  \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/clopt/clopt.lay\"
  \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/clopt/libclopt-layer.so\\n\")"
  COMPONENT clopt)

# The pages link to each other, and to the examples.
set(CLOPT_DOC_DIR ${CMAKE_INSTALL_DATADIR}/doc/clopt)
install(FILES LICENSE README.md DESTINATION ${CLOPT_DOC_DIR} COMPONENT clopt)
install(DIRECTORY docs examples DESTINATION ${CLOPT_DOC_DIR} COMPONENT clopt)

configure_package_config_file(tools/cmake/cloptConfig.cmake.in
  ${PROJECT_BINARY_DIR}/package/cloptConfig.cmake INSTALL_DESTINATION ${PackageDir})
# While the version is 0.x, another minor version may change options and formats.
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/package/cloptConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/package/cloptConfig.cmake
  ${PROJECT_BINARY_DIR}/package/cloptConfigVersion.cmake
  tools/cmake/CloptOptimizeKernels.cmake tools/cmake/CloptCheckArguments.cmake
  tools/cmake/CloptEmbed.cmake tools/cmake/CloptPolyhedral.cmake
  DESTINATION ${PackageDir} COMPONENT clopt)
get_property(CloptTools GLOBAL PROPERTY CLOPT_TOOLS)
if(CloptTools)
  install(EXPORT cloptTargets NAMESPACE clopt:: DESTINATION ${PackageDir} COMPONENT clopt)
endif()
install(EXPORT cloptRuntimeTargets NAMESPACE clopt:: DESTINATION ${PackageDir}
        COMPONENT development)
install(EXPORT cloptLibraryTargets NAMESPACE clopt:: DESTINATION ${PackageDir}
        COMPONENT library)

# A project that has clopt as a subproject makes packages of its own.
if(PROJECT_IS_TOP_LEVEL)
  include(CloptPackages)
endif()
