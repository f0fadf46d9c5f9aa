# Installs clopt into an empty prefix, writes a launch plan with it, and builds and runs
# hosts in C and C++ that carry it out with the installed library.
#
#   cmake -DBUILD=<clopt's build folder> -DSOURCE=<hosts> -DWORK=<scratch folder>
#         -DGENERATOR=<generator> -P runtime.cmake
cmake_minimum_required(VERSION 3.25)

function(run Result)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE Text ERROR_VARIABLE Text
                  RESULT_VARIABLE Status)
  if(NOT Status EQUAL 0)
    list(JOIN ARGN " " Command)
    message(FATAL_ERROR "failed with ${Status}: ${Command}\n${Text}")
  endif()
  set(${Result} "${Text}" PARENT_SCOPE)
endfunction()

function(expect Text Pattern)
  if(NOT Text MATCHES "${Pattern}")
    message(FATAL_ERROR "not found: ${Pattern}\n${Text}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
set(Prefix ${WORK}/prefix)
set(Kernel ${SOURCE}/rows.cl)
run(Output ${CMAKE_COMMAND} --install ${BUILD} --prefix ${Prefix})
file(WRITE ${WORK}/rows.recipe "kernel rows\nmap k\n")
run(Output ${Prefix}/bin/clopt ${Kernel} --recipe=${WORK}/rows.recipe
    -o ${WORK}/rows_opt.cl --plan=${WORK}/rows.plan.json)
run(Output ${CMAKE_COMMAND} -G ${GENERATOR} -S ${SOURCE} -B ${WORK}/build
    -DCMAKE_PREFIX_PATH=${Prefix})
run(Output ${CMAKE_COMMAND} --build ${WORK}/build)
foreach(Language c cpp)
  run(Output ${WORK}/build/planned_${Language}
      ${WORK}/rows.plan.json ${WORK}/rows_opt.cl ${Kernel})
  expect("${Output}" "own NDRange, 0 wrong")
endforeach()
# One of them as an application of which nothing is known, with the installed layer.
run(Layered ${CMAKE_COMMAND} -E env CLOPT_CACHE_DIR=${WORK}/cache
    ${Prefix}/bin/clopt run -v --target=cpu ${WORK}/build/planned_c
    ${WORK}/rows.plan.json ${WORK}/rows_opt.cl ${Kernel})
expect("${Layered}" "own NDRange, 0 wrong")
expect("${Layered}" "clopt-layer: program of")
expect("${Output}" "C\\+\\+: 1, the launch plan has no kernel 'columns'")
