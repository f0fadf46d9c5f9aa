# clopt_optimize_kernels: optimizes OpenCL C as a step of a build.
#
# Documented, with examples, in docs/cmake.md. In short:
#
#   clopt_optimize_kernels(
#     KERNELS <file>...            the OpenCL C files
#     [TARGET <target>]            the target that needs the results
#     [TARGET_DEVICE <name>]       the value of --target
#     [OPTIONS <option>...]        options of clopt, before `--`
#     [BUILD_OPTIONS <option>...]  options of clBuildProgram, after `--`
#     [DEFINES <name[=value]>...]  as -D
#     [INCLUDES <folder>...]       as -I
#     [OUTPUT_DIRECTORY <folder>]  default: clopt/ in the current binary folder
#     [REPORT <json|sarif|yaml>...]
#     [OUTPUTS <variable>]         gets the optimized files
#     [EMBED])                     compiles the texts into <target>
#
# Generator expressions are kept everywhere except in KERNELS and OUTPUT_DIRECTORY.

# Policies are those of this file, not of the caller: DEPFILE needs CMP0116.
cmake_policy(VERSION 3.20...3.25)

set(_CLOPT_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/CloptEmbed.cmake)

function(clopt_optimize_kernels)
  cmake_parse_arguments(PARSE_ARGV 0 ARG
    "EMBED" "TARGET;TARGET_DEVICE;OUTPUT_DIRECTORY;OUTPUTS"
    "KERNELS;OPTIONS;BUILD_OPTIONS;DEFINES;INCLUDES;REPORT")
  _clopt_check_arguments()

  if(NOT ARG_OUTPUT_DIRECTORY)
    set(ARG_OUTPUT_DIRECTORY clopt)
  endif()
  cmake_path(ABSOLUTE_PATH ARG_OUTPUT_DIRECTORY
             BASE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR} NORMALIZE)
  file(MAKE_DIRECTORY ${ARG_OUTPUT_DIRECTORY})

  set(Options "${ARG_OPTIONS}")
  if(ARG_TARGET_DEVICE)
    string(PREPEND Options "--target=${ARG_TARGET_DEVICE};")
  endif()
  _clopt_prefixed(Flags -D ${ARG_DEFINES})
  _clopt_prefixed(IncludeFlags -I ${ARG_INCLUDES})
  _clopt_json_words(Words "${Flags}" "${IncludeFlags}" "${ARG_BUILD_OPTIONS}")
  # One string each: a generator expression must not be split at its semicolons.
  string(APPEND Flags ";${IncludeFlags};${ARG_BUILD_OPTIONS}")

  set(Outputs "")
  foreach(Kernel IN LISTS ARG_KERNELS)
    _clopt_optimize_one(${Kernel})
  endforeach()

  if(ARG_TARGET)
    target_sources(${ARG_TARGET} PRIVATE ${Outputs})
  endif()
  if(ARG_OUTPUTS)
    set(${ARG_OUTPUTS} ${Outputs} PARENT_SCOPE)
  endif()
endfunction()

# Stops on arguments that could only be a mistake.
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
  if(ARG_TARGET AND NOT TARGET ${ARG_TARGET})
    message(FATAL_ERROR
      "clopt_optimize_kernels: there is no target named ${ARG_TARGET}")
  endif()
  if(ARG_EMBED AND NOT ARG_TARGET)
    message(FATAL_ERROR "clopt_optimize_kernels: EMBED needs a TARGET")
  endif()
  foreach(Format IN LISTS ARG_REPORT)
    if(NOT Format MATCHES "^(json|sarif|yaml)$")
      message(FATAL_ERROR "clopt_optimize_kernels: REPORT is json, sarif or yaml, "
                          "not ${Format}")
    endif()
  endforeach()
endmacro()

# Sets <result> to the values with <prefix> before each. Generator expressions may stand
# for several values or for none, so that the prefixes have to be added when they are
# evaluated; then the values must not contain commas outside the expressions.
function(_clopt_prefixed Result Prefix)
  set(Flags "${ARGN}")
  if(Flags MATCHES "\\$<")
    set(Values "$<FILTER:${Flags},EXCLUDE,^$>")
    set(Flags "$<$<BOOL:${Values}>:${Prefix}$<JOIN:${Values},;${Prefix}>>")
  else()
    list(TRANSFORM Flags PREPEND "${Prefix}")
  endif()
  set(${Result} "${Flags}" PARENT_SCOPE)
endfunction()

# Sets <result> to the words of the lists as JSON strings, each behind a comma. It is NOTFOUND
# where a comma beside generator expressions leaves no way to say where a word ends.
function(_clopt_json_words Result)
  set(All "")
  math(EXPR Last "${ARGC} - 1")
  foreach(Number RANGE 1 ${Last})
    set(Words "${ARGV${Number}}")
    string(REPLACE "\\" "\\\\" Words "${Words}")
    string(REPLACE "\"" "\\\"" Words "${Words}")
    if(Words STREQUAL "")
      continue()
    elseif(NOT Words MATCHES "\\$<")
      list(JOIN Words "\", \"" Words)
      string(APPEND All ", \"${Words}\"")
      continue()
    endif()
    set(Rest "${Words}")
    set(Before "")
    while(NOT Rest STREQUAL Before)
      set(Before "${Rest}")
      string(REGEX REPLACE "\\$<[^<>]*>" "" Rest "${Rest}")
    endwhile()
    if(Rest MATCHES ",")
      set(${Result} NOTFOUND PARENT_SCOPE)
      return()
    endif()
    set(Values "$<FILTER:${Words},EXCLUDE,^$>")
    string(APPEND All
      "$<$<BOOL:${Values}>:$<COMMA> \"$<JOIN:${Values},\"$<COMMA> \">\">")
  endforeach()
  set(${Result} "${All}" PARENT_SCOPE)
