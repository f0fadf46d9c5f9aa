# Compiler settings: build type, warnings, ccache.

# A plain `cmake` call gives code that is quick to build: line numbers make the objects several
# times as large and the programs slow to link. For a debugger: -DCMAKE_BUILD_TYPE=Debug.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  add_compile_options(-O1)
endif()

# Several sources of a folder are compiled as one, so that what they include is read once.
option(CLOPT_UNITY "Compile several files of lib at a time" ON)

# Only GCC has a -Wshadow for local variables alone. libstdc++ 12 uses what C++17 deprecates.
add_compile_options(-Wall -Wextra
                    $<$<C_COMPILER_ID:GNU>:-Wshadow=local>
                    $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor>
                    $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-deprecated-declarations>
                    $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-c++20-extensions>)
# GCC 12 takes an empty std::optional for an uninitialized one when it inlines.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-Wno-maybe-uninitialized)
endif()
if(CLOPT_WERROR)
  add_compile_options(-Werror)
endif()

# LLVM is not instrumented, so that containers which it fills are not annotated: run with
# ASAN_OPTIONS=detect_container_overflow=0.
if(CLOPT_FUZZERS)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "CLOPT_FUZZERS needs Clang")
  endif()
  if(NOT CLOPT_SANITIZE)
    set(CLOPT_SANITIZE address,undefined)
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link -fno-sanitize-recover=all)
endif()
if(CLOPT_SANITIZE)
  add_compile_options(-fsanitize=${CLOPT_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${CLOPT_SANITIZE})
endif()

# ccache finds a hit across checkouts when folder names are relative and not hashed.
# Precompiled headers need the sloppiness that ccache's manual names.
find_program(CLOPT_CCACHE ccache)
if(CLOPT_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_NOHASHDIR=1 CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${CLOPT_CCACHE})
endif()
