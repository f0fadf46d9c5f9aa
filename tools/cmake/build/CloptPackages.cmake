# Debian packages, by `cpack -G DEB` in the build folder: one for each component of the
# installation. docs/packages.md says what is in them.

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR clopt)
set(CPACK_PACKAGE_CONTACT "clopt <clopt@localhost>" CACHE STRING "Maintainer of the packages")
# Each package has a description of its own.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_STRIP_FILES ON)
# Files of a package may hold the final prefix.
set(CPACK_SET_DESTDIR ON)
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_COMPONENTS_ALL clopt runtime development library)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY >=)

set(CPACK_DEBIAN_CLOPT_PACKAGE_NAME clopt)
set(CPACK_DEBIAN_CLOPT_PACKAGE_SECTION devel)
set(CPACK_COMPONENT_CLOPT_DESCRIPTION
"source-to-source optimizing compiler for OpenCL C
clopt reads OpenCL C kernels and writes OpenCL C kernels that compute the same
and run faster, for the command line, as a step of a build, as a check in
continuous integration, and under applications as they are.")
# Clang's header for OpenCL C, which no library stands for.
set(CPACK_DEBIAN_CLOPT_PACKAGE_DEPENDS "libclang-common-${LLVM_VERSION_MAJOR}-dev")
# Without a name apt takes the first driver of the archive, which is for devices of one maker.
set(CPACK_DEBIAN_CLOPT_PACKAGE_RECOMMENDS "pocl-opencl-icd | opencl-icd")
set(CPACK_DEBIAN_CLOPT_PACKAGE_SUGGESTS "libclopt-runtime-dev")

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libclopt-runtime)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION
"runtime library of clopt, the optimizing compiler for OpenCL C
Carries out the launch plans that clopt writes: other NDRanges, converted
buffers and images, for host programs that launch kernels as before.")

file(WRITE ${PROJECT_BINARY_DIR}/package/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/package/triggers)

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libclopt-runtime-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
"development files of clopt's runtime library
Headers for C and C++, the static library, a CMake package and a file for
pkg-config.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
  "libclopt-runtime (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}), ocl-icd-opencl-dev | opencl-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "clopt")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libclopt-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION
"clopt, the optimizing compiler for OpenCL C, as a library
Headers for C++ and the static library, for programs that optimize kernels
themselves.")
# Clang's CMake package is in the package of the compiler.
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS
  "clopt (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}), libclopt-runtime-dev (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}), \
llvm-${LLVM_VERSION_MAJOR}-dev, libclang-${LLVM_VERSION_MAJOR}-dev, clang-${LLVM_VERSION_MAJOR}, libisl-dev, libppl-dev, libgmp-dev, \
libclang-common-${LLVM_VERSION_MAJOR}-dev")

# SOURCE_DATE_EPOCH decides about the date, where it is set.
string(TIMESTAMP Date "%a, %d %b %Y %H:%M:%S +0000" UTC)
set(Changes ${PROJECT_BINARY_DIR}/package/changelog.Debian)
file(WRITE ${Changes} "clopt (${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * Version ${PROJECT_VERSION}.

 -- ${CPACK_PACKAGE_CONTACT}  ${Date}
")
file(ARCHIVE_CREATE OUTPUT ${Changes}.gz PATHS ${Changes}
     FORMAT raw COMPRESSION GZip COMPRESSION_LEVEL 9)
foreach(Package clopt libclopt-runtime libclopt-runtime-dev libclopt-dev)
  string(REPLACE libclopt-runtime-dev development Component ${Package})
  string(REPLACE libclopt-dev library Component ${Component})
  string(REPLACE libclopt-runtime runtime Component ${Component})
  install(FILES tools/packaging/copyright ${Changes}.gz COMPONENT ${Component}
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${Package})
endforeach()
include(CPack)
