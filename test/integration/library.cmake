# Installs clopt into an empty prefix, and builds and runs a program with the library.
#
#   cmake -DBUILD=<clopt's build folder> -DSOURCE=<test/integration> -DKERNEL=<OpenCL C>
#         -DWORK=<scratch folder> -DGENERATOR=<generator> -P library.cmake
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE ${WORK})
set(Prefix ${WORK}/prefix)
foreach(Command
    "${CMAKE_COMMAND};--install;${BUILD};--prefix;${Prefix}"
    "${CMAKE_COMMAND};-G;${GENERATOR};-S;${SOURCE}/library;-B;${WORK}/build;-DCMAKE_PREFIX_PATH=${Prefix}"
    "${CMAKE_COMMAND};--build;${WORK}/build"
    "${Prefix}/bin/clopt;${KERNEL};--target=cpu;-o;${WORK}/expected.cl;--;-cl-mad-enable")
  execute_process(COMMAND ${Command} OUTPUT_VARIABLE Text ERROR_VARIABLE Text
                  RESULT_VARIABLE Status)
  if(NOT Status EQUAL 0)
    message(FATAL_ERROR "failed with ${Status}: ${Command}\n${Text}")
  endif()
endforeach()
execute_process(COMMAND ${WORK}/build/optimizer ${KERNEL} ${WORK}/report.json
                OUTPUT_FILE ${WORK}/output.cl ERROR_VARIABLE Messages
                COMMAND_ERROR_IS_FATAL ANY)
# The library does what the program does.
file(READ ${WORK}/expected.cl Expected)
file(READ ${WORK}/output.cl Output)
if(NOT Output STREQUAL Expected)
  message(FATAL_ERROR "the library's output is not that of clopt:\n${Output}")
endif()
if(NOT Messages MATCHES "remark: .*mm_sum:\nvectorize")
  message(FATAL_ERROR "unexpected messages:\n${Messages}")
endif()
file(READ ${WORK}/report.json Report)
string(JSON Changed GET "${Report}" summary changed_kernels)
if(NOT Changed EQUAL 2)
  message(FATAL_ERROR "${Changed} changed kernels in:\n${Report}")
endif()
