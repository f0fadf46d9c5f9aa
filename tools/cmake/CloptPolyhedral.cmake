# Finds what clopt's library is linked with, as clopt::polyhedral: Clang, LLVM, isl, PPL, gmp.
# Used by the build of clopt and by its package.

find_package(LLVM 19.1 REQUIRED CONFIG)
find_package(Clang 19.1 REQUIRED CONFIG)
if(NOT TARGET LLVM OR NOT TARGET clang-cpp)
  message(FATAL_ERROR "clopt needs the shared libraries libLLVM and libclang-cpp")
endif()

# The shared libLLVM exports the isl that Polly carries (a newer one, without gmp).
# A program that lists LLVM before isl would silently run Polly's isl under the headers
# of the real one. The static archive, first on the link line and hidden from the
# dynamic symbol table, settles it; test/unit/IslVersionTest.cpp watches over it.
# What it coalesces is checked (lib/Model/IslCoalesce.cpp).
find_library(CLOPT_ISL_LIBRARY NAMES libisl.a REQUIRED)
find_library(CLOPT_PPL_LIBRARY ppl REQUIRED)
find_library(CLOPT_GMPXX_LIBRARY gmpxx REQUIRED)
find_library(CLOPT_GMP_LIBRARY gmp REQUIRED)

if(NOT TARGET clopt::polyhedral)
  add_library(clopt::polyhedral INTERFACE IMPORTED GLOBAL)
  set_target_properties(clopt::polyhedral PROPERTIES
    INTERFACE_LINK_OPTIONS
      "LINKER:--exclude-libs,libisl.a;LINKER:--wrap=isl_map_coalesce,--wrap=isl_set_coalesce"
    INTERFACE_LINK_LIBRARIES
      "${CLOPT_ISL_LIBRARY};${CLOPT_PPL_LIBRARY};${CLOPT_GMPXX_LIBRARY};${CLOPT_GMP_LIBRARY};clang-cpp;LLVM")
endif()
