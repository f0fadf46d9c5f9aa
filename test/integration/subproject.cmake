# clopt as a part of other projects, of such without C, too.
#
#   cmake -DBUILD=<clopt's build folder> -DROOT=<clopt's sources> -DWORK=<scratch folder>
#         -DCOMPILER=<for C++> -P subproject.cmake
cmake_minimum_required(VERSION 3.25)

# run(<variable for the output> <command>...)  stops when the command fails.
function(run Result)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE Text ERROR_VARIABLE Text
                  RESULT_VARIABLE Status)
  if(NOT Status EQUAL 0)
    list(JOIN ARGN " " Command)
    message(FATAL_ERROR "failed with ${Status}: ${Command}\n${Text}")
  endif()
  set(${Result} "${Text}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
set(Kernel "__kernel void k(__global int *a) {}\n")
set(Calls "add_executable(host main.cpp)\nclopt_optimize_kernels(TARGET host KERNELS k.cl EMBED)\n")
foreach(Project whole program)
  file(WRITE ${WORK}/${Project}/k.cl "${Kernel}")
  file(WRITE ${WORK}/${Project}/main.cpp
    "#include \"k.cl.h\"\n#include <cstdio>\nint main() { std::fputs(clopt_k_cl, stdout); }\n")
endforeach()

# The whole of it is configured; what its sources include of its configuration is found.
file(WRITE ${WORK}/whole/CMakeLists.txt
  "cmake_minimum_required(VERSION 3.20)\nproject(whole LANGUAGES CXX)\n"
  "add_subdirectory(${ROOT} clopt EXCLUDE_FROM_ALL)\n${Calls}")
run(Output ${CMAKE_COMMAND} -G Ninja -S ${WORK}/whole -B ${WORK}/whole/build
    -DCMAKE_CXX_COMPILER=${COMPILER})
run(Output ${CMAKE_COMMAND} --build ${WORK}/whole/build --target cloptSupport)
run(Output ${CMAKE_CTEST_COMMAND} --test-dir ${WORK}/whole/build --show-only)
if(NOT Output MATCHES "Total Tests: 0")
  message(FATAL_ERROR "clopt's tests are part of the project:\n${Output}")
endif()

# With a program that is there already, the function in the scope of a folder that has C.
file(WRITE ${WORK}/program/tool/CMakeLists.txt
  "enable_language(C)\nadd_executable(clopt::clopt IMPORTED GLOBAL)\n"
  "set_target_properties(clopt::clopt PROPERTIES IMPORTED_LOCATION ${BUILD}/bin/clopt)\n"
  "include(${ROOT}/tools/cmake/CloptOptimizeKernels.cmake)\n")
file(WRITE ${WORK}/program/CMakeLists.txt
  "cmake_minimum_required(VERSION 3.20)\nproject(program LANGUAGES CXX)\n"
  "add_subdirectory(tool)\n${Calls}")
run(Output ${CMAKE_COMMAND} -G Ninja -S ${WORK}/program -B ${WORK}/program/build
    -DCMAKE_CXX_COMPILER=${COMPILER})
run(Output ${CMAKE_COMMAND} --build ${WORK}/program/build)
run(Output ${WORK}/program/build/host)
if(NOT Output STREQUAL Kernel)
  message(FATAL_ERROR "embedded was:\n${Output}")
endif()
