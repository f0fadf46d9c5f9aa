# Mistakes in calls of clopt_optimize_kernels end the configuration with a sentence.
#
#   cmake -DBUILD=<clopt's build folder> -DWORK=<scratch folder> -P mistakes.cmake
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE ${WORK})
set(Prefix ${WORK}/prefix)
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${Prefix}
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
set(Project ${WORK}/project)
file(WRITE ${Project}/k.cl "__kernel void k(__global int *a) {}\n")
file(COPY_FILE ${Project}/k.cl "${Project}/a k+1.cl")
file(WRITE ${Project}/other/k.cl "__kernel void k(__global int *a) {}\n")
file(WRITE ${Project}/other/CMakeLists.txt "add_custom_target(far)\n")

# mistake(<words of the message> <calls>)
function(mistake Words Calls)
  file(WRITE ${Project}/CMakeLists.txt
    "cmake_minimum_required(VERSION 3.20)\nproject(mistake LANGUAGES C)\n"
    "find_package(clopt 0.1 CONFIG REQUIRED)\nadd_subdirectory(other)\n"
    "add_custom_target(mine)\nfile(WRITE \${CMAKE_CURRENT_BINARY_DIR}/m.c \"\")\n"
    "add_library(lib \${CMAKE_CURRENT_BINARY_DIR}/m.c)\nadd_library(my::lib ALIAS lib)\n"
    "${Calls}\n")
  execute_process(
    COMMAND ${CMAKE_COMMAND} -G ${GENERATOR} -S ${Project} -B ${WORK}/build
            -DCMAKE_PREFIX_PATH=${Prefix}
    OUTPUT_VARIABLE Output ERROR_VARIABLE Output RESULT_VARIABLE Status)
  # CMake breaks lines.
  string(REGEX REPLACE "[ \n]+" " " Output "${Output}")
  string(FIND "${Output}" "${Words}" Place)
  if(Words STREQUAL "" AND NOT Status EQUAL 0)
    message(FATAL_ERROR "refused: ${Calls}\n${Output}")
  elseif(NOT Words STREQUAL "" AND (Status EQUAL 0 OR Place EQUAL -1))
    message(FATAL_ERROR "not found: ${Words}\nfor: ${Calls}\n${Output}")
  endif()
endfunction()

set(f clopt_optimize_kernels)
mistake("" "${f}(KERNELS k.cl TARGET my::lib EMBED TARGET_DEVICE cpu OPTIONS --alias=none)")
mistake("" "${f}(KERNELS \"a k+1.cl\" TARGET lib EMBED)")
mistake("none named compiler" "find_package(clopt 0.1 CONFIG REQUIRED COMPONENTS compiler)")
mistake("KERNELS is missing" "${f}(TARGET mine)")
mistake("unknown arguments: KERNEL;k.cl" "${f}(KERNEL k.cl)")
mistake("no value for: TARGET_DEVICE" "${f}(KERNELS k.cl TARGET_DEVICE)")
mistake("KERNELS: there is no file ${Project}/no.cl" "${f}(KERNELS no.cl)")
mistake("KERNELS: ${Project}/other is a folder" "${f}(KERNELS other)")
mistake("" "add_custom_command(OUTPUT made.cl COMMAND true)\n${f}(KERNELS \${CMAKE_CURRENT_BINARY_DIR}/made.cl)")
mistake("KERNELS cannot hold generator expressions" "${f}(KERNELS $<1:k.cl>)")
mistake("two kernels are named k.cl" "${f}(KERNELS k.cl other/k.cl)")
mistake("would overwrite itself" "${f}(KERNELS k.cl OUTPUT_DIRECTORY ${Project})")
mistake("there is no target named none" "${f}(KERNELS k.cl TARGET none)")
mistake("the target far belongs to another folder" "${f}(KERNELS k.cl TARGET far)")
mistake("clopt::clopt is imported" "${f}(KERNELS k.cl TARGET clopt::clopt)")
mistake("EMBED needs a TARGET" "${f}(KERNELS k.cl EMBED)")
mistake("EMBED needs a TARGET that is compiled, unlike mine" "${f}(KERNELS k.cl TARGET mine EMBED)")
mistake("EMBED_INCLUDES needs EMBED" "${f}(KERNELS k.cl TARGET lib EMBED_INCLUDES)")
mistake("begins the names of variables; '4x' cannot" "${f}(KERNELS k.cl TARGET lib EMBED EMBED_PREFIX 4x)")
mistake("REPORT is json, sarif or yaml, not xml" "${f}(KERNELS k.cl REPORT xml)")
mistake("DEFINES are without -D, unlike -DX" "${f}(KERNELS k.cl DEFINES -DX)")
mistake("INCLUDES are without -I, unlike -Ix" "${f}(KERNELS k.cl INCLUDES -Ix)")
mistake("unknown option '--alais'; did you mean '--alias'?" "${f}(KERNELS k.cl OPTIONS --alais=none)")
mistake("'--alias' is check, none or strict" "${f}(KERNELS k.cl OPTIONS --alias=some)")
mistake("OPTIONS cannot hold -o" "${f}(KERNELS k.cl OPTIONS -o x.cl)")
mistake("goes to BUILD_OPTIONS" "${f}(KERNELS k.cl OPTIONS -- -cl-mad-enable)")
mistake("--plan=p.json in OPTIONS is for one kernel file, not for 2"
  "${f}(KERNELS k.cl l.cl OPTIONS --plan=p.json)")
mistake("unknown target 'gpu'; did you mean 'cpu'? (known: amd-cdna, amd-cypress, cpu, generic-gpu, mali-midgard, nvidia-hopper, native, or a path of a profile)"
  "${f}(KERNELS k.cl TARGET_DEVICE gpu)")
mistake("unknown target 'gpu'" "${f}(KERNELS k.cl OPTIONS --target=gpu)")
mistake("invalid value 'CL9' in '-cl-std=CL9'" "${f}(KERNELS k.cl BUILD_OPTIONS -cl-std=CL9)")
mistake("" "${f}(KERNELS k.cl BUILD_OPTIONS -cl-std=$<1:CL9>)")
mistake("TARGET_DEVICE: there is no file ${Project}/my.json" "${f}(KERNELS k.cl TARGET_DEVICE my.json)")
mistake("--recipe: there is no file ${Project}/no.recipe"
  "${f}(KERNELS k.cl OPTIONS --alias=none --recipe=\${CMAKE_CURRENT_SOURCE_DIR}/no.recipe)")
mistake("names of files in OPTIONS are absolute, unlike that of --tuning-db=t.json"
  "${f}(KERNELS k.cl OPTIONS --tuning-db t.json)")
mistake("names of files in OPTIONS are absolute, unlike that of --target=./d.json"
  "${f}(KERNELS k.cl OPTIONS --target=./d.json)")
mistake("" "add_custom_command(OUTPUT k.recipe COMMAND true)\n${f}(KERNELS k.cl OPTIONS --recipe \${CMAKE_CURRENT_BINARY_DIR}/k.recipe)")
mistake("" "${f}(KERNELS k.cl TARGET mine)\n${f}(KERNELS k.cl TARGET lib)")
mistake("another call writes ${WORK}/build/clopt/k.cl with other arguments"
  "${f}(KERNELS k.cl)\n${f}(KERNELS k.cl TARGET_DEVICE cpu)")
mistake("two texts in lib would be named clopt_k_cl"
  "${f}(KERNELS k.cl TARGET lib EMBED)\n${f}(KERNELS k.cl TARGET lib EMBED OUTPUT_DIRECTORY gpu)")
