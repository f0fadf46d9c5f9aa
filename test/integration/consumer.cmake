# Installs clopt into an empty prefix and builds a consumer project with it.
#
#   cmake -DBUILD=<clopt's build folder> -DSOURCE=<consumer> -DWORK=<scratch folder>
#         -DGENERATOR=<generator> -P consumer.cmake
#
# Checks that the package is found where it was installed, that the kernels are optimized
# once, again when something changes that decides the result and not otherwise, and that what
# was embedded computes the right values under OpenCL.
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

# expect(<text> <regular expression> <count>)  counts the matches.
function(expect Text Pattern Count)
  string(REGEX MATCHALL "${Pattern}" Matches "${Text}")
  list(LENGTH Matches Found)
  if(NOT Found EQUAL Count)
    message(FATAL_ERROR
      "expected ${Count} times, found ${Found} times: ${Pattern}\n${Text}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
set(Prefix ${WORK}/prefix)
set(Project ${WORK}/project)
set(Build "${WORK}/a build") # with a blank, as folders of users have
file(COPY ${SOURCE}/ DESTINATION ${Project})

run(Output ${CMAKE_COMMAND} --install ${BUILD} --prefix ${Prefix})
foreach(Path bin/clopt bin/clopt-rt share/clopt/schema)
  if(NOT EXISTS ${Prefix}/${Path})
    message(FATAL_ERROR "not installed: ${Path}")
  endif()
endforeach()
run(Output ${Prefix}/bin/clopt --version)
expect("${Output}" "isl-[0-9.]+-GMP" 1)

run(Output ${CMAKE_COMMAND} -G ${GENERATOR} -S ${Project} -B ${Build}
    -DCMAKE_PREFIX_PATH=${Prefix})
file(STRINGS ${Build}/CMakeCache.txt Found REGEX "^clopt_DIR:")
expect("${Found}" "${Prefix}/" 1)

run(Output ${CMAKE_COMMAND} --build ${Build})
expect("${Output}" "Optimizing OpenCL C" 2)
run(Output ${Build}/consumer ${Build}/clopt/scale.cl)
expect("${Output}" "factor 3: both" 1)
foreach(Report scale.json scale.sarif)
  file(READ ${Build}/clopt/${Report} Text)
  string(JSON Type TYPE "${Text}")
  expect("${Type}" "OBJECT" 1)
endforeach()

# The build folder says how the kernel is compiled.
run(Output ${Prefix}/bin/clopt --dump-config -p ${Build} ${Project}/kernels/scale.cl)
expect("${Output}" "-DOFFSET=1|-DEXTRA=2|-I.*kernels/include" 3)
expect("${Output}" "NEVER" 0)
run(Output ${Prefix}/bin/clopt check -p ${Build} ${Project}/kernels/scale.cl)
expect("${Output}" "warning: no input has an entry" 0)

run(Output ${Build}/second ${Build}/clopt/scale.cl)
expect("${Output}" "factor 3: both" 1)

# Nothing has changed: nothing is optimized.
run(Output ${CMAKE_COMMAND} --build ${Build})
expect("${Output}" "Optimizing OpenCL C" 0)

# change(<file> <text> <other text> <count>)  as many kernels are optimized again.
function(change File Old New Count)
  file(READ ${Project}/kernels/${File} Text)
  string(REPLACE "${Old}" "${New}" Changed "${Text}")
  if(Changed STREQUAL Text)
    message(FATAL_ERROR "${File} does not change")
  endif()
  file(WRITE ${Project}/kernels/${File} "${Changed}")
  run(Output ${CMAKE_COMMAND} --build ${Build})
  expect("${Output}" "Optimizing OpenCL C" ${Count})
endfunction()
change(device.json "mine" "other" 1)
change(scale.recipe "i:4" "i:2" 1)
file(READ ${Build}/gpu/scale.cl Text)
expect("${Text}" "2 work-items along" 1)
change(.clopt.yaml "check" "none" 2)

# A configuration that goes, and one that comes.
file(READ ${Project}/kernels/.clopt.yaml Text)
file(REMOVE ${Project}/kernels/.clopt.yaml)
run(Output ${CMAKE_COMMAND} --build ${Build})
expect("${Output}" "Optimizing OpenCL C" 2)
file(WRITE ${Project}/kernels/.clopt.yaml "${Text}")
run(Output ${CMAKE_COMMAND} --build ${Build})
expect("${Output}" "Optimizing OpenCL C" 2)
run(Output ${CMAKE_COMMAND} --build ${Build})
expect("${Output}" "Optimizing OpenCL C" 0)

# An included header changes: the dependency file makes both run again.
change(include/factor.h "FACTOR 3" "FACTOR 5" 2)
run(Output ${Build}/consumer ${Build}/clopt/scale.cl)
expect("${Output}" "factor 5: both" 1)
