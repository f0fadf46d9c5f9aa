# Finds the libraries and wraps them in interface targets:
#
#   cloptJson         nlohmann-json alone, for what both sides read and write
#   cloptPolyhedral   isl, PPL, gmp, Clang and LLVM, for everything but the run-time
#   cloptOpenCL       the OpenCL loader and nlohmann-json, for the run-time, which
#                     must not load LLVM: drivers bring another version of it along

find_package(LLVM 19.1 REQUIRED CONFIG)
message(STATUS "clopt: LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_DIR}")

# Where the loader does not find libLLVM by itself, an installed clopt says where it is.
find_library(CLOPT_LLVM_FOR_LOADER NO_CACHE
  NAMES libLLVM.so.${LLVM_VERSION_MAJOR}.${LLVM_VERSION_MINOR}
  PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE} /usr/lib NO_DEFAULT_PATH)
if(NOT CLOPT_LLVM_FOR_LOADER)
  set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
endif()

include(${CMAKE_CURRENT_LIST_DIR}/../CloptPolyhedral.cmake)
find_path(CLOPT_ISL_INCLUDE_DIR isl/cpp.h REQUIRED)
find_path(CLOPT_PPL_INCLUDE_DIR ppl.hh REQUIRED)
add_library(cloptPolyhedral INTERFACE)
target_include_directories(cloptPolyhedral SYSTEM INTERFACE
  ${LLVM_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS}
  ${CLOPT_ISL_INCLUDE_DIR} ${CLOPT_PPL_INCLUDE_DIR})
target_link_libraries(cloptPolyhedral INTERFACE clopt::polyhedral)

find_package(OpenCL REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(Threads REQUIRED)
add_library(cloptJson INTERFACE)
target_link_libraries(cloptJson INTERFACE nlohmann_json::nlohmann_json)
add_library(cloptOpenCL INTERFACE)
# Devices of OpenCL 1.2 are served too, with the calls that they have.
target_compile_definitions(cloptOpenCL INTERFACE
  CL_TARGET_OPENCL_VERSION=300 CL_USE_DEPRECATED_OPENCL_1_2_APIS)
target_link_libraries(cloptOpenCL INTERFACE
  OpenCL::OpenCL nlohmann_json::nlohmann_json Threads::Threads)

# For manual pages and tests. The system's Python first: that is the one which has the modules
# of tools/packages.txt.
find_program(Python3_EXECUTABLE python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
