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
#     [INCLUDES <folder>...]       as -I, relative to the current source folder
#     [OUTPUT_DIRECTORY <folder>]  default: clopt/ in the current binary folder
#     [REPORT <json|sarif|yaml>...]
#     [OUTPUTS <variable>]         gets the optimized files
#     [EMBED]                      compiles the texts into <target>,
#     [EMBED_INCLUDES]             with their headers in them,
#     [EMBED_PREFIX <name>])       as <name>_<file>; default clopt
#
# Generator expressions are kept everywhere except in KERNELS and OUTPUT_DIRECTORY.

# Policies are those of this file, not of the caller: DEPFILE needs CMP0116.
cmake_policy(VERSION 3.20...3.25)

include(${CMAKE_CURRENT_LIST_DIR}/CloptCheckArguments.cmake)

function(clopt_optimize_kernels)
  cmake_parse_arguments(PARSE_ARGV 0 ARG
    "EMBED;EMBED_INCLUDES"
    "TARGET;TARGET_DEVICE;OUTPUT_DIRECTORY;OUTPUTS;EMBED_PREFIX"
    "KERNELS;OPTIONS;BUILD_OPTIONS;DEFINES;INCLUDES;REPORT")
  _clopt_check_arguments()

  if(NOT ARG_OUTPUT_DIRECTORY)
    set(ARG_OUTPUT_DIRECTORY clopt)
  endif()
  cmake_path(ABSOLUTE_PATH ARG_OUTPUT_DIRECTORY
             BASE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR} NORMALIZE)
  file(MAKE_DIRECTORY ${ARG_OUTPUT_DIRECTORY})

  _clopt_files_of_options(Read "${ARG_OPTIONS}")
  list(APPEND Read ${Profile})
  set(Options "${ARG_OPTIONS}")
  if(ARG_TARGET_DEVICE)
    string(PREPEND Options "--target=${ARG_TARGET_DEVICE};")
  endif()
  if(ARG_EMBED_INCLUDES)
    string(APPEND Options ";--inline-includes")
  endif()
  _clopt_absolute_folders(ARG_INCLUDES)
  _clopt_prefixed(Flags -D ${ARG_DEFINES})
  _clopt_prefixed(IncludeFlags -I ${ARG_INCLUDES})
  _clopt_json_words(Words "${Flags}" "${IncludeFlags}" "${ARG_BUILD_OPTIONS}")
  # One string each: a generator expression must not be split at its semicolons.
  string(APPEND Flags ";${IncludeFlags};${ARG_BUILD_OPTIONS}")
  _clopt_check_options("${Options}" "${Flags}")

  set(Outputs "")
  foreach(Kernel IN LISTS ARG_KERNELS)
    _clopt_optimize_one(${Kernel})
  endforeach()

  if(ARG_OUTPUTS)
    set(${ARG_OUTPUTS} ${Outputs} PARENT_SCOPE)
  endif()
endfunction()

