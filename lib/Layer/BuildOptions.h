//===- BuildOptions.h - the options of a build, for clopt ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clBuildProgram takes options as one string, clopt as words behind `--`. Only
// strings that both are sure to read alike are taken over.
//
// Tested by test/unit/RuntimeLayerTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_LAYER_BUILDOPTIONS_H
#define CLOPT_LAYER_BUILDOPTIONS_H

#include <string>
#include <vector>

namespace clopt::layer {

struct BuildOptions {
  std::vector<std::string> words; ///< for clopt, without what only drivers have
  std::vector<std::string> folders; ///< of -I
  bool isOpenCL1 = true;            ///< no -cl-std, or one of 1.x
  std::string problem;              ///< why the program is left alone, or empty
};

BuildOptions readBuildOptions(const std::string &options);

/// Lines that end in a backslash go on in the next one, within words, too.
std::string withJoinedLines(const std::string &source);

/// Why a text is left alone whatever its options are; empty: it is not.
std::string problemOfSource(const std::string &source);

} // namespace clopt::layer

#endif // CLOPT_LAYER_BUILDOPTIONS_H
