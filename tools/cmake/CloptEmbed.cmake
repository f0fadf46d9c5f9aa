# Writes a text file as C, for clopt_optimize_kernels(... EMBED).
#
#   cmake -DINPUT=<text> -DSYMBOL=<name of the variable> -DSOURCE=<.c or .cpp> -DHEADER=<.h>
#         -P CloptEmbed.cmake
#
# The bytes are numbers, not a string literal: compilers limit the length of literals, and
# nothing has to be escaped. A zero ends the array but is not counted in the length.
cmake_minimum_required(VERSION 3.20)

cmake_path(GET INPUT FILENAME Name)
cmake_path(GET HEADER FILENAME HeaderName)

file(READ ${INPUT} Digits HEX)
string(LENGTH "${Digits}" DigitCount)
math(EXPR Length "${DigitCount} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," Bytes "${Digits}")
# A byte above 0x7f does not fit a signed char without a cast.
string(REGEX REPLACE "0x([89a-f])" "(char)0x\\1" Bytes "${Bytes}")
# Twelve bytes a line.
string(REPEAT "[^,]*," 12 Line)
string(REGEX REPLACE "(${Line})" "\\1\n  " Bytes "${Bytes}")

file(WRITE ${HEADER}
"/* Written by clopt_optimize_kernels from ${Name}. */
#ifndef ${SYMBOL}_h
#define ${SYMBOL}_h

#include <stddef.h>

#ifdef __cplusplus
extern \"C\" {
#endif

/* The optimized OpenCL C, with a zero at its end, for clCreateProgramWithSource. */
extern const char ${SYMBOL}[];
/* Its length in bytes, without that zero. */
extern const size_t ${SYMBOL}_length;

#ifdef __cplusplus
}
#endif

#endif
")

file(WRITE ${SOURCE}
"/* Written by clopt_optimize_kernels from ${Name}. */
#include \"${HeaderName}\"

const char ${SYMBOL}[] = {
  ${Bytes}0};
const size_t ${SYMBOL}_length = ${Length};
")