endfunction()

# Keeps an entry of clopt_compile_commands.json, which is written once all folders are read.
function(_clopt_add_command Input Words)
  if(Words MATCHES "NOTFOUND$")
    return()
  endif()
  get_property(IsPlanned GLOBAL PROPERTY CLOPT_COMMANDS SET)
  if(NOT IsPlanned)
    cmake_language(DEFER DIRECTORY ${CMAKE_SOURCE_DIR} CALL _clopt_write_commands)
  endif()
  set_property(GLOBAL APPEND_STRING PROPERTY CLOPT_COMMANDS
    ",\n{\"directory\": \"${CMAKE_CURRENT_BINARY_DIR}\",\n \"file\": \"${Input}\",\n \"arguments\": [\"clopt\"${Words}]}")
endfunction()

function(_clopt_write_commands)
  get_property(Entries GLOBAL PROPERTY CLOPT_COMMANDS)
  string(SUBSTRING "${Entries}" 2 -1 Entries)
  # Of several configurations, the first one.
  set(Condition 1)
  get_property(HasSeveral GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(HasSeveral)
    list(GET CMAKE_CONFIGURATION_TYPES 0 First)
    set(Condition "$<CONFIG:${First}>")
  endif()
  file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/clopt_compile_commands.json
       CONTENT "[${Entries}]\n" CONDITION ${Condition})
endfunction()

# Adds the commands for one file, in the scope of clopt_optimize_kernels.
macro(_clopt_optimize_one Kernel)
  cmake_path(ABSOLUTE_PATH Kernel BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
             NORMALIZE OUTPUT_VARIABLE Input)
  cmake_path(GET Input FILENAME Name)
  cmake_path(GET Input STEM LAST_ONLY Stem)
  set(Output ${ARG_OUTPUT_DIRECTORY}/${Name})
  if(Output STREQUAL Input)
    message(FATAL_ERROR "clopt_optimize_kernels: ${Input} would overwrite itself")
  endif()
  if(Output IN_LIST Outputs)
    message(FATAL_ERROR "clopt_optimize_kernels: two kernels are named ${Name}; "
                        "give each its own OUTPUT_DIRECTORY")
  endif()

  set(ReportOptions "")
  set(Reports "")
  foreach(Format IN LISTS ARG_REPORT)
    _clopt_report_option(${Format} ${ARG_OUTPUT_DIRECTORY}/${Stem})
  endforeach()

  cmake_path(RELATIVE_PATH Input BASE_DIRECTORY ${CMAKE_SOURCE_DIR}
             OUTPUT_VARIABLE Shown)
  add_custom_command(
    OUTPUT ${Output}
    BYPRODUCTS ${Reports}
    COMMAND clopt::clopt ${Input} -o ${Output} "${Options}" ${ReportOptions}
            -MD -MF ${Output}.d -MT ${Output} -- "${Flags}"
    DEPENDS ${Input} clopt::clopt
    DEPFILE ${Output}.d
    COMMENT "Optimizing OpenCL C ${Shown}"
    COMMAND_EXPAND_LISTS VERBATIM)
  list(APPEND Outputs ${Output})
  _clopt_add_command(${Input} "${Words}")

  if(ARG_EMBED)
    _clopt_embed(${ARG_TARGET} ${Output} ${ARG_OUTPUT_DIRECTORY})
  endif()
endmacro()

# Appends to ReportOptions and Reports what writes <stem>'s report in that format.
macro(_clopt_report_option Format Stem)
  if(${Format} STREQUAL "json")
    list(APPEND ReportOptions "--report=${Stem}.json")
    list(APPEND Reports "${Stem}.json")
  elseif(${Format} STREQUAL "sarif")
    list(APPEND ReportOptions "--sarif=${Stem}.sarif")
    list(APPEND Reports "${Stem}.sarif")
  else()
    # Named after the output, as Clang does it.
    list(APPEND ReportOptions "-fsave-optimization-record")
    list(APPEND Reports "${Stem}.opt.yaml")
  endif()
endmacro()

# Adds <name>.h and <name>.c (or .cpp in a project without C) to <target>; they hold the
# text of <file> as `const char clopt_<name>[]`, with <name> made an identifier.
function(_clopt_embed Target File Folder)
  cmake_path(GET File FILENAME Name)
  get_property(Languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  set(Extension cpp)
  if("C" IN_LIST Languages)
    set(Extension c)
  endif()
  set(Source ${Folder}/${Name}.${Extension})
  set(Header ${Folder}/${Name}.h)
  add_custom_command(
    OUTPUT ${Source} ${Header}
    COMMAND ${CMAKE_COMMAND} -DINPUT=${File} -DSOURCE=${Source} -DHEADER=${Header}
            -P ${_CLOPT_EMBED_SCRIPT}
    DEPENDS ${File} ${_CLOPT_EMBED_SCRIPT}
    COMMENT "Embedding ${Name}"
    VERBATIM)
  target_sources(${Target} PRIVATE ${Source} ${Header})
  target_include_directories(${Target} PRIVATE ${Folder})
endfunction()