# Makes the folders in <variable> absolute that stand outside of generator expressions, as
# target_include_directories does.
function(_clopt_absolute_folders Variable)
  set(Result "")
  set(Depth 0)
  foreach(Folder IN LISTS ${Variable})
    string(REGEX MATCHALL "\\$<" Begins "${Folder}")
    string(REGEX MATCHALL ">" Ends "${Folder}")
    list(LENGTH Begins Begins)
    list(LENGTH Ends Ends)
    if(Depth EQUAL 0 AND Begins EQUAL 0)
      cmake_path(ABSOLUTE_PATH Folder BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    endif()
    math(EXPR Depth "${Depth} + ${Begins} - ${Ends}")
    list(APPEND Result "${Folder}")
  endforeach()
  set(${Variable} "${Result}" PARENT_SCOPE)
endfunction()

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
  _clopt_check_kernel()

  set(ReportOptions "")
  set(Reports "")
  foreach(Format IN LISTS ARG_REPORT)
    _clopt_report_option(${Format} ${ARG_OUTPUT_DIRECTORY}/${Stem})
  endforeach()

  # What makes the file, for all targets that need it.
  string(MD5 Maker ${Output})
  string(SUBSTRING ${Maker} 0 8 Maker)
  string(MAKE_C_IDENTIFIER "${Name}" Identifier)
  set(Maker clopt-${Identifier}-${Maker})
  string(MAKE_C_IDENTIFIER "${ARG_EMBED_PREFIX}_${Name}" Symbol)
  set(Arguments "${Input}|${Options}|${ReportOptions}|${Flags}|${ARG_EMBED}|${Symbol}")
  if(TARGET ${Maker})
    get_target_property(Others ${Maker} CLOPT_ARGUMENTS)
    if(NOT Others STREQUAL Arguments)
      message(FATAL_ERROR
        "clopt_optimize_kernels: another call writes ${Output} with other arguments; "
        "give one of them an OUTPUT_DIRECTORY of its own")
    endif()
  else()
    _clopt_add_commands()
    set_target_properties(${Maker} PROPERTIES CLOPT_ARGUMENTS "${Arguments}")
  endif()
  list(APPEND Outputs ${Output})

  if(ARG_TARGET)
    add_dependencies(${ARG_TARGET} ${Maker})
    target_sources(${ARG_TARGET} PRIVATE ${Output})
  endif()
  if(ARG_EMBED)
    _clopt_add_text(${ARG_TARGET} ${Symbol} ${Output})
  endif()
endmacro()

# Sets <result> to the files .clopt.yaml of the file's folder and of those above it in the
# project. The depfile names those that were read; that one is new can only be seen by looking
# again at each build.
function(_clopt_configurations Result File)
  set(Patterns "")
  cmake_path(GET File PARENT_PATH Folder)
  list(APPEND Patterns ${Folder}/.clopt.yaml)
  cmake_path(IS_PREFIX CMAKE_SOURCE_DIR ${Folder} IsInProject)
  while(IsInProject AND NOT Folder STREQUAL CMAKE_SOURCE_DIR)
    cmake_path(GET Folder PARENT_PATH Folder)
    list(APPEND Patterns ${Folder}/.clopt.yaml)
  endwhile()
  # Folders are meant as they are written.
  string(REGEX REPLACE "([[*?])" "[\\1]" Patterns "${Patterns}")
  file(GLOB Files CONFIGURE_DEPENDS ${Patterns})
  set(${Result} "${Files}" PARENT_SCOPE)
endfunction()

# Adds what makes <Output>, as the target <Maker>: two targets that need one file must not
# both make it at the same time.
macro(_clopt_add_commands)
  cmake_path(RELATIVE_PATH Input BASE_DIRECTORY ${CMAKE_SOURCE_DIR}
             OUTPUT_VARIABLE Shown)
  _clopt_configurations(Configurations ${Input})
  add_custom_command(
    OUTPUT ${Output}
    BYPRODUCTS ${Reports}
    COMMAND clopt::clopt ${Input} -o ${Output} "${Options}" ${ReportOptions}
            -MD -MF ${Output}.d -MT ${Output} -- "${Flags}"
    DEPENDS ${Input} ${Read} ${Configurations} clopt::clopt
    DEPFILE ${Output}.d
    COMMENT "Optimizing OpenCL C ${Shown}"
    COMMAND_EXPAND_LISTS VERBATIM)
  _clopt_add_command(${Input} "${Words}")
  set(Made ${Output})
  if(ARG_EMBED)
    _clopt_embed(${Symbol} ${Output})
    list(APPEND Made ${Output}.${Extension} ${Output}.h)
  endif()
  add_custom_target(${Maker} DEPENDS ${Made})
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

# Sets <result> to the language that texts are embedded in: C, where the calling folder has it
# (a language that a folder below has enabled is only known there).
function(_clopt_embedding_language Result)
  set(${Result} cpp PARENT_SCOPE)
  if(CMAKE_C_COMPILER_LOADED)
    set(${Result} c PARENT_SCOPE)
  endif()
endfunction()

# Adds what makes <file>.h and <file>.c (or .cpp), which hold the text of <file> as
# `const char <symbol>[]`. Sets Extension in the caller's scope.
function(_clopt_embed Symbol File)
  cmake_path(GET File FILENAME Name)
  _clopt_embedding_language(Extension)
  set(Script ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/CloptEmbed.cmake)
  add_custom_command(
    OUTPUT ${File}.${Extension} ${File}.h
    COMMAND ${CMAKE_COMMAND} -DINPUT=${File} -DSYMBOL=${Symbol}
            -DSOURCE=${File}.${Extension} -DHEADER=${File}.h -P ${Script}
    DEPENDS ${File} ${Script}
    COMMENT "Embedding ${Name}"
    VERBATIM)
  set(Extension ${Extension} PARENT_SCOPE)
endfunction()

# Compiles what _clopt_embed has made of <file> into <target>.
function(_clopt_add_text Target Symbol File)
  get_target_property(Symbols ${Target} CLOPT_SYMBOLS)
  if(Symbol IN_LIST Symbols)
    message(FATAL_ERROR
      "clopt_optimize_kernels: two texts in ${Target} would be named ${Symbol}; give one of "
      "the calls another EMBED_PREFIX")
  endif()
  set_property(TARGET ${Target} APPEND PROPERTY CLOPT_SYMBOLS ${Symbol})
  _clopt_embedding_language(Extension)
  target_sources(${Target} PRIVATE ${File}.${Extension} ${File}.h)
  cmake_path(GET File PARENT_PATH Folder)
  # "scale.cl.h", or with the folder's name where several have one of that name.
  cmake_path(GET Folder PARENT_PATH Parent)
  target_include_directories(${Target} PRIVATE ${Folder} ${Parent})
endfunction()
