# Writes Support/Config.h: what the sources have to know about the configuration.

# Clang guesses its resource directory from the place of the executable. clopt is not
# installed beside Clang, so the answer of the Clang we build against is kept.
find_program(CLOPT_CLANG NAMES clang-19 clang
             HINTS ${LLVM_TOOLS_BINARY_DIR} REQUIRED)
execute_process(COMMAND ${CLOPT_CLANG} -print-resource-dir
                OUTPUT_VARIABLE CLOPT_RESOURCE_DIR
                OUTPUT_STRIP_TRAILING_WHITESPACE
                COMMAND_ERROR_IS_FATAL ANY)

set(CLOPT_SHARE_DIR ${CMAKE_INSTALL_FULL_DATADIR}/clopt)
configure_file(${CMAKE_CURRENT_LIST_DIR}/Config.h.in
               ${PROJECT_BINARY_DIR}/generated/Support/Config.h @ONLY)
