# Stops clopt_optimize_kernels on arguments that could only be a mistake, with a sentence,
# while CMake configures: a build that fails later says less.

# Looks at the arguments of clopt_optimize_kernels, in its scope. An alias in ARG_TARGET is
# replaced by its target, and a profile in ARG_TARGET_DEVICE gets an absolute path, also as Profile.
macro(_clopt_check_arguments)
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR
      "clopt_optimize_kernels: unknown arguments: ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  if(ARG_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR
      "clopt_optimize_kernels: no value for: ${ARG_KEYWORDS_MISSING_VALUES}")
  endif()
  if(NOT ARG_KERNELS)
    message(FATAL_ERROR "clopt_optimize_kernels: KERNELS is missing")
  endif()
  foreach(Name KERNELS OUTPUT_DIRECTORY EMBED_PREFIX)
    if("${ARG_${Name}}" MATCHES "\\$<")
      message(FATAL_ERROR "clopt_optimize_kernels: ${Name} cannot hold generator expressions")
    endif()
  endforeach()
  foreach(Format IN LISTS ARG_REPORT)
    if(NOT Format MATCHES "^(json|sarif|yaml)$")
      message(FATAL_ERROR "clopt_optimize_kernels: REPORT is json, sarif or yaml, "
                          "not ${Format}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES ARG_REPORT)
  _clopt_check_prefixes(DEFINES D)
  _clopt_check_prefixes(INCLUDES I)
  _clopt_check_target()
  _clopt_check_device()
endmacro()

# Stops on values with the flag that the function puts before them.
function(_clopt_check_prefixes Name Letter)
  foreach(Value IN LISTS ARG_${Name})
    if(Value MATCHES "^-${Letter}")
      message(FATAL_ERROR
        "clopt_optimize_kernels: ${Name} are without -${Letter}, unlike ${Value}")
    endif()
  endforeach()
endfunction()

macro(_clopt_check_target)
  if(ARG_TARGET)
    if(NOT TARGET ${ARG_TARGET})
      message(FATAL_ERROR
        "clopt_optimize_kernels: there is no target named ${ARG_TARGET}")
    endif()
    get_target_property(Aliased ${ARG_TARGET} ALIASED_TARGET)
    if(Aliased)
      set(ARG_TARGET ${Aliased})
    endif()
    get_target_property(IsImported ${ARG_TARGET} IMPORTED)
    get_target_property(Folder ${ARG_TARGET} BINARY_DIR)
    if(IsImported)
      message(FATAL_ERROR "clopt_optimize_kernels: ${ARG_TARGET} is imported, not built here")
    elseif(NOT Folder STREQUAL CMAKE_CURRENT_BINARY_DIR)
      message(FATAL_ERROR "clopt_optimize_kernels: the target ${ARG_TARGET} belongs to "
                          "another folder; call the function there")
    endif()
  endif()
  foreach(Name EMBED_INCLUDES EMBED_PREFIX)
    if(ARG_${Name} AND NOT ARG_EMBED)
      message(FATAL_ERROR "clopt_optimize_kernels: ${Name} needs EMBED")
    endif()
  endforeach()
  if(ARG_EMBED AND NOT ARG_TARGET)
    message(FATAL_ERROR "clopt_optimize_kernels: EMBED needs a TARGET")
  elseif(ARG_EMBED)
    get_target_property(Type ${ARG_TARGET} TYPE)
    if(Type MATCHES "^(INTERFACE_LIBRARY|UTILITY)$")
      message(FATAL_ERROR "clopt_optimize_kernels: EMBED needs a TARGET that is compiled, "
                          "unlike ${ARG_TARGET}")
    endif()
  endif()
  if(NOT ARG_EMBED_PREFIX)
    set(ARG_EMBED_PREFIX clopt)
  elseif(NOT ARG_EMBED_PREFIX MATCHES "^[A-Za-z_][A-Za-z0-9_]*$")
    message(FATAL_ERROR "clopt_optimize_kernels: EMBED_PREFIX begins the names of variables; "
                        "'${ARG_EMBED_PREFIX}' cannot")
  endif()
endmacro()

# As for clopt, what has a slash or ends in .json is the file of a profile.
macro(_clopt_check_device)
  set(Profile "")
  if(ARG_TARGET_DEVICE MATCHES "/|\\.json$" AND NOT ARG_TARGET_DEVICE MATCHES "\\$<")
    cmake_path(ABSOLUTE_PATH ARG_TARGET_DEVICE
               BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    _clopt_check_file(TARGET_DEVICE ${ARG_TARGET_DEVICE})
    set(Profile "${ARG_TARGET_DEVICE}")
  endif()
endmacro()

# Stops when a file neither exists nor will be made by the build.
function(_clopt_check_file Argument File)
  get_source_file_property(IsMade ${File} GENERATED)
  if(IS_DIRECTORY ${File})
    message(FATAL_ERROR "clopt_optimize_kernels: ${Argument}: ${File} is a folder")
  elseif(NOT IsMade AND NOT EXISTS ${File})
    message(FATAL_ERROR "clopt_optimize_kernels: ${Argument}: there is no file ${File}, and "
                        "no command before this one makes it")
  endif()
endfunction()

# Looks at <Input> and <Output> in the scope of clopt_optimize_kernels.
macro(_clopt_check_kernel)
  _clopt_check_file(KERNELS ${Input})
  if(Output STREQUAL Input)
    message(FATAL_ERROR "clopt_optimize_kernels: ${Input} would overwrite itself")
  endif()
  if(Output IN_LIST Outputs)
    message(FATAL_ERROR "clopt_optimize_kernels: two kernels are named ${Name}; "
                        "give each its own OUTPUT_DIRECTORY")
  endif()
endmacro()

# Sets <result> to the files that the options read. Stops on a name that is not absolute: the
# build runs clopt in another folder.
function(_clopt_files_of_options Result Options)
  set(Files "")
  set(Awaited "")
  foreach(Option IN LISTS Options)
    if(Awaited)
      set(File "${Option}")
    elseif(Option MATCHES "^--?(recipe|tuning-db|measurements|config-file|target)(=(.*))?$")
      set(Awaited "--${CMAKE_MATCH_1}")
      if(NOT CMAKE_MATCH_2)
        continue()
      endif()
      set(File "${CMAKE_MATCH_3}")
    else()
      continue()
    endif()
    # As for clopt, what has a slash or ends in .json is the file of a profile.
    if(NOT File MATCHES "\\$<" AND (NOT Awaited STREQUAL "--target" OR File MATCHES "/|\\.json$"))
      if(NOT IS_ABSOLUTE "${File}")
        message(FATAL_ERROR "clopt_optimize_kernels: names of files in OPTIONS are absolute, "
                            "unlike that of ${Awaited}=${File}")
      endif()
      _clopt_check_file(${Awaited} "${File}")
      list(APPEND Files "${File}")
    endif()
    set(Awaited "")
  endforeach()
  set(${Result} "${Files}" PARENT_SCOPE)
endfunction()

# Stops on options that the function sets itself, and on those that clopt refuses. What
# generator expressions stand for is only known when the build runs, and so is clopt where it
# is part of the project.
function(_clopt_check_options Options Flags)
  list(LENGTH ARG_KERNELS Count)
  foreach(Option IN LISTS ARG_OPTIONS)
    if(Option STREQUAL "--")
      message(FATAL_ERROR "clopt_optimize_kernels: what follows -- goes to BUILD_OPTIONS")
    elseif(Option MATCHES "^--?(o|i|MD|MF|MT|dry-run)(=|$)")
      message(FATAL_ERROR "clopt_optimize_kernels: OPTIONS cannot hold ${Option}: what is "
                          "written where is said by other arguments")
    elseif(Count GREATER 1 AND Option MATCHES
           "^--?(report|sarif|recipe|emit-recipe|plan|emit-launcher|foptimization-record-file)(=|$)")
      message(FATAL_ERROR "clopt_optimize_kernels: ${Option} in OPTIONS is for one kernel "
                          "file, not for ${Count}; call the function once for each")
    endif()
  endforeach()
  get_target_property(IsImported clopt::clopt IMPORTED)
  if(NOT IsImported)
    return()
  endif()
  if(NOT Options MATCHES "\\$<")
    _clopt_ask("OPTIONS: " ${Options} --list-devices)
  endif()
  # Of a text without kernels, only the target and the flags can be wrong.
  set(Targets ${Options})
  list(FILTER Targets INCLUDE REGEX "^--?target=")
  if(Targets MATCHES "\\$<" OR (Profile AND NOT EXISTS "${Profile}"))
    set(Targets "")
  endif()
  if(Flags MATCHES "\\$<")
    set(Flags "")
  endif()
  _clopt_ask("" ${Targets} --dry-run --config-file=/dev/null - -- ${Flags})
endfunction()

# Stops with what clopt says against these arguments themselves, once for each.
function(_clopt_ask Prefix)
  string(MD5 Question "${ARGN}")
  get_property(Known GLOBAL PROPERTY CLOPT_QUESTIONS)
  if(Question IN_LIST Known)
    return()
  endif()
  get_target_property(Program clopt::clopt LOCATION)
  execute_process(COMMAND ${Program} ${ARGN} INPUT_FILE /dev/null
                  OUTPUT_QUIET ERROR_VARIABLE Message RESULT_VARIABLE Status)
  string(STRIP "${Message}" Message)
  if(Message STREQUAL "")
    set(Message "clopt: error: ${Program}: ${Status}")
  endif()
  if(NOT Status EQUAL 0 AND Message MATCHES "clopt: error: ")
    message(FATAL_ERROR "clopt_optimize_kernels: ${Prefix}${Message}")
  endif()
  set_property(GLOBAL APPEND PROPERTY CLOPT_QUESTIONS ${Question})
endfunction()
